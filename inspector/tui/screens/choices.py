"""A dialog of facts and of things to do: a server's menu is one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar, Final, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList

_LONGEST: Final = 400
"""Characters of a choice's words: more than a line of a dialog holds, so that a name of 100 kB costs nothing."""


class Choice(NamedTuple):
    """One thing to do: what it answers, the key that picks it, and its words."""

    answer: str
    key: str
    words: str


class ChoicesScreen(Dialog[str]):
    """Facts above, choices below. Answers the choice, or None.

    Both may hold what a server or a workspace file says: neither is sent to the terminal raw.
    """

    DEFAULT_CSS = """
    ChoicesScreen .choices--facts { height: auto; max-height: 14; margin-bottom: 1; overflow-y: auto; }
    ChoicesScreen RowList { height: auto; max-height: 12; min-height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "close", show=False, id="choices.close")]

    def __init__(self, title: str, facts: Iterable[tuple[str, str]], choices: Sequence[Choice]) -> None:
        super().__init__()
        self._title = title
        self._facts = tuple(facts)
        self._choices = choices

    def compose(self) -> ComposeResult:
        """The facts, then the choices."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(visible(self._title, 60))
            box.border_subtitle = "Esc closes"
            wide = max((len(label) for label, _ in self._facts), default=0)
            lines = [
                Content.assemble((label.ljust(wide + 2), "$text-muted"), visible(text, multiline=True))
                for label, text in self._facts
            ]
            if lines:
                yield Static(Content("\n").join(lines), classes="choices--facts")
            yield RowList()

    def on_mount(self) -> None:
        """Puts the cursor on the first choice."""
        rows = self.query_one(RowList)
        rows.set_rows([Row(choice.answer, partial(_draw, choice), choice) for choice in self._choices])
        rows.styles.height = len(self._choices)
        rows.focus()

    def on_key(self, event: events.Key) -> None:
        """A choice's own key picks it."""
        choice = next((choice for choice in self._choices if choice.key == event.character), None)
        if choice is not None:
            event.stop()
            self.dismiss(choice.answer)

    @on(RowList.Chosen)
    def _choose(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(str(event.row.key))


def _draw(choice: Choice, _: int) -> Content:
    return Content.assemble((f" {choice.key} ", "bold $accent"), " ", visible(choice.words, _LONGEST))
