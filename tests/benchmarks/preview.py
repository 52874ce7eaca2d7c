"""A `_meta` of 5 MB: the longest stall while its preview is built, scrolled and searched, against 100 ms."""

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
        read, shown, searched = zip(*gaps, strict=True)
        detail = f"longest gaps: {_list(shown)}; while it was read: {_list(read)}"
        yield Row(f"5 MB of _meta, {words} / 100 ms", min(shown) / _STALL_LIMIT_MS, 1.0, detail)
        if shape != "idle":
            name = f"5 MB of _meta, {words}, searched / 100 ms"
            yield Row(name, min(searched) / _STALL_LIMIT_MS, 1.0, f"longest gaps: {_list(searched)}")


def _list(gaps: tuple[float, ...]) -> str:
    return ", ".join(f"{gap:.0f} ms" for gap in gaps)


def _longest_stalls(shape: str) -> tuple[float, float, float]:
    """In milliseconds: while the call is resolved, while its preview is shown, and while it is searched."""
    command = [sys.executable, "-m", "tests.benchmarks._preview", shape]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    resolving, shown, searched = printed.stdout.split()[-3:]
    return float(resolving), float(shown), float(searched)
