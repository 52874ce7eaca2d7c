"""Runs asynchronous work to which the signals that end a program are handed, and loses none meanwhile."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

Result = TypeVar("Result")

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks the program to end: Ctrl+C from outside, a request, a closed terminal."""


def run_with_signals(work: Callable[[], Coroutine[Any, Any, Result]], on_signal: Callable[[int], None]) -> Result:
    """Runs the work on an event loop of its own and gives `on_signal` each signal that comes meanwhile.

    One that comes while the loop is made is held back until there is somebody to take it. What handled signals
    before does so again afterwards.
    """

    async def live() -> Result:
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, on_signal, number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        return await work()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        return asyncio.run(live())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
