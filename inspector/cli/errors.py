"""How a command ends other than well: one line for the person, and the exit code of the contract."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
TOOL_ERROR: Final = 1
"""The tool answered `isError`, an error was found in the workspace, or the URI to be read is not resolved."""
WORDS: Final = 2
FAILED: Final = 3


class CommandError(Exception):
    """Ends a command. Its text is one line that says what, where and what to do; `exit_code` goes with it."""

    exit_code = FAILED


class WrongWords(CommandError):
    """The command's words, or the JSON it was given, are wrong."""

    exit_code = WORDS


class RunFailed(CommandError):
    """The workspace file, the tool's own server or the protocol failed."""


class Interrupted(CommandError):
    """A signal ended the command: Ctrl+C, or another one's request. There is nothing to say about it."""

    def __init__(self, signal_number: int) -> None:
        super().__init__()
        self.exit_code = 128 + signal_number
