"""Pictures of what is waited for: a server's question, and a call that tells its progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.tui.app import InspectorApp
from inspector.tui.screens.elicitation import ElicitationScreen
from tests.tui.driving import NARROW, WIDE, screen_text, until
from tests.tui.test_waiting import FORM, PROGRESS, calling, sending

Snap = Callable[..., bool]


class Still(InspectorApp):
    """Ends its host with itself."""

    async def on_unmount(self) -> None:
        await self.close_host()


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("server_rows", "compose_run", "fate"):
        monkeypatch.setattr(f"inspector.tui.widgets.{module}.duration", lambda _: "9 ms")
    monkeypatch.setattr("inspector.tui.widgets.compose_run._SPINNER", "⠋")
    monkeypatch.setattr("inspector.tui.widgets.compose_words.describe_age", lambda _: "2 s old")
    monkeypatch.setattr(Input, "cursor_blink", False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    monkeypatch.setenv("XDG_STATE_HOME", "/nonexistent")


@pytest.mark.parametrize("theme", ["harbour", "linen"])
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["small", "large"])
@pytest.mark.parametrize("what", ["question", "progress"])
def test_waiting(snap_compare: Snap, tmp_path: Path, size: tuple[int, int], theme: str, what: str) -> None:
    answer: dict[str, Any] = {"ask": [FORM]} if what == "question" else {"notify": [PROGRESS], "silent": True}

    async def act(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Still)
        app.theme = theme
        await sending(app, pilot)
        if what == "question":
            await until(pilot, lambda: isinstance(app.screen, ElicitationScreen))
            await pilot.press("down", "tab")
        else:
            await until(pilot, lambda: "3 of 10" in screen_text(app))
        # Notices hold no time of their own, but come and go.
        app.clear_notifications()
        await pilot.pause(0.3)

    app = Still(calling(tmp_path, answer))
    assert snap_compare(app, run_before=act, terminal_size=size)
