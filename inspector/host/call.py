"""A call that is sent, and what came of it (R30)."""

from __future__ import annotations

import time
from dataclasses import dataclass

from inspector.host.resolution import Resolution
from inspector.workspace.connection import Connection, ProgressCallback
from inspector.workspace.reply import Failure, Reply


@dataclass(frozen=True, slots=True)
class SentCall:
    """A call with the server's answer. `resolution` is what was sent; `sent_at` is on the monotonic clock."""

    resolution: Resolution
    reply: Reply
    sent_at: float

    @property
    def tool_error(self) -> bool:
        """Whether the tool answered, and says by `isError` that it refused or failed."""
        return self.reply.result is not None and self.reply.result.get("isError") is True


async def send_call(
    connection: Connection | None, resolution: Resolution, timeout: float | None, progress: ProgressCallback | None
) -> SentCall:
    """Sends what the resolution holds over the connection of the tool's server. `timeout` is in seconds.

    Without a connection, since that server is no longer in the workspace, that is the failure.
    """
    sent_at = time.monotonic()
    if connection is None:
        gone = f"{resolution.tool.server} is no longer in the workspace"
        return SentCall(resolution, Reply("tools/call", None, 0.0, Failure.CLOSED, gone), sent_at)
    reply = await connection.request_call(
        resolution.tool.name, resolution.arguments, resolution.meta, timeout=timeout, progress=progress
    )
    return SentCall(resolution, reply, sent_at)
