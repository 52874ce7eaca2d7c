"""Pictures of what the keys open: help, palette, themes, host, servers, jump; small and large."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.driving import NARROW, WIDE, all_shown
from tests.tui.test_screen_snapshots import Snap, Still, _still, pictured, workspace

__all__ = ["_still"]

SHOWN = {
    "help": ("f1",),
    "palette": ("colon",),
    "host": ("h",),
    "servers": ("s", "down"),
    "jump": ("g",),
}


@pytest.mark.parametrize("shown", sorted(SHOWN))
@pytest.mark.parametrize("theme", ["harbour", "linen"])
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["small", "large"])
def test_what_a_key_opens(
    snap_compare: Snap, tmp_path: Path, shown: str, size: tuple[int, int], theme: str
) -> None:
    pictured(snap_compare, workspace(tmp_path), size, *SHOWN[shown], theme=theme)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["small", "large"])
def test_the_themes(snap_compare: Snap, tmp_path: Path, size: tuple[int, int]) -> None:
    async def act(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Still)
        await all_shown(app, pilot)
        app.action_change_theme()
        await pilot.pause()
        await pilot.press("down")
        await pilot.pause(0.1)

    assert snap_compare(Still(workspace(tmp_path)), run_before=act, terminal_size=size)
