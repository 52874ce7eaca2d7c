"""A `_meta` of 5 MB: the longest stall of the loop while its preview is built and scrolled, against 100 ms."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from tests.benchmarks.row import Row

_TRIES = 3
_STALL_LIMIT_MS = 100.0
_SHAPES = {
    "lines": "many short lines",
    "strings": "32 long strings",
    "string": "one huge string",
    "idle": "an idle app, to compare",
}


def benchmarks() -> Iterator[Row]:
    """Each shape three times, each in a process of its own; the best of them counts."""
    for shape, words in _SHAPES.items():
        gaps = [_longest_stalls(shape) for _ in range(_TRIES)]
        shown = [gap for _, gap in gaps]
        read = ", ".join(f"{gap:.0f}" for gap, _ in gaps)
        detail = f"longest gaps: {', '.join(f'{gap:.0f} ms' for gap in shown)}; while it was read: {read} ms"
        yield Row(f"5 MB of _meta, {words} / 100 ms", min(shown) / _STALL_LIMIT_MS, 1.0, detail)


def _longest_stalls(shape: str) -> tuple[float, float]:
    """In milliseconds: while the call is resolved, and while its preview is shown."""
    command = [sys.executable, "-m", "tests.benchmarks._preview", shape]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    resolving, shown = printed.stdout.split()[-2:]
    return float(resolving), float(shown)
