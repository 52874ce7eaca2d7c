"""One call as the host would make it: frozen between preview and send, so that what is shown is what is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.extension import KEY, Outcome
from inspector.host.forcing import Forces, check_added_meta, force_outcomes
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
    (R29). `forces` are what a person put in the place of outcomes, `added_meta` the keys that a person adds beside
    the extension's own.
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
    forces: Forces = field(default_factory=dict, repr=False)
    real_outcomes: tuple[Outcome, ...] = ()
    added_meta: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def meta(self) -> dict[str, Any]:
        """The call's `_meta`: the extension's key, where present, with one entry per string; and added keys."""
        entries = {outcome.uri: outcome.entry() for outcome in self.outcomes if outcome.has_entry}
        return {**({KEY: entries} if self.present else {}), **self.added_meta}

    def with_forces(self, forces: Forces) -> Resolution:
        """The same call with these outcomes in the place of the real ones; with none, the real ones again.

        Nothing is read. Raises ForceFault where a force is for a string that the call does not hold, or is one
        that cannot be delivered.
        """
        real = self.real_outcomes or self.outcomes
        return replace(
            self,
            outcomes=force_outcomes(real, forces, self.settings.limits),
            forces=dict(forces),
            real_outcomes=real,
        )

    def with_meta(self, added: Mapping[str, Any]) -> Resolution:
        """The same call with these keys of `_meta` beside the extension's own, in place of those added so far.

        Raises ForceFault for a key that is the host's or the protocol's.
        """
        check_added_meta(added)
        return replace(self, added_meta=dict(added))

    def outcome(self, uri: str) -> Outcome | None:
        """The outcome of that string, or None where the call does not hold it."""
        return next((outcome for outcome in self.outcomes if outcome.uri == uri), None)
