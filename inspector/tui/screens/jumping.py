"""Where one can jump to on the main screen: the tabs, the host, and whatever can have the focus and is in view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.geometry import Offset

from inspector.tui.screens.jump import JumpScreen, Target
from inspector.tui.widgets.header import HeaderLine
from inspector.tui.widgets.pages import TabStrip

if TYPE_CHECKING:
    from inspector.tui.screens.main import MainScreen


def jump_targets(screen: MainScreen) -> list[Target]:
    """The targets from top to bottom."""
    header = screen.query_one(HeaderLine)
    targets = [Target(Offset(max(0, header.host_column - 2), header.region.y), screen.action_host)]
    strip = screen.pages.strip
    if strip.display and strip.region:
        for number, column in enumerate(strip.columns, start=1):
            targets.append(Target(strip.region.offset + Offset(column, 0), partial(screen.show_page, number)))
    for widget in screen.focus_chain:
        region = screen.find_widget(widget).visible_region
        if region and not isinstance(widget, TabStrip):
            targets.append(Target(region.offset, partial(widget.focus)))
    return targets


def open_jump(screen: MainScreen) -> None:
    """Shows the letters, and goes where one is pressed."""

    def go(target: Target | None) -> None:
        if target is not None:
            screen.call_later(target.go)

    screen.app.push_screen(JumpScreen(jump_targets(screen)), go)
