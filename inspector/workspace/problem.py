"""What is wrong with a server or with what it publishes, in words for the person who wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a problem is, as the last table of the rules has it."""

    ERROR = "error"
    """It cannot work."""
    WARNING = "warning"
    """It will not do what it seems to."""
    NOTE = "note"
    """Worth knowing."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, with where it is and what to do.

    `server` is the name in the workspace file, or None where the workspace as a whole is meant. `subject`
    names the thing on that server: `tool send`, `template crm://{id`, `resources/list`. `rule` is the
    rule's number (`R4`), or `protocol` where the protocol itself says so. `position` is an offset in
    characters from 0 into the subject's text (a template), where there is one. `snippet` is text to paste
    that mends it; a name in capitals is to be filled in. `others` are further servers that it is as much
    about as `server`: two whose templates overlap.
    """

    severity: Severity
    server: str | None
    subject: str
    rule: str
    message: str
    remedy: str | None = None
    position: int | None = None
    snippet: str | None = None
    others: tuple[str, ...] = ()

    @property
    def servers(self) -> tuple[str, ...]:
        """Every server that it is about; none where it is about the workspace."""
        return () if self.server is None else (self.server, *self.others)
