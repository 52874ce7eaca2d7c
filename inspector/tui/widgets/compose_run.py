"""Resolves and sends, one at a time, and can be cancelled. Sends nothing but what it is handed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from textual.content import Content

from inspector.tui.text import visible
from inspector.tui.words import count, duration, listing
from inspector.workspace.events import LogMessage

if TYPE_CHECKING:
    from inspector.host.call import SentCall
    from inspector.host.host import Host, HostChanged
    from inspector.host.resolution import Resolution
    from inspector.tui.widgets.compose_state import ComposedCall
    from inspector.workspace.events import Event

_SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PER_SECOND: Final = 10

_NAMED: Final = 3
"""Servers that are named at most; more are counted."""

_BAR: Final = 10
"""Cells of the bar that shows how far a call is."""

Answer = TypeVar("Answer")


class Progress(NamedTuple):
    """How far a server says that it is: `done` of `total`, where it knows the latter, and what it does now."""

    done: float
    total: float | None
    message: str | None


def describe_progress(progress: Progress) -> str:
    """`3 of 10 · indexing`."""
    far = f"{progress.done:g}" + (f" of {progress.total:g}" if progress.total is not None else "")
    return far + (f" · {visible(progress.message, 40)}" if progress.message else "")


def progress_bar(progress: Progress) -> Content:
    """A short bar; nothing where the server does not say how much there is."""
    total = progress.total
    if total is None or not 0 < total < float("inf") or not progress.done >= 0:
        return Content()
    filled = round(_BAR * min(1.0, progress.done / total))
    return Content.assemble(" ", ("━" * filled, "$outcome-pending"), ("─" * (_BAR - filled), "$text-muted"))


class CallRun:
    """What a composer is waiting for, if anything. `statuses` say what, and for how long.

    `logged` counts the log notifications that its servers sent while it sent last.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._task: asyncio.Task[Any] | None = None
        self._what = ""
        self._since = 0.0
        self._server: str | None = None
        self._progress: Progress | None = None
        self.logged = 0

    @property
    def running(self) -> bool:
        """Whether it resolves or sends."""
        return self._task is not None

    def statuses(self) -> tuple[Content, ...]:
        """What it waits for and since when, in a few wordings, the longest first; none where nothing runs."""
        if self._task is None:
            return ()
        seconds = time.monotonic() - self._since
        spinner = _SPINNER[int(seconds * _PER_SECOND) % len(_SPINNER)]
        what = Content.styled(f"{spinner} {self._waits_for()}", "$outcome-pending")
        since = f" · {duration(seconds * 1000)}"
        bar = progress_bar(self._progress) if self._progress is not None else Content()
        lines = f" · {count(self.logged, 'log line')}" if self.logged else ""
        # While a question stands over the screen, Esc is for that.
        escape = "" if self._asking else " · Esc cancels"
        return (
            Content.assemble(what, bar, lines, since, escape),
            Content.assemble(what, since, escape),
            Content.assemble(what, since),
        )

    @property
    def _asking(self) -> str | None:
        """The server that asks the person something."""
        connections = self._host.workspace.connections
        return next((name for name, connection in connections.items() if connection.is_asking), None)

    def _waits_for(self) -> str:
        connections = self._host.workspace.connections
        if self._asking is not None:
            return f"waiting for you: {visible(self._asking, 40)} asks"
        if self._progress is not None:
            return describe_progress(self._progress)
        reading = [(name, each.waiting_seconds("resources/read")) for name, each in connections.items()]
        slow = [f"{visible(name, 40)} {seconds:.1f} s" for name, seconds in reading if seconds and seconds >= 1]
        if slow and self._server is None:
            more = f" and {len(slow) - _NAMED} more" if len(slow) > _NAMED else ""
            return f"{self._what.partition(' from ')[0]}: {', '.join(slow[:_NAMED])}{more}"
        return self._what

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
        """Sends exactly a resolution (R29, R30). Meanwhile the server's progress is shown, and its log counted."""
        tool = resolution.tool
        what = f"waiting for {visible(tool.server, 40)} / {visible(tool.name, 60)}"
        self._server, self._progress, self.logged = tool.server, None, 0
        stop = self._host.subscribe(self._listen)
        try:
            return await self._do(self._host.send(resolution, progress=self._take_progress), what)
        finally:
            stop()
            self._server = self._progress = None

    def _listen(self, event: Event | HostChanged) -> None:
        if isinstance(event, LogMessage) and event.server == self._server:
            self.logged += 1

    async def _take_progress(self, progress: float, total: float | None, message: str | None) -> None:
        self._progress = Progress(progress, total, message)

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
