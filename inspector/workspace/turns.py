"""Lets servers start a few at a time: fifty at once would take the machine from whoever sits before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

MOST_AT_ONCE: Final = 6
"""Servers that start side by side."""

_LONGEST: Final = 0.5
"""Seconds after which a server that is not connected yet makes room for the next one all the same."""


class Turns:
    """Turns to start in, handed out in the order in which they are asked for."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._free = asyncio.Semaphore(most)

    async def take(self) -> Callable[[], None]:
        """Waits for a turn; what comes back ends it. It ends by itself after a while, and may be ended again."""
        await self._free.acquire()
        is_over = False

        def end() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                timer.cancel()
                self._free.release()

        timer = asyncio.get_running_loop().call_later(_LONGEST, end)
        return end
