"""What a server asks a person while it works on a request, and what the person answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Elicitation:
    """A server asks for input. Nothing of it is known to be safe to show.

    `schema` is the `requestedSchema` as it came, where a form is asked for; `url` is the address of url mode.
    Exactly one of the two is there.
    """

    server: str
    message: str
    schema: Mapping[str, Any] | None = None
    url: str | None = None


class Action(StrEnum):
    """What a person does with it."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class ElicitationAnswer:
    """What is sent back. `content` is the form's, with `ACCEPT` alone; None in url mode."""

    action: Action
    content: Mapping[str, Any] | None = field(default=None, repr=False)


Elicit = Callable[[Elicitation], Awaitable[ElicitationAnswer]]
"""Asks a person. It may take as long as the person does: while it runs, no request of that server times out.
Cancelled where the server, the call or the connection ended first."""
