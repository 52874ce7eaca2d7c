"""SDK servers over Streamable HTTP and SSE, on a free loopback port, each in a thread of its own.

The thread has its own event loop: a test that blocks its loop does not block the server.
"""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.types import ASGIApp, Receive, Scope, Send

START_SECONDS = 10.0
STOP_SECONDS = 5


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it arrived: the headers' names in lower case."""

    method: str
    path: str
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs: its URL, and the requests that it got so far."""

    url: str
    requests: list[HttpRequest] = field(default_factory=list)


@asynccontextmanager
async def serve_streamable(server: MCPServer[Any]) -> AsyncIterator[Served]:
    """Serve over Streamable HTTP; both eras answer at the one URL."""
    async with serve_application(server.streamable_http_app(), "/mcp") as served:
        yield served


@asynccontextmanager
async def serve_sse(server: MCPServer[Any]) -> AsyncIterator[Served]:
    """Serve over the older HTTP with SSE. The SDK's server answers both eras here too."""
    async with serve_application(server.sse_app(), "/sse") as served:
        yield served


@asynccontextmanager
async def serve_application(application: ASGIApp, path: str = "/") -> AsyncIterator[Served]:
    """Serve any ASGI application, such as one that fails in a way of its own.

    Raises:
        TimeoutError: if it has not started within ten seconds.
    """
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    served = Served(f"http://127.0.0.1:{listening.getsockname()[1]}{path}")
    config = uvicorn.Config(
        _recording(application, served.requests),
        log_config=None,
        log_level="critical",
        # An SSE stream never ends by itself.
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        if not await asyncio.to_thread(server.ready.wait, START_SECONDS):
            raise TimeoutError(f"the HTTP server has not started within {START_SECONDS} s")
        yield served
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join, STOP_SECONDS)
        listening.close()
        assert not thread.is_alive(), "the HTTP server did not stop"


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def _recording(application: ASGIApp, requests: list[HttpRequest]) -> ASGIApp:
    async def recorded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            requests.append(HttpRequest(scope["method"], scope["path"], headers))
        await application(scope, receive, send)

    return recorded
