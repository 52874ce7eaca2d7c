"""Puts a call of the history into the composer, and plays the host that it was made as where that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.worker import WorkerCancelled

from inspector.host.visible import visible
from inspector.tui.messages import Notice
from inspector.tui.screens.choices import Choice, ChoicesScreen
from inspector.tui.words import host_summary
from inspector.workspace.server import State

if TYPE_CHECKING:
    from inspector.tui.messages import RecallRequested
    from inspector.tui.screens.main import MainScreen
    from inspector.workspace.catalog import Tool


def recall(screen: MainScreen, request: RecallRequested) -> None:
    """Composes the call again. A tool that is gone is said, and what is composed stays as it is."""
    tool = _find(screen, request)
    if tool is None:
        return
    settings = request.call.settings
    if settings == screen.host.settings:
        _compose(screen, tool, request, play=False)
        return
    facts = [("it was made as", host_summary(settings)), ("played now", host_summary(screen.host.settings))]
    choices = [
        Choice("then", "p", "play the host that it was made as"),
        Choice("now", "k", "keep the host that is played now"),
    ]

    def answer(choice: str | None) -> None:
        if choice is not None:
            _compose(screen, tool, request, play=choice == "then")

    screen.app.push_screen(ChoicesScreen("The host differs", facts, choices), answer)


def _find(screen: MainScreen, request: RecallRequested) -> Tool | None:
    call = request.call
    named = f"{visible(call.server, 60)} / {visible(call.tool, 60)}"
    connection = screen.host.workspace.connections.get(call.server)
    if connection is None:
        fault = f"this workspace has no server {visible(call.server, 60)}"
    elif connection.state is not State.CONNECTED:
        fault = f"{visible(call.server, 60)} is not connected"
    elif (tool := connection.catalog.tool(call.tool)) is None:
        fault = f"{visible(call.server, 60)} lists no tool {visible(call.tool, 60)} now"
    else:
        return tool
    screen.post_message(Notice(f"{named} cannot be composed: {fault}. The call stays in the history.", "warning"))
    return None


def _compose(screen: MainScreen, tool: Tool, request: RecallRequested, *, play: bool) -> None:
    screen.servers_work.run(_run(screen, tool, request, play=play), "recall")


async def _run(screen: MainScreen, tool: Tool, request: RecallRequested, *, play: bool) -> None:
    found: Tool | None = tool
    if play:
        await screen.servers_work.change_host(request.call.settings)
        # Another claim is another connection, and that may list other tools.
        found = _find(screen, request)
    if found is None:
        return
    try:
        await screen.choose_tool(found, request.arguments).wait()
    except WorkerCancelled:
        return
    if request.send and screen.composer is not None:
        # Whatever was seen before: it is resolved and shown anew, and the key is asked for once more.
        screen.composer.resolve()
        screen.post_message(Notice("Composed again and resolved anew: ^j sends exactly what is shown."))
    else:
        screen.post_message(Notice("The arguments are in the composer, as they were sent."))
