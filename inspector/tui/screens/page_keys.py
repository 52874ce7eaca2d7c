"""What one page offers by a key of its own, wherever the focus is but in a field that takes the key as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inspector.tui.screens.main import MainScreen

TEMPLATE: Final = "template"
ASK: Final = "ask"
DRAFT: Final = "draft"
JSON: Final = "json"
VIEW: Final = "view"

_PAGES: Final = {
    TEMPLATE: "compose",
    JSON: "compose",
    VIEW: "compose",
    ASK: "ownership",
    DRAFT: "ownership",
}
"""What is offered, and on which page."""


def is_offered(screen: MainScreen, what: str) -> bool:
    """Whether the page that is shown offers that now."""
    if screen.pages.active != _PAGES[what]:
        return False
    return _PAGES[what] != "compose" or (screen.composer is not None and screen.composer.tool is not None)


def send_again(screen: MainScreen) -> bool:
    """Composes the call at hand in the history again, to be sent. False where none is at hand."""
    record = screen.made.record
    if screen.pages.active != "record" or record is None or not record.history.has_focus_within:
        return False
    record.history.action_compose(True)
    return record.history.current is not None


def offer(screen: MainScreen, what: str) -> None:
    """Does it."""
    if what == TEMPLATE and screen.composer is not None:
        screen.composer.build_uri()
    elif what == JSON and screen.composer is not None:
        screen.composer.switch_json()
    elif what == VIEW and screen.composer is not None:
        screen.composer.next_view()
    elif what == DRAFT and screen.ownership is not None:
        screen.ownership.draft.focus_line()
    elif what == ASK and screen.ownership is not None:
        from inspector.tui.screens.asking import ask_anyway

        ask_anyway(screen, screen.ownership)
