"""The steps of each call that a host makes, numbered and told as they happen: what a record and a trace hang on.

While a step runs, what it sends carries its number: `Message.call` then says which call a message belongs to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from inspector.host.call import SentCall
from inspector.host.resolution import Resolution
from inspector.workspace.catalog import Tool
from inspector.workspace.exchange import CALL


class Phase(StrEnum):
    """Where a call is."""

    RESOLVING = "resolving"
    RESOLVED = "resolved"
    SENDING = "sending"
    SENT = "sent"
    GIVEN_UP = "given up"
    """It was cancelled, or failed, while it was resolved or sent."""


@dataclass(frozen=True, slots=True)
class CallStep:
    """One step. `number` counts from 1, one for each resolving and one for each sending; `at` is in seconds since
    the epoch. `resolution` is there from `RESOLVED` on, `sent` with `SENT`."""

    phase: Phase
    number: int
    at: float
    tool: Tool
    resolution: Resolution | None = None
    sent: SentCall | None = None


class CallSteps:
    """Runs what resolves and what sends, and tells whoever subscribed."""

    def __init__(self) -> None:
        self._number = 0
        self._subscribers: list[Callable[[CallStep], None]] = []

    def subscribe(self, callback: Callable[[CallStep], None]) -> Callable[[], None]:
        """Call back with each step from now on, in the event loop; returns what ends that."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    async def resolve(self, tool: Tool, work: Awaitable[Resolution]) -> Resolution:
        """Awaits what resolves a call of that tool."""
        with self._step(Phase.RESOLVING, tool, None) as number:
            resolution = await work
            self._tell(Phase.RESOLVED, number, tool, resolution)
        return resolution

    async def send(self, resolution: Resolution, work: Awaitable[SentCall]) -> SentCall:
        """Awaits what sends a resolved call."""
        with self._step(Phase.SENDING, resolution.tool, resolution) as number:
            sent = await work
            self._tell(Phase.SENT, number, resolution.tool, resolution, sent)
        return sent

    @contextmanager
    def _step(self, phase: Phase, tool: Tool, resolution: Resolution | None) -> Iterator[int]:
        self._number += 1
        number = self._number
        token = CALL.set(number)
        self._tell(phase, number, tool, resolution)
        try:
            yield number
        except BaseException:
            self._tell(Phase.GIVEN_UP, number, tool, resolution)
            raise
        finally:
            CALL.reset(token)

    def _tell(
        self,
        phase: Phase,
        number: int,
        tool: Tool,
        resolution: Resolution | None = None,
        sent: SentCall | None = None,
    ) -> None:
        step = CallStep(phase, number, time.time(), tool, resolution, sent)
        for callback in tuple(self._subscribers):
            try:
                callback(step)
            except Exception as error:
                # A fault of who listens is not the call's: the call goes on, and the fault is reported.
                context = {"message": "a subscriber of calls failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
