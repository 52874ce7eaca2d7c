"""The installed program in a pseudo-terminal, read by an emulator: what a terminal really gets."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import pyte

KEYS: Mapping[str, str] = {
    "enter": "\r",
    "tab": "\t",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "f1": "\x1bOP",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
}

# The emulator knows neither keyboard-protocol nor synchronised-output requests; they draw nothing.
_UNDRAWN = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")
_CONTROL = re.compile(rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\x00-\x1f]")


class Terminal:
    """A program on a terminal of the given size. Left, it is ended, with whatever it started."""

    def __init__(self, command: Sequence[str], columns: int, rows: int, environment: Mapping[str, str]) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._status: int | None = None
        self._raw = bytearray()
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            os.execvpe(
                command[0], list(command), {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            )
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)
            if not self.wait(15):
                os.kill(self.pid, signal.SIGKILL)
                self.wait(5)
        os.close(self._descriptor)

    def read(self, seconds: float) -> bool:
        """Reads what comes within that time. False once the program's side is closed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self._descriptor], [], [], left)[0]:
                try:
                    data = os.read(self._descriptor, 1 << 16)
                except OSError:
                    return False
                if not data:
                    return False
                self._raw += data
                self._stream.feed(_UNDRAWN.sub(b"", data))
        return True

    @property
    def text(self) -> str:
        """What stands on the screen, a line each, without the blanks at their ends."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, wanted: str, seconds: float = 30.0) -> str:
        """Waits until the text stands on the screen; AssertionError with the screen where it does not in time."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            if time.monotonic() > end or not self.read(0.05):
                raise AssertionError(f"{wanted!r} is not on the screen:\n{self.text}")
        return self.text

    def until_bytes(self, wanted: bytes, seconds: float = 30.0) -> None:
        """Waits until these bytes came; AssertionError where they do not in time."""
        end = time.monotonic() + seconds
        while wanted not in self._raw:
            assert time.monotonic() < end and self.read(0.005), f"{wanted!r} never came"

    def press(self, *keys: str) -> None:
        """Presses keys: a name of `KEYS`, `ctrl+x`, or characters as they are."""
        for key in keys:
            data = KEYS.get(key) or (chr(ord(key[5]) & 0x1F) if key.startswith("ctrl+") else key)
            os.write(self._descriptor, data.encode())
            self.read(0.1)

    def wait(self, seconds: float) -> bool:
        """Whether the program ended within that time, its output read meanwhile."""
        end = time.monotonic() + seconds
        while self._status is None and time.monotonic() < end:
            self.read(0.05)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status is not None

    @property
    def status(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._status

    def attributes(self) -> list[Any]:
        """The terminal's attributes: what a program that reads raw keys must put back."""
        return termios.tcgetattr(self._descriptor)

    def terminate(self) -> None:
        """Sends SIGTERM, as closing a session does."""
        os.kill(self.pid, signal.SIGTERM)

    def printed_after(self, mark: bytes) -> str:
        """The printable text that came after the last such bytes; AssertionError where they never came."""
        _, found, rest = bytes(self._raw).rpartition(mark)
        assert found, f"{mark!r} never came"
        return _CONTROL.sub(b"", rest).decode("utf-8", "replace").strip()

    def descendants(self) -> list[int]:
        """The process ids of everything that the program started and that still runs."""
        listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        children: dict[int, list[int]] = {}
        for line in listed.splitlines():
            pid, parent = map(int, line.split())
            children.setdefault(parent, []).append(pid)
        found, queue = [], [self.pid]
        while queue:
            below = children.get(queue.pop(), [])
            found += below
            queue += below
        return found


def running(pids: Sequence[int]) -> list[int]:
    """Those of the processes that still run."""
    alive = []
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            alive.append(pid)
    return alive
