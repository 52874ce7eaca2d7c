"""Loading the SDK beside a running event loop, and keeping what it logs off the terminal."""

from __future__ import annotations

import logging
from collections.abc import Callable

from inspector.workspace.events import Announce, LogMessage
from inspector.workspace.importing import import_beside

LOGGERS = ("mcp", "client", "httpx2", "httpcore2", "inspector")
"""The loggers of the SDK, of its HTTP client, and our own for faults of ours."""

_TEXT_LIMIT = 2_000


async def load_sdk() -> None:
    """Import what speaks the protocol, in a thread: over 0.8 s, in which the event loop goes on."""
    await import_beside("inspector.workspace.session")


class _Forwarder(logging.Handler):
    def __init__(self, announce: Announce) -> None:
        super().__init__(logging.WARNING)
        self._announce = announce

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
            if record.exc_info and record.exc_info[1] is not None:
                text = f"{text}: {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        except Exception:
            self.handleError(record)
            return
        self._announce(LogMessage(None, record.levelname.lower(), text[:_TEXT_LIMIT], record.name))


def capture_logs(announce: Announce) -> Callable[[], None]:
    """Hand what the SDK logs, from warnings up, to `announce` instead of the terminal; returns what ends
    that.

    Below a warning it logs addresses with their query, which may hold a secret.
    """
    handler = _Forwarder(announce)
    before = [(logger, logger.propagate) for logger in map(logging.getLogger, LOGGERS)]
    for logger, _ in before:
        logger.addHandler(handler)
        logger.propagate = False

    def release() -> None:
        for logger, propagate in before:
            logger.removeHandler(handler)
            if not any(isinstance(other, _Forwarder) for other in logger.handlers):
                logger.propagate = propagate

    return release
