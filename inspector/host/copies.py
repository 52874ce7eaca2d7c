"""A composed call as text for elsewhere: to paste, to replay, to run. Pure; never a secret.

What a server's entry holds (headers, environment, arguments, the credentials of a URL) is never written out: a
copied command names the workspace file, and a copied script reads it. Only what a person typed on the command
line is repeated, without the credentials of its URLs.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from inspector.extension import KEY
from inspector.host.json_text import json_pieces, write_json_text
from inspector.host.profile import HostSettings
from inspector.host.resolution import Resolution
from inspector.host.setup import Setup
from inspector.workspace.server import Era, ServerEntry, Transport

_LONGEST_WORD: Final = 100_000
"""Bytes of one word of a command line: a system takes about 128 KiB."""

_DEEPEST: Final = 60
"""Objects and arrays within each other that a Python source can hold with room to spare."""

_CREDENTIALS: Final = re.compile(r"(?<=://)[^/?#@\s]*@")
_QUERY: Final = re.compile(r"(://[^?#\s]*)\?[^#\s]*")


class CannotCopy(ValueError):
    """What is asked for cannot be written in that form. The text says why, in a line."""


def request_text(resolution: Resolution) -> str:
    """The call as a JSON-RPC `tools/call` request, with the `_meta` that was resolved."""
    params: dict[str, Any] = {"name": resolution.tool.name, "arguments": dict(resolution.arguments)}
    if resolution.meta:
        params["_meta"] = resolution.meta
    return write_json_text({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def command_line(setup: Setup, resolution: Resolution) -> str:
    """The call as an `ra-inspector call` line for a shell, over the same workspace and as the same host."""
    words = ["ra-inspector", "call", resolution.tool.reference]
    arguments = write_json_text(resolution.arguments, indent=None)
    long = len(arguments.encode("utf-8", "surrogatepass")) > _LONGEST_WORD
    before, after = _parted(_without_credentials(setup.options))
    words += ["--args", "-" if long else arguments, *before, *_host_options(setup, resolution.settings), *after]
    notes = ["# A URL's credentials and query are left out: put them back."] if _has_credentials(setup) else []
    here = [f"<<'JSON'\n{arguments}\nJSON"] if long else []
    return "\n".join([*notes, " ".join([*map(shlex.quote, words), *here])]) + "\n"


def mcp_inspector_line(setup: Setup, resolution: Resolution, entry: ServerEntry) -> str:
    """The call as an `mcp-inspector --cli` line for a shell, with its `_meta`: for people without this program.

    Older versions send structured metadata as text, so the line says which version it is for.
    """
    notes = ["# For MCP Inspector 2.12 or newer. It does not claim the extension: a tool may answer otherwise."]
    words = ["mcp-inspector", "--cli"]
    target: list[str] = []
    if _is_of_the_file(setup, entry):
        words += ["--config", _file(setup), "--server", entry.name]
    elif entry.transport is Transport.STDIO:
        target = ["--", entry.command, *entry.args]
    else:
        words += ["--transport", entry.transport.value, "--server-url", _clean(entry.url)]
        if _clean(entry.url) != entry.url:
            notes.append("# The URL's credentials and query are left out: put them back.")
    words += ["--method", "tools/call", "--tool-name", resolution.tool.name]
    words += ["--tool-args-json", write_json_text(resolution.arguments, indent=None)]
    if resolution.present:
        words += ["--tool-metadata", f"{KEY}={write_json_text(resolution.meta[KEY], indent=None)}"]
    longest = max(len(word.encode("utf-8", "surrogatepass")) for word in words)
    if longest > _LONGEST_WORD:
        notes.append(f"# One word of it has {longest:,} bytes: more than most systems take on a command line.")
    era = "modern" if entry.era is Era.MODERN else "legacy" if entry.era is Era.LEGACY else "auto"
    words += ["--protocol-era", era, *target]
    return "\n".join([*notes, " ".join(map(shlex.quote, words))]) + "\n"


def python_script(setup: Setup, resolution: Resolution, entry: ServerEntry) -> str:
    """The call as a Python script over the MCP SDK's `Client`. Raises CannotCopy where it nests too deep."""
    server, imports = _python_server(setup, entry)
    claim = resolution.settings.profile.claims(entry.connector, calling=True)
    options = [f"mode={_mode(entry)}"]
    if claim:
        limits = "".join(_python(resolution.settings.limits.claim(), indent=None))
        options.append(f"extensions=[advertise({KEY!r}, {limits})]")
        imports.add("from mcp.client import advertise")
    plain = sorted(line for line in imports if line.startswith("import "))
    named = sorted(line for line in imports if not line.startswith("import "))
    parts = [
        f'"""Calls {_comment(resolution.tool.reference)} as it was resolved.\n\nNeeds the MCP SDK, mcp 2.3."""',
        "\n".join(plain) + "\n\n" + "\n".join(named),
        f"ARGUMENTS = {''.join(_python(resolution.arguments))}\n\nMETA = {''.join(_python(resolution.meta))}",
        server,
        "async def main():\n"
        f"    async with Client(SERVER, {', '.join(options)}) as client:\n"
        f"        result = await client.call_tool({resolution.tool.name!r}, ARGUMENTS, meta=META or None)\n"
        "    print(json.dumps(result.model_dump(mode='json', by_alias=True, exclude_none=True), indent=2))",
        "asyncio.run(main())",
    ]
    return "\n\n\n".join(parts) + "\n"


