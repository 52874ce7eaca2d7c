"""The program: puts the command line and the terminal UI together, and loads the latter only when it opens."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from inspector.cli.errors import WrongWords
from inspector.cli.main import main as run_command_line

if TYPE_CHECKING:
    from inspector.host.setup import Setup


def main() -> int:
    """Runs `ra-inspector` with the words of the command line. Returns the exit code."""
    _complete_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        # Until there is an event loop that takes them: the demo's folder is to be removed whenever they come.
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)
    try:
        return run_command_line(sys.argv[1:], _open_ui)
    except _Signalled as signalled:
        return 128 + signalled.number


class _Signalled(BaseException):
    """A signal came while the program starts. No Exception: nothing on the way out takes it for a fault."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _leave(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise _Signalled(number)


def _complete_streams() -> None:
    """Opens what was closed before the start on nothing: a file or a child's pipe would come to stand there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _open_ui(setup: Setup) -> int:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise WrongWords(
            "the terminal UI needs a terminal: without one there is show, owners, preview, call, read, check"
        )
    from inspector.tui.app import run

    return run(setup)


if __name__ == "__main__":
    sys.exit(main())
