"""JSON, and text around it, as a view that folds and stays quick whatever the size.

Only what is in view is drawn. The index of lines and the breaks of long text are found in slices between which
everything else runs, so 5 MB holds up no key.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from inspector.tui.widgets.json_view_draw import TONES, can_unfold, draw, mark_column, text_width, unfold
from inspector.tui.widgets.json_view_lines import Block, Json, Kind, Lines
from inspector.tui.widgets.json_view_rows import Place, Rows

_SLICE_SECONDS: Final = 0.006
_PAINT_SECONDS: Final = 0.05
_INDEX: Final = -1
"""The work that finds the lines; the other works are those of unfolded lines, by line."""


class JsonView(ScrollView, can_focus=True):
    """Shows blocks: headings, prose and JSON. `enter` or `space` folds what the cursor is on, and unfolds it."""

    DEFAULT_CSS = """
    JsonView {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        &:focus > .json-view--cursor { background: $block-cursor-blurred-background; }
        & > .json-view--key { color: $text-primary; }
        & > .json-view--string { color: $foreground; }
        & > .json-view--number { color: $text-accent; }
        & > .json-view--literal { color: $text-accent; text-style: italic; }
        & > .json-view--punctuation { color: $text-muted; }
        & > .json-view--fold { color: $text-muted; }
        & > .json-view--summary { color: $text-muted; text-style: italic; }
        & > .json-view--prose { color: $foreground; }
        & > .json-view--note { color: $text-muted; }
        & > .json-view--heading { color: $text-secondary; text-style: bold; }
        & > .json-view--resolved { color: $outcome-resolved; }
        & > .json-view--refused { color: $outcome-refused; }
        & > .json-view--error { color: $outcome-error; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"json-view--{name}" for name in (*TONES, "cursor")}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False, id="json.up"),
        Binding("down", "move(1)", "Down", show=False, id="json.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="json.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="json.page_down"),
        Binding("home", "edge(-1)", "First line", show=False, id="json.first"),
        Binding("end", "edge(1)", "Last line", show=False, id="json.last"),
        Binding("enter,space", "fold", "fold", id="json.fold"),
    ]

    cursor: reactive[int] = reactive(0, repaint=False)
    """The row that the cursor is on."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows = Rows(Lines(()))
        self._work: dict[int, Iterator[None]] = {}

    @property
    def indexed(self) -> bool:
        """Whether everything has been laid out; until then more rows come."""
        return not self._work

    @property
    def row_count(self) -> int:
        """How many rows there are so far."""
        return self._rows.count

    def show(self, value: Any) -> None:
        """Shows one JSON value, from its first line."""
        self.show_blocks((Json(value),))

    def show_blocks(self, blocks: Sequence[Block]) -> None:
        """Shows blocks, from the first line. The values must not change while they are shown."""
        lines = Lines(blocks)
        self._rows = Rows(lines)
        self._work = {_INDEX: lines.build()}
        self.set_reactive(JsonView.cursor, 0)
        self.scroll_to(y=0, animate=False)
        self._go_on()

    def text_row(self, row: int) -> str:
        """What a row shows, as text."""
        return self._draw(row).text.rstrip()

    # Laying out, in slices

    def _go_on(self) -> None:
        """Does the first slice at once, so that what is small is there with the next frame."""
        self._do_slice()
        self._update()
        if self._work:
            self.run_worker(self._lay_out(), group="json-view", exclusive=True)

    async def _lay_out(self) -> None:
        painted = time.monotonic()
        while self._work:
            await asyncio.sleep(0)
            self._do_slice()
            if time.monotonic() - painted > _PAINT_SECONDS or not self._work:
                self._update()
                painted = time.monotonic()

    def _do_slice(self) -> None:
        until = time.monotonic() + _SLICE_SECONDS
        while self._work and time.monotonic() < until:
            key, work = next(iter(self._work.items()))
            if next(work, work) is work:
                del self._work[key]
                if key == _INDEX:
                    self._rows.folded.update(self._rows.lines.folded)
                    for line in self._rows.lines.unfolded:
                        self._unfold(line)

    def _unfold(self, line: int) -> None:
        wrapped = unfold(self._rows.lines, line, self._width)
        self._rows.unfolded[line] = wrapped
        self._work[line] = wrapped.build()

    @property
    def _width(self) -> int:
        return max(20, self.scrollable_content_region.width)

    def _update(self) -> None:
        self._rows.rebuild()
        self.virtual_size = Size(self._width, self._rows.count)
        self.cursor = self.validate_cursor(self.cursor)
        self.refresh()

    def on_resize(self) -> None:
        """Breaks unfolded text anew at the new width."""
        place = self._place()
        for line, wrapped in list(self._rows.unfolded.items()):
            if wrapped.width != text_width(self._rows.lines, line, self._width):
                self._unfold(line)
        self._go_on()
        if place is not None:
            self.cursor = self._rows.row_of(place.line)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draws one row of the view."""
        row = y + self.scroll_offset.y
        if row >= self._rows.count:
            return Strip.blank(self.size.width, self.rich_style)
        return self._draw(row)

    def _draw(self, row: int) -> Strip:
        base = self.rich_style
        if row == self.cursor:
            base += self.get_component_rich_style("json-view--cursor", partial=True)
        segments = [
            Segment(text, base + self.get_component_rich_style(f"json-view--{tone}", partial=True))
            for tone, text in draw(self._rows, self._rows.locate(row), self._width)
        ]
        return Strip(segments).extend_cell_length(self._width, base)

    def on_focus(self) -> None:
        """Shows the cursor."""
        self.refresh_line(self.cursor)

    def on_blur(self) -> None:
        """Hides the cursor."""
        self.refresh_line(self.cursor)

    # Moving and folding

    def _place(self) -> Place | None:
        return self._rows.locate(self.cursor) if self._rows.count else None

    def validate_cursor(self, row: int) -> int:
        """Keeps the cursor on a row that is there."""
        return max(0, min(row, self._rows.count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Draws the row that was left and the one that was come to, and keeps the cursor in view."""
        self.refresh_line(old)
        self.refresh_line(new)
        self.scroll_to_region(Region(0, new, self._width, 1), animate=False, force=True)

    def action_move(self, rows: int) -> None:
        """Moves the cursor by rows."""
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        """Moves the cursor by a page of the view."""
        self.cursor += pages * max(1, self.scrollable_content_region.height - 1)

    def action_edge(self, edge: int) -> None:
        """Goes to the first row (-1) or the last (1)."""
        self.cursor = 0 if edge < 0 else self._rows.count - 1

    def action_fold(self) -> None:
        """Folds the object, array or long text at the cursor, or unfolds it."""
        place = self._place()
        if place is None:
            return
        rows, line = self._rows, place.line
        lines = rows.lines
        if line in rows.folded:
            rows.folded.discard(line)
        elif line in rows.unfolded:
            del rows.unfolded[line]
        elif lines.end(line) is not None:
            rows.folded.add(line)
        elif lines.kind(line) is Kind.CLOSE:
            line = lines.value(line)
            rows.folded.add(line)
        elif can_unfold(lines, line, self._width):
            self._unfold(line)
        else:
            return
        self._go_on()
        self.cursor = rows.row_of(line)

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor where the click is; on a fold mark, or twice anywhere, it folds."""
        row = event.y + self.scroll_offset.y
        if row >= self._rows.count:
            return
        self.cursor = row
        place = self._rows.locate(row)
        mark = mark_column(self._rows.lines, place.line)
        if event.chain == 2 or (mark <= event.x < mark + 2 and place.part is None):
            self.action_fold()
