"""A bounded record of the JSON-RPC messages of all servers, as they went over the wire.

HTTP headers and the environment are no part of a message, so no secret of the workspace file stands here.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class Direction(StrEnum):
    """Which way a message went."""

    SENT = "sent"
    RECEIVED = "received"


class Kind(StrEnum):
    """What a message is."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESULT = "result"
    ERROR = "error"
    NOISE = "noise"
    """Not JSON-RPC: a line that a server printed among its messages."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `number` counts from 1 over all servers; `at` is in seconds since the epoch.

    `method` is that of the request where the message is its answer; `milliseconds` is then the time between
    the two. `text` is the message as it went over the wire, cut to `MESSAGE_LIMIT` characters where `cut`
    is true; `size` is its whole size in bytes. `call` is the number of the call that it was sent for, or that it
    answers a request of; None where it belongs to none, or nobody can know.
    """

    number: int
    server: str
    direction: Direction
    kind: Kind
    at: float
    id: int | str | None
    method: str | None
    text: str = field(repr=False)
    size: int
    cut: bool = False
    milliseconds: float | None = None
    call: int | None = None


MESSAGE_LIMIT = 8_000_000
"""The most characters of one message that are kept."""

COUNT_LIMIT = 20_000
"""The most messages that are kept: the oldest go first."""

TOTAL_LIMIT = 48_000_000
"""The most characters that all kept messages have together: the oldest go first."""


class Traffic:
    """The newest messages of all servers; older ones are dropped, and counted."""

    def __init__(self) -> None:
        self._messages: deque[Message] = deque()
        self._characters = 0
        self._number = 0
        self._subscribers: list[Callable[[Message], None]] = []

    @property
    def messages(self) -> tuple[Message, ...]:
        """Those kept, oldest first."""
        return tuple(self._messages)

    @property
    def dropped(self) -> int:
        """How many older messages are no longer kept."""
        return self._number - len(self._messages)

    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        """Call back with each message added from now on; returns what ends that."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    def add(
        self,
        server: str,
        direction: Direction,
        kind: Kind,
        text: str,
        *,
        size: int,
        id: int | str | None = None,
        method: str | None = None,
        milliseconds: float | None = None,
        call: int | None = None,
    ) -> Message:
        """Record a message now; its size is given in bytes, its text is cut here."""
        self._number += 1
        cut = len(text) > MESSAGE_LIMIT
        message = Message(
            number=self._number,
            server=server,
            direction=direction,
            kind=kind,
            at=time.time(),
            id=id,
            method=method,
            text=text[:MESSAGE_LIMIT] if cut else text,
            size=size,
            cut=cut,
            milliseconds=milliseconds,
            call=call,
        )
        self._messages.append(message)
        self._characters += len(message.text)
        while len(self._messages) > COUNT_LIMIT or self._characters > TOTAL_LIMIT:
            self._characters -= len(self._messages.popleft().text)
        for callback in list(self._subscribers):
            callback(message)
        return message
