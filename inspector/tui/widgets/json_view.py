"""JSON, and text around it, as a view that folds and stays quick whatever the size.

Only what is in view is drawn. The index of lines and the breaks of long text are found in slices between which
everything else runs, so 5 MB holds up no key.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from inspector.tui.messages import ViewRequest, ViewRequested
from inspector.tui.widgets.json_view_draw import TONES, can_unfold, draw, mark_column, text_width, unfold
from inspector.tui.widgets.json_view_lines import Block, Json, Kind, Lines
from inspector.tui.widgets.json_view_rows import Place, Rows, has_header
from inspector.tui.widgets.json_view_search import Found, Hit, Search

_SLICE_SECONDS: Final = 0.006
_PAINT_SECONDS: Final = 0.05


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
        & > .json-view--hit { background: $warning-muted; color: $text-warning; }
        & > .json-view--current { background: $warning; color: $background; text-style: bold; }
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
        Binding("slash", "search", "search", id="json.search"),
        Binding("y", "request('copy')", "copy", id="json.copy"),
        Binding("e", "request('edit')", "editor", id="json.edit"),
        Binding("p", "request('page')", "pager", show=False, id="json.page"),
        Binding("n", "hit(1)", "next hit", id="json.next-hit"),
        Binding("N", "hit(-1)", "hit before", show=False, id="json.previous-hit"),
        Binding("escape", "close_search", "close search", show=False, id="json.close-search"),
    ]

    cursor: reactive[int] = reactive(0, repaint=False)
    """The row that the cursor is on."""

    found: reactive[Found | None] = reactive(None, repaint=False)
    """How the search stands; None where nothing is searched for."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows = Rows(Lines(()))
        self._indexing: Iterator[None] | None = None
        self._unfolding: dict[int, Iterator[None]] = {}
        self._searching: Iterator[None] | None = None
        self._search: Search | None = None
        self._origin = 0
        self._current: int | None = None
        self._goal: Hit | None = None
        self._shown_subject: Any = None

    @property
    def indexed(self) -> bool:
        """Whether everything has been laid out; until then more rows come."""
        return self._indexing is None and not self._unfolding

    @property
    def _busy(self) -> bool:
        return not self.indexed or self._searching is not None

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
        self._indexing, self._unfolding, self._goal = lines.build(), {}, None
        self._begin_search(self._search.sought if self._search is not None else "", 0)
        self.set_reactive(JsonView.cursor, 0)
        self.scroll_to(y=0, animate=False)
        self._go_on()

    def append_blocks(self, blocks: Sequence[Block]) -> None:
        """Adds blocks below those that are shown and have been laid out; the cursor and the folds stay."""
        self._indexing = chain(self._indexing or (), self._rows.lines.extend(blocks))
        if self._search is not None:
            self._begin_search(self._search.sought, self._origin)
        self._go_on()

    @property
    def value(self) -> Any:
        """The JSON value, or the text, at the cursor; None too where nothing is shown."""
        place = self._place()
        return None if place is None else self._rows.lines.value_at(place.line)

    @property
    def on_words(self) -> bool:
        """Whether the cursor is on a heading or on prose, and so in no JSON value."""
        place = self._place()
        return place is not None and self._rows.lines.kind(place.line) in (Kind.HEADING, Kind.PROSE)

    @property
    def subject(self) -> Any:
        """What the lines at the cursor are about: that of the heading above them."""
        place = self._place()
        return None if place is None else self._rows.lines.subject(place.line)

    def text_row(self, row: int) -> str:
        """What a row shows, as text."""
        return self._draw(row).text.rstrip()

    # Laying out, in slices

    def _go_on(self) -> None:
        """Does the first slice at once, so that what is small is there with the next frame."""
        self._do_slice()
        self._update()
        if self._busy:
            self.run_worker(self._lay_out(), group="json-view", exclusive=True)

    async def _lay_out(self) -> None:
        painted = time.monotonic()
        while self._busy:
            await asyncio.sleep(0)
            self._do_slice()
            if time.monotonic() - painted > _PAINT_SECONDS or not self._busy:
                self._update()
                painted = time.monotonic()

    def _do_slice(self) -> None:
        until = time.monotonic() + _SLICE_SECONDS
        while self._busy and time.monotonic() < until:
            if self._unfolding:
                line, work = next(iter(self._unfolding.items()))
                if next(work, work) is work:
                    del self._unfolding[line]
            elif self._indexing is not None:
                if next(self._indexing, self) is self:
                    self._indexing = None
                    self._take_folds(self._rows.lines)
            elif self._searching is not None and next(self._searching, self) is self:
                self._searching = None

    def _take_folds(self, lines: Lines) -> None:
        """Folds and unfolds what begins so; once, since more blocks may be added."""
        self._rows.folded.update(lines.folded)
        for line in lines.unfolded:
            self._unfold(line)
        lines.folded, lines.unfolded = [], []

    def _unfold(self, line: int) -> None:
        wrapped = unfold(self._rows.lines, line, self._width)
        self._rows.unfolded[line] = wrapped
        self._unfolding[line] = wrapped.build()

    @property
    def _width(self) -> int:
        return max(20, self.scrollable_content_region.width)

    def _update(self) -> None:
        self._follow_search()
        self._rows.rebuild()
        self.virtual_size = Size(self._width, self._rows.count)
        self.cursor = self.validate_cursor(self.cursor)
        self._reach_goal()
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
            for tone, text in draw(self._rows, self._rows.locate(row), self._width, self._hits_in)
        ]
        return Strip(segments).extend_cell_length(self._width, base)

    def on_focus(self) -> None:
        """Shows the cursor."""
        self.refresh_line(self.cursor)

    def on_blur(self) -> None:
        """Hides the cursor."""
        self.refresh_line(self.cursor)

    # Searching

    def search(self, sought: str) -> None:
        """Looks for a text from the cursor on, and goes to its first hit. Empty: nothing is searched for."""
        self._begin_search(sought, self._origin)
        self._go_on()

    def _begin_search(self, sought: str, origin: int) -> None:
        self._search = Search(self._rows.lines, sought) if sought else None
        self._searching = None if self._search is None else self._search.build()
        self._origin, self._current, self._goal = origin, None, None
        self.found = None if self._search is None else Found(None, 0, False, False)
        self.refresh_bindings()

    def open_search(self) -> None:
        """Remembers where a search begins."""
        place = self._place()
        self._origin = 0 if place is None else place.line

    def action_hit(self, step: int) -> None:
        """Goes to the next hit, or the one before (-1); round the ends."""
        search = self._search
        if search is None or not search.count:
            return
        at = self._current if self._current is not None else -1
        self._go_to_hit(search, (at + step) % search.count)
        self._go_on()

    def _follow_search(self) -> None:
        """Goes to the first hit once it is found, and tells how many there are."""
        search = self._search
        if search is None:
            return
        if self._current is None and search.count:
            first = search.first_from(self._origin)
            if first < search.count or search.complete:
                self._go_to_hit(search, first % search.count)
        self.found = Found(self._current, search.count, search.complete, search.full)

    def _go_to_hit(self, search: Search, index: int) -> None:
        """Unfolds what hides a hit, and has the cursor go there as soon as its row is known."""
        self._current = index
        hit = self._goal = search.hit(index)
        rows = self._rows
        hiding = [line for line in rows.folded if line < hit.line <= (rows.lines.end(line) or line)]
        rows.folded.difference_update(hiding)
        if not hit.in_key and hit.line not in rows.unfolded and can_unfold(rows.lines, hit.line, self._width):
            self._unfold(hit.line)

    def _reach_goal(self) -> None:
        goal = self._goal
        if goal is None:
            return
        row = self._rows.row_of(goal.line)
        wrapped = None if goal.in_key else self._rows.unfolded.get(goal.line)
        part = 0 if wrapped is None else wrapped.row_of(goal.start)
        if part is not None:
            self._goal = None
            row += part + (1 if wrapped is not None and has_header(self._rows.lines.kind(goal.line)) else 0)
        self.cursor = row

    def _hits_in(self, line: int, in_key: bool, start: int, stop: int) -> list[tuple[int, int, bool]]:
        if self._search is None:
            return []
        spans = self._search.spans(line, in_key, start, stop)
        return [(first, last, index == self._current) for first, last, index in spans]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Some keys count only while something is searched for."""
        return self._search is not None if action in ("hit", "close_search") else True

    def action_request(self, what: ViewRequest) -> None:
        """Asks for what stands at the cursor to be copied, or opened in the editor or the pager."""
        if self._rows.count:
            self.post_message(ViewRequested(self, what))

    def action_search(self) -> None:
        """Opens the line to search in."""
        from inspector.tui.widgets.json_search import open_search

        open_search(self)

    def action_close_search(self) -> None:
        """Ends the search; the cursor stays where it is."""
        from inspector.tui.widgets.json_search import close_search

        close_search(self)

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
        if self.subject is not self._shown_subject:
            self._shown_subject = self.subject
            self.refresh_bindings()

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
