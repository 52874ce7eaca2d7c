"""One call as the host would make it: frozen between preview and send, so that what is shown is what is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.extension import KEY, Outcome
from inspector.host.profile import HostSettings
from inspector.host.staleness import Ground
from inspector.templates import Claim
from inspector.workspace.catalog import Tool


@dataclass(frozen=True, slots=True)
class Resolution:
    """A composed call with the outcome of every string, in argument order (R7).

    `present` says whether the key stands in the call's `_meta` at all (R9). `claims` holds, for each string, the
    templates it expands from, whether or not that decided. `resolved_at` is in seconds on the monotonic clock.
    `generation` is the host's when it was made; with a later one, what `grounds` says decides whether it is stale
    (R29).
    """

    tool: Tool
    settings: HostSettings
    arguments: Mapping[str, Any] = field(repr=False)
    present: bool
    outcomes: tuple[Outcome, ...]
    claims: Mapping[str, tuple[Claim, ...]] = field(repr=False)
    resolved_at: float
    generation: int
    grounds: tuple[Ground, ...] = field(default=(), repr=False)
    milliseconds: float = 0.0

    @property
    def meta(self) -> dict[str, Any]:
        """The call's `_meta` as far as the extension makes it: the key with one entry per string, or nothing."""
        if not self.present:
            return {}
        return {KEY: {outcome.uri: outcome.entry() for outcome in self.outcomes}}

    def outcome(self, uri: str) -> Outcome | None:
        """The outcome of that string, or None where the call does not hold it."""
        return next((outcome for outcome in self.outcomes if outcome.uri == uri), None)
