"""A workspace of 50 servers with 200 tools and 40 templates each: keys, stalls and memory against their bars."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks._big_servers import big_workspace
from tests.benchmarks.row import Row
from tests.terminal import Terminal

_SERVERS = 50
_TRIES = 3
_STARTS = 10
_KEY_MS = 100.0
_FILTER_MS = 50.0
_STALL_MS = 100.0
_MEMORY_MB = 300.0
_PROGRAM = str(Path(sys.executable).with_name("ra-inspector"))


def benchmarks() -> Iterator[Row]:
    """The app with the big workspace and with an empty one, each in its own process; the best of three counts."""
    big = [_figures(_SERVERS) for _ in range(_TRIES)]
    idle = _figures(0)
    gap, slowest, middle, memory, seconds = zip(*big, strict=True)
    shown = ", ".join(f"{value:.0f}" for value in gap)
    detail = f"longest gaps: {shown} ms, {idle[0]:.0f} ms in an idle app; all shown after {min(seconds):.1f} s"
    yield Row("longest stall while 50 servers connect / 100 ms", min(gap) / _STALL_MS, 1.0, detail)
    detail = (
        f"middle key {min(middle):.0f} ms, slowest {min(slowest):.0f} ms; idle {idle[2]:.0f} and {idle[1]:.0f} ms"
    )
    yield Row("a key of the filter over 10,000 tools / 50 ms", min(middle) / _FILTER_MS, 1.0, detail)
    yield Row("the slowest key of that filter / 50 ms", min(slowest) / _FILTER_MS, 1.0, detail)
    detail = f"{min(memory):.0f} MB, {idle[3]:.0f} MB in an idle app"
    yield Row("memory of the app with 50 servers / 300 MB", min(memory) / _MEMORY_MB, 1.0, detail)
    yield _first_keys()


def _figures(servers: int) -> tuple[float, ...]:
    command = [sys.executable, "-m", "tests.benchmarks._big_workspace", str(servers)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    return tuple(float(figure) for figure in printed.stdout.split()[-5:])


def _first_keys() -> Row:
    """The first key after the first frame, on a terminal, until what it opens is on it; the 95th percentile."""
    with tempfile.TemporaryDirectory() as name:
        path = big_workspace(Path(name), _SERVERS)
        taken = sorted(_first_key(path) for _ in range(_STARTS))
    slow = taken[math.ceil(0.95 * len(taken)) - 1]
    detail = f"{_STARTS} starts: middle {taken[len(taken) // 2]:.0f} ms, 95th percentile {slow:.0f} ms"
    return Row("the first key after start, drawn / 100 ms", slow / _KEY_MS, 1.0, detail)


def _first_key(path: Path) -> float:
    with Terminal([_PROGRAM, "-w", str(path)], 140, 40, dict(os.environ)) as terminal:
        while "ra-inspector" not in terminal.text:
            terminal.read(0.002)
        started = time.perf_counter()
        # `press` reads for longer than the key takes: written by hand.
        os.write(terminal._descriptor, b"/")
        while "search tools" not in terminal.text and time.perf_counter() - started < 10:
            terminal.read(0.002)
        taken = (time.perf_counter() - started) * 1000
        terminal.press("ctrl+q")
        terminal.wait(20)
    return taken
