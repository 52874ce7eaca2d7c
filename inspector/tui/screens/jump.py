"""Jump: a letter over each thing that can have the focus; pressing it goes there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widgets import Label

LETTERS: Final = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM"
"""The letters, the easiest first. What there are no letters for is reached by tab."""


class Target(NamedTuple):
    """Somewhere to jump to: where its letter stands on the screen, and what going there does."""

    place: Offset
    go: Callable[[], object]


class JumpScreen(ModalScreen[Target | None]):
    """The letters over the screen. A click goes to the letter under it; any other key or click leaves."""

    DEFAULT_CSS = """
    JumpScreen { background: $background 40%; }
    JumpScreen Label {
        position: absolute;
        width: 1;
        height: 1;
        background: $accent;
        color: $background;
        text-style: bold;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave", id="jump.leave")]

    def __init__(self, targets: Sequence[Target]) -> None:
        super().__init__()
        self._targets = dict(zip(LETTERS, targets, strict=False))

    def compose(self) -> ComposeResult:
        """A letter for each target."""
        for letter, target in self._targets.items():
            label = Label(letter, markup=False)
            label.styles.offset = target.place
            yield label

    def action_leave(self) -> None:
        """Goes nowhere."""
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Goes where the letter says."""
        if event.key != "escape":
            event.stop()
            # A second letter pressed in haste comes when the jump is already made.
            if self.is_current:
                self.dismiss(self._targets.get(event.character or ""))

    def on_click(self, event: events.Click) -> None:
        """Goes to the letter that was clicked."""
        event.stop()
        place = event.screen_offset
        if self.is_current:
            self.dismiss(next((target for target in self._targets.values() if target.place == place), None))
