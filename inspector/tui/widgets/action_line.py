"""What can be done with the thing at hand: each key with its words, to be clicked too; and what is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class LineAction(NamedTuple):
    """One thing to do: what its click answers, its key as it is shown, its words."""

    answer: str
    key: str
    words: str


class ActionLine(Widget):
    """One line of actions. While there is a `status`, that stands at the right and the actions give way to it."""

    DEFAULT_CSS = """
    ActionLine { height: 1; background: $panel; color: $text-muted; padding: 0 1; }
    """
    ALLOW_SELECT: ClassVar[bool] = False

    @dataclass
    class Picked(Message):
        """An action was clicked."""

        answer: str

    status: reactive[Content] = reactive(Content())
    """What is waited for, or nothing."""

    def __init__(self, actions: Sequence[LineAction] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._actions = tuple(actions)
        self._places: list[tuple[int, int, str]] = []

    @property
    def actions(self) -> tuple[LineAction, ...]:
        """The actions, from the left."""
        return self._actions

    @actions.setter
    def actions(self, actions: Sequence[LineAction]) -> None:
        self._actions = tuple(actions)
        self.refresh()

    def render(self) -> Content:
        """As many actions as there is room for beside the status."""
        width = self.content_size.width
        status = self.status.truncate(width, ellipsis=True)
        room = width - (status.cell_length + 2 if status else 0)
        line, self._places = Content(), []
        for answer, key, words in self._actions:
            label = Content.assemble((key, "bold $accent"), " ", words)
            start = line.cell_length
            if start + label.cell_length > room:
                break
            line += label
            self._places.append((start, line.cell_length, answer))
            line += "  "
        return line.pad_right(max(0, width - line.cell_length - status.cell_length)) + status

    def on_click(self, event: events.Click) -> None:
        """A click on an action asks for it."""
        column = event.x - self.gutter.left
        answer = next((answer for start, end, answer in self._places if start <= column < end), None)
        if answer is not None:
            event.stop()
            self.post_message(self.Picked(answer))
