"""What one page offers by a key of its own, wherever the focus is but in a field that takes the key as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inspector.tui.screens.main import MainScreen

_PAGES: Final = {"template": "compose"}
"""What is offered, and on which page."""


def is_offered(screen: MainScreen, what: str) -> bool:
    """Whether the page that is shown offers that now."""
    if screen.pages.active != _PAGES[what]:
        return False
    return screen.composer is not None and screen.composer.tool is not None


def offer(screen: MainScreen, what: str) -> None:
    """Does it."""
    if screen.composer is not None:
        screen.composer.build_uri()
