"""One request to a server and what came back, as it came."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.workspace.salvage import Page

RequestId = int | str
"""What JSON-RPC tells requests apart by."""

CALL: ContextVar[int | None] = ContextVar("CALL", default=None)
"""The number of the call that what this task sends is sent for, where somebody numbers calls."""


@dataclass(slots=True)
class Exchange:
    """One request and what came back, as it came. A request that the SDK repeats keeps the newest answer.

    Of `result`, `error` and `fault` at most one is set: the answer's result object, its error object, or
    why the answer that came is none. `page` is the result of a list, mended. `call` is the number of the call
    that it was made for, if any.
    """

    method: str
    id: RequestId | None = None
    sent: float | None = None
    answered: float | None = None
    result: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    fault: str | None = None
    transport_fault: bool = False
    page: Page | None = None
    departures: list[str] = field(default_factory=list)
    call: int | None = field(default_factory=CALL.get)

    def begin(self, request_id: RequestId) -> None:
        """The request is sent now, under that id."""
        self.id, self.sent, self.answered = request_id, time.perf_counter(), None
        self.result = self.error = self.fault = self.page = None
        self.departures.clear()

    @property
    def milliseconds(self) -> float:
        """From sending to the answer, or until now; 0 where it was never sent."""
        if self.sent is None:
            return 0.0
        return ((self.answered or time.perf_counter()) - self.sent) * 1000


CURRENT: ContextVar[Exchange | None] = ContextVar("CURRENT", default=None)
"""The exchange that a request sent from this task belongs to."""
