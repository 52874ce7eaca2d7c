"""Keeps each call that is sent in the history, beside the event loop, and says once where that fails."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

from inspector.host.call_steps import Phase
from inspector.host.visible import visible
from inspector.tui.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.host.call_steps import CallStep
    from inspector.host.history import History


class HistoryKeeper:
    """Hears the steps of calls. `changed` grows with each call that was kept."""

    def __init__(self, history: History, workspace: str, post: Callable[[Notice], object]) -> None:
        self.history = history
        self.changed = 0
        self._workspace = workspace
        self._post = post
        self._failed = False

    def step(self, step: CallStep) -> None:
        """Keeps a call that was sent and has come to an end."""
        if step.phase is not Phase.SENT or step.sent is None:
            return
        # In a thread that outlives the screen: the loop waits for it, so who leaves at once loses no call.
        add = partial(self.history.add, step.sent, self._workspace, time.time())
        asyncio.get_running_loop().run_in_executor(None, add).add_done_callback(self._kept)

    def _kept(self, done: asyncio.Future[None]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self.changed += 1
        elif not self._failed:
            self._failed = True
            reason = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
            words = f"Calls are not kept between runs: {self.history.folder} cannot be written to: {reason}."
            self._post(Notice(visible(words, 600), "warning"))
