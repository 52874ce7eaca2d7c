"""Values that an entry leaves to be asked for, kept in memory while they serve and never saved."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

from inspector.workspace.server import InputRequest, ServerEntry

AskInput = Callable[[InputRequest], Awaitable[str | None]]
"""Asks a person for a value; None where they give none."""

_PLACE = re.compile(r"\$\{input:([^}]+)\}")


class InputMissing(Exception):
    """An input that was not given; the text names it."""


class Inputs:
    """The answers given so far, by identifier: two servers that want the same one ask once."""

    def __init__(self, ask: AskInput | None) -> None:
        self._ask = ask
        self._answers: dict[str, str] = {}
        self._lock = asyncio.Lock()

    async def fill(self, entry: ServerEntry) -> ServerEntry:
        """The entry with every input in its place. Raises InputMissing."""
        for request in entry.inputs:
            async with self._lock:
                if request.identifier not in self._answers:
                    answer = await self._ask(request) if self._ask is not None else request.default
                    if answer is None:
                        raise InputMissing(f"needs the input {request.identifier}, which was not given")
                    self._answers[request.identifier] = answer
        return fill_inputs(entry, self._answers)

    def forget(self, entry: ServerEntry) -> None:
        """Ask for this server's inputs anew the next time: with these it did not connect."""
        for request in entry.inputs:
            self._answers.pop(request.identifier, None)


def fill_inputs(entry: ServerEntry, answers: dict[str, str]) -> ServerEntry:
    """The entry with `${input:identifier}` replaced wherever there is an answer."""

    def fill(text: str) -> str:
        return _PLACE.sub(lambda match: answers.get(match[1], match[0]), text)

    return replace(
        entry,
        command=fill(entry.command),
        args=tuple(fill(word) for word in entry.args),
        env={name: fill(value) for name, value in entry.env.items()},
        cwd=fill(entry.cwd) if entry.cwd is not None else None,
        url=fill(entry.url),
        headers={name: fill(value) for name, value in entry.headers.items()},
    )
