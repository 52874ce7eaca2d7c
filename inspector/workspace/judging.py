"""What came of a request: the raw answer first, whatever the SDK thought of it."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp import MCPError

from inspector.workspace.departures import DEPARTURE_LIMIT, LISTS, departure_slices
from inspector.workspace.exchange import Exchange
from inspector.workspace.json_values import cut_text
from inspector.workspace.reply import Failure, Reply


async def judge(exchange: Exchange, trouble: Exception | None, version: str, limit: float, ending: str) -> Reply:
    """The reply that an exchange makes, of protocol version `version`.

    `trouble` is what the SDK raised, `limit` the seconds that were given, `ending` how the connection
    ended, in words, for a request that ended with it.
    """
    if exchange.result is not None:
        return Reply(
            exchange.method,
            exchange.result,
            exchange.milliseconds,
            departures=await _departures(exchange, trouble, version),
        )
    if exchange.error is not None:
        error = exchange.error
        return failed_reply(exchange, Failure.ERROR, error["message"], code=error["code"], data=error.get("data"))
    if exchange.fault is not None:
        return failed_reply(
            exchange, Failure.CLOSED if exchange.transport_fault else Failure.MALFORMED, exchange.fault
        )
    if isinstance(trouble, TimeoutError):
        return failed_reply(exchange, Failure.TIMEOUT, f"no answer within {limit:g} s")
    if exchange.sent is None and not isinstance(trouble, MCPError):
        return failed_reply(exchange, Failure.REFUSED, f"not sent: {trouble}")
    if isinstance(trouble, MCPError) and trouble.message != "Connection closed":
        return failed_reply(exchange, Failure.CLOSED, cut_text(" ".join(trouble.message.split()), 300))
    return failed_reply(exchange, Failure.CLOSED, ending)


def failed_reply(
    exchange: Exchange, failure: Failure, message: str, *, code: int | None = None, data: Any = None
) -> Reply:
    """The reply to a request that has no result."""
    return Reply(
        exchange.method,
        None,
        exchange.milliseconds,
        failure=failure,
        message=message,
        code=code,
        data=data,
        departures=tuple(exchange.departures),
    )


async def _departures(exchange: Exchange, trouble: Exception | None, version: str) -> tuple[str, ...]:
    found = [*exchange.departures]
    if exchange.method not in LISTS:
        # A list's are problems of its page.
        for faults in departure_slices(exchange.method, version, exchange.result or {}):
            found.extend(faults)
            # A result of many entries is judged while the screen goes on.
            await asyncio.sleep(0)
    found = list(dict.fromkeys(found))[:DEPARTURE_LIMIT]
    said = cut_text(str(trouble).split("\n", 1)[0], 300)
    if isinstance(trouble, MCPError) and (exchange.result or {}).get("resultType") == "input_required":
        # It asks for what nobody here gives: that the SDK then refuses it is no fault of the server's.
        return tuple(found)
    if isinstance(trouble, MCPError | RuntimeError):
        found.append(said)
    elif trouble is not None and not found:
        found.append(f"the SDK does not take it: {said}")
    return tuple(found)
