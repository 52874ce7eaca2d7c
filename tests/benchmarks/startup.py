"""Start-up: the first frame and `--help` against importing the SDK, and how long the loop stalls meanwhile."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.row import Row
from tests.terminal import Terminal

_PAIRS = 7
_STALL_LIMIT_MS = 150.0
_PROGRAM = str(Path(sys.executable).with_name("ra-inspector"))


def benchmarks() -> Iterator[Row]:
    """Each thing timed in turn with `import mcp`, in pairs; the ratio is the median's."""
    yield _paired("the first frame / import mcp", _first_frame, 0.6)
    yield _paired("ra-inspector --help / import mcp", _help, 0.25)
    gaps = [_longest_stall() for _ in range(3)]
    detail = "longest gaps of the loop: " + ", ".join(f"{gap:.0f} ms" for gap in gaps)
    yield Row("longest stall while the SDK is imported / 150 ms", min(gaps) / _STALL_LIMIT_MS, 1.0, detail)


def _paired(name: str, measured: Callable[[], float], bar: float) -> Row:
    ratios, seconds = [], []
    measured()
    _import_sdk()
    for _ in range(_PAIRS):
        mine, sdk = measured(), _import_sdk()
        ratios.append(mine / sdk)
        seconds.append((mine, sdk))
    mine, sdk = (statistics.median(column) for column in zip(*seconds, strict=True))
    return Row(name, statistics.median(ratios), bar, f"{mine * 1000:.0f} ms against {sdk * 1000:.0f} ms")


def _first_frame() -> float:
    started = time.perf_counter()
    with Terminal([_PROGRAM, "demo"], 100, 30, dict(os.environ)) as terminal:
        while "ra-inspector" not in terminal.text:
            terminal.read(0.002)
        shown = time.perf_counter() - started
        terminal.press("ctrl+q")
        terminal.wait(15)
    return shown


def _run(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _help() -> float:
    return _run([_PROGRAM, "--help"])


def _import_sdk() -> float:
    return _run([sys.executable, "-c", "import mcp"])


def _longest_stall() -> float:
    """In milliseconds, in a process of its own: the SDK can be imported only once in each."""
    command = [sys.executable, "-m", "tests.benchmarks._stall"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(printed.stdout.split()[-1])
