"""Every page as it is first seen, at both sizes, in a dark and in a light theme."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.tui.driving import NARROW, WIDE
from tests.tui.test_screen_snapshots import Snap, _still, pictured, workspace

__all__ = ["_still"]

PAGES = {
    "welcome": (),
    "compose": (),
    "ownership": ("ownership", *"crm://signals/2024-7"),
    "browse": ("browse", "down"),
    "problems": ("problems", "down"),
    "template": ("escape", "t"),
    "server-menu": ("s", "home", "m"),
}


@pytest.mark.parametrize("theme", ["harbour", "linen"])
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["small", "large"])
@pytest.mark.parametrize("page", list(PAGES))
def test_a_page(snap_compare: Snap, tmp_path: Path, page: str, size: tuple[int, int], theme: str) -> None:
    setup = workspace(tmp_path)
    if page in ("compose", "template"):
        setup = replace(
            setup, tool="outbox/send_with_citations", arguments={"citations": ["crm://signals/7", "x"]}
        )
    pictured(snap_compare, setup, size, *PAGES[page], theme=theme)
