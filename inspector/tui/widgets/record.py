"""Record: the calls of this run with their timelines, the traffic of all servers, and the history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget

from inspector.tui.widgets.part_title import PartTitle
from inspector.tui.widgets.record_calls import CallsPart
from inspector.tui.widgets.record_history import HistoryPart
from inspector.tui.widgets.record_traffic import TrafficPart

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.host.timeline import Timelines
    from inspector.tui.keeping import HistoryKeeper

_STACKED: Final = 30
"""Rows from which all parts are seen together; with fewer they take turns."""

CALLS: Final = "calls"
TRAFFIC: Final = "traffic"
HISTORY: Final = "history"

_PARTS: Final = ((CALLS, "l", "timeline"), (TRAFFIC, "m", "messages"), (HISTORY, "y", "history"))
"""Each part with its key and its name."""


class RecordPane(Vertical):
    """The page: its parts stacked where there is room, and else one at a time."""

    DEFAULT_CSS = """
    RecordPane {
        & > .record--part { height: 1fr; margin-top: 1; }
        &.-turns > .record--part { display: none; margin-top: 0; }
        &.-turns > .record--part.-active { display: block; }
        &.-stacked > .record--part.-active { height: 2fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"part('{part}')", words, id=f"record.{part}") for part, key, words in _PARTS
    ]

    def __init__(self, host: Host, timelines: Timelines, keeper: HistoryKeeper) -> None:
        super().__init__()
        self._calls = CallsPart(timelines)
        self._traffic = TrafficPart(host)
        self._history = HistoryPart(keeper)
        self.active = CALLS

    def compose(self) -> ComposeResult:
        """The parts."""
        for _, part in self.parts:
            part.add_class("record--part")
            yield part

    @property
    def parts(self) -> Iterator[tuple[str, Widget]]:
        """Each part by its id."""
        yield CALLS, self._calls
        yield TRAFFIC, self._traffic
        yield HISTORY, self._history

    @property
    def calls(self) -> CallsPart:
        """The calls of this run."""
        return self._calls

    @property
    def traffic(self) -> TrafficPart:
        """The traffic of all servers."""
        return self._traffic

    @property
    def history(self) -> HistoryPart:
        """The calls that are kept between runs."""
        return self._history

    def on_mount(self) -> None:
        """Marks the part that is shown."""
        self._show_active()

    def on_resize(self, event: events.Resize) -> None:
        """Stacks the parts where there is room."""
        stacked = event.size.height >= _STACKED
        self.set_class(stacked, "-stacked")
        self.set_class(not stacked, "-turns")
        self._show_active()

    def _show_active(self) -> None:
        turns = self.has_class("-turns")
        for part, widget in self.parts:
            widget.set_class(part == self.active, "-active")
            title = widget.query_one(PartTitle)
            title.names = tuple(each for each in _PARTS if turns or each[0] == part)
            title.active = self.active

    @on(PartTitle.Picked)
    def _picked(self, event: PartTitle.Picked) -> None:
        event.stop()
        self.action_part(event.part)

    @on(events.DescendantFocus)
    def _focused(self, event: events.DescendantFocus) -> None:
        for part, widget in self.parts:
            if part != self.active and widget in event.widget.ancestors:
                self.active = part
                self._show_active()

    def action_part(self, part: str) -> None:
        """Shows a part, and goes to its list."""
        self.active = part
        self._show_active()
        if part == TRAFFIC:
            self._traffic.rows.focus()
        elif part == HISTORY:
            self._history.rows.focus()
        else:
            self._calls.calls.focus()
