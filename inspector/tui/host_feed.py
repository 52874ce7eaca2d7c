"""Brings what happens at the host into the app: bursts as one message, log lines into a bounded log."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inspector.tui.messages import HostEvents
from inspector.workspace.events import LogMessage, Progress, TrafficAdded

if TYPE_CHECKING:
    from inspector.host.host import Host, HostChanged
    from inspector.workspace.events import Event

DELAY: Final = 0.05
"""Seconds that events are gathered for before they are told together."""

_BURST: Final = 0.25
"""The same, while servers connect: to show it all anew costs more than one of them is worth."""

KEPT: Final = 2000
"""The log keeps this many lines: the oldest go first."""

_LINE: Final = 2000
"""Characters of one log line."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log. `server` is None for what the program's own libraries log."""

    server: str | None
    level: str
    text: str


class HostFeed:
    """Listens to a host from `start` to `stop` and tells of it by `post`. Used on the host's event loop."""

    def __init__(self, host: Host, post: Callable[[HostEvents], object]) -> None:
        self._host = host
        self._post = post
        self._pending: list[Event | HostChanged] = []
        self._timer: asyncio.TimerHandle | None = None
        self._told = False
        self._stop: Callable[[], None] | None = None
        self.log: deque[LogLine] = deque(maxlen=KEPT)
        self.logged = 0
        """How many lines were ever logged: it grows where the log itself is full."""

    def start(self) -> None:
        """Begins to listen."""
        self._stop = self._host.subscribe(self._listen)

    def stop(self) -> None:
        """Listens no more; what is gathered and not told is dropped."""
        if self._stop is not None:
            self._stop()
            self._stop = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _listen(self, event: Event | HostChanged) -> None:
        if isinstance(event, LogMessage):
            self.log.append(LogLine(event.server, event.level, _log_text(event.data)))
            self.logged += 1
            return
        if isinstance(event, TrafficAdded | Progress):
            return
        self._pending.append(event)
        if self._timer is None:
            delay = _BURST if self._told and self._host.workspace.connecting else DELAY
            self._timer = asyncio.get_running_loop().call_later(delay, self._tell)

    def tell(self) -> None:
        """Tells at once what is gathered, where anything is."""
        if self._timer is not None:
            self._timer.cancel()
            self._tell()

    def _tell(self) -> None:
        self._timer, self._told = None, True
        events, self._pending = tuple(self._pending), []
        self._post(HostEvents(events))


def _log_text(data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"
