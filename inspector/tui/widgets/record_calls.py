"""The calls of this run, newest first, and the timeline of the one at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content

from inspector.tui.widgets.part_title import PartTitle
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.timeline_rows import call_row, timeline_rows

if TYPE_CHECKING:
    from inspector.host.timeline import Timeline, Timelines

_SIDE_BY_SIDE: Final = 96
_LOOK: Final = 0.2
"""Seconds between two looks at whether something happened."""

_NOTHING: Final = (
    "No call was made in this run.\n\nHere stands a timeline of each: its reads, the call itself, progress, and "
    "what its servers logged and wrote to standard error meanwhile. Resolve or send one in Compose."
)


class CallsPart(Vertical):
    """The list of calls and the timeline."""

    DEFAULT_CSS = """
    CallsPart {
        .part--body { layout: vertical; height: 1fr; }
        #calls-list { height: auto; min-height: 2; max-height: 35%; }
        #calls-timeline { height: 1fr; min-height: 2; border-top: solid $border-blurred; }
        &.-wide .part--body { layout: horizontal; }
        &.-wide #calls-list { width: 46%; height: 1fr; max-height: 100%; }
        &.-wide #calls-timeline { width: 1fr; border-top: none; border-left: solid $border-blurred; }
        &.-none #calls-timeline { display: none; }
        &.-none #calls-list { width: 1fr; height: 1fr; max-height: 100%; }
    }
    """

    def __init__(self, timelines: Timelines) -> None:
        super().__init__(id="record-calls")
        self._timelines = timelines
        self._drawn: int | None = None

    def compose(self) -> ComposeResult:
        """The title, the calls, the timeline."""
        yield PartTitle()
        with Container(classes="part--body"):
            yield RowList(id="calls-list", classes="page--first")
            yield RowList(id="calls-timeline")

    @property
    def title(self) -> PartTitle:
        """The title line."""
        return self.query_one(PartTitle)

    @property
    def calls(self) -> RowList:
        """The calls."""
        return self.query_one("#calls-list", RowList)

    @property
    def timeline(self) -> RowList:
        """What happened while the call at the cursor was made."""
        return self.query_one("#calls-timeline", RowList)

    def on_mount(self) -> None:
        """Shows what there is, and looks for more now and then."""
        self._look()
        self.set_interval(_LOOK, self._look)

    def on_show(self) -> None:
        """Catches up with what happened while it was not seen."""
        self._look()

    def on_resize(self, event: events.Resize) -> None:
        """Puts the timeline beside the calls where there is room."""
        self.set_class(event.size.width >= _SIDE_BY_SIDE, "-wide")

    def _look(self) -> None:
        if not self.is_on_screen:
            return
        timelines = self._timelines
        if self._drawn == timelines.changed:
            return
        newest = self._drawn is None or self.calls.cursor in (None, 0)
        self._drawn = timelines.changed
        kept = timelines.kept
        self.set_class(not kept, "-none")
        self.calls.set_rows([call_row(each) for each in reversed(kept)], Content(_NOTHING))
        if newest and kept:
            self.calls.action_edge(0)
        older = f" · {timelines.dropped:,} older ones dropped" if timelines.dropped else ""
        self.title.status = Content(f"{len(kept):,} in this run{older}" if kept else "")
        self._show_timeline()

    @on(RowList.Highlighted, "#calls-list")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_timeline()

    @on(RowList.Highlighted, "#calls-timeline")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()

    def _show_timeline(self) -> None:
        row = self.calls.current
        timeline: Timeline | None = row.subject if row is not None else None
        self.timeline.set_rows(timeline_rows(timeline) if timeline is not None else ())

    @on(RowList.Chosen, "#calls-list")
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self._show_timeline()
        self.timeline.focus()

    @on(RowList.Chosen, "#calls-timeline")
    def _open(self, event: RowList.Chosen) -> None:
        event.stop()
        from inspector.tui.screens.pair import BlocksScreen, PairScreen
        from inspector.tui.widgets.json_view_lines import Prose

        happening = event.row.subject
        if happening.message is not None:
            self.app.push_screen(PairScreen(happening.message, happening.answer))
        else:
            title = f"{happening.what.value} · {happening.server}"
            self.app.push_screen(BlocksScreen(title, (Prose(happening.subject),)))
