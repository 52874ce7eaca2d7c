"""What the host's trace keeps of a call: one event per URI, never the contents (R28)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from inspector.extension.outcome import Outcome

EVENT: Final = "resource_argument"
"""The event's name on the trace of the call (R28)."""


@dataclass(frozen=True, slots=True)
class ResourceArgument:
    """One event: the URI, the serving server (None where there is none), the outcome, and the bytes handed on.

    `outcome` is `resolved` or one of the seven codes. `size` is in UTF-8 bytes of text, 0 where nothing was
    handed on. There is no place in it for contents.
    """

    uri: str
    server: str | None
    outcome: str
    size: int


def record(outcomes: Iterable[Outcome]) -> tuple[ResourceArgument, ...]:
    """One event for each string of a call, in argument order (R28)."""
    return tuple(ResourceArgument(o.uri, o.server, o.name, o.size if o.code is None else 0) for o in outcomes)
