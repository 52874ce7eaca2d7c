"""The history: the calls of this run and of those before, newest first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from inspector.host.history import Damaged
from inspector.host.visible import visible
from inspector.tui.messages import Notice, RecallRequested
from inspector.tui.widgets.history_rows import compared_blocks, kept_blocks, kept_row
from inspector.tui.widgets.part_title import PartTitle
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.traffic_rows import clock_time

if TYPE_CHECKING:
    from inspector.host.history import KeptCall, Listing
    from inspector.tui.keeping import HistoryKeeper

_LOOK: Final = 0.3
"""Seconds between two looks at whether a call was kept."""

_NOTHING: Final = (
    "No call was kept so far.\n\nHere stands every call that is sent, in this run and in those to come: its "
    "arguments, the _meta and the result, to be looked at, sent again and compared."
)


class HistoryPart(Vertical):
    """The calls that are kept. It posts `RecallRequested` for one that is wanted in the composer."""

    DEFAULT_CSS = """
    HistoryPart RowList { height: 1fr; min-height: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "compose(False)", "compose", id="history.compose"),
        Binding("c", "compare", "compare", id="history.compare"),
        Binding("x", "remove", "delete", id="history.delete"),
        Binding("X", "clear", "delete all", show=False, id="history.clear"),
    ]

    def __init__(self, keeper: HistoryKeeper) -> None:
        super().__init__(id="record-history")
        self._keeper = keeper
        self._history = keeper.history
        self._drawn: int | None = None
        self._calls: tuple[KeptCall, ...] = ()
        self._marked: KeptCall | None = None
        self._told: set[str] = set()

    def compose(self) -> ComposeResult:
        """The title and the calls."""
        yield PartTitle()
        yield RowList(id="history-list")

    @property
    def title(self) -> PartTitle:
        """The title line."""
        return self.query_one(PartTitle)

    @property
    def rows(self) -> RowList:
        """The calls."""
        return self.query_one(RowList)

    @property
    def current(self) -> KeptCall | None:
        """The call at the cursor."""
        row = self.rows.current if self.is_mounted else None
        return row.subject if row is not None else None

    def on_mount(self) -> None:
        """Reads what is kept, and looks for more now and then."""
        self.set_interval(_LOOK, self._look)

    def on_show(self) -> None:
        """Reads it anew: another program may have kept calls meanwhile."""
        self._drawn = None
        self._look()

    def _look(self) -> None:
        if self.is_on_screen and self._drawn != self._keeper.changed:
            self._drawn = self._keeper.changed
            self._read()

    @work(exclusive=True, group="history")
    async def _read(self) -> None:
        self._show(await asyncio.to_thread(self._history.calls))

    def _show(self, listing: Listing) -> None:
        newest = self.rows.cursor in (None, 0) and not self.rows.has_focus
        self._calls = listing.calls
        if self._marked is not None and self._marked not in self._calls:
            self._marked = None
        empty = _NOTHING if listing.fault is None else f"The history cannot be read: {listing.fault}"
        self._draw(Content(empty))
        if newest:
            self.rows.action_edge(0)
        for words in listing.damaged:
            if words not in self._told:
                self._told.add(words)
                self._say(f"{words[:1].upper()}{visible(words[1:], 600)}.", "warning")

    def _draw(self, empty: Content | None = None) -> None:
        self.rows.set_rows([kept_row(call, marked=call == self._marked) for call in self._calls], empty)
        marked = "◆ marked: c on another compares · " if self._marked is not None else ""
        self.title.status = Content(f"{marked}{len(self._calls):,} kept" if self._calls else "")
        self.refresh_bindings()

    @on(RowList.Highlighted)
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.refresh_bindings()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """They count where there is a call."""
        return action not in ("compose", "compare", "remove", "clear") or self.current is not None

    @on(RowList.Chosen)
    def _open(self, event: RowList.Chosen) -> None:
        event.stop()
        self._open_call(event.row.subject)

    def _do(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Does something with the files in a thread, then something with what came of it; says what failed."""
        self.run_worker(self._try(work, then), group="history-work")

    async def _try(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        try:
            done = await asyncio.to_thread(work)
        except Damaged as fault:
            self._say(f"Not opened: {fault}.", "error")
        except FileNotFoundError:
            self._say("That call is no longer kept: another program took it away.", "warning")
        except OSError as error:
            self._say(f"The history cannot be changed or read: {error.strerror}.", "error")
        else:
            then(done)
            return
        self._drawn = None

    def _open_call(self, call: KeptCall) -> None:
        from inspector.tui.screens.kept_call import KeptCallScreen

        def answer(wanted: str | None) -> None:
            if wanted is not None:
                self._recall(call, send=wanted == "send")

        title = f"{call.server} / {call.tool} · {clock_time(call.at, date=True)}"
        self._do(
            lambda: kept_blocks(call, self._history.read(call.key)),
            lambda blocks: self.app.push_screen(KeptCallScreen(title, blocks), answer),
        )

    def action_compose(self, send: bool) -> None:
        """Puts the call's arguments into the composer; with `send`, resolves them and shows what would be sent."""
        if self.current is not None:
            self._recall(self.current, send=send)

    def _recall(self, call: KeptCall, *, send: bool) -> None:
        def take(parts: Any) -> None:
            arguments = parts["arguments"]
            if arguments.text is not None or not isinstance(arguments.value, dict):
                self._say("Its arguments were too long to be kept whole: they cannot be composed again.", "error")
            else:
                self.post_message(RecallRequested(call, arguments.value, send))

        self._do(lambda: self._history.read(call.key), take)

    def action_compare(self) -> None:
        """Marks the call; with another marked, shows what differs from that one to this."""
        call, marked = self.current, self._marked
        if call is None or marked is None or marked == call:
            self._marked = None if marked == call else call
            self._draw()
            return
        from inspector.tui.screens.pair import BlocksScreen

        one, other = sorted((marked, call), key=lambda each: each.at)
        read = self._history.read
        self._do(
            lambda: compared_blocks((one, read(one.key)), (other, read(other.key))),
            lambda blocks: self.app.push_screen(BlocksScreen("Two calls compared", blocks)),
        )

    def action_remove(self) -> None:
        """Deletes the call, when asked."""
        call = self.current
        if call is not None:
            facts = [("call", f"{call.server} / {call.tool}"), ("of", clock_time(call.at, date=True))]
            self._ask("Delete a call of the history", facts, lambda: self._history.remove(call.key))

    def action_clear(self) -> None:
        """Deletes all calls, when asked."""
        facts = [("calls", f"{len(self._calls):,}, of all workspaces"), ("folder", str(self._history.folder))]
        self._ask("Delete the whole history", facts, self._history.clear)

    def _ask(self, title: str, facts: list[tuple[str, str]], delete: Callable[[], None]) -> None:
        from inspector.tui.screens.choices import Choice, ChoicesScreen

        def deleted(_: Any) -> None:
            self._drawn = None
            self._look()

        def answer(choice: str | None) -> None:
            if choice == "delete":
                self._do(delete, deleted)

        shown = [(label, visible(words, 200)) for label, words in facts]
        choices = [Choice("keep", "k", "keep"), Choice("delete", "d", "delete: it cannot be undone")]
        self.app.push_screen(ChoicesScreen(title, shown, choices), answer)

    def _say(self, words: str, severity: Any) -> None:
        self.post_message(Notice(words, severity))
