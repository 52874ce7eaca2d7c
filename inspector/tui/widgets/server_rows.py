"""The rows of the servers tree: each server with its state, what it publishes, and its tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.widgets.rows import Row, spread
from inspector.tui.words import DECLARES, STATES, count, duration
from inspector.workspace.catalog import Catalog, Tool
from inspector.workspace.server import Connector, Era, ServerEntry, State

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.workspace.connection import Connection

_NAME: Final = 200
"""No name is shown longer than this many characters: the row cuts it again to its width."""


@dataclass(frozen=True, slots=True)
class ServerRow:
    """What choosing a server's row chooses: the server, by its name in the workspace."""

    name: str


class ServerTree:
    """Makes the tree's rows. Those of a server's tools are made once for each reading of its lists."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._tools: dict[str, tuple[Catalog, tuple[_ToolRow, ...]]] = {}
        self._last: dict[str, _Search] = {}

    def rows(self, folded: frozenset[str], query: str, width: int) -> list[Row]:
        """The tree. `folded` servers show their first line alone; a `query` leaves what it is found in.

        `width` in cells decides how much stands on a line.
        """
        rows: list[Row] = []
        sought = query.casefold()
        for name, connection in self._host.workspace.connections.items():
            tools = self._tool_rows(name, connection)
            if sought and sought not in name.casefold():
                tools = self._found(name, tools, sought)
                if not tools:
                    continue
            is_folded = name in folded and not sought
            draw = partial(_draw_server, connection, is_folded)
            rows.append(Row(("server", name), draw, ServerRow(name), partial(tip, connection)))
            if not is_folded:
                if not sought:
                    details = enumerate(_details(connection, width))
                    rows.extend(Row((name, n), _line(text, style)) for n, (text, style) in details)
                rows.extend([tool.row for tool in tools])
        return rows

    def _found(self, server: str, tools: tuple[_ToolRow, ...], sought: str) -> tuple[_ToolRow, ...]:
        """The tools that hold what is sought. What is typed on is looked for in what was found so far."""
        before = self._last.get(server)
        among = tools
        if before is not None and before.tools is tools and before.sought in sought:
            among = before.found
        found = tuple([tool for tool in among if sought in tool.searched])
        self._last[server] = _Search(tools, sought, found)
        return found

    def _tool_rows(self, name: str, connection: Connection) -> tuple[_ToolRow, ...]:
        """A server's tools, those that declare first."""
        catalog = connection.catalog
        made = self._tools.get(name)
        if made is None or made[0] is not catalog:
            pairs = [(tool, bool(self._host.declaration(tool))) for tool in catalog.tools]
            pairs.sort(key=lambda pair: not pair[1])
            # A name may stand there twice: the key of a row tells the one from the other.
            seen: Counter[str] = Counter()
            tools: list[_ToolRow] = []
            for tool, declares in pairs:
                tools.append(_tool_row(seen[tool.name], tool, declares))
                seen[tool.name] += 1
            self._tools[name] = made = catalog, tuple(tools)
        return made[1]


class _ToolRow(NamedTuple):
    """A tool's row, and the text that a search looks into."""

    searched: str
    row: Row


class _Search(NamedTuple):
    """What was last sought among the tools of a server, and found."""

    tools: tuple[_ToolRow, ...]
    sought: str
    found: tuple[_ToolRow, ...]


def _tool_row(number: int, tool: Tool, declares: bool) -> _ToolRow:
    key = ("tool", tool.server, tool.name, number)
    title = tool.title
    row = Row(key, partial(_draw_tool, tool, declares), tool, partial(visible, title or tool.name, _NAME))
    return _ToolRow(f"{tool.name} {title or ''}".casefold(), row)


def entry_rows(entries: Iterable[ServerEntry], width: int) -> list[Row]:
    """The servers before there is a host: what was named, and that it is not started."""
    rows: list[Row] = []
    for entry in entries:
        mark = STATES[State.IDLE]
        left = Content.assemble((f"{mark.glyph} ", mark.style), (visible(entry.name, _NAME), "bold"))
        rows.append(Row(("server", entry.name), partial(_draw_waiting, left)))
        lines = _pack(_reached(entry), width - 3)
        rows.extend(Row((entry.name, n), _line(line, "$text-muted")) for n, line in enumerate(lines))
    return rows


def strip_rows(host: Host) -> list[Row]:
    """The servers as a narrow strip: a glyph and the first letters of the name."""
    return [
        Row(("server", name), partial(_draw_strip, connection), ServerRow(name), partial(tip, connection))
        for name, connection in host.workspace.connections.items()
    ]


def tip(connection: Connection) -> str:
    """All about a server in a few lines of plain text."""
    return "\n".join(f"{label}: {text}" for label, text in facts(connection))


