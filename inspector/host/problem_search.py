"""Looks for problems beside the event loop: one search at a time, and nothing that did not change twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from inspector.extension import Declaration, Limits, read_declaration
from inspector.host.problems import Published, find_problems
from inspector.templates import OwnershipMap
from inspector.workspace.catalog import Catalog
from inspector.workspace.problem import Problem

_PAUSE: Final = 0.002
"""Seconds of rest after each server's tools."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search is to look at: `Published`, as far as it costs nothing to say. `met` was found elsewhere."""

    catalogs: Mapping[str, Catalog]
    owners: frozenset[str]
    absent: tuple[str, ...]
    limits: Limits
    met: Sequence[Problem]


class ProblemSearch:
    """The problems of a workspace, as `find` last found them. Used on one event loop; it searches in a thread.

    `scope` gives what there is to look at when a search begins.
    """

    def __init__(self, scope: Callable[[], Scope]) -> None:
        self._scope = scope
        self._found: tuple[Problem, ...] | None = None
        self._changes = 0
        self._running: asyncio.Task[tuple[Problem, ...]] | None = None
        self._tools: dict[str, tuple[Catalog, tuple[Problem, ...]]] = {}
        self._declarations: dict[str, tuple[Catalog, tuple[Declaration, ...]]] = {}

    def forget(self) -> None:
        """Something changed: the next `find` looks anew."""
        self._found = None
        self._changes += 1

    async def find(self) -> tuple[Problem, ...]:
        """Everything wrong, worst first, as of now or of a moment after. A search that is given up goes on."""
        if self._running is not None and not self._running.done():
            await asyncio.wait([self._running])
        if self._found is not None:
            return self._found
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._search(), name="look for problems")
        running = self._running
        await asyncio.wait([running])
        return running.result()

    async def close(self) -> None:
        """Waits for the end of a search that still runs."""
        if self._running is not None:
            await asyncio.wait([self._running])

    async def _search(self) -> tuple[Problem, ...]:
        changes = self._changes
        found = await asyncio.to_thread(self._look, self._scope())
        if changes == self._changes:
            self._found = found
        return found

    def _look(self, scope: Scope) -> tuple[Problem, ...]:
        # Here, not above: who never asks for problems does not pay for the schema library.
        from inspector.host.tool_problems import tool_problems

        of_tools: list[Problem] = []
        declarations: dict[str, tuple[Declaration, ...]] = {}
        for server, catalog in scope.catalogs.items():
            known = self._tools.get(server)
            if known is None or known[0] is not catalog:
                self._tools[server] = known = catalog, tuple(tool_problems(server, catalog))
                # A moment in which the event loop need not fight for the interpreter.
                time.sleep(_PAUSE)
            of_tools += known[1]
            read = self._declarations.get(server)
            if read is None or read[0] is not catalog:
                declared = tuple(read_declaration(tool.meta) for tool in catalog.tools)
                self._declarations[server] = read = catalog, declared
            declarations[server] = read[1]
        for kept in (self._tools, self._declarations):
            for server in [server for server in kept if server not in scope.catalogs]:
                del kept[server]
        texts = {
            server: [template.text for template in catalog.templates]
            for server, catalog in scope.catalogs.items()
            if server in scope.owners
        }
        published = Published(
            catalogs=dict(scope.catalogs),
            owners=scope.owners,
            absent=scope.absent,
            declarations=declarations,
            ownership=OwnershipMap(texts),
            limits=scope.limits,
        )
        return find_problems(published, scope.met, of_tools)
