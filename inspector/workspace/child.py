"""A child process whose output is taken line by line, bounded, and which is gone afterwards with all it
started.

The SDK's own stdio transport keeps the process to itself: neither its exit code nor a bound on a line can
be had from it, and standard error must be a file. So the process is run here, on asyncio's callbacks: those
tell of an exit at once, even while a grandchild still holds the pipes open.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress

STDERR_LINES = 1_000
"""The most lines of standard error that are kept: the oldest go first."""

STDERR_CHARACTERS = 4_000
"""The most characters of one line of standard error that are kept."""

_STDERR_BURST = 200
_QUEUE_BYTES = 1_000_000
_ENDLESS = 16
_GRACE = 1.0
_LOOK_SECONDS = 0.02
_LEFTOVER_LOOKS = 15
_LAST_WORDS_LOOKS = 12
_LAST_WORDS = 0.25


class Child(asyncio.SubprocessProtocol):
    """One process in a session of its own, with pipes to its standard streams.

    `on_stderr` is called with each line of standard error. `limit` is the most bytes a line of standard
    output may have: of a longer one only the beginning is given, marked, and the rest is passed over
    unkept; past sixteen times that the output counts as ended.
    """

    def __init__(self, limit: int, on_stderr: Callable[[str], None]) -> None:
        self.exit_code: int | None = None
        self.pid: int | None = None
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._limit = limit
        self._on_stderr = on_stderr
        self._transport: asyncio.SubprocessTransport | None = None
        self._lines: deque[tuple[bytes, bool]] = deque()
        self._queued = 0
        self._parts: list[bytes] = []
        self._length = 0
        self._skipped = 0
        self._endless = False
        self._stderr_rest = b""
        self._closed: set[int] = set()
        self._exited = asyncio.Event()
        self._changed = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()

    async def start(self, command: Sequence[str], environment: Mapping[str, str], folder: str | None) -> None:
        """Start the process. Raises OSError, or ValueError where a word holds a NUL."""
        await asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
        )

    async def lines(self) -> AsyncGenerator[tuple[bytes, bool]]:
        """Each line of standard output without its end, and whether it is only the beginning of a too long
        one.

        Ends at the end of the output, or shortly after the process exited where something else holds the
        pipe.
        """
        while True:
            while self._lines:
                line, cut = self._lines.popleft()
                self._queued -= len(line)
                if self._queued < _QUEUE_BYTES:
                    self._resume()
                yield line, cut
            if 1 in self._closed:
                break
            self._changed.clear()
            if self._exited.is_set():
                try:
                    await asyncio.wait_for(self._changed.wait(), _LAST_WORDS)
                except TimeoutError:
                    break
            else:
                await self._changed.wait()
        await self._hear_out()

    async def write(self, data: bytes) -> None:
        """Write to standard input, and wait while its pipe is full. Raises BrokenPipeError where it is
        closed."""
        stdin = self._transport.get_pipe_transport(0) if self._transport is not None else None
        if 0 in self._closed or not isinstance(stdin, asyncio.WriteTransport) or stdin.is_closing():
            raise BrokenPipeError
        stdin.write(data)
        await self._writable.wait()

    def ending(self) -> str | None:
        """How the process ended, with its last words: `exited 3: no database`; None while it runs."""
        if self.exit_code is None:
            if self._endless:
                return "sent a message without end"
            if 1 in self._closed:
                return with_last_words("closed its standard output", self.last_words())
            return None
        if self.exit_code < 0:
            with suppress(ValueError):
                return with_last_words(f"was killed by {signal.Signals(-self.exit_code).name}", self.last_words())
        return with_last_words(f"exited {self.exit_code}", self.last_words())

    def last_words(self) -> str:
        """The last line of standard error that says something, or nothing."""
        return next((line.strip() for line in reversed(self.stderr) if line.strip()), "")

    async def stop(self) -> None:
        """End the process and all of its session, gently first; bounded, and always reaped."""
        transport = self._transport
        if transport is None:
            return
        try:
            if 0 not in self._closed and (stdin := transport.get_pipe_transport(0)) is not None:
                stdin.close()
            # Standard output is no longer wanted, but a full pipe would keep the process from leaving.
            self._lines.clear()
            self._queued = 0
            self._resume()
            for blow in (None, signal.SIGTERM, signal.SIGKILL):
                if blow is not None:
                    self._signal(blow)
                if await self._wait_exit(_GRACE):
                    break
            await self._hear_out()
            await self._clear_leftovers()
        finally:
            # Also where the waits above were cancelled: nothing may stay behind.
            self._signal(signal.SIGKILL)
            transport.close()

    async def _wait_exit(self, timeout: float) -> bool:
        try:
            await asyncio.wait_for(self._exited.wait(), timeout)
        except TimeoutError:
            return False
        return True

    async def _clear_leftovers(self) -> None:
        """What the process started and left running gets a moment to go."""
        self._signal(signal.SIGTERM)
        for _ in range(_LEFTOVER_LOOKS):
            if not self._signal(0):
                break
            await asyncio.sleep(_LOOK_SECONDS)

    async def _hear_out(self) -> None:
        """Give the exit code and the last lines of standard error a moment to arrive."""
        await self._wait_exit(_LAST_WORDS)
        for _ in range(_LAST_WORDS_LOOKS):
            if 2 in self._closed or self.exit_code is None:
                break
            await asyncio.sleep(_LOOK_SECONDS)

    def _signal(self, number: int) -> bool:
        """Signal the whole session; False where nothing of it is left."""
        if self.pid is None:
            return False
        try:
            if hasattr(os, "killpg"):
                os.killpg(self.pid, number)
            elif number and self._transport is not None:
                self._transport.kill()
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _resume(self) -> None:
        stdout = self._transport.get_pipe_transport(1) if self._transport is not None else None
        if isinstance(stdout, asyncio.ReadTransport) and not stdout.is_closing():
            stdout.resume_reading()

    # asyncio.SubprocessProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Output came."""
        if fd == 2:
            self._hear(data)
            return
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._take(piece)
            self._end_line()
        self._take(pieces[-1])
        self._changed.set()
        if (self._queued > _QUEUE_BYTES or self._endless) and self._transport is not None:
            stdout = self._transport.get_pipe_transport(1)
            if isinstance(stdout, asyncio.ReadTransport) and not stdout.is_closing():
                stdout.pause_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """A pipe was closed, at either end."""
        self._closed.add(fd)
        if fd == 0:
            self._writable.set()
        elif fd == 1:
            if self._length:
                self._end_line()
        elif self._stderr_rest:
            self._hear(b"\n")
        self._changed.set()

    def process_exited(self) -> None:
        """The process is gone and reaped; its pipes may still be open."""
        assert self._transport is not None
        self.exit_code = self._transport.get_returncode()
        self._exited.set()
        self._changed.set()

    def pause_writing(self) -> None:
        """Standard input's pipe is full."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Standard input's pipe has room again."""
        self._writable.set()

    def _take(self, piece: bytes) -> None:
        room = self._limit - self._length
        if len(piece) > room:
            if self._skipped == 0:
                # Said at once, so that the request it answers ends now, and nothing more of it is kept.
                beginning = b"".join([*self._parts, piece[: max(room, 0)]])[:2_000]
                self._parts.clear()
                self._lines.append((beginning, True))
                self._queued += len(beginning)
            self._skipped += len(piece)
            self._length = self._limit
            if self._skipped > _ENDLESS * self._limit:
                self._endless = True
                self._closed.add(1)
        elif piece:
            self._parts.append(piece)
            self._length += len(piece)

    def _end_line(self) -> None:
        if not self._skipped and (line := b"".join(self._parts).rstrip(b"\r")):
            self._lines.append((line, False))
            self._queued += len(line)
        self._parts.clear()
        self._length = self._skipped = 0

    def _hear(self, data: bytes) -> None:
        *lines, rest = (self._stderr_rest + data).split(b"\n")
        # A line without an end is given in pieces: it is bounded, and seen while it grows.
        if len(rest) > STDERR_CHARACTERS:
            lines.append(rest)
            rest = b""
        self._stderr_rest = rest
        if len(lines) > _STDERR_BURST:
            dropped = len(lines) - _STDERR_BURST
            lines = [f"[{dropped} lines not kept]".encode(), *lines[-_STDERR_BURST:]]
        for raw in lines:
            line = raw[:STDERR_CHARACTERS].decode("utf-8", "replace").rstrip("\r")
            self.stderr.append(line)
            self._on_stderr(line)


def with_last_words(fault: str, last_words: str) -> str:
    """A fault with what the process said last, cut to 200 characters."""
    if not last_words:
        return fault
    return f"{fault}: {last_words if len(last_words) <= 200 else last_words[:199] + '…'}"
