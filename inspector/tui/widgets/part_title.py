"""The title line of a part of a page: its key and name at the left, what can be done there, how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class PartTitle(Widget):
    """One line. `names` are the parts that can be picked there: id, key, words. A click on one picks it."""

    DEFAULT_CSS = """
    PartTitle { height: 1; background: $panel; color: $text-muted; padding: 0 1; }
    """
    ALLOW_SELECT: ClassVar[bool] = False

    @dataclass
    class Picked(Message):
        """A part was clicked."""

        part: str

    names: reactive[tuple[tuple[str, str, str], ...]] = reactive(())
    active: reactive[str] = reactive("")
    status: reactive[Content] = reactive(Content())
    """How the part stands: at the right, cut where there is no room."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._places: list[tuple[int, int, str]] = []

    def render(self) -> Content:
        """The names at the left, the status at the right."""
        width = self.content_size.width
        line, self._places = Content(), []
        for part, key, words in self.names:
            if line:
                line += "   "
            start = line.cell_length
            style = "bold $foreground" if part == self.active else ""
            line += Content.assemble((key, "bold $accent"), " ", (words, style))
            self._places.append((start, line.cell_length, part))
        room = max(0, width - line.cell_length - 2)
        status = self.status.truncate(room, ellipsis=True) if self.status.cell_length > room else self.status
        return line.pad_right(max(0, width - line.cell_length - status.cell_length)) + status

    def on_click(self, event: events.Click) -> None:
        """A click on a part shows it."""
        column = event.x - self.gutter.left
        part = next((part for start, end, part in self._places if start <= column < end), None)
        if part is None and len(self.names) == 1:
            part = self.names[0][0]
        if part is not None:
            event.stop()
            self.post_message(self.Picked(part))