def era_words(connection: Connection) -> str:
    """The era as negotiated and why, or as asked for."""
    asked, negotiated = connection.entry.era, connection.protocol_version
    if not negotiated:
        return "auto: not negotiated" if asked is Era.AUTO else f"{asked.value} is asked for"
    version = visible(negotiated, 40)
    if asked is Era.AUTO:
        return f"{version} · auto: {visible(connection.era_reason, 200)}"
    return f"{version} · {asked.value}, as asked for"


def facts(connection: Connection) -> Iterator[tuple[str, str]]:
    """What is known of a server, as labels and texts that are safe to show."""
    entry = connection.entry
    yield "state", STATES[connection.state].word
    if connection.error:
        yield "reason", visible(connection.error, 600)
    yield "transport", entry.transport.value
    if entry.connector is Connector.PERSONAL:
        yield "connector", "personal: beside the workspace, claims nothing, owns nothing (R3, R14)"
    yield "era", era_words(connection)
    if connection.state is State.CONNECTED:
        if connection.connect_milliseconds is not None:
            yield "connected in", duration(connection.connect_milliseconds)
        catalog = connection.catalog
        yield (
            "publishes",
            ", ".join(
                (
                    count(len(catalog.templates), "template"),
                    count(len(catalog.resources), "resource"),
                    count(len(catalog.tools), "tool"),
                    count(len(catalog.prompts), "prompt"),
                )
            ),
        )
    if connection.stderr:
        yield "last said", visible(connection.stderr[-1], 200)


def _draw_server(connection: Connection, folded: bool, width: int) -> Content:
    mark = STATES[connection.state]
    name = visible(connection.entry.name, _NAME)
    left = Content.assemble(
        (f"{mark.glyph} ", mark.style), (name, "bold"), ("  …" if folded else "", "$text-muted")
    )
    version = connection.protocol_version
    connected = connection.state is State.CONNECTED
    right = visible(version, 16) if connected and version else mark.word
    seconds = connection.connecting_seconds
    if seconds is not None and seconds >= 1:
        right = f"{mark.word} {seconds:.0f} s"
    return spread(left, Content.assemble((right, "$text-muted" if connected else mark.style)), width)


def _draw_waiting(left: Content, width: int) -> Content:
    mark = STATES[State.IDLE]
    return spread(left, Content.assemble((mark.word, mark.style)), width)


def _reached(entry: ServerEntry) -> list[str]:
    """How a server is reached, in parts."""
    personal = ["personal"] if entry.connector is Connector.PERSONAL else []
    return [*personal, entry.transport.value, f"era {entry.era.value}"]


def _draw_strip(connection: Connection, width: int) -> Content:
    mark = STATES[connection.state]
    return Content.assemble((mark.glyph, mark.style), visible(connection.entry.name, _NAME)[: max(0, width - 1)])


def _draw_tool(tool: Tool, declares: bool, width: int) -> Content:
    return Content.assemble((f"  {DECLARES if declares else ' '} ", "$accent"), visible(tool.name, _NAME))


def _line(text: str, style: str) -> partial[Content]:
    return partial(_draw_line, text, style)


def _draw_line(text: str, style: str, width: int) -> Content:
    return Content.assemble((f"  {text}", style))


def _details(connection: Connection, width: int) -> Iterator[tuple[str, str]]:
    """The lines below a server's first, each with its style."""
    state = connection.state
    if state is State.FAILED:
        yield from ((line, "$outcome-error") for line in _fold(visible(connection.error or "", 400), width - 3))
        if connection.stderr and connection.stderr[-1].strip() not in (connection.error or ""):
            last = f"said: {visible(connection.stderr[-1].strip(), 200)}"
            yield from ((line, "$text-muted") for line in _fold(last, width - 3))
        return
    parts = _reached(connection.entry)
    if state is State.CONNECTED:
        catalog = connection.catalog
        if connection.connect_milliseconds is not None:
            parts.append(duration(connection.connect_milliseconds))
        yield from ((line, "$text-muted") for line in _pack(parts, width - 3))
        counts = [
            count(len(catalog.templates), "template"),
            count(len(catalog.resources), "resource"),
            count(len(catalog.tools), "tool"),
        ]
        yield from ((line, "$text-muted") for line in _pack(counts, width - 3))
    else:
        yield from ((line, "$text-muted") for line in _pack(parts, width - 3))


def _pack(parts: Iterable[str], width: int) -> Iterator[str]:
    """Parts side by side, as many on a line as there is room for."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else part
        if line and len(longer) > width:
            yield line
            line = part
        else:
            line = longer
    if line:
        yield line


def _fold(text: str, width: int, lines: int = 4) -> list[str]:
    """A text on at most so many lines, cut with a mark."""
    width = max(8, width)
    folded = [line.plain.rstrip() for line in Content(text).wrap(width)]
    return folded if len(folded) <= lines else [*folded[: lines - 1], f"{folded[lines - 1][: width - 1]}…"]
