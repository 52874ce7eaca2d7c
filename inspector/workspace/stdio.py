"""The stdio transport: newline-delimited JSON over a child process's standard streams."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import anyio
from anyio.abc import TaskGroup
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from inspector.workspace.child import Child
from inspector.workspace.link import Link, TappedWriter
from inspector.workspace.server import ServerEntry
from inspector.workspace.tap import MESSAGE_BYTES, Tap


class StdioLink(Link):
    """A server started as a child process, with the SDK's safe environment and the entry's `env`."""

    def __init__(self, entry: ServerEntry, tap: Tap, on_stderr: Callable[[str], None]) -> None:
        super().__init__(tap)
        self._entry = entry
        self._child = Child(MESSAGE_BYTES, on_stderr)

    @property
    def pid(self) -> int | None:
        """The process id, once it runs."""
        return self._child.pid

    def ending(self) -> str | None:
        """How the process ended, with its last words."""
        return self._child.ending()

    def last_words(self) -> str:
        """The last line it wrote to standard error."""
        return self._child.last_words()

    @asynccontextmanager
    async def _open(self, group: TaskGroup) -> AsyncIterator[TappedWriter]:
        entry = self._entry
        try:
            await self._child.start(
                (entry.command, *entry.args), get_default_environment() | dict(entry.env), entry.cwd
            )
        except (OSError, ValueError) as error:
            raise CannotStart(_why(entry, error)) from error
        try:
            group.start_soon(self._read)
            yield TappedWriter(self.tap, self._write, lambda: None)
        finally:
            # Whatever cancels this task, the process is ended first; every wait in there is bounded.
            with anyio.CancelScope(shield=True):
                await self._child.stop()

    async def _read(self) -> None:
        async with aclosing(self._child.lines()) as lines:
            async for line, cut in lines:
                message = self.tap.too_long(line) if cut else self.tap.received(line)
                if message is not None:
                    await self._deliver(message)
        self._finish()

    async def _write(self, item: SessionMessage, text: str) -> None:
        try:
            await self._child.write(text.encode() + b"\n")
        except BrokenPipeError:
            raise anyio.BrokenResourceError from None


class CannotStart(Exception):
    """A process could not be started; the text says why."""


def _why(entry: ServerEntry, error: OSError | ValueError) -> str:
    if entry.cwd is not None and not Path(entry.cwd).is_dir():
        return f"could not start: no such folder: {entry.cwd}"
    if isinstance(error, FileNotFoundError):
        return f"could not start: no such file: {entry.command}"
    if isinstance(error, PermissionError):
        return f"could not start: not executable: {entry.command}"
    if isinstance(error, OSError):
        why = os.strerror(error.errno) if error.errno else type(error).__name__
        return f"could not start {entry.command}: {why}"
    return f"could not start {entry.command}: a word of its command or environment is none that a process takes"
