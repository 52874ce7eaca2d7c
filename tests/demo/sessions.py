"""A child process of the demo, spoken to over stdio by the SDK's client."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent, TextResourceContents

from inspector.demo.delivery import KEY
from inspector.demo.workspace import demo_workspace

VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""How a client is told to connect, and the protocol version that it then gets."""


@dataclass(frozen=True, slots=True)
class Session:
    """One server's connection, kept open by an event loop in a thread, so that many tests share a start."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, arguments: dict[str, Any], delivered: Any = None) -> CallToolResult:
        """Call a tool; `delivered` is what stands under the extension's key, which None leaves out."""
        meta: Any = None if delivered is None else {KEY: delivered}

        async def call() -> CallToolResult:
            return await self.client.call_tool(tool, arguments, meta=meta)

        return self.portal.call(call)

    def read(self, uri: str) -> str:
        """The text of a resource with one entry of text."""
        (item,) = self.portal.call(self.client.read_resource, uri).contents
        assert isinstance(item, TextResourceContents)
        return item.text


@contextmanager
def session(folder: Path, server: str, mode: str) -> Iterator[Session]:
    """Start one server of the demo over the data in `folder`."""
    entry = demo_workspace(folder)["mcpServers"][server]
    parameters = StdioServerParameters(command=entry["command"], args=entry["args"])
    client = Client(parameters, mode=mode, read_timeout_seconds=10, cache=None)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as entered:
        yield Session(portal, entered)


def said(result: CallToolResult) -> str:
    """The first text of a result."""
    block = result.content[0]
    assert isinstance(block, TextContent)
    return block.text


def contents(uri: str, record: Any) -> dict[str, Any]:
    """An entry that holds `record`, text or what becomes JSON."""
    text = record if isinstance(record, str) else json.dumps(record)
    return {"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]}


def error(code: str, message: str = "Words for people.") -> dict[str, Any]:
    """An entry that holds an error."""
    return {"error": {"code": code, "message": message}}
