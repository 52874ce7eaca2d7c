"""The traffic of all servers: each message a line, the newest last, narrowed by what is typed."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Label

from inspector.host.timeline import find_pair
from inspector.host.visible import visible
from inspector.tui.messages import Notice
from inspector.tui.widgets.part_title import PartTitle
from inspector.tui.widgets.rows import Row, RowList
from inspector.tui.widgets.steady_input import SteadyInput
from inspector.tui.widgets.traffic_rows import Test, message_row, read_filter
from inspector.workspace.events import TrafficAdded

if TYPE_CHECKING:
    from inspector.host.host import Host, HostChanged
    from inspector.workspace.events import Event
    from inspector.workspace.traffic import Message

_GATHER: Final = 0.1
"""Seconds that messages are gathered for before they are shown together."""

_SLICE: Final = 0.006
"""Seconds of looking through messages between two pauses."""

_NOTHING: Final = (
    "No message went over the wire so far.\n\n"
    "Here stands every JSON-RPC message of all servers, the handshake too."
)


class TrafficPart(Vertical):
    """The messages that the workspace keeps. While it follows, the cursor is on the newest."""

    DEFAULT_CSS = """
    TrafficPart {
        .part--line { height: 1; }
        .part--line Label { color: $text-muted; width: 8; padding-left: 1; }
        Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $surface; }
        Input:focus { background: $block-cursor-blurred-background; }
        RowList { height: 1fr; min-height: 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "find", "filter", id="traffic.filter"),
        Binding("f", "follow", "follow", id="traffic.follow"),
        Binding("e", "export", "export", id="traffic.export"),
        Binding("escape", "close", "end filter", id="traffic.close"),
    ]

    def __init__(self, host: Host) -> None:
        super().__init__(id="record-traffic")
        self._host = host
        self._rows: deque[Row] = deque()
        self._new: list[Message] = []
        self._test: Test | None = None
        self._gathering = False
        self._looking = False
        self._stop: Callable[[], None] | None = None
        self.follows = True

    def compose(self) -> ComposeResult:
        """The title, the filter, the messages."""
        yield PartTitle()
        with Horizontal(classes="part--line"):
            yield Label("Filter")
            yield SteadyInput(
                placeholder="words · server:crm · method:read · sent · received · error", compact=True
            )
        yield RowList(id="traffic-list")

    @property
    def title(self) -> PartTitle:
        """The title line."""
        return self.query_one(PartTitle)

    @property
    def rows(self) -> RowList:
        """The messages that are shown."""
        return self.query_one(RowList)

    @property
    def line(self) -> Input:
        """The filter line."""
        return self.query_one(Input)

    @property
    def shown(self) -> Sequence[Message]:
        """The messages that are shown, oldest first."""
        return [row.subject for row in self._rows]

    @property
    def is_filtered(self) -> bool:
        """Whether only some messages are shown."""
        return self._test is not None

    def on_mount(self) -> None:
        """Shows what there is, and listens for more."""
        self._stop = self._host.subscribe(self._hear)
        self._begin()

    def on_unmount(self) -> None:
        """Listens no more."""
        if self._stop is not None:
            self._stop()

    def on_resize(self) -> None:
        """Keeps the newest in view where it follows."""
        self.call_after_refresh(self._keep_up)

    def _keep_up(self) -> None:
        if self.follows:
            self.rows.scroll_end(animate=False, immediate=True)

    # Messages

    def _hear(self, event: Event | HostChanged) -> None:
        if isinstance(event, TrafficAdded):
            self._new.append(event.message)
            if not self._gathering:
                self._gathering = True
                self.set_timer(_GATHER, self._take_new)

    def _take_new(self) -> None:
        self._gathering = False
        if not self._looking:
            self.run_worker(self._look(self._drain()), group="traffic", exclusive=True)

    def _drain(self) -> list[Message]:
        new, self._new = self._new, []
        return new

    def _begin(self) -> None:
        """Looks through all that is kept anew."""
        self._rows = deque()
        self._new = []
        self.run_worker(self._look(list(self._host.workspace.traffic.messages)), group="traffic", exclusive=True)

    async def _look(self, messages: Sequence[Message]) -> None:
        """Adds those that the filter keeps, in slices between which everything else runs."""
        rows, test = self._rows, self._test
        self._looking = True
        try:
            while messages:
                until = time.monotonic() + _SLICE
                for message in messages:
                    if test is None or test(message):
                        rows.append(message_row(message))
                    if time.monotonic() > until:
                        await asyncio.sleep(0)
                        until = time.monotonic() + _SLICE
                messages = self._drain()
            self._show()
        finally:
            # Cancelled by a newer search: that one has begun to look, and says so itself.
            if rows is self._rows:
                self._looking = False

    def _show(self) -> None:
        traffic = self._host.workspace.traffic
        kept = traffic.messages
        first = kept[0].number if kept else 0
        while self._rows and self._rows[0].subject.number < first:
            self._rows.popleft()
        typed = visible(self.line.value.strip(), 60)
        self.rows.set_rows(list(self._rows), Content(f"No message holds “{typed}”." if typed else _NOTHING))
        if self.follows:
            self.rows.action_edge(-1)
        self._show_title(len(kept), traffic.dropped)

    def _show_title(self, kept: int, dropped: int) -> None:
        number = f"{len(self._rows):,} of {kept:,}" if self.is_filtered else f"{kept:,}"
        older = f" · {dropped:,} older ones dropped" if dropped else ""
        follows = "▼ follows" if self.follows else "‖ f follows"
        self.title.status = Content(f"{number} message{'' if kept == 1 else 's'}{older} · {follows}")

    @on(RowList.Highlighted)
    def _moved(self, event: RowList.Highlighted) -> None:
        """Who goes up wants to stay there; who goes to the end wants what is new."""
        event.stop()
        rows = self.rows
        if rows.has_focus and event.row is rows.current:
            at_end = rows.cursor is None or rows.cursor == len(rows.rows) - 1
            if at_end != self.follows and not self._looking:
                self.follows = at_end
                traffic = self._host.workspace.traffic
                self._show_title(len(traffic.messages), traffic.dropped)

    @on(RowList.Chosen)
    def _open(self, event: RowList.Chosen) -> None:
        event.stop()
        from inspector.tui.screens.pair import PairScreen

        pair = find_pair(self._host.workspace.traffic.messages, event.row.subject)
        self.app.push_screen(PairScreen(*pair))

    # The filter

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._test = read_filter(event.value)
        self.follows = True
        self._begin()
        self.refresh_bindings()

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self.rows.focus()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc counts where there is a filter to end, or its line to leave."""
        if action == "close":
            return self.is_mounted and (self.line.has_focus or bool(self.line.value))
        return True

    def action_find(self) -> None:
        """Goes to the filter line."""
        self.line.focus()

    def action_follow(self) -> None:
        """Keeps to the newest message from now on, or stays where the cursor is."""
        self.follows = not self.follows
        self._show()

    def action_close(self) -> None:
        """Goes back to the messages; there, ends the filter."""
        if self.line.has_focus:
            self.rows.focus()
        else:
            self.line.value = ""

    def action_export(self) -> None:
        """Writes the messages that are shown to a file."""
        from inspector.tui.screens.export import ExportScreen

        self.app.push_screen(ExportScreen(self.shown, filtered=self.is_filtered), self._exported)

    def _exported(self, done: str | None) -> None:
        if done is not None:
            self.post_message(Notice(done))
