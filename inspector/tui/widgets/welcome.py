"""Stands where a call is composed until a tool is chosen: the tools that declare, or why there is none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from inspector.host.visible import visible
from inspector.tui.messages import ToolChosen
from inspector.tui.widgets.rows import Row, RowList, spread
from inspector.tui.words import DECLARES, count, listing
from inspector.workspace.catalog import Catalog, Tool
from inspector.workspace.server import State

if TYPE_CHECKING:
    from inspector.host.host import Host

_DECLARATION = """\
  "_meta": { "ai.nimblebrain/resource-arguments":
             { "arguments": { "citations": { "schemes": ["crm"] } } } }"""


class Welcome(Vertical):
    """Says where things stand, and offers the tools that declare resource arguments."""

    DEFAULT_CSS = """
    Welcome {
        padding: 1 1 0 1;
        Static { height: auto; margin-bottom: 1; }
        RowList { height: 1fr; }
    }
    """

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._text = Static(id="welcome-text", markup=False)
        self.tools = RowList(id="welcome-tools")
        self._declaring: dict[str, tuple[Catalog, tuple[Tool, ...]]] = {}

    def compose(self) -> ComposeResult:
        """What is to be said, and the tools."""
        yield self._text
        yield self.tools

    def on_mount(self) -> None:
        """Says how things stand."""
        self.host_changed()

    def host_changed(self) -> None:
        """Says how things stand now."""
        connections = self._host.workspace.connections.items()
        tools = [tool for name, connection in connections for tool in self._of(name, connection.catalog)]
        self._text.update(where_things_stand(self._host, len(tools)))
        self.tools.set_rows(
            [Row((tool.reference, n), partial(_draw, self._host, tool), tool) for n, tool in enumerate(tools)]
        )
        self.tools.can_focus = bool(tools)

    def _of(self, server: str, catalog: Catalog) -> tuple[Tool, ...]:
        """A server's tools that declare, looked for once for each reading of its lists."""
        made = self._declaring.get(server)
        if made is None or made[0] is not catalog:
            declaring = tuple(tool for tool in catalog.tools if self._host.declaration(tool))
            self._declaring[server] = made = catalog, declaring
        return made[1]

    @on(RowList.Chosen)
    def _choose(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(ToolChosen(event.row.subject))


def where_things_stand(host: Host, declaring: int) -> Content:
    """The state of the workspace in a few sentences: what to do next, or why there is nothing to do."""
    connections = host.workspace.connections.values()
    states = [connection.state for connection in connections]
    if not states:
        return Content.assemble(
            ("No servers.\n\n", "bold"),
            "Name a workspace file or a server when you start:\n\n",
            (
                "  ra-inspector -w mcp.json\n  ra-inspector -s crm='python crm.py'\n  ra-inspector demo",
                "$text-accent",
            ),
        )
    waiting = states.count(State.CONNECTING) + states.count(State.IDLE)
    connected = states.count(State.CONNECTED)
    if not connected and waiting:
        return Content(f"Connecting to {count(waiting, 'server')}…")
    if not connected:
        reasons = [
            Content.assemble(
                (f"  ✗ {visible(connection.entry.name, 40)}", "$outcome-error"),
                f"  {visible(connection.error or 'stopped', 300)}",
            )
            for connection in connections
        ]
        head = Content.assemble(("No server is connected.\n", "bold"))
        tail = Content("\nR connects all of them anew; a server's menu shows what it said.")
        return Content("\n").join([head, *reasons[:12], tail])
    if declaring:
        return Content.assemble(
            ("Choose a tool to compose a call of.\n", "bold"),
            (f"{count(declaring, 'tool')} of this workspace ", ""),
            "declares" if declaring == 1 else "declare",
            " resource arguments; every other tool stands in the list of servers.",
        )
    if waiting:
        return Content(f"{count(waiting, 'server')} still connecting; no tool declares resource arguments so far.")
    return Content.assemble(
        ("No tool of this workspace declares resource arguments.\n\n", "bold"),
        "Any tool can be called from here, without the key. A tool declares in its _meta:\n\n",
        (_DECLARATION, "$text-accent"),
    )


def _draw(host: Host, tool: Tool, width: int) -> Content:
    declared = host.declaration(tool).arguments
    words = "; ".join(f"{visible(a.name, 40)}: {visible(listing(a.schemes), 80)}" for a in declared)
    left = Content.assemble(
        (f"{DECLARES} ", "$accent"), visible(tool.name, 80), (f"  {visible(tool.server, 40)}", "$text-muted")
    )
    return spread(left, Content.assemble((words, "$text-muted")), width)
