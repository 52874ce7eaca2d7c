"""The program: puts the command line and the terminal UI together, and loads the latter only when it opens."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inspector.cli.main import main as run_command_line

if TYPE_CHECKING:
    from inspector.host.setup import Setup


def main() -> int:
    """Runs `ra-inspector` with the words of the command line. Returns the exit code."""
    return run_command_line(sys.argv[1:], _open_ui)


def _open_ui(setup: Setup) -> int:
    from inspector.tui.app import run

    return run(setup)


if __name__ == "__main__":
    sys.exit(main())
