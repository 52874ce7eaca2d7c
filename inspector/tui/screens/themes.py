"""Picks a theme: the one at the cursor is shown at once, Enter keeps it, Esc goes back to the one before."""

from __future__ import annotations

from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.theme import Theme

from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList, spread


class ThemeScreen(Dialog[str]):
    """Answers the name of the theme that was picked, or None. `own` names those that come as files: they lead."""

    DEFAULT_CSS = """
    ThemeScreen { align: right middle; background: transparent; }
    ThemeScreen > .dialog { width: 36; margin-right: 2; }
    ThemeScreen RowList { height: auto; max-height: 20; }
    """

    def __init__(self, own: tuple[str, ...]) -> None:
        super().__init__()
        self._own = own
        self._before = ""

    def compose(self) -> ComposeResult:
        """The themes."""
        with Vertical(classes="dialog") as box:
            box.border_title = "Theme"
            box.border_subtitle = "Enter keeps · Esc leaves"
            yield RowList()

    def on_mount(self) -> None:
        """Puts the cursor on the theme that is in use."""
        self._before = self.app.theme
        themes = sorted(self.app.available_themes.values(), key=lambda theme: theme.name not in self._own)
        rows = self.query_one(RowList)
        rows.set_rows([Row(theme.name, partial(_draw, theme), theme) for theme in themes])
        rows.styles.height = min(20, len(themes))
        rows.move_to(self._before)
        rows.focus()

    @on(RowList.Highlighted)
    def _show(self, event: RowList.Highlighted) -> None:
        event.stop()
        if event.row is not None and self._before:
            self.app.theme = event.row.subject.name

    @on(RowList.Chosen)
    def _keep(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.subject.name)

    def action_close(self) -> None:
        """Leaves with the theme that was in use before."""
        self.app.theme = self._before
        self.dismiss(None)


def _draw(theme: Theme, width: int) -> Content:
    kind = Content.assemble(("dark" if theme.dark else "light", "$text-muted"))
    return spread(Content(f" {visible(theme.name, 40)}"), kind, width)
