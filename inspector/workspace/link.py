"""What the SDK needs of any transport, with the tap in it, and what the connection wants to know of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from types import TracebackType
from typing import Any

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client import Transport
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from inspector.workspace.tap import Tap

Item = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Item], "TappedWriter"]

_BUFFER = 16


class TappedWriter:
    """The SDK's way out: each message goes through the tap in the task of whoever sends it."""

    def __init__(
        self, tap: Tap, write: Callable[[SessionMessage, str], Awaitable[None]], close: Callable[[], None]
    ):
        self._tap = tap
        self._write = write
        self._close = close
        self._closed = False

    async def send(self, item: SessionMessage, /) -> None:
        """Send one message. Raises anyio's ClosedResourceError or BrokenResourceError, as the SDK expects."""
        if self._closed:
            raise anyio.ClosedResourceError
        await self._write(item, self._tap.sending(item.message))

    async def aclose(self) -> None:
        """No more messages follow."""
        if not self._closed:
            self._closed = True
            self._close()

    async def __aenter__(self) -> TappedWriter:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Link(ABC):
    """One server reached once. The SDK's Client enters `streams()`; the rest is for the connection.

    `ended` is set when nothing more will come.
    """

    def __init__(self, tap: Tap) -> None:
        self.tap = tap
        self.ended = anyio.Event()
        self._inbox: MemoryObjectSendStream[Item] | None = None
        self._group: TaskGroup | None = None

    @abstractmethod
    def ending(self) -> str | None:
        """Why nothing more will come, in words; None where it is not known, or more may come."""

    @abstractmethod
    def _open(self, group: TaskGroup) -> AbstractAsyncContextManager[TappedWriter]:
        """Reach the server; what comes is given to `_deliver` by tasks of the group. Its end ends the
        server."""

    def last_words(self) -> str:
        """The last line of the server's standard error, where it has one."""
        return ""

    def streams(self) -> Transport:
        """What the SDK's Client enters: the two streams, with the tap between them and the server."""
        return self._streams()

    def inject(self, message: dict[str, Any]) -> None:
        """Hand the SDK a message as if the server had sent it."""
        if self._group is not None:
            self._group.start_soon(self._deliver, message)

    @asynccontextmanager
    async def _streams(self) -> AsyncIterator[Streams]:
        self._inbox, received = anyio.create_memory_object_stream[Item](_BUFFER)
        try:
            async with anyio.create_task_group() as group:
                self._group = group
                async with self._open(group) as writer:
                    yield received, writer
                group.cancel_scope.cancel()
        finally:
            self._group = None
            self._finish()
            received.close()

    async def _deliver(self, message: dict[str, Any]) -> None:
        await self._deliver_item(SessionMessage(jsonrpc_message_adapter.validate_python(message, by_name=False)))

    async def _deliver_item(self, item: Item) -> None:
        if self._inbox is not None:
            # The SDK stopped listening: it is closing, and what comes now is for nobody.
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self._inbox.send(item)

    def _finish(self) -> None:
        """Nothing more will come: the SDK ends what still waits."""
        if self._inbox is not None:
            self._inbox.close()
        self.ended.set()
