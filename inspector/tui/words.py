"""The words and glyphs that the screens share: one for one thing, never colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from inspector.extension import BudgetRate, Limits
from inspector.host.profile import HostSettings, Profile
from inspector.workspace.problem import Severity
from inspector.workspace.server import State


class Mark(NamedTuple):
    """How a thing is marked: a glyph, a word, and the style variable of its colour."""

    glyph: str
    word: str
    style: str


STATES: Final[Mapping[State, Mark]] = {
    State.IDLE: Mark("○", "not started", "$text-muted"),
    State.CONNECTING: Mark("◌", "connecting", "$outcome-pending"),
    State.CONNECTED: Mark("●", "connected", "$outcome-resolved"),
    State.FAILED: Mark("✗", "failed", "$outcome-error"),
    State.STOPPED: Mark("■", "stopped", "$text-muted"),
}
"""Where a connection stands."""

SEVERITIES: Final[Mapping[Severity, Mark]] = {
    Severity.ERROR: Mark("✗", "error", "$outcome-error"),
    Severity.WARNING: Mark("!", "warning", "$outcome-refused"),
    Severity.NOTE: Mark("·", "note", "$outcome-pending"),
}
"""How bad a problem is."""

PROFILES: Final[Mapping[Profile, str]] = {
    Profile.WORKSPACE: "workspace connector",
    Profile.PERSONAL: "personal connector",
    Profile.PLAIN: "plain host",
    Profile.OUTSIDE_CLIENT: "outside client",
    Profile.RESTRICTED: "restricted run",
}
"""The hosts that can be played, by name."""

DECLARES: Final = "⧉"
"""Marks a tool, or an argument, that declares resource arguments."""


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 template`, `3 templates`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listing(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last


def host_summary(settings: HostSettings) -> str:
    """The host being played in a few words; limits and budget only where they are not the defaults."""
    parts = [PROFILES[settings.profile]]
    limits, usual = settings.limits.claim(), Limits().claim()
    parts += [f"{name} {value}" for name, value in limits.items() if value != usual[name]]
    if settings.budget != BudgetRate():
        parts.append(f"budget {settings.budget.per_second:g}/s, burst {settings.budget.burst:g}")
    return " · ".join(parts)


def duration(milliseconds: float) -> str:
    """`9 ms`, `1.2 s`."""
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
