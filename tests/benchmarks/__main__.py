"""Runs every benchmark and prints its ratio beside the bar: `make bench`, or with names of modules to run.

A ratio compares two things measured in the same run on the same machine, so it holds where seconds do not. Exits
with 1 where a bar is not met.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

from tests.benchmarks.row import Row


def main(names: list[str]) -> int:
    """Runs the named modules, or all of them, and prints a table as it goes."""
    modules = sorted(
        module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if module.name[0] != "_"
    )
    missed = 0
    print(f"{'benchmark':<58} {'ratio':>8} {'bar':>8}")
    for name in names or modules:
        module = importlib.import_module(f"tests.benchmarks.{name}")
        if not hasattr(module, "benchmarks"):
            continue
        row: Row
        for row in module.benchmarks():
            met = row.ratio <= row.bar
            missed += not met
            mark = "" if met else "  MISSED"
            print(f"{row.name:<58} {row.ratio:>8.3f} {row.bar:>8.3f}{mark}  {row.detail}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
