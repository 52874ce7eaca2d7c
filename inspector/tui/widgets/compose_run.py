"""Resolves and sends, one at a time, and can be cancelled. Sends nothing but what it is handed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from textual.content import Content

from inspector.tui.text import visible
from inspector.tui.words import count, duration, listing

if TYPE_CHECKING:
    from inspector.host.call import SentCall
    from inspector.host.host import Host
    from inspector.host.resolution import Resolution
    from inspector.tui.widgets.compose_state import ComposedCall

_SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PER_SECOND: Final = 10

_NAMED: Final = 3
"""Servers that are named at most; more are counted."""

Answer = TypeVar("Answer")


class CallRun:
    """What a composer is waiting for, if anything. `status` says what, and for how long."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._task: asyncio.Task[Any] | None = None
        self._what = ""
        self._since = 0.0

    @property
    def running(self) -> bool:
        """Whether it resolves or sends."""
        return self._task is not None

    def status(self) -> Content | None:
        """What it waits for and since when; None where nothing runs."""
        if self._task is None:
            return None
        seconds = time.monotonic() - self._since
        spinner = _SPINNER[int(seconds * _PER_SECOND) % len(_SPINNER)]
        return Content.assemble(
            (f"{spinner} {self._what}", "$outcome-pending"), f" · {duration(seconds * 1000)} · Esc cancels"
        )

    def cancel(self) -> bool:
        """Cancels what runs. False where nothing does."""
        return self._task is not None and self._task.cancel()

    async def resolve(self, call: ComposedCall) -> Resolution:
        """Resolves a call over a connection whose claim fits the host played (R3).

        A server that is still connecting may own what the call cites: it is waited for, as long as connecting may
        take.
        """
        return await self._do(self._resolve(call), self._describe_reads(call))

    async def send(self, resolution: Resolution) -> SentCall:
        """Sends exactly a resolution (R29, R30)."""
        tool = resolution.tool
        what = f"waiting for {visible(tool.server, 40)} / {visible(tool.name, 60)}"
        return await self._do(self._host.send(resolution), what)

    async def _resolve(self, call: ComposedCall) -> Resolution:
        workspace = self._host.workspace
        if workspace.connecting:
            self._what = _describe_connecting(workspace.connecting)
            await workspace.settled()
            self._what = self._describe_reads(call)
        reconnected = await self._host.set_calling(call.tool.server)
        if reconnected:
            connection = self._host.workspace.connections[call.tool.server]
            call.retool(self._host, connection.catalog.tool(call.tool.name) or call.tool)
        return await self._host.resolve(call.tool, call.draft.arguments)

    def _describe_reads(self, call: ComposedCall) -> str:
        admissions = self._host.admissions(call.tool, call.draft.arguments)
        servers = [visible(a.server, 40) for a in admissions if a.code is None and a.server is not None]
        if not servers:
            return "resolving"
        return f"reading {count(len(servers), 'URI')} from {listing(dict.fromkeys(servers))}"

    async def _do(self, work: Coroutine[Any, Any, Answer], what: str) -> Answer:
        self._what, self._since = what, time.monotonic()
        task: asyncio.Task[Answer] = asyncio.create_task(work)
        self._task = task
        try:
            return await task
        finally:
            task.cancel()
            self._task = None


def _describe_connecting(servers: Sequence[str]) -> str:
    named = [visible(server, 40) for server in servers]
    shown = listing(named) if len(named) <= _NAMED else count(len(named), "server")
    return f"waiting for {shown} to connect"
