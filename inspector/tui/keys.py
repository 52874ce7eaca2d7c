"""Which keys count now: not those that the field with the focus takes as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.binding import ActiveBinding
from textual.keys import key_to_character
from textual.screen import Screen


def counting_keys(screen: Screen[Any]) -> Iterator[tuple[ActiveBinding, str]]:
    """Each binding that a key press would reach on this screen now, with how its key is shown."""
    focused = screen.focused
    for active in screen.active_bindings.values():
        binding = active.binding
        if not active.enabled:
            continue
        shown = screen.app.get_key_display(binding)
        character = shown if len(shown) == 1 else key_to_character(binding.key)
        taken = focused is not None and focused.check_consume_key(binding.key, character)
        if binding.priority or not taken:
            yield active, shown
