"""Admissions become outcomes: what is admitted is read, side by side, and judged (R18 to R22)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from inspector.extension import (
    FAILED_READ_REMEDY,
    REMEDIES,
    Admission,
    Code,
    Limits,
    Outcome,
    Reading,
    judge_result,
)
from inspector.workspace.reply import Failure, Reply

Read = Callable[[str, str], Awaitable[Reply]]
"""Reads a URI (second) from a server (first), fresh and over that server's own connection (R18)."""


async def make_outcomes(admissions: Sequence[Admission], limits: Limits, read: Read) -> tuple[Outcome, ...]:
    """The outcome of each admission, in their order. Every admitted string is read once, all at the same time."""

    async def settle(admission: Admission) -> Outcome:
        if admission.code is not None or admission.server is None:
            return _refused(admission)
        reply = await read(admission.server, admission.uri)
        # In a thread: some megabytes in many entries take longer to judge than a screen may stand.
        return await asyncio.to_thread(judge_reply, admission, reply, limits)

    return tuple(await asyncio.gather(*(settle(admission) for admission in admissions)))


def judge_reply(admission: Admission, reply: Reply, limits: Limits) -> Outcome:
    """The outcome of a read that was made, whatever came of it (R19 to R22)."""
    reading = _judge(reply, limits)
    return Outcome(
        uri=admission.uri,
        arguments=admission.citation.arguments,
        code=reading.code,
        rule=reading.rule,
        reason=reading.reason,
        server=admission.server,
        contents=reading.contents,
        size=reading.size,
        chars=reading.chars,
        milliseconds=reply.milliseconds,
        remedy=_remedy(reading),
    )


def _remedy(reading: Reading) -> str | None:
    if reading.code is None:
        return None
    return FAILED_READ_REMEDY if reading.rule == "R19" else REMEDIES[reading.code]


def _judge(reply: Reply, limits: Limits) -> Reading:
    if reply.failure is not None:
        return Reading(Code.NOT_FOUND, "R19", _failure_reason(reply))
    if reply.departures:
        # A typed host reads the result by the protocol's own shape and gets nothing from one that breaks it.
        return Reading(Code.NOT_FOUND, "R19", f"the server's result breaks the protocol: {reply.departures[0]}")
    return judge_result(reply.result, limits)


def _failure_reason(reply: Reply) -> str:
    match reply.failure:
        case Failure.ERROR:
            return f"the server said: {reply.message} (error {reply.code})"
        case Failure.TIMEOUT:
            return f"the server did not answer: {reply.message}"
        case Failure.CLOSED:
            return f"the connection ended: {reply.message}"
        case _:
            return f"the server's answer is broken: {reply.message}"


def _refused(admission: Admission) -> Outcome:
    return Outcome(
        uri=admission.uri,
        arguments=admission.citation.arguments,
        code=admission.code,
        rule=admission.rule,
        reason=admission.reason,
        server=admission.server,
        remedy=admission.remedy,
    )
