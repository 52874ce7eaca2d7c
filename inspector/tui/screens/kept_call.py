"""One call of the history in full; from there into the composer."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from inspector.tui.screens.pair import BlocksScreen


class KeptCallScreen(BlocksScreen):
    """What is kept of a call. Answers `compose` or `send` where the person wants it in the composer."""

    HINT: ClassVar[str] = "w compose · ^j send again · / searches · Esc closes"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "answer('compose')", "compose", id="kept.compose"),
        Binding("ctrl+j,f6", "answer('send')", "send again", priority=True, id="kept.send"),
    ]

    def action_answer(self, wanted: str) -> None:
        """Closes it for the composer."""
        self.dismiss(wanted)
