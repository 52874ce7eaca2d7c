"""What the tests of the workspace share: entries of scripted servers, and a workspace that is closed
again."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from inspector.workspace.server import Era, ServerEntry, Transport
from inspector.workspace.workspace import Workspace

SCRIPTED = str(Path(__file__).with_name("scripted.py"))
CLAIM = {"ai.example/test": {"limit": 7}}
TOOL = {"name": "send", "inputSchema": {"type": "object"}}
TEMPLATE = {"name": "signal", "uriTemplate": "crm://signals/{id}"}


def scripted(name: str = "crm", asked: Era = Era.AUTO, **script: Any) -> ServerEntry:
    """A scripted server; `connection_timeout` and `request_timeout` are the entry's, the rest is its
    script."""
    connection_timeout = script.pop("connection_timeout", 5.0)
    request_timeout = script.pop("request_timeout", 3.0)
    return ServerEntry(
        name,
        Transport.STDIO,
        command=sys.executable,
        args=(SCRIPTED, json.dumps(script)),
        era=asked,
        connection_timeout=connection_timeout,
        request_timeout=request_timeout,
    )


def python(code: str, name: str = "crm", **fields: Any) -> ServerEntry:
    """A server that is this Python code."""
    return ServerEntry(name, Transport.STDIO, command=sys.executable, args=("-c", code), **fields)


@asynccontextmanager
async def running(
    *entries: ServerEntry, claims: Mapping[str, Mapping[str, Any]] = CLAIM, settle: bool = True
) -> AsyncIterator[Workspace]:
    workspace = Workspace(entries, extensions=lambda entry: claims)
    try:
        await workspace.start()
        if settle:
            await workspace.settled()
        yield workspace
    finally:
        await workspace.close()


async def until(holds: Callable[[], Any]) -> None:
    """Wait, bounded, for what the connection finds out on its own."""
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came true")


def messages(problems: Sequence[Any]) -> list[str]:
    return [f"{problem.subject}: {problem.message}" for problem in problems]
