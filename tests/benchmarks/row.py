"""One line of the benchmarks' table."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A ratio measured within one run, the bar it must not exceed, and the figures it was made of."""

    name: str
    ratio: float
    bar: float
    detail: str
