"""Runs one command against a started host, and leaves no child behind however it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from inspector.cli.errors import Interrupted
from inspector.cli.inputs import ask_inputs
from inspector.cli.output import complain
from inspector.host.host import Host
from inspector.host.setup import Setup
from inspector.host.signals import run_with_signals
from inspector.workspace.server import State

Work = Callable[[Host], Awaitable[int]]
"""What a command does with a host whose servers are all connected or have failed. Returns the exit code."""


def run_host(setup: Setup, work: Work, *, tool: str | None = None) -> int:
    """Connects every server of the setup, does the work, and ends every server. Returns the work's exit code.

    `tool` is the reference of the tool that will be called. Raises Interrupted when a signal ends it, and whatever
    the work raises.
    """
    ask_input = ask_inputs(setup.entries)
    received: list[int] = []
    tasks: list[asyncio.Task[int]] = []

    def end(number: int) -> None:
        # Only once, and never while the servers end: that is bounded, and must not be cut short.
        if not received:
            for task in tasks:
                task.cancel()
        received.append(number)

    async def live() -> int:
        task = asyncio.current_task()
        assert task is not None
        tasks.append(task)
        host = Host(setup.entries, setup.settings, ask_input=ask_input)
        try:
            await host.start(calling=host.server_of(tool) if tool is not None else None)
            await host.settled()
            return await work(host)
        finally:
            tasks.clear()
            await host.close()

    try:
        return run_with_signals(live, end)
    except asyncio.CancelledError:
        raise Interrupted(received[0]) from None


def complain_of_failures(host: Host) -> None:
    """Says a line on standard error for each server that is not connected: it owns nothing (R14)."""
    for name, connection in host.workspace.connections.items():
        if connection.state is State.FAILED:
            complain(f"{name}: {connection.error}: it owns nothing here")
