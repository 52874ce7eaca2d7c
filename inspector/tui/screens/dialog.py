"""What dialogs have in common: a titled box over the screen that Esc closes, its own keys on the bottom line."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from inspector.tui.keys import KeymapScreen
from inspector.tui.widgets.footer import FooterLine

Answer = TypeVar("Answer")


class Dialog(KeymapScreen, ModalScreen[Answer | None]):
    """A dialog. What it holds stands in a container of the class `dialog`; Esc gives None."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 60%;
        & > .dialog {
            width: 76;
            max-width: 96%;
            height: auto;
            max-height: 100%;
            padding: 0 1;
            background: $surface;
            border: round $border;
            border-title-color: $primary;
            border-title-style: bold;
            border-subtitle-color: $text-muted;
        }
        .dialog--note { color: $text-muted; height: auto; }
        .dialog--fault { color: $outcome-error; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="dialog.close"),
        Binding("g", "jump", "jump", id="dialog.jump"),
        Binding("f1", "help", "help", priority=True, id="dialog.help"),
        Binding("question_mark", "help", "help", show=False, id="dialog.help-too"),
    ]

    @on(events.Mount)
    def _show_keys(self) -> None:
        # In the place of those of the screen below, which do not count now.
        self.mount(FooterLine())

    def action_close(self) -> None:
        """Leaves the dialog without an answer."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Explains the dialog."""
        from inspector.tui.screens.help import open_help

        open_help(self, type(self).__name__)

    def action_jump(self) -> None:
        """Shows a letter over each thing that can have the focus."""
        from inspector.tui.screens.jumping import open_jump

        open_jump(self)