def _python_server(setup: Setup, entry: ServerEntry) -> tuple[str, set[str]]:
    imports = {"import asyncio", "import json", "from mcp import Client"}
    if not _is_of_the_file(setup, entry):
        if entry.transport is not Transport.STDIO:
            note = "" if _clean(entry.url) == entry.url else "  # its credentials and query are left out"
            return f"SERVER = {_clean(entry.url)!r}{note}", imports
        imports.add("from mcp import StdioServerParameters")
        return (
            f"SERVER = StdioServerParameters(command={entry.command!r}, args={list(entry.args)!r})",
            imports,
        )
    imports |= {"import os", "import re", "from pathlib import Path"}
    read = (
        "# The server is reached as the workspace file says: no secret of it stands here.\n"
        f"FILE = Path({_file(setup)!r})\n"
        "WORKSPACE = json.loads(FILE.read_text(encoding='utf-8'))\n"
        f"ENTRY = (WORKSPACE.get('mcpServers') or WORKSPACE['servers'])[{entry.name!r}]\n\n\n"
        "def filled(text):\n"
        '    """The text with its ${VARIABLES} filled in."""\n'
        "    variable = re.compile(r'\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\\}')\n"
        "    return variable.sub(lambda found: os.environ.get(found[1]) or found[2] or '', text)\n\n\n"
        "def filled_in(field):\n"
        '    """A field of the entry that holds texts by name."""\n'
        "    return {name: filled(text) for name, text in ENTRY.get(field, {}).items()}\n\n\n"
    )
    if entry.transport is Transport.STDIO:
        imports.add("from mcp import StdioServerParameters")
        server = (
            "COMMAND = filled(ENTRY['command'])\n"
            "SERVER = StdioServerParameters(\n"
            "    command=str(FILE.parent / COMMAND) if '/' in COMMAND else COMMAND,\n"
            "    args=[filled(text) for text in ENTRY.get('args', [])],\n"
            "    env=filled_in('env'),\n"
            "    cwd=FILE.parent / filled(ENTRY.get('cwd', '.')),\n"
            ")"
        )
    elif entry.transport is Transport.SSE:
        imports.add("from mcp.client.sse import sse_client")
        server = "SERVER = sse_client(filled(ENTRY['url']), headers=filled_in('headers'))"
    else:
        imports |= {"import httpx2", "from mcp.client.streamable_http import streamable_http_client"}
        server = (
            "HTTP = httpx2.AsyncClient(headers=filled_in('headers'))\n"
            "SERVER = streamable_http_client(filled(ENTRY['url']), http_client=HTTP)"
        )
    return read + server, imports


def _mode(entry: ServerEntry) -> str:
    return {Era.AUTO: "'auto'", Era.LEGACY: "'legacy'", Era.MODERN: "'2026-07-28'"}[entry.era]


def _python(value: Any, *, indent: int | None = 4) -> Iterator[str]:
    if _depth_over(value, _DEEPEST):
        raise CannotCopy(f"it nests deeper than {_DEEPEST} levels: no Python source holds that")

    def scalar(item: Any) -> Iterator[str]:
        yield repr(item)

    return json_pieces(value, indent=indent, scalar=scalar)


def _depth_over(value: Any, levels: int) -> bool:
    level = [value]
    for _ in range(levels):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, Mapping) else holder)
            if isinstance(item, Mapping | list)
        ]
        if not level:
            return False
    return True


def _comment(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii").replace('"', "'")


def _is_of_the_file(setup: Setup, entry: ServerEntry) -> bool:
    """Whether the workspace file describes the server; else the command line, or the demo, does."""
    if setup.path is None:
        return False
    named = [option.partition("=")[0].strip() for option in _given(setup.options, "-s")]
    return entry.name not in named and not (_parted(setup.options)[1] and entry.name == setup.entries[-1].name)


def _given(options: tuple[str, ...], word: str) -> list[str]:
    before = _parted(options)[0]
    return [value for option, value in pairwise(before) if option == word]


def _file(setup: Setup) -> str:
    return str(setup.path.absolute()) if setup.path is not None else ""


def _host_options(setup: Setup, settings: HostSettings) -> list[str]:
    """The options that play this host: those that differ from the defaults, or from how the program started."""
    words: list[str] = []
    usual = HostSettings()
    if settings.profile is not usual.profile or setup.settings.profile is not usual.profile:
        words += ["--profile", settings.profile.value]
    for name in ("max_chars", "max_size", "max_uris"):
        value = getattr(settings.limits, name)
        if value != getattr(usual.limits, name) or value != getattr(setup.settings.limits, name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _parted(options: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The options, and from `--` on the command of the unnamed server."""
    if "--" not in options:
        return options, ()
    at = options.index("--")
    return options[:at], options[at:]


def _clean(text: str) -> str:
    return _QUERY.sub(r"\1", _CREDENTIALS.sub("", text))


def _without_credentials(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_clean(option) for option in options)


def _has_credentials(setup: Setup) -> bool:
    return _without_credentials(setup.options) != setup.options
