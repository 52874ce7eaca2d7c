"""What happens in a workspace, told to whoever subscribed: small values, no behaviour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inspector.workspace.change import Change
from inspector.workspace.problem import Problem
from inspector.workspace.server import State
from inspector.workspace.traffic import Message


@dataclass(frozen=True, slots=True)
class StateChanged:
    """A server's connection stands elsewhere; its reason is in `Connection.error`."""

    server: str
    state: State


@dataclass(frozen=True, slots=True)
class CatalogChanged:
    """A server's lists were read, and this is what differs from the last time."""

    server: str
    change: Change


@dataclass(frozen=True, slots=True)
class ProblemFound:
    """Something was found wrong with a server while it ran (not in its lists)."""

    server: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class StderrLine:
    """A server wrote a line to its standard error; cut where it is long."""

    server: str
    line: str


@dataclass(frozen=True, slots=True)
class LogMessage:
    """A server's log notification, or with `server` None what the SDK logs itself. `data` is any JSON
    value."""

    server: str | None
    level: str
    data: Any
    logger: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A server's progress notification for the request with that token; `total` where the server knows it."""

    server: str
    token: int | str
    progress: float
    total: float | None
    message: str | None


@dataclass(frozen=True, slots=True)
class TrafficAdded:
    """A JSON-RPC message went to or came from a server."""

    message: Message


Event = StateChanged | CatalogChanged | ProblemFound | StderrLine | LogMessage | Progress | TrafficAdded
"""Anything that a workspace tells."""

Announce = Callable[[Event], None]
"""Where an event is handed to; it must not wait and must not raise."""
