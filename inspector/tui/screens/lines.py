"""A dialog with lines that grow: what a server wrote to its standard error, or the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList

_REFRESH: Final = 0.5
"""Seconds between two looks at whether there are more lines."""

Line = tuple[str, str]
"""A line's text, not known to be safe to show, and the style of its colour."""


class LinesScreen(Dialog[None]):
    """Lines, the newest at the end. `read` gives all of them and a number that changes when they do."""

    DEFAULT_CSS = """
    LinesScreen > .dialog { width: 96%; height: 90%; }
    LinesScreen RowList { height: 1fr; }
    """

    def __init__(self, title: str, read: Callable[[], tuple[int, Sequence[Line]]], empty: str) -> None:
        super().__init__()
        self._title = title
        self._read = read
        self._empty = empty
        self._shown: tuple[int, int] | None = None

    def compose(self) -> ComposeResult:
        """The lines in a box."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(visible(self._title, 80))
            box.border_subtitle = "Esc closes"
            yield RowList()

    def on_mount(self) -> None:
        """Shows the lines, and looks for more now and then."""
        self.call_after_refresh(self._update)
        self.set_interval(_REFRESH, self._update)

    def on_resize(self) -> None:
        """Lines are folded to the width."""
        self.call_after_refresh(self._update)

    def _update(self) -> None:
        rows = self.query_one(RowList)
        width = rows.scrollable_content_region.width
        number, lines = self._read()
        if width < 1 or self._shown == (number, width):
            return
        at_end = self._shown is None or rows.current is None or rows.cursor == len(rows.rows) - 1
        self._shown = number, width
        # A line folded into several rows is one for the eye; each row can have the cursor, to scroll by it.
        folded = [
            (part, style) for text, style in lines for part in Content(visible(text.rstrip())).fold(max(2, width))
        ]
        rows.set_rows(
            [Row(n, partial(_draw, part, style), subject=part) for n, (part, style) in enumerate(folded)],
            Content(self._empty),
        )
        rows.focus()
        if at_end:
            rows.action_edge(-1)


def _draw(part: Content, style: str, _: int) -> Content:
    return part.stylize_before(style)
