"""Pictures of Record at both sizes and in both themes, with the times held still."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.driving import NARROW, WIDE, all_shown, page_key, until
from tests.tui.test_record import call, texts, workspace
from tests.tui.test_screen_snapshots import Snap, Still

STILL = {
    "traffic_rows.clock_time": lambda _, date=False: "2026-12-01 14:02:11" if date else "14:02:11.123",
    "timeline_rows.clock_time": lambda _: "14:02:11.123",
    "history_rows.clock_time": lambda _, date: "2026-12-01 14:02:11",
    "timeline_rows.offset": lambda *_: "+2 ms",
    "timeline_rows._bar": lambda *_: "━━━━".ljust(20),
    "timeline_rows.duration": lambda _: "9 ms",
    "traffic_rows.duration": lambda _: "9 ms",
    "history_rows.duration": lambda _: "9 ms",
    "server_rows.duration": lambda _: "9 ms",
}


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, still in STILL.items():
        monkeypatch.setattr(f"inspector.tui.widgets.{name}", still)
    monkeypatch.setattr(Input, "cursor_blink", False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("size", "theme", "part"),
    [
        (WIDE, "harbour", "l"),
        (WIDE, "linen", "y"),
        (NARROW, "linen", "m"),
        (NARROW, "harbour", "m"),
        (NARROW, "linen", "l"),
        (NARROW, "harbour", "y"),
    ],
)
def test_record(snap_compare: Snap, tmp_path: Path, size: tuple[int, int], theme: str, part: str) -> None:
    async def act(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Still)
        app.theme = theme
        await all_shown(app, pilot)
        await call(app, pilot)
        await pilot.press("escape", "escape", page_key(app, "record"))
        await until(pilot, lambda: app.main.made.record is not None)
        pane = app.main.made.record
        assert pane is not None
        # Servers connect side by side: only what was said to one of them is in the same order every time.
        pane.traffic.line.value = "server:outbox method:tools/call"
        await pilot.press(part)
        await until(pilot, lambda: part == "m" or texts(pane.calls.timeline) or texts(pane.history.rows))
        await pilot.pause(0.6)
        app.clear_notifications()
        await pilot.pause(0.1)
        await app.workers.wait_for_complete()

    assert snap_compare(Still(workspace(tmp_path)), run_before=act, terminal_size=size)


def test_record_with_nothing_in_it(snap_compare: Snap, tmp_path: Path) -> None:
    async def act(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Still)
        await all_shown(app, pilot)
        await pilot.press("escape", page_key(app, "record"))
        await until(pilot, lambda: app.main.made.record is not None)
        pane = app.main.made.record
        assert pane is not None
        pane.traffic.line.value = "[b +"
        await pilot.pause(0.6)
        await app.workers.wait_for_complete()

    assert snap_compare(Still(workspace(tmp_path, tool=None, arguments=None)), run_before=act, terminal_size=WIDE)
