"""A list of rows with a cursor, that draws only the rows in view: ten thousand cost no more than ten."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content, Span
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from inspector.tui.contrast import LEAST, readable


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list.

    `key` is what it is known by when the list is made anew: the cursor stays with it. `draw` gives its content for
    a width in cells; what is wider is cut with a mark. `subject` is what choosing it chooses: the cursor passes
    over a row without one. `tooltip` makes what the pointer is told of it, when it asks.
    """

    key: Hashable
    draw: Callable[[int], Content]
    subject: Any = None
    tooltip: Callable[[], str] | None = None


def spread(left: Content, right: Content, width: int) -> Content:
    """Two contents on one line, the second at the right edge; where there is no room the first is cut."""
    room = width - right.cell_length - 1
    if not right or room < 8:
        return left
    return left.truncate(room, ellipsis=True).pad_right(max(0, room - left.cell_length) + 1) + right


class RowList(ScrollView, can_focus=True):
    """Rows, a cursor, and messages for what is done to them. Rows are given by `set_rows`."""

    DEFAULT_CSS = """
    RowList {
        background: transparent;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        overflow-x: hidden;
        & > .rows--cursor {
            background: $block-cursor-blurred-background;
            color: $block-cursor-blurred-foreground;
        }
        &:focus > .rows--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
        & > .rows--hover { background: $block-hover-background; }
        & > .rows--empty { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor", "rows--hover", "rows--empty"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "up", show=False, id="list.up"),
        Binding("down", "move(1)", "down", show=False, id="list.down"),
        Binding("pageup", "page(-1)", "page up", show=False, id="list.page-up"),
        Binding("pagedown", "page(1)", "page down", show=False, id="list.page-down"),
        Binding("home", "edge(0)", "first", show=False, id="list.first"),
        Binding("end", "edge(-1)", "last", show=False, id="list.last"),
        Binding("enter", "choose", "choose", show=False, id="list.choose"),
    ]

    cursor: reactive[int | None] = reactive(None, repaint=True)
    hover: reactive[int | None] = reactive(None, repaint=True)

    @dataclass
    class Chosen(Message):
        """A row was chosen, by enter or a click."""

        rows: RowList
        row: Row

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    @dataclass
    class Highlighted(Message):
        """The cursor came to a row, or the list has none to be on."""

        rows: RowList
        row: Row | None

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    @dataclass
    class MenuAsked(Message):
        """A row was clicked with the right button."""

        rows: RowList
        row: Row

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.set_reactive(RowList.auto_links, False)
        self.shows_cursor = True
        self._rows: Sequence[Row] = ()
        self._empty = Content()

    @property
    def rows(self) -> Sequence[Row]:
        """The rows, top to bottom."""
        return self._rows

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return None if self.cursor is None or self.cursor >= len(self._rows) else self._rows[self.cursor]

    def set_rows(self, rows: Sequence[Row], empty: Content | None = None) -> None:
        """Shows these rows; `empty` where there is none. The cursor stays with its row's key, or near by."""
        key = None if self.current is None else self.current.key
        place = self.cursor or 0
        self._rows = rows
        self._empty = empty or Content()
        same = next((n for n, row in enumerate(rows) if row.key == key), None) if key is not None else None
        self.hover = None
        self.set_reactive(RowList.cursor, self._selectable(place, 1) if same is None else same)
        self._measure()
        self.refresh()
        if same is None:
            self.watch_cursor()

    def move_to(self, key: Hashable) -> bool:
        """Puts the cursor on the row of that key. False where there is none."""
        place = next((n for n, row in enumerate(self._rows) if row.key == key), None)
        if place is not None:
            self.cursor = place
        return place is not None

    def _measure(self) -> None:
        size = Size(self.scrollable_content_region.width, max(1, len(self._rows)))
        if size != self.virtual_size:
            # Assigned, it would have the whole screen laid out, which only a scrollbar coming or going asks for.
            self.set_reactive(RowList.virtual_size, size)
            self._scroll_update(size)

    def on_resize(self) -> None:
        """Rows are drawn for the width that there is."""
        self._measure()

    def _selectable(self, start: int, step: int) -> int | None:
        """The nearest row with a subject: from `start` on in the direction of `step`, else the other way."""
        if not self._rows:
            return None
        start = max(0, min(start, len(self._rows) - 1))
        onward = range(start, len(self._rows)) if step > 0 else range(start, -1, -1)
        back = range(start, -1, -1) if step > 0 else range(start, len(self._rows))
        return next((n for places in (onward, back) for n in places if self._rows[n].subject is not None), None)

    def watch_cursor(self) -> None:
        """Keeps the cursor in view, with what stands above the first row, and tells who listens."""
        if self.cursor is not None:
            first = self.cursor == self._selectable(0, 1)
            region = Region(0, 0 if first else self.cursor, 1, self.cursor + 1 if first else 1)
            if region.height > self.scrollable_content_region.height:
                region = Region(0, self.cursor, 1, 1)
            self.scroll_to_region(region, animate=False, force=True)
        self.post_message(self.Highlighted(self, self.current))

    def action_move(self, step: int) -> None:
        """Moves the cursor to the next row that can be chosen."""
        if self.cursor is None:
            self.cursor = self._selectable(0, 1)
        elif 0 <= self.cursor + step < len(self._rows):
            self.cursor = self._selectable(self.cursor + step, step)

    def action_page(self, direction: int) -> None:
        """Moves the cursor by what fits in view."""
        if self.cursor is not None:
            page = max(1, self.scrollable_content_region.height - 1)
            self.cursor = self._selectable(self.cursor + direction * page, direction)

    def action_edge(self, end: int) -> None:
        """Moves the cursor to the first row (0) or the last (-1)."""
        self.cursor = self._selectable(0, 1) if end == 0 else self._selectable(len(self._rows) - 1, -1)

    def action_choose(self) -> None:
        """Chooses the row under the cursor."""
        if self.current is not None and self.current.subject is not None:
            self.post_message(self.Chosen(self, self.current))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Marks the row under the pointer."""
        place = event.y + self.scroll_offset.y
        self.hover = place if place < len(self._rows) else None
        tooltip = None if self.hover is None else self._rows[self.hover].tooltip
        # As content: a text from a server is no markup.
        self.tooltip = None if tooltip is None else Content(tooltip())

    def on_leave(self) -> None:
        """The pointer is elsewhere."""
        self.hover = None

    def on_click(self, event: events.Click) -> None:
        """Chooses the row that was clicked; the right button asks for its menu."""
        place = event.y + self.scroll_offset.y
        if place >= len(self._rows) or self._rows[place].subject is None:
            return
        self.cursor = place
        row = self._rows[place]
        self.post_message(self.MenuAsked(self, row) if event.button == 3 else self.Chosen(self, row))

    def render_line(self, y: int) -> Strip:
        """One row of what is in view."""
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        if place >= len(self._rows):
            return self._render_empty(y, width)
        row = self._rows[place]
        content = row.draw(width).truncate(width, ellipsis=True)
        if place == self.cursor and self.shows_cursor:
            style = self.get_visual_style("rows--cursor")
            content = self._on_cursor(content, style)
            if self.app.no_color:
                style += Style(reverse=True) if self.has_focus else Style(underline=True)
        elif place == self.hover and row.subject is not None:
            style = self.get_visual_style("rows--hover")
        else:
            style = self.visual_style
        strips = Visual.to_strips(self, content, width, 1, style)
        strip = strips[0] if strips else Strip.blank(width)
        return strip.extend_cell_length(width, style.rich_style)

    def _on_cursor(self, content: Content, cursor: Style) -> Content:
        """The row in the cursor's colours, which were chosen to be read; what tells an outcome keeps its tone."""
        spans = []
        for span in content.spans:
            if "$outcome-" not in str(span.style) or cursor.background is None:
                continue
            own = Style.parse(span.style, self.app.theme_variables) if isinstance(span.style, str) else span.style
            if own.foreground is not None:
                tone = readable(own.foreground, [cursor.background], LEAST)
                spans.append(Span(span.start, span.end, Style(foreground=tone, bold=own.bold)))
        return Content(content.plain, spans=spans)

    def _render_empty(self, y: int, width: int) -> Strip:
        style = self.get_visual_style("rows--empty")
        blank = Strip.blank(width, style.rich_style)
        if self._rows or not self._empty or width < 1:
            return blank
        strips = Visual.to_strips(self, self._empty, width, None, style)
        return strips[y].extend_cell_length(width, style.rich_style) if y < len(strips) else blank
