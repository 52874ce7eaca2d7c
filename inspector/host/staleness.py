"""Whether a resolution is still what would be sent: what it rests on, and what of that changed (R29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inspector.extension import Admission, Code
from inspector.host.same_json import same_json

if TYPE_CHECKING:
    from inspector.host.profile import HostSettings
    from inspector.host.resolution import Resolution
    from inspector.workspace.catalog import Tool
    from inspector.workspace.connection import Connection


@dataclass(frozen=True, slots=True)
class Ground:
    """What one string's outcome rests on: what admission says of it, its owner, and which start of that owner.

    The budget is none of it: it is spent by resolving itself.
    """

    uri: str
    code: Code | None
    server: str | None
    start: int


def find_grounds(admissions: Iterable[Admission], connections: Mapping[str, Connection]) -> tuple[Ground, ...]:
    """What the outcomes rest on, as things stand. `admissions` are those of a call with a full budget."""
    return tuple(
        Ground(
            admission.uri,
            admission.code,
            admission.server,
            _starts(connections.get(admission.server or "")),
        )
        for admission in admissions
    )


def _starts(connection: Connection | None) -> int:
    return connection.starts if connection is not None else 0


def find_staleness(
    resolution: Resolution,
    tool: Tool,
    arguments: Mapping[str, Any],
    settings: HostSettings,
    grounds: Iterable[Ground] | None,
) -> str | None:
    """Why a resolution is not what would be sent now, in a few words; None where it still is.

    `grounds` are those of now; None where nothing happened at the servers since.
    """
    if tool != resolution.tool:
        return "another tool"
    if not same_json(dict(arguments), resolution.arguments):
        return "an argument changed"
    if settings != resolution.settings:
        return "the host changed"
    if grounds is not None and tuple(grounds) != resolution.grounds:
        return "a server changed"
    return None
