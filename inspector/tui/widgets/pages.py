"""The pages of the main screen behind one line of tabs. A page is made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import ContentSwitcher


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its id, its title, and how its widget is made."""

    id: str
    title: str
    make: Callable[[], Widget]


class TabStrip(Widget, can_focus=True):
    """One line of tabs. `active` is a page's id; a count stands beside a title where there is one."""

    DEFAULT_CSS = """
    TabStrip {
        height: 1;
        background: $panel;
        color: $text-muted;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "tab before", show=False, id="tabs.before"),
        Binding("right", "step(1)", "tab after", show=False, id="tabs.after"),
    ]

    active: reactive[str] = reactive("")

    @dataclass
    class Picked(Message):
        """A tab was picked."""

        page: str

    def __init__(self, pages: Sequence[Page]) -> None:
        super().__init__()
        self._pages = pages
        self._counts: dict[str, Content] = {}
        self._places: list[tuple[int, int, str]] = []

    @property
    def columns(self) -> tuple[int, ...]:
        """Where each tab begins, in cells from the left."""
        return tuple(start for start, _, _ in self._places)

    def set_count(self, page: str, count: Content) -> None:
        """Shows a count beside a page's title; an empty one shows none."""
        self._counts[page] = count
        self.refresh()

    def render(self) -> Content:
        """The tabs side by side, the active one joined to the page below it."""
        line = Content()
        self._places = []
        for page in self._pages:
            active = page.id == self.active
            style = "$primary on $background bold" + (" underline" if self.app.no_color else "") if active else ""
            if active and self.has_focus:
                style = "$block-cursor-foreground on $block-cursor-background bold"
            label = Content.assemble("  ", page.title)
            if self._counts.get(page.id):
                label += Content(" ") + self._counts[page.id]
            label += "  "
            start = line.cell_length
            line += label.stylize_before(style)
            self._places.append((start, line.cell_length, page.id))
        return line.truncate(self.size.width, ellipsis=True)

    def action_step(self, step: int) -> None:
        """Picks the tab before or after."""
        ids = [page.id for page in self._pages]
        self.post_message(self.Picked(ids[(ids.index(self.active) + step) % len(ids)]))

    def on_click(self, event: events.Click) -> None:
        """Picks the tab that was clicked."""
        page = next((page for start, end, page in self._places if start <= event.x < end), None)
        if page is not None:
            self.post_message(self.Picked(page))


class Pages(Vertical):
    """The tabs and the page that is shown."""

    DEFAULT_CSS = """
    Pages {
        width: 1fr;
        height: 1fr;
        ContentSwitcher { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        super().__init__(id="pages")
        self._pages = pages

    def compose(self) -> ComposeResult:
        """The tabs, and no page yet."""
        yield self.strip
        yield ContentSwitcher()

    @cached_property
    def strip(self) -> TabStrip:
        """The line of tabs. It is there before it is shown and while the screen is taken down."""
        return TabStrip(self._pages)

    @property
    def active(self) -> str:
        """The id of the page that is shown."""
        return self.strip.active

    @property
    def shown(self) -> Widget | None:
        """The page that is shown, once one is."""
        return self.query_one(ContentSwitcher).visible_content

    @property
    def ids(self) -> tuple[str, ...]:
        """The pages' ids, left to right."""
        return tuple(page.id for page in self._pages)

    async def show(self, page_id: str) -> Widget:
        """Shows a page, making it where this is the first time."""
        switcher = self.query_one(ContentSwitcher)
        made = next((child for child in switcher.children if child.id == page_id), None)
        if made is None:
            made = next(page for page in self._pages if page.id == page_id).make()
            made.id = page_id
            made.display = False
            await switcher.mount(made)
        switcher.current = page_id
        self.strip.active = page_id
        return made

    @on(TabStrip.Picked)
    async def _pick(self, event: TabStrip.Picked) -> None:
        event.stop()
        await self.show(event.page)
