"""What came of one request to a server: a result as it came, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Failure(StrEnum):
    """Why a request has no result."""

    ERROR = "error"
    """The server answered with a JSON-RPC error."""
    TIMEOUT = "timeout"
    """No answer within the server's request timeout."""
    CLOSED = "closed"
    """The connection ended first, or was not there."""
    MALFORMED = "malformed"
    """An answer came that is no result: not an object, neither result nor error, or not JSON."""
    REFUSED = "refused"
    """It was not sent: the request holds what JSON-RPC cannot carry (a lone surrogate)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's answer. `result` is the JSON object as it came, whatever the protocol's types make of it.

    `failure` is None exactly where `result` is not. `message` says for a person what happened, naming no
    secret; it is empty on success. `code` and `data` are the JSON-RPC error's. `milliseconds` is the time
    from sending to the answer. `departures` are what the protocol would not have in the result (shown,
    never hidden).
    """

    method: str
    result: Mapping[str, Any] | None = field(repr=False)
    milliseconds: float
    failure: Failure | None = None
    message: str = ""
    code: int | None = None
    data: Any = None
    departures: tuple[str, ...] = ()
