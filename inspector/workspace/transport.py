"""How a server is reached: the link for each transport, with the tap in it."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import anyio
import anyio.to_thread
import httpx2
from anyio.abc import TaskGroup
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from inspector.workspace.http_client import TappedClient, describe_error
from inspector.workspace.link import Item, Link, TappedWriter
from inspector.workspace.server import ServerEntry, Transport
from inspector.workspace.stdio import StdioLink
from inspector.workspace.tap import MESSAGE_BYTES, Tap


def make_link(entry: ServerEntry, tap: Tap, on_stderr: Callable[[str], None]) -> Link:
    """The link to a server, not yet opened."""
    if entry.transport is Transport.STDIO:
        return StdioLink(entry, tap, on_stderr)
    return HttpLink(entry, tap)


class HttpLink(Link):
    """A server reached over Streamable HTTP, or over the SSE transport of 2024."""

    def __init__(self, entry: ServerEntry, tap: Tap) -> None:
        super().__init__(tap)
        self._entry = entry
        self._trouble: Exception | None = None
        self._tls: ssl.SSLContext | bool = True

    def ending(self) -> str | None:
        """What broke the stream that answers come on; None where it is whole, or was closed in order."""
        return describe_error(self._trouble, self._entry.url) if self._trouble is not None else None

    @asynccontextmanager
    async def _open(self, group: TaskGroup) -> AsyncIterator[TappedWriter]:
        entry = self._entry
        # Reading the system's certificates takes a while: once for all servers, and off the event loop.
        self._tls = await anyio.to_thread.run_sync(_make_tls_context)
        if entry.transport is Transport.SSE:
            client = sse_client(entry.url, httpx_client_factory=self._sse_client)
            async with client as streams:
                yield self._tapped(group, streams[0], streams[1].send)
            return
        async with TappedClient(self.tap, **self._settings()) as http:
            self.tap.cancels_by_closing = True
            transport = streamable_http_client(entry.url, http_client=http, max_sse_event_size=MESSAGE_BYTES)
            async with transport as streams:
                yield self._tapped(group, streams[0], streams[1].send)

    def _settings(self) -> dict[str, Any]:
        entry = self._entry
        # No read timeout: a stream may be silent for long, and every request has a timeout of its own.
        timeout = httpx2.Timeout(
            connect=entry.connection_timeout, read=None, write=entry.request_timeout, pool=None
        )
        return {"headers": dict(entry.headers), "timeout": timeout, "verify": self._tls}

    def _sse_client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        # The SDK offers defaults of its own: the entry's settings count.
        return TappedClient(self.tap, self.inject, **self._settings())

    def _tapped(
        self, group: TaskGroup, read: AsyncIterable[Item], write: Callable[[SessionMessage], Awaitable[None]]
    ) -> TappedWriter:
        group.start_soon(self._pump, read)

        async def send(item: SessionMessage, _: str) -> None:
            await write(item)

        return TappedWriter(self.tap, send, lambda: None)

    async def _pump(self, read: AsyncIterable[Item]) -> None:
        try:
            async for item in read:
                if isinstance(item, SessionMessage):
                    await self._deliver_item(item)
                else:
                    self._trouble = item
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            pass
        self._finish()


@cache
def _make_tls_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
