"""The servers of the workspace as a tree: their state, what they publish, and their tools to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static

from inspector.tui.messages import ReconnectRequested, ToolChosen
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.server_rows import ServerRow, ServerTree, entry_rows, strip_rows
from inspector.tui.widgets.steady_input import SteadyInput
from inspector.workspace.catalog import Tool
from inspector.workspace.server import ServerEntry, State

if TYPE_CHECKING:
    from inspector.host.host import Host


class ServerList(RowList):
    """The tree's rows. Left and right fold and unfold a server, `m` opens its menu, `r` connects it anew."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "choose", id="servers.choose"),
        Binding("m", "menu", "server menu", id="servers.menu"),
        Binding("r", "reconnect", "reconnect", id="servers.reconnect"),
        Binding("left", "fold(True)", "fold", show=False, id="servers.fold"),
        Binding("right", "fold(False)", "unfold", show=False, id="servers.unfold"),
    ]

    @property
    def server(self) -> str | None:
        """The server that the cursor is on, or on a tool of."""
        subject = self.current.subject if self.current else None
        if isinstance(subject, ServerRow):
            return subject.name
        return subject.server if isinstance(subject, Tool) else None

    def action_menu(self) -> None:
        """Opens the menu of the server at the cursor."""
        if self.server is not None:
            self.post_message(ServersPane.MenuRequested(self.server))

    def action_reconnect(self) -> None:
        """Connects the server at the cursor anew."""
        if self.server is not None:
            self.post_message(ReconnectRequested(self.server))

    def action_fold(self, folded: bool) -> None:
        """Folds or unfolds the server at the cursor."""
        if self.server is not None:
            self.post_message(ServersPane.Folded(self.server, folded))


