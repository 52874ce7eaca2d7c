"""Asks on the terminal for the values that a workspace file leaves open (`${input:…}`). They are never kept."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from inspector.host.visible import visible
from inspector.workspace.inputs import AskInput
from inspector.workspace.server import InputRequest, ServerEntry


def ask_inputs(entries: Iterable[ServerEntry]) -> AskInput | None:
    """Asks once for each input of the servers, before any of them starts, and returns what answers with that.

    Returns None where nobody is at a terminal to ask: the inputs' defaults then serve, and a server whose input
    has none fails by its name.
    """
    requests = {request.identifier: request for entry in entries for request in entry.inputs}
    if not requests or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    answers = {identifier: _ask(request) for identifier, request in requests.items()}

    async def answer(request: InputRequest) -> str | None:
        return answers.get(request.identifier, request.default)

    return answer


def _ask(request: InputRequest) -> str:
    words = f"{visible(request.server)} asks for {visible(request.description or request.identifier)}"
    answer = click.prompt(
        words,
        default=request.default if request.default is not None else "",
        show_default=not request.password and bool(request.default),
        hide_input=request.password,
        type=click.Choice(request.options) if request.options else str,
        err=True,
    )
    return str(answer)
