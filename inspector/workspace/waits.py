"""The time limits of a session's requests, which stand still while a person is asked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import anyio


class Waits:
    """Limits what waits for a server. A person who is asked by it meanwhile has all the time they want.

    Which request a server asks for is not told by the protocol of 2025, so all of that server's are held.
    """

    def __init__(self) -> None:
        self.asking = 0
        """How many questions of the server wait for a person."""
        self._left: dict[anyio.CancelScope, float] = {}

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Cancels what runs within after so many seconds. Raises TimeoutError then."""
        with anyio.CancelScope() as scope:
            self._left[scope] = seconds
            if not self.asking:
                scope.deadline = anyio.current_time() + seconds
            try:
                yield
            finally:
                del self._left[scope]
        if scope.cancelled_caught:
            raise TimeoutError

    @contextmanager
    def asked(self) -> Iterator[None]:
        """While this lasts, no limit is reached; afterwards each has as long as it had left."""
        if not self.asking:
            for scope in self._left:
                self._left[scope] = max(0.0, scope.deadline - anyio.current_time())
                scope.deadline = math.inf
        self.asking += 1
        try:
            yield
        finally:
            self.asking -= 1
            if not self.asking:
                for scope, left in self._left.items():
                    scope.deadline = anyio.current_time() + left
