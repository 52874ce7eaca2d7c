"""The workspace file as people have it, and one line for each way in which it can be wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector.workspace.config import WorkspaceError, WorkspaceFile, load_workspace, parse_workspace
from inspector.workspace.options import server_from_command, server_from_option
from inspector.workspace.server import Connector, Era, InputRequest, ServerEntry, Transport

EXAMPLE = """{
  "mcpServers": {
    "crm":    { "command": "python", "args": ["crm.py"] },
    "mail":   { "type": "http", "url": "http://127.0.0.1:8001/mcp", "protocolEra": "legacy" }
  },
  "host": { "profile": "workspace", "maxChars": 49600 }
}
"""


def written(folder: Path, text: str | bytes | dict[str, Any]) -> Path:
    path = folder / "mcp.json"
    if isinstance(text, dict):
        text = json.dumps(text)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def one(folder: Path, fields: dict[str, Any], **environment: str) -> ServerEntry:
    path = written(folder, {"mcpServers": {"crm": fields}})
    return load_workspace(path, environment).servers[0]


def test_the_example_of_the_design_is_read_with_its_defaults(tmp_path: Path) -> None:
    workspace = load_workspace(written(tmp_path, EXAMPLE))
    folder = str(tmp_path)
    assert workspace.servers == (
        ServerEntry("crm", Transport.STDIO, command="python", args=("crm.py",), cwd=folder),
        ServerEntry("mail", Transport.HTTP, url="http://127.0.0.1:8001/mcp", era=Era.LEGACY),
    )
    assert workspace.host == {"profile": "workspace", "maxChars": 49600}
    assert workspace.problems == ()
    crm = workspace.servers[0]
    assert (crm.connection_timeout, crm.request_timeout, crm.connector) == (15.0, 30.0, Connector.WORKSPACE)


def test_every_field_is_read(tmp_path: Path) -> None:
    entry = one(
        tmp_path,
        {
            "type": "sse",
            "url": "https://x.example/sse",
            "headers": {"Authorization": "Bearer ${TOKEN}"},
            "protocolEra": "modern",
            "connectionTimeout": 500,
            "requestTimeout": 1500,
            "connector": "personal",
        },
        TOKEN="s3cret",
    )
    assert entry == ServerEntry(
        "crm",
        Transport.SSE,
        url="https://x.example/sse",
        headers={"Authorization": "Bearer s3cret"},
        era=Era.MODERN,
        connector=Connector.PERSONAL,
        connection_timeout=0.5,
        request_timeout=1.5,
    )
    assert "s3cret" not in repr(entry)


def test_relative_paths_count_from_the_folder_of_the_file(tmp_path: Path) -> None:
    assert one(tmp_path, {"command": "./bin/crm"}).command == str(tmp_path / "bin/crm")
    assert one(tmp_path, {"command": "crm"}).command == "crm"
    assert one(tmp_path, {"command": "/usr/bin/crm"}).command == "/usr/bin/crm"
    assert one(tmp_path, {"command": "crm", "cwd": "sub"}).cwd == str(tmp_path / "sub")
    assert one(tmp_path, {"command": "crm"}).cwd == str(tmp_path)


def test_variables_expand_and_one_that_is_not_set_fails_its_server_by_name(tmp_path: Path) -> None:
    fields = {
        "command": "${BIN}/crm",
        "args": ["--db=${DB:-crm.db}", "${EMPTY:-filled}", "$HOME", "${input:x}"],
        "env": {"KEY": "${KEY}"},
        "cwd": "${DIR}",
    }
    entry = one(tmp_path, fields, BIN="/opt", KEY="k", DIR="/srv", EMPTY="")
    assert (entry.command, entry.args) == ("/opt/crm", ("--db=crm.db", "filled", "$HOME", "${input:x}"))
    assert (entry.env, entry.cwd, entry.unset) == ({"KEY": "k"}, "/srv", None)
    assert one(tmp_path, fields, BIN="/opt", DIR="/srv").unset == "KEY"
    assert one(tmp_path, {"url": "http://${HOST}/mcp"}).unset == "HOST"
    other = {"a": {"command": "${NOPE}"}, "b": {"command": "b"}}
    servers = load_workspace(written(tmp_path, {"mcpServers": other}), {}).servers
    assert [entry.unset for entry in servers] == ["NOPE", None]


def test_servers_and_inputs_of_vs_code_are_read(tmp_path: Path) -> None:
    data = {
        "inputs": [
            {"type": "promptString", "id": "token", "description": "API token", "password": True},
            {"type": "pickString", "id": "region", "options": ["eu", "us"], "default": "eu"},
        ],
        "servers": {
            "crm": {"command": "crm", "env": {"T": "${input:token}", "R": "${input:region}"}},
            "mail": {"url": "http://x.example/mcp", "headers": {"K": "${input:undescribed}"}},
        },
    }
    crm, mail = load_workspace(written(tmp_path, data)).servers
    assert crm.inputs == (
        InputRequest("crm", "token", "API token", password=True),
        InputRequest("crm", "region", default="eu", options=("eu", "us")),
    )
    assert mail.inputs == (InputRequest("mail", "undescribed", password=True),)


def test_what_is_not_known_is_kept_and_passed_over_with_a_note(tmp_path: Path) -> None:
    servers = '"mcpServers": {"a b": {"command": "x", "disabled": false}}'
    text = f'{{{servers}, "theme": 1, "host": {{}}, "host": {{"maxUris": 3}}}}'
    workspace = load_workspace(written(tmp_path, text))
    assert workspace.host == {"maxUris": 3}
    assert [(problem.severity, problem.server, problem.message) for problem in workspace.problems] == [
        ("note", None, "host stands twice: the last one counts"),
        ("note", None, "theme is not known here and passed over"),
        ("note", "a b", 'mcpServers["a b"].disabled is not known here and passed over'),
    ]


def server(fields: str) -> str:
    return f'{{"mcpServers": {{"a": {fields}}}}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: not JSON: Expecting value"),
        ('{\n  "mcpServers": {,}\n}', "2:18: not JSON: Expecting property name enclosed in double quotes"),
        ("[]", '1:1: should be an object with "mcpServers", is an array'),
        ("[" * 100_000, " not a workspace file: nested too deeply"),
        ("{}", '1:1: lacks "mcpServers": an object with a server by each name'),
        (
            '{"mcpServers": []}',
            "1:16: mcpServers: should be an object with a server by each name, is an array",
        ),
        ('{"servers": 1}', "1:13: servers: should be an object with a server by each name, is a number"),
        ('{"mcpServers": {"": {}}}', '1:21: mcpServers[""]: a server needs a name'),
        (server('"x"'), "1:22: mcpServers.a: should be an object, is a string"),
        (server("{}"), '1:22: mcpServers.a: lacks "command" (or "url")'),
        (server('{"type": "http"}'), '1:22: mcpServers.a: lacks "url"'),
        (
            server('{"command": "x", "url": "http://y"}'),
            '1:22: mcpServers.a: has both command and url: say which counts with "type": "stdio" or "http"',
        ),
        (
            server('{"type": "tcp", "url": ""}'),
            '1:31: mcpServers.a.type: should be one of stdio, http, sse, is "tcp"',
        ),
        (server('{"command": 1}'), "1:34: mcpServers.a.command: should be a string, is a number"),
        (server('{"command": ""}'), "1:34: mcpServers.a.command: is empty"),
        (
            '{"mcpServers":\n {"a.b":\n  {"command": "x",\n   "args": ["y", 2]}}}',
            '4:18: mcpServers["a.b"].args[1]: should be a string, is a number: put it in quotes',
        ),
        (
            server('{"command": "x", "args": "y"}'),
            "1:47: mcpServers.a.args: should be an array of strings, is a string",
        ),
        (
            server('{"command": "x", "env": {"K": null}}'),
            "1:52: mcpServers.a.env.K: should be a string, is null: put it in quotes",
        ),
        (
            server('{"url": "ftp://y"}'),
            "1:30: mcpServers.a.url: should begin with http:// or https:// and a host",
        ),
        (
            server('{"url": "http://y", "headers": {"K": "a\\nb"}}'),
            "1:59: mcpServers.a.headers.K: is no header: its name or value holds what HTTP does not carry",
        ),
        (
            server('{"command": "x", "requestTimeout": true}'),
            "1:57: mcpServers.a.requestTimeout: should be a number of milliseconds, is true",
        ),
        (
            server('{"command": "x", "connectionTimeout": 0}'),
            "1:60: mcpServers.a.connectionTimeout: should be more than 0 milliseconds, is 0",
        ),
        (
            server('{"command": "x", "protocolEra": "2025"}'),
            '1:54: mcpServers.a.protocolEra: should be one of auto, legacy, modern, is "2025"',
        ),
        (
            server('{"url": "http:///mcp"}'),
            "1:30: mcpServers.a.url: should begin with http:// or https:// and a host",
        ),
        (
            server('{"url": "http://y", "headers": {"K": "é"}}'),
            "1:59: mcpServers.a.headers.K: is no header: its name or value holds what HTTP does not carry",
        ),
        (
            server('{"command": "x", "requestTimeout": ' + "9" * 400 + "}"),
            "1:57: mcpServers.a.requestTimeout: is too large: write at most 15 digits",
        ),
        (
            server('{"command": "x", "requestTimeout": ' + "9" * 5000 + "}"),
            " holds a number of thousands of digits: write a shorter one",
        ),
        (
            server('{"command": "x", "env": {"A=B": "c"}}'),
            '1:54: mcpServers.a.env["A=B"]: is no name of a variable: it is empty or holds "="',
        ),
        (
            server('{"command": "x", "args": ["\\u0000"]}'),
            "1:22: mcpServers.a: holds the character NUL, which no process and no address can be given",
        ),
        (
            server('{"command": "x", "args": ["\\ud800"]}'),
            "1:22: mcpServers.a: holds a lone surrogate at a.args[0], character 1: write the whole character",
        ),
        ('{"mcpServers": {}, "host": "workspace"}', "1:28: host: should be an object, is a string"),
        ('{"mcpServers": {}, "inputs": {}}', "1:30: inputs: should be an array of objects, is an object"),
        ('{"mcpServers": {}, "inputs": [{}]}', "1:31: inputs[0].id: should be a string, is null"),
        (b'{"mcpServers": {"\xff": {}}}', " not UTF-8 (byte 18): save it as UTF-8"),
    ],
)
def test_a_broken_file_is_one_line_with_file_line_column_and_field(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(WorkspaceError) as caught:
        load_workspace(path, {})
    assert str(caught.value) == f"{path}:{message}"


def test_a_file_that_is_not_there_or_no_file(tmp_path: Path) -> None:
    for path, why in (
        (tmp_path / "none.json", "no such file: name the workspace file with --workspace"),
        (tmp_path, "a folder, not a file: name the workspace file in it"),
    ):
        with pytest.raises(WorkspaceError) as caught:
            load_workspace(path)
        assert str(caught.value) == f"{path}: {why}"


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    assert len(load_workspace(written(tmp_path, b"\xef\xbb\xbf" + EXAMPLE.encode())).servers) == 2


def test_the_host_layer_can_complain_with_the_place(tmp_path: Path) -> None:
    workspace = load_workspace(written(tmp_path, EXAMPLE))
    error = workspace.error_at(("host", "maxChars"), "should be a whole number")
    assert str(error) == f"{tmp_path / 'mcp.json'}:6:49: host.maxChars: should be a whole number"
    missing = workspace.error_at(("host", "budget", "burst"), "is missing")
    assert str(missing) == f"{tmp_path / 'mcp.json'}:6:11: host.budget.burst: is missing"


def test_a_workspace_that_is_no_file(tmp_path: Path) -> None:
    workspace = parse_workspace({"mcpServers": {"crm": {"command": "./crm"}}}, tmp_path, "demo")
    assert isinstance(workspace, WorkspaceFile)
    assert (workspace.name, workspace.path) == ("demo", None)
    assert workspace.servers[0].command == str(tmp_path / "crm")
    with pytest.raises(WorkspaceError, match=r"^demo: mcpServers\.crm\.command: is empty$"):
        parse_workspace({"mcpServers": {"crm": {"command": ""}}}, tmp_path, "demo")


def test_a_server_of_the_command_line() -> None:
    assert server_from_option("crm=python 'my crm.py' --x=1") == ServerEntry(
        "crm", Transport.STDIO, command="python", args=("my crm.py", "--x=1")
    )
    assert server_from_option("mail=HTTPS://x.example/mcp?a=b") == ServerEntry(
        "mail", Transport.HTTP, url="HTTPS://x.example/mcp?a=b"
    )
    for text in ("crm", "=x", "crm=", "crm='x"):
        with pytest.raises(ValueError, match=r"^--server "):
            server_from_option(text)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["python", "crm.py"], "crm"),
        (["python3.11", "-m", "crm.server"], "crm.server"),
        (["npx", "-y", "@scope/server-crm"], "server-crm"),
        (["uv", "run", "servers/crm.py", "--port", "1"], "crm"),
        (["/opt/bin/crm", "--x"], "crm"),
        (["python", "-"], "python"),
    ],
)
def test_a_server_without_a_name_is_named_after_what_it_runs(words: list[str], name: str) -> None:
    entry = server_from_command(words)
    assert (entry.name, entry.command, entry.args) == (name, words[0], tuple(words[1:]))


def test_reading_a_workspace_file_loads_nothing_heavy() -> None:
    code = "import sys, inspector.workspace.config, inspector.workspace.options\nprint(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    for name in ("'mcp'", "'textual'", "'click'", "'pydantic'", "'anyio'", "'asyncio'"):
        assert name not in loaded
