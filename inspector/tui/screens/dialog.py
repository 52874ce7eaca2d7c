"""What dialogs have in common: a titled box over the screen, that Esc closes."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer | None]):
    """A dialog. What it holds stands in a container of the class `dialog`; Esc gives None."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 60%;
        & > .dialog {
            width: 76;
            max-width: 96%;
            height: auto;
            max-height: 96%;
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
    ]

    def action_close(self) -> None:
        """Leaves the dialog without an answer."""
        self.dismiss(None)
