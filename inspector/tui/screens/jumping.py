"""Where one can jump to on a screen: the tabs, the host, and whatever can have the focus and is in view."""

from __future__ import annotations

from functools import partial
from typing import Any

from textual.geometry import Offset
from textual.screen import Screen

from inspector.tui.screens.jump import JumpScreen, Target
from inspector.tui.widgets.header import HeaderLine
from inspector.tui.widgets.pages import TabStrip


def jump_targets(screen: Screen[Any]) -> list[Target]:
    """The targets from top to bottom."""
    from inspector.tui.screens.main import MainScreen

    targets = []
    if isinstance(screen, MainScreen):
        header = screen.query_one(HeaderLine)
        targets.append(Target(Offset(max(0, header.host_column - 2), header.region.y), screen.action_host))
        strip = screen.pages.strip
        if strip.display and strip.region:
            for number, column in enumerate(strip.columns, start=1):
                go = partial(screen.show_page, number)
                targets.append(Target(strip.region.offset + Offset(column, 0), go))
    for widget in screen.focus_chain:
        region = screen.find_widget(widget).visible_region
        if region and not isinstance(widget, TabStrip):
            targets.append(Target(region.offset, partial(widget.focus)))
    return targets


def open_jump(screen: Screen[Any]) -> None:
    """Shows the letters, and goes where one is pressed."""

    def go(target: Target | None) -> None:
        if target is not None:
            screen.call_later(target.go)

    screen.app.push_screen(JumpScreen(jump_targets(screen)), go)
