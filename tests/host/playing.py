"""A host over scripted servers, for tests that ask what it does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from inspector.host.host import Host
from inspector.host.profile import read_settings
from inspector.host.resolution import Resolution
from inspector.workspace.config import load_workspace
from tests.servers.workspace import scripted, text, tool, workspace_file

SIGNALS = "crm://signals/{id}"


def crm(folder: Path, name: str = "crm", **spec: Any) -> dict[str, Any]:
    """A server that owns `crm://signals/{id}` and answers signals 1 to 9."""
    answers = {f"crm://signals/{number}": text(f"crm://signals/{number}", "{}") for number in range(1, 10)}
    return scripted(folder, name, **{"templates": [SIGNALS], "reads": answers, **spec})


def outbox(folder: Path, name: str = "outbox", **spec: Any) -> dict[str, Any]:
    """A server whose tool `send` declares `citations: crm`."""
    return scripted(folder, name, **{"tools": [tool(schemes=["crm"])], **spec})


@asynccontextmanager
async def playing(
    folder: Path, servers: Mapping[str, Any], calling: str | None = "outbox", **host: Any
) -> AsyncIterator[Host]:
    """A host that has connected what can be connected. `host` is the workspace file's `host` object."""
    workspace = load_workspace(workspace_file(folder, dict(servers), host=host))
    settings, unknown = read_settings(workspace.host, workspace.error_at)
    assert not unknown
    playing = Host(workspace.servers, settings)
    await playing.start(calling=calling)
    try:
        await playing.settled()
        yield playing
    finally:
        await playing.close()


async def resolve(host: Host, *citations: Any, tool: str = "outbox/send") -> Resolution:
    """A call with these citations, resolved."""
    return await host.resolve(host.find_tool(tool), {"citations": list(citations)})


def codes(resolution: Resolution) -> list[str]:
    """The outcome of each string, in argument order."""
    return [outcome.name for outcome in resolution.outcomes]
