"""Opens a workspace of 50 servers with 200 tools and 40 templates each, without a terminal, and filters its tools.

Prints five figures: the event loop's longest gap in ms until all is connected and looked at, the slowest key of a
filter over all the tools and the middle one (in ms, from the key to the screen), the memory of this process in MB,
and the seconds until all was shown. `idle` opens a workspace of one empty server.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from inspector.host.profile import read_settings
from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.workspace.config import load_workspace
from inspector.workspace.server import State
from tests.benchmarks._big_servers import big_workspace

_LIMIT = 120.0
_SOUGHT = "record_17_of_s3"


class _Gaps:
    """The longest time between two turns of the loop, beyond what was asked for."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            self.longest = max(self.longest, now - last - 0.005)
            last = now


async def main(count: int) -> tuple[float, float, float, float, float]:
    """The figures, in the order in which they are printed."""
    gaps = _Gaps()
    with tempfile.TemporaryDirectory() as name:
        workspace = load_workspace(big_workspace(Path(name), count))
        settings, _ = read_settings(workspace.host, workspace.error_at)
        app = InspectorApp(Setup("bench", workspace.servers, settings))
        async with app.run_test(size=(140, 40)) as pilot, asyncio.timeout(_LIMIT):
            watching = asyncio.create_task(gaps.watch())
            started = time.perf_counter()
            while not app.main.is_ready:
                await pilot.pause(0.02)
            await app.host.settled()
            while not _shown(app):
                await pilot.pause(0.02)
            took = time.perf_counter() - started
            await asyncio.sleep(0.5)
            watching.cancel()
            keys = await _filter(app, pilot)
            memory = _resident()
        await app.close_host()
    return gaps.longest * 1000, max(keys), statistics.median(keys), memory, took


def _shown(app: InspectorApp) -> bool:
    states = [connection.state for connection in app.host.workspace.connections.values()]
    return all(state is State.CONNECTED for state in states) and app.main.is_up_to_date


async def _filter(app: InspectorApp, pilot: Pilot[None]) -> list[float]:
    await pilot.press("slash")
    taken = []
    for key in [*_SOUGHT, *["backspace"] * len(_SOUGHT)]:
        drawn = asyncio.Event()
        started = time.perf_counter()
        name = {"_": "underscore"}.get(key, key)
        app.post_message(events.Key(name, key if len(key) == 1 else None))
        expected = (
            app.main.servers._input.value[:-1] if key == "backspace" else app.main.servers._input.value + key
        )
        while app.main.servers._input.value != expected:
            await pilot.pause(0)
        # The input's own message comes next, then the refresh that shows what came of it.
        app.main.servers.call_later(app.main.call_after_refresh, drawn.set)
        await drawn.wait()
        taken.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(0.02)
    return taken


def _resident() -> float:
    """In MB: what of this process is in memory, without its children."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


if __name__ == "__main__":
    print("{:.1f} {:.1f} {:.1f} {:.1f} {:.2f}".format(*asyncio.run(main(int(sys.argv[1])))))
