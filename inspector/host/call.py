"""What came of a call that was sent (R30)."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.host.resolution import Resolution
from inspector.workspace.reply import Reply


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
