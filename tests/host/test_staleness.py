"""A preview is stale where what it rests on changed, and only then (R29)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from inspector.host.host import Host
from inspector.host.resolution import Resolution
from tests.host.playing import SIGNALS, crm, outbox, playing, resolve
from tests.servers.workspace import rescript, tool

ONE = "crm://signals/1"


def stale(host: Host, resolution: Resolution) -> str | None:
    return host.staleness(resolution, host.find_tool("outbox/send"), resolution.arguments)


def changing(folder: Path, **change: Any) -> dict[str, Any]:
    """An outbox that changes after its first call and says so."""
    said = ["notifications/tools/list_changed", "notifications/resources/list_changed"]
    return outbox(folder, after=[{"method": "tools/call", "change": change, "notify": said}])


async def sent_and_told(host: Host) -> Resolution:
    """A resolution after it was sent, once the list that the tool changed was read again."""
    resolution = await resolve(host, ONE)
    before = host.generation
    await host.send(resolution)
    for _ in range(200):
        if host.generation != before:
            break
        await asyncio.sleep(0.02)
    assert host.generation != before
    return resolution


async def test_a_list_that_changes_elsewhere_leaves_it_as_it_is(tmp_path: Path) -> None:
    more = {"tools": [tool(schemes=["crm"]), tool("another")], "templates": ["outbox://sent/{id}"]}
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": changing(tmp_path, **more)}) as host:
        assert stale(host, await sent_and_told(host)) is None


async def test_another_owner_makes_it_stale(tmp_path: Path) -> None:
    more = {"templates": [SIGNALS]}
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": changing(tmp_path, **more)}) as host:
        assert stale(host, await sent_and_told(host)) == "a server changed"


async def test_a_tool_that_changes_makes_it_stale(tmp_path: Path) -> None:
    more = {"tools": [tool(schemes=["crm", "mail"])]}
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": changing(tmp_path, **more)}) as host:
        assert stale(host, await sent_and_told(host)) == "another tool"


async def test_an_owner_that_is_started_anew_may_hold_something_else(tmp_path: Path) -> None:
    servers = {
        "crm": crm(tmp_path),
        "mail": crm(tmp_path, "mail", templates=["mail://{id}"]),
        "outbox": outbox(tmp_path),
    }
    async with playing(tmp_path, servers) as host:
        resolution = await resolve(host, ONE)
        await host.workspace.reconnect("mail")
        assert stale(host, resolution) is None
        await host.workspace.reconnect("crm")
        assert stale(host, resolution) == "a server changed"


async def test_an_owner_that_is_gone_makes_it_stale(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolve(host, ONE)
        await host.workspace.stop("crm")
        assert stale(host, resolution) == "a server changed"


async def test_the_budget_that_resolving_spends_makes_nothing_stale(tmp_path: Path) -> None:
    tight = {"budget": {"ratePerSecond": 0, "burst": 1}}
    servers = {
        "crm": crm(tmp_path),
        "mail": crm(tmp_path, "mail", templates=["mail://{id}"]),
        "outbox": outbox(tmp_path),
    }
    async with playing(tmp_path, servers, **tight) as host:
        resolution = await resolve(host, ONE)
        rescript(tmp_path, "mail", templates=["mail://{id}", "mail://more/{id}"])
        await host.workspace.reconnect("mail")
        assert stale(host, resolution) is None
