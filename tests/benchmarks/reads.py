"""Reads of one call run side by side (R18): a preview of 32 slow reads against the time of one."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from inspector.host.host import Host
from inspector.workspace.config import parse_workspace
from tests.benchmarks.row import Row
from tests.servers.workspace import scripted, text, tool

_DELAY = 0.2
_URIS = [f"crm://signals/{number}" for number in range(32)]


def benchmarks() -> Iterator[Row]:
    """Connecting is not counted: it is the same for one read and for many."""
    seconds = asyncio.run(_preview())
    detail = f"{seconds * 1000:.0f} ms for {len(_URIS)} reads of {_DELAY * 1000:.0f} ms"
    yield Row("a preview of 32 reads / one read of 200 ms", seconds / _DELAY, 2.0, detail)


async def _preview() -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        answer = {**text("crm://signals", "{}"), "delay": _DELAY}
        servers = {
            "crm": scripted(path, "crm", templates=["crm://signals/{id}"], reads={"*": answer}),
            "outbox": scripted(path, "outbox", tools=[tool(schemes=["crm"])]),
        }
        host = Host(parse_workspace({"mcpServers": servers}, path, "bench").servers)
        await host.start()
        try:
            await host.settled()
            started = time.perf_counter()
            resolution = await host.resolve(host.find_tool("outbox/send"), {"citations": _URIS})
            seconds = time.perf_counter() - started
            assert all(outcome.code is None for outcome in resolution.outcomes)
            return seconds
        finally:
            await host.close()
