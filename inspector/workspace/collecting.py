"""Garbage collection, held off where it would stall the event loop for nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_MANY: Final = 100
"""Items of a server's lists from which on they are worth being kept out of collections."""


def keep_from_collecting(count: int) -> None:
    """Have no collection look again at what is there now: `count` items of lists that stay until they are let go.

    A collection that walks through the tools of fifty servers stalls the loop for longer than a key may take.
    They hold no cycles: what is let go is freed all the same.
    """
    if count >= _MANY:
        gc.freeze()


@contextmanager
def without_collecting() -> Iterator[None]:
    """No collection while this lasts: a burst of new objects that all stay costs several times its price
    with."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
