"""The bottom line: the keys that count now, and how many servers are connected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

from inspector.tui.keys import counting_keys

_FIRST: Final = ("cancel", "resolve", "send")
"""The actions that stand first: what the program is for, and the way out of waiting for it."""

_LAST: Final = "help"
"""The action whose key is kept however narrow the line is."""

_IN_DIALOGS: Final = ("list.choose", "uri.take", "template.take", "prompt.take")
"""Bindings that go without saying on a page, and are what a dialog is for."""


class FooterLine(Widget):
    """Keys at the left, those of what has the focus first; the state of the workspace at the right."""

    DEFAULT_CSS = """
    FooterLine {
        dock: bottom;
        height: 1;
        background: $footer-background;
        color: $footer-foreground;
        padding: 0 1;
    }
    """

    status: reactive[Content] = reactive(Content())

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        """Follows the focus: other keys count elsewhere."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_updated)

    def _bindings_updated(self, _: Screen[object]) -> None:
        self.refresh()

    def _keys(self) -> list[tuple[str, str, str]]:
        """Each key that counts now: key, how it is shown, what it does."""
        keys: dict[str, tuple[str, str, str]] = {}
        for active, shown in counting_keys(self.screen):
            binding = active.binding
            if binding.show or (self.screen.is_modal and binding.id in _IN_DIALOGS):
                keys.setdefault(binding.action, (binding.key, shown, binding.description))
        first = [keys.pop(action) for action in _FIRST if action in keys]
        last = [keys.pop(_LAST)] if _LAST in keys else []
        return [*first, *keys.values(), *last]

    def render(self) -> Content:
        """As many keys as there is room for, whole, help among them; the state where it fits beside help."""
        width = self.size.width
        keys = self._keys()
        status = self.status if self.status.cell_length + 2 + _room_for(keys[-1:]) <= width else Content()
        room = width - (status.cell_length + 2 if status else 0)
        while len(keys) > 1 and _room_for(keys) > room:
            del keys[-2]
        line = Content()
        self._places = []
        for key, shown, what in keys:
            start = line.cell_length
            line += Content.assemble((shown, "bold $footer-key-foreground"), " ", what)
            self._places.append((start, line.cell_length, key))
            line += "  "
        line = line.right_crop(2).truncate(max(0, room), ellipsis=True)
        gap = width - line.cell_length - status.cell_length
        return line.pad_right(gap) + status if gap > 0 else line

    def on_click(self, event: events.Click) -> None:
        """A click on a key is that key."""
        x = event.x - self.gutter.left
        key = next((key for start, end, key in self._places if start <= x < end), None)
        if key is not None:
            self.app.simulate_key(key)


def _room_for(keys: Sequence[tuple[str, str, str]]) -> int:
    """The cells that these keys take."""
    return max(0, sum(cell_len(shown) + cell_len(what) + 3 for _, shown, what in keys) - 2)
