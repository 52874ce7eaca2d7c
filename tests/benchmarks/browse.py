"""Browse with 20,000 resources: a key of its search, and the longest time that laying them out holds up a key."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from inspector.host.host import Host
from inspector.tui.widgets.browse_items import Items, Kind
from inspector.workspace.config import parse_workspace
from tests.benchmarks.row import Row
from tests.servers.workspace import scripted

_NUMBER = 20_000
_SOUGHT = "signal-1"


def benchmarks() -> Iterator[Row]:
    """The search against looking for the same letters in the same texts and nothing else."""
    slices, search, bare = asyncio.run(_measure())
    yield Row("a key of Browse's search / a bare search", search / bare, 4.0, f"{search * 1000:.1f} ms a key")
    whole = sum(slices)
    detail = f"{max(slices) * 1000:.1f} ms of {whole * 1000:.0f} ms"
    yield Row("the longest slice of laying Browse out / all of it", max(slices) / whole, 0.25, detail)


async def _measure() -> tuple[list[float], float, float]:
    """The seconds of each slice, of a search, and of looking through the same texts."""
    resources = [
        {"uri": f"crm://signals/{number}", "name": f"signal-{number}", "description": "What was seen. " * 8}
        for number in range(_NUMBER)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        server = scripted(path, "crm", resources=resources, page_size=2000)
        host = Host(parse_workspace({"mcpServers": {"crm": server}}, path, "bench").servers)
        await host.start()
        try:
            await host.settled()
            return _measure_items(Items(host))
        finally:
            await host.close()


def _measure_items(items: Items) -> tuple[list[float], float, float]:
    slices: list[float] = []
    started = time.perf_counter()
    for _ in items.prepare():
        slices.append(time.perf_counter() - started)
        started = time.perf_counter()
    found = items.find("")
    assert found.counts[Kind.RESOURCE] == _NUMBER
    texts = [row.subject.sought for row in found.rows if row.subject is not None]
    search = min(_seconds(lambda: items.find(_SOUGHT)) for _ in range(5))
    bare = min(_seconds(lambda: [text for text in texts if _SOUGHT in text]) for _ in range(5))
    return slices, search, bare


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
