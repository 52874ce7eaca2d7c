"""Picks one of many: a list that what is typed narrows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList


class PickScreen(Dialog[int]):
    """The names, already made visible, one a row. Answers the position of the one that is picked, or None."""

    DEFAULT_CSS = """
    PickScreen {
        Input { border: none; height: 1; background: $panel; padding: 0 1; margin-bottom: 1; }
        RowList { height: auto; max-height: 16; min-height: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "next", show=False, priority=True, id="pick.next"),
        Binding("up", "move(-1)", "previous", show=False, priority=True, id="pick.previous"),
    ]

    def __init__(self, title: str, names: Sequence[str], chosen: int) -> None:
        super().__init__()
        self._title = title
        self._names = names
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """A line to search in, and the names."""
        with Vertical(classes="dialog") as box:
            box.border_title = self._title
            box.border_subtitle = "Enter picks · Esc closes"
            yield Input(placeholder="type to search", compact=True)
            yield RowList()

    def on_mount(self) -> None:
        """Shows all of them, the cursor on the one that is chosen."""
        self._show("")
        self._rows.move_to(self._chosen)

    @property
    def _rows(self) -> RowList:
        return self.query_one(RowList)

    def _show(self, sought: str) -> None:
        found = [i for i, name in enumerate(self._names) if sought in name.casefold()]
        self._rows.set_rows([Row(index, partial(_draw, self._names[index]), index) for index in found])
        self._rows.styles.height = max(1, min(16, len(found)))

    def action_move(self, steps: int) -> None:
        """Moves the cursor of the list while the line keeps the focus."""
        self._rows.action_move(steps)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value.casefold())

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._rows.action_choose()

    @on(RowList.Chosen)
    def _picked(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.subject)


def _draw(name: str, _: int) -> Content:
    return Content(f" {name}")
