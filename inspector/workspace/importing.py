"""Imports beside a running event loop, which goes before every module of them."""

from __future__ import annotations

import asyncio
import gc
import importlib
import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

from inspector.workspace.collecting import without_collecting

_PATIENCE: Final = 0.5
"""Seconds after which the import goes on without the loop's leave: it may be waiting for this very module."""


async def import_beside(name: str) -> ModuleType:
    """The module of that name, imported in a thread that asks the loop for leave before every module of it.

    Two threads that both have work get half of the interpreter each; so asked, the loop does first what it has to
    do, and a key that is pressed meanwhile waits for one module at most. The one long stall left would be a
    garbage collection, so there is none: what an import makes stays. Raises whatever the import raises.
    """
    with without_collecting():
        module = await asyncio.to_thread(_import, name, asyncio.get_running_loop())
        gc.freeze()
    return module


def _import(name: str, loop: asyncio.AbstractEventLoop) -> ModuleType:
    gate = _Gate(threading.get_ident(), loop)
    # Always another list: an import of another thread may be on its way through this one.
    sys.meta_path = [gate, *sys.meta_path]
    try:
        return importlib.import_module(name)
    finally:
        sys.meta_path = [finder for finder in sys.meta_path if finder is not gate]


class _Gate:
    """Finds no module; whoever asks it in the thread that is given waits until the loop had its turn."""

    def __init__(self, thread: int, loop: asyncio.AbstractEventLoop) -> None:
        self._thread = thread
        self._loop = loop
        self._open = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None. The machinery of imports asks this before it looks for a module."""
        if not self._open and threading.get_ident() == self._thread:
            self._open = not self._had_its_turn()
        return None

    def _had_its_turn(self) -> bool:
        turn = threading.Event()
        try:
            self._loop.call_soon_threadsafe(turn.set)
        except RuntimeError:  # the loop is closed: nobody is kept waiting
            return False
        return turn.wait(_PATIENCE)
