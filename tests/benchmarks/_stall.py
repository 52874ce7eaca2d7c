"""Opens the demo without a terminal; prints the event loop's longest gap, in ms, until all is connected."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from inspector.demo.workspace import demo_workspace
from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.workspace.config import parse_workspace
from inspector.workspace.server import State


def _connected(app: InspectorApp) -> bool:
    if not app.main.is_ready:
        return False
    return all(c.state is State.CONNECTED for c in app.host.workspace.connections.values())


async def main() -> float:
    """Ticks on the application's own loop from its first frame on."""
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            longest = max(longest, now - last - 0.005)
            last = now

    with tempfile.TemporaryDirectory() as folder:
        workspace = parse_workspace(demo_workspace(Path(folder)), Path(folder), "demo")
        app = InspectorApp(Setup("demo", workspace.servers))
        async with app.run_test(size=(100, 30)) as pilot:
            ticking = asyncio.create_task(tick())
            while not _connected(app):
                await pilot.pause(0.05)
            ticking.cancel()
        await app.close_host()
    return longest * 1000


if __name__ == "__main__":
    print(f"{asyncio.run(main()):.1f}")
