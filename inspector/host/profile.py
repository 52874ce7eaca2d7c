"""Which host is played, and with which limits: the five profiles and the workspace file's `host` key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from inspector.extension import BudgetRate, Limits
from inspector.workspace.server import Connector


class Profile(StrEnum):
    """The hosts that can be played. Each differs in the claim, in what it resolves, or in what it may read."""

    WORKSPACE = "workspace"
    """The usual case: it claims the capability and resolves."""
    PERSONAL = "personal"
    """The tool's server is a personal connector: no claim on its connection, and the key is absent (R3, R9)."""
    PLAIN = "plain"
    """A host without the extension: no claim anywhere, and the key is absent (R3, R9)."""
    OUTSIDE_CLIENT = "outside-client"
    """A call for an outside client: no claim on the calling connection, and the key all the same (R3)."""
    RESTRICTED = "restricted"
    """A run without `nb__read_resource`: it claims, and every admitted URI is `not_found` (R11)."""

    @property
    def summary(self) -> str:
        """What it is for, in a line."""
        return _SUMMARIES[self]

    @property
    def may_read(self) -> bool:
        """Whether the run's tools include `nb__read_resource` (R11)."""
        return self is not Profile.RESTRICTED

    def resolves(self, connector: Connector) -> bool:
        """Whether a call to a tool of such a server carries the key (R9)."""
        return connector is Connector.WORKSPACE and self not in (Profile.PERSONAL, Profile.PLAIN)

    def claims(self, connector: Connector, *, calling: bool) -> bool:
        """Whether the capability is claimed on such a server's connection (R2, R3).

        `calling` says that it is the connection that the call goes over.
        """
        if connector is Connector.PERSONAL or self is Profile.PLAIN:
            return False
        return not (calling and self in (Profile.PERSONAL, Profile.OUTSIDE_CLIENT))


_SUMMARIES: Final[Mapping[Profile, str]] = {
    Profile.WORKSPACE: "claims the capability and resolves: the usual case",
    Profile.PERSONAL: "the tool's server as a personal connector: no claim, key absent",
    Profile.PLAIN: "a host without the extension: no claim, key absent",
    Profile.OUTSIDE_CLIENT: "for an outside client: no claim on the call's connection, key present",
    Profile.RESTRICTED: "a run without nb__read_resource: every admitted URI is not_found",
}


@dataclass(frozen=True, slots=True)
class HostSettings:
    """The host being played: its profile, its limits, and how a calling server's budget fills (R1, R17)."""

    profile: Profile = Profile.WORKSPACE
    limits: Limits = field(default_factory=Limits)
    budget: BudgetRate = field(default_factory=BudgetRate)


def merge_settings(playing: HostSettings, before: HostSettings, after: HostSettings) -> HostSettings:
    """What is played once the workspace file says `after` in place of `before`: what differs is taken over."""
    limits = {
        name: getattr(after.limits, name)
        for name in _LIMITS.values()
        if getattr(after.limits, name) != getattr(before.limits, name)
    }
    return HostSettings(
        playing.profile if after.profile is before.profile else after.profile,
        replace(playing.limits, **limits),
        playing.budget if after.budget == before.budget else after.budget,
    )


_LIMITS: Final = {"maxChars": "max_chars", "maxSize": "max_size", "maxUris": "max_uris"}
_MOST: Final = 1e15
_BUDGET: Final = {"ratePerSecond": "per_second", "burst": "burst"}

ErrorAt = Callable[[tuple[str | int, ...], str], Exception]
"""Makes the error for a field of the workspace file: its path, and what is wrong with it."""


def read_settings(host: Mapping[str, Any] | None, error_at: ErrorAt) -> tuple[HostSettings, tuple[str, ...]]:
    """Reads the workspace file's `host` object. Returns the settings and the names of unknown fields.

    Raises what `error_at` makes of the first field with a wrong value.
    """
    if host is None:
        return HostSettings(), ()
    unknown = [name for name in host if name not in {"profile", "budget", *_LIMITS}]
    limits: dict[str, int] = {}
    for name, attribute in _LIMITS.items():
        if name in host:
            value = host[name]
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise error_at(("host", name), "must be a whole number, 0 or more")
            limits[attribute] = value
    return HostSettings(
        _read_profile(host, error_at), Limits(**limits), _read_budget(host, error_at, unknown)
    ), tuple(unknown)


def _read_profile(host: Mapping[str, Any], error_at: ErrorAt) -> Profile:
    name = host.get("profile", Profile.WORKSPACE.value)
    if name not in list(Profile):
        raise error_at(("host", "profile"), f"must be one of {', '.join(Profile)}")
    return Profile(name)


def _read_budget(host: Mapping[str, Any], error_at: ErrorAt, unknown: list[str]) -> BudgetRate:
    budget = host.get("budget", {})
    if not isinstance(budget, Mapping):
        raise error_at(("host", "budget"), "must be an object: {ratePerSecond, burst}")
    unknown += [f"budget.{name}" for name in budget if name not in _BUDGET]
    rates: dict[str, float] = {}
    for name, attribute in _BUDGET.items():
        if name in budget:
            value = budget[name]
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST:
                raise error_at(("host", "budget", name), "must be a number, 0 or more, of at most 15 digits")
            rates[attribute] = float(value)
    return BudgetRate(**rates)
