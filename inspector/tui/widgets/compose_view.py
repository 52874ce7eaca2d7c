"""The lower half of the composer: the preview and the result behind one title line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from inspector.tui.messages import CiteRequested, ViewRequested
from inspector.tui.widgets.content_items import ContentItem
from inspector.tui.widgets.json_search import SearchLine, close_search
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_lines import Block

FORM: Final = "form"
PREVIEW: Final = "preview"
RESULT: Final = "result"


class ViewTitle(Widget):
    """Names what is shown, and says at the right how it stands. A click on a name shows it."""

    DEFAULT_CSS = """
    ViewTitle { height: 1; background: $panel; color: $text-muted; padding: 0 1; }
    """
    ALLOW_SELECT: ClassVar[bool] = False

    @dataclass
    class Picked(Message):
        """A name was clicked."""

        view: str

    names: reactive[tuple[tuple[str, Content], ...]] = reactive(())
    """Each view that there is, with its title."""
    active: reactive[str] = reactive(PREVIEW)
    statuses: reactive[tuple[Content, ...]] = reactive(())
    """How it stands, in a few wordings, the longest first: the first that fits is shown."""

    @property
    def status(self) -> Content:
        """How it stands, in full."""
        return self.statuses[0] if self.statuses else Content()

    def render(self) -> Content:
        """The names at the left, at the right as much of the status as there is room for."""
        width = self.content_size.width
        left = self._left()
        room = width - left.cell_length - 2
        status = next((status for status in self.statuses if status.cell_length <= room), None)
        if status is None:
            last = self.statuses[-1] if self.statuses else Content()
            status = last.truncate(max(0, room), ellipsis=True)
        return Content.assemble(left, " " * max(0, width - left.cell_length - status.cell_length), status)

    def _left(self) -> Content:
        line = Content()
        for view, title in self.names:
            if line:
                line += Content("   ")
            line += title.stylize_before("bold $foreground" if view == self.active else "")
        return line

    def on_click(self, event: events.Click) -> None:
        """Shows what was clicked."""
        column = event.x - 1
        for view, title in self.names:
            if 0 <= column < title.cell_length:
                self.post_message(self.Picked(view))
                return
            column -= title.cell_length + 3


class CallView(Vertical):
    """Shows the preview or the result of the composed call."""

    DEFAULT_CSS = """
    CallView {
        height: 1fr;
        min-height: 3;
        & > JsonView { padding: 0 1; display: none; }
        &.-preview > #view-preview, &.-result > #view-result { display: block; }
        &.-title-only > JsonView, &.-title-only > SearchLine { display: none !important; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "open", "read it", id="result.open"),
        Binding("c", "cite", "cite this", id="result.cite"),
        Binding("w", "save", "save as", id="result.save"),
    ]

    view: reactive[str] = reactive(PREVIEW)
    """Which of the two is shown."""

    def compose(self) -> ComposeResult:
        """The title line and both views, of which one is shown."""
        yield ViewTitle()
        yield JsonView(id="view-preview")
        yield JsonView(id="view-result")
        yield SearchLine()

    @property
    def title(self) -> ViewTitle:
        """The title line."""
        return self.query_one(ViewTitle)

    @property
    def active(self) -> JsonView:
        """The view that is shown."""
        return self.query_one(f"#view-{self.view}", JsonView)

    @property
    def item(self) -> ContentItem | None:
        """The content block that the cursor of the shown view is in."""
        subject = self.active.subject
        return subject if isinstance(subject, ContentItem) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done depends on the content block at the cursor."""
        item = self.item if action in ("open", "cite", "save") else None
        if action in ("open", "cite"):
            return item is not None and item.uri is not None
        return item is not None and item.can_be_saved if action == "save" else True

    def action_open(self) -> None:
        """Reads the resource of the block at the cursor from the server that answered."""
        self.post_message(ViewRequested(self.active, "open"))

    def action_save(self) -> None:
        """Saves the text or the bytes of the block at the cursor."""
        self.post_message(ViewRequested(self.active, "save"))

    def action_cite(self) -> None:
        """Cites the resource of the block at the cursor in the call."""
        if self.item is not None and self.item.uri is not None:
            self.post_message(CiteRequested(self.item.uri))

    def show(self, view: str, blocks: Sequence[Block]) -> None:
        """Fills a view."""
        self.query_one(f"#view-{view}", JsonView).show_blocks(blocks)

    def append(self, view: str, blocks: Sequence[Block]) -> None:
        """Adds to what a view shows."""
        self.query_one(f"#view-{view}", JsonView).append_blocks(blocks)

    def watch_view(self, view: str) -> None:
        """Shows the other one; the focus goes along."""
        focused = any(widget.has_focus for widget in self.query(JsonView))
        self.set_class(view == PREVIEW, "-preview")
        self.set_class(view == RESULT, "-result")
        if self.is_mounted:
            for other in self.query(JsonView):
                if other is not self.active:
                    close_search(other)
            self.title.active = view
            if focused:
                self.active.focus()