class ServersPane(Vertical):
    """The sidebar. `strip` shows it as a narrow strip, of which a click opens the whole."""

    DEFAULT_CSS = """
    ServersPane {
        width: 34;
        height: 1fr;
        background: $surface;
        .servers--title {
            height: 1;
            padding: 0 1;
            background: $panel;
            color: $text-muted;
        }
        &:focus-within .servers--title { color: $primary; text-style: bold; }
        ServerList { padding: 0 0 0 1; height: 1fr; }
        Input {
            display: none;
            height: 1;
            border: none;
            padding: 0 1;
            background: $panel;
        }
        &.-searching Input { display: block; }
        &.-strip {
            width: 6;
            ServerList { padding: 0 0 0 1; scrollbar-size-vertical: 0; }
            .servers--title { padding: 0; text-align: center; }
        }
    }
    """

    @dataclass
    class MenuRequested(Message):
        """The menu of a server is asked for."""

        server: str

    @dataclass
    class Folded(Message):
        """A server is to be folded or unfolded."""

        server: str
        folded: bool

    class StripClicked(Message):
        """The strip was clicked: the whole is wanted."""

    strip: reactive[bool] = reactive(False)

    def __init__(self, entries: Sequence[ServerEntry]) -> None:
        super().__init__(id="servers")
        self._entries = entries
        self._host: Host | None = None
        self._tree: ServerTree | None = None
        self._folded: frozenset[str] = frozenset()
        self._width = 0
        self.was_used = False
        """Whether the list had the focus: only then did a person put its cursor anywhere."""

    def compose(self) -> ComposeResult:
        """The title, the search line, the tree."""
        yield Static("Servers", classes="servers--title", markup=False)
        yield SteadyInput(placeholder="search tools and servers", compact=True, id="servers-search")
        yield ServerList(id="servers-list")

    @property
    def _list(self) -> ServerList:
        return self.query_one(ServerList)

    @property
    def _input(self) -> Input:
        return self.query_one(Input)

    def on_mount(self) -> None:
        """Shows the servers as they are, and how long those that connect have been on their way."""
        self.host_changed()
        self.set_interval(1.0, self._tick)

    def _tick(self) -> None:
        if self._host is not None and self._host.workspace.connecting:
            self._list.refresh()

    def on_resize(self) -> None:
        """What stands on a line depends on the width."""
        if self.size.width != self._width:
            self._width = self.size.width
            self.host_changed()

    def watch_strip(self, strip: bool) -> None:
        """Folds to the strip, or shows the whole again."""
        self.set_class(strip, "-strip")
        if not self.is_mounted:
            return
        self._list.can_focus = self._list.shows_cursor = not strip
        if strip:
            self.close_search()
        self.query_one(".servers--title", Static).update("s ▸" if strip else "Servers")
        self.host_changed()

    def begin(self, host: Host) -> None:
        """Shows the servers as this host has them."""
        self._host, self._tree = host, ServerTree(host)
        self.host_changed()

    def host_changed(self) -> None:
        """Shows the servers anew. The cursor stays with its server or tool."""
        width = max(1, self.size.width - 3)
        query = self._input.value.strip() if self.is_searching else ""
        if self._host is None or self._tree is None:
            self._list.set_rows(() if self.strip else entry_rows(self._entries, width), self._nothing(query))
        elif self.strip:
            self._list.set_rows(strip_rows(self._host))
        else:
            self._list.set_rows(self._tree.rows(self._folded, query, width), self._nothing(query))

    def _nothing(self, query: str) -> Content:
        if query and self._entries:
            return Content(f"No server or tool holds “{query}”.")
        return Content("No servers. Name one: --server NAME=COMMAND, or -w mcp.json.")

    def search(self) -> None:
        """Opens the search line."""
        self.add_class("-searching")
        self._input.focus()

    @property
    def is_searching(self) -> bool:
        """Whether the search line is open."""
        return self.has_class("-searching")

    def close_search(self) -> bool:
        """Ends the search and shows all again. False where there was none."""
        if not self.is_searching:
            return False
        self.remove_class("-searching")
        self._input.value = ""
        self.host_changed()
        return True

    def focus_list(self) -> None:
        """Puts the focus on the tree."""
        self._list.focus()

    @property
    def server(self) -> str | None:
        """The server at the cursor."""
        return self._list.server

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        event.stop()
        self.host_changed()

    @on(Input.Submitted)
    def _take_first(self, event: Input.Submitted) -> None:
        event.stop()
        self._list.focus()
        first = next((row for row in self._list.rows if isinstance(row.subject, Tool)), None)
        if first is not None:
            self._list.move_to(first.key)

    @on(RowList.Chosen)
    def _choose(self, event: RowList.Chosen) -> None:
        event.stop()
        if self.strip:
            self.post_message(self.StripClicked())
        elif isinstance(event.row.subject, Tool):
            self.post_message(ToolChosen(event.row.subject))
        elif isinstance(event.row.subject, ServerRow):
            self.post_message(self.MenuRequested(event.row.subject.name))

    @on(RowList.MenuAsked)
    def _menu(self, event: RowList.MenuAsked) -> None:
        event.stop()
        if self._list.server is not None:
            self.post_message(self.MenuRequested(self._list.server))

    @on(Folded)
    def _fold(self, event: Folded) -> None:
        event.stop()
        self._folded = self._folded | {event.server} if event.folded else self._folded - {event.server}
        self._list.move_to(("server", event.server))
        self.host_changed()


def connection_status(states: Sequence[State]) -> Content:
    """How many servers are connected, for the footer."""
    if not states:
        return Content.assemble(("no servers", "$text-muted"))
    connected, failed = states.count(State.CONNECTED), states.count(State.FAILED)
    waiting = states.count(State.CONNECTING) + states.count(State.IDLE)
    parts: list[str | tuple[str, str]] = []
    if waiting:
        parts.append((f"◌ {waiting} connecting  ", "$outcome-pending"))
    if failed:
        parts.append((f"✗ {failed} failed  ", "$outcome-error"))
    parts.append(
        (f"✓ {connected} of {len(states)} connected", "$outcome-resolved" if connected else "$text-muted")
    )
    return Content.assemble(*parts)
