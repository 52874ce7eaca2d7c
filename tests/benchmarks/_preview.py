"""Resolves a call whose `_meta` has 5 MB, in the real app without a terminal, and scrolls through its preview.

Prints the event loop's longest gap in ms: while it is resolved, while the preview is built and scrolled, and while
it is searched. The shape of the `_meta` is given: `lines`, `strings` or `string`; `idle` does nothing for as long.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from inspector.host.profile import read_settings
from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.compose import ComposePane
from inspector.tui.widgets.json_view import JsonView
from inspector.workspace.config import load_workspace
from inspector.workspace.server import State
from tests.servers.workspace import scripted, text, tool, workspace_file

_SIZE = 5_000_000
_LIMIT = 120.0
_KEYS = (*["pagedown"] * 10, "end", "home", "down", "down", "down", "enter", "enter", *["pagedown"] * 5, "end")
_SOUGHT = "of them"
"""Nowhere in the long strings but as `of`, at every line of the others: both ends of what a search may meet."""


def _reads(shape: str) -> dict[str, Any]:
    if shape == "lines":
        uri = "crm://signals/1"
        return {uri: text(uri, *(f"line {number:06d} of them" for number in range(_SIZE // 100)))}
    count = 32 if shape == "strings" else 1
    words = "a sentence of a record, with some words in it. "
    uris = [f"crm://signals/{number}" for number in range(count)]
    return {uri: text(uri, words * (_SIZE // count // len(words))) for uri in uris}


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

    def take(self) -> float:
        """The longest so far, in ms; from here on it is counted anew."""
        longest, self.longest = self.longest, 0.0
        return longest * 1000


async def main(shape: str) -> tuple[float, float, float]:
    """The longest gap while the call is resolved, its preview is built and scrolled, and it is searched."""
    gaps = _Gaps()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reads = _reads("string" if shape == "idle" else shape)
        servers = {
            "crm": scripted(folder, "crm", templates=["crm://signals/{id}"], reads=reads),
            "outbox": scripted(folder, "outbox", tools=[tool(schemes=["crm"])]),
        }
        limits = {"maxChars": 2 * _SIZE, "maxSize": 10**10}
        workspace = load_workspace(workspace_file(folder, servers, host=limits))
        settings, _ = read_settings(workspace.host, workspace.error_at)
        arguments = {"citations": list(reads)}
        setup = Setup("bench", workspace.servers, settings, tool="outbox/send", arguments=arguments)
        app = InspectorApp(setup)
        async with app.run_test(size=(140, 40)) as pilot, asyncio.timeout(_LIMIT):
            while not (app.main.is_ready and _connected(app) and app.main.is_up_to_date and list(_panes(app))):
                await pilot.pause(0.05)
            await pilot.pause(0.5)
            watching = asyncio.create_task(gaps.watch())
            if shape == "idle":
                await asyncio.sleep(1.0)
                resolving = gaps.take()
                await asyncio.sleep(3.0)
                shown = searched = gaps.take()
            else:
                (pane,) = _panes(app)
                await pilot.press("ctrl+r")
                while pane._the_call.resolution is None:
                    await pilot.pause(0.001)
                resolving = gaps.take()
                view = pane.query_one("#view-preview", JsonView)
                while view.row_count < 10:
                    await pilot.pause(0.005)
                view.focus()
                for key in _KEYS:
                    await pilot.press(key)
                    await pilot.pause(0.02)
                while not view.indexed:
                    await pilot.pause(0.02)
                shown = gaps.take()
                await pilot.press(
                    "home",
                    "slash",
                    *(key if key != " " else "space" for key in _SOUGHT),
                    "enter",
                    "enter",
                    "up",
                    "up",
                )
                while view.found is None or not view.found.complete or not view.indexed:
                    await pilot.pause(0.02)
                searched = gaps.take()
            watching.cancel()
        await app.close_host()
    return resolving, shown, searched


def _panes(app: InspectorApp) -> list[ComposePane]:
    return list(app.main.query(ComposePane))


def _connected(app: InspectorApp) -> bool:
    return all(c.state is State.CONNECTED for c in app.host.workspace.connections.values())


if __name__ == "__main__":
    print("{:.1f} {:.1f} {:.1f}".format(*asyncio.run(main(sys.argv[1]))))
