"""Record with as many messages as are kept, one of them of 5 MB: the longest time that a key is held up."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from unittest.mock import patch

from textual.pilot import Pilot

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.json_view import JsonView
from inspector.workspace.traffic import COUNT_LIMIT, Direction, Kind
from tests.benchmarks.row import Row

_BAR = 100.0
"""Milliseconds that a key may be held up."""


def benchmarks() -> Iterator[Row]:
    """The longest gaps of the event loop against the bar, best of three runs."""
    runs = [asyncio.run(_measure()) for _ in range(3)]
    for what in runs[0]:
        longest = min(run[what] for run in runs)
        yield Row(f"the longest stall: {what} / {_BAR:.0f} ms", longest / _BAR, 1.0, f"{longest:.0f} ms")


def _folders(folder: str) -> AbstractContextManager[object]:
    """Has the person's folders be that one for a while."""
    return patch.dict(os.environ, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder)


async def _measure() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, _folders(folder):
        app = InspectorApp(Setup("bench", ()))
        try:
            async with app.run_test(size=(140, 40)) as pilot:
                await _until(pilot, lambda: app.main.is_ready)
                return await _look(app, pilot)
        finally:
            await app.close_host()


async def _look(app: InspectorApp, pilot: Pilot[None]) -> dict[str, float]:
    traffic = app.host.workspace.traffic
    for number in range(COUNT_LIMIT - 1):
        text = f'{{"jsonrpc":"2.0","id":{number},"result":{{"text":"{"y" * 300}"}}}}'
        traffic.add("crm", Direction.RECEIVED, Kind.RESULT, text, size=len(text), id=number, method="tools/call")
    large = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"lines": ["x" * 45] * 100_000}})
    traffic.add("crm", Direction.RECEIVED, Kind.RESULT, large, size=len(large), id=-1, method="tools/call")
    found: dict[str, float] = {}
    await app.main.pages.show("record")
    record = app.main.made.record
    assert record is not None
    rows, line = record.traffic.rows, record.traffic.line
    await _until(pilot, lambda: len(rows.rows) == COUNT_LIMIT)
    await pilot.press("m")
    found["a filter over all messages"] = await _longest(
        pilot, lambda: setattr(line, "value", "xxxx"), lambda: len(rows.rows) == 1
    )
    found["a message of 5 MB opened"] = await _longest(
        pilot,
        rows.action_choose,
        lambda: app.screen is not app.main and app.screen.query_one(JsonView).row_count > 100_000,
    )
    return found


async def _longest(pilot: Pilot[None], begin: Callable[[], object], done: Callable[[], bool]) -> float:
    """The longest gap of the event loop, in ms, from the beginning until that is done."""
    gaps: list[float] = []

    async def tick() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            gaps.append(now - last - 0.005)
            last = now

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0.02)
    begin()
    await _until(pilot, done)
    ticking.cancel()
    return max(gaps) * 1000


async def _until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await pilot.pause(0.02)
