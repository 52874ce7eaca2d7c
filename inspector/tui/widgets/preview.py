"""What the preview shows: the exact `_meta` of the call, or in words why it has no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspector.host.visible import visible
from inspector.tui.widgets.fate import GLYPHS, fate_of_outcome
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Prose
from inspector.tui.words import PROFILES

if TYPE_CHECKING:
    from inspector.extension import Outcome
    from inspector.host.host import Host
    from inspector.host.resolution import Resolution


def preview_blocks(
    host: Host, resolution: Resolution, *, outcomes: bool, differences: Sequence[str] = ()
) -> tuple[Block, ...]:
    """The preview of a resolved call. `outcomes` adds a line for each string, for where the form is not seen.

    `differences` say where the `_meta` of a pasted call is not what was resolved.
    """
    blocks: list[Block] = []
    if differences:
        blocks.append(Heading("differs from the pasted call’s _meta"))
        blocks += [Prose(f"≠ {line}", "refused") for line in differences]
        blocks.append(Heading("_meta as it is sent"))
    if outcomes:
        blocks += [_outcome_line(host, resolution, outcome) for outcome in resolution.outcomes]
    if not resolution.present:
        blocks.append(Prose(why_absent(host, resolution), "note"))
    blocks.append(Json(resolution.meta))
    return tuple(blocks)


def why_absent(host: Host, resolution: Resolution) -> str:
    """Why the call carries no key (R9), in a sentence."""
    tool, profile = resolution.tool, resolution.settings.profile
    connection = host.workspace.connections.get(tool.server)
    declaration = host.declaration(tool)
    if not declaration:
        fault = declaration.faults[0] if declaration.faults else None
        flaw = f" Its declaration does not count: {fault.place} {visible(fault.message, 200)}." if fault else ""
        return f"The key is absent: this tool declares no resource arguments (R9).{flaw}"
    if connection is not None and not profile.resolves(connection.entry.connector):
        host_played = PROFILES[profile]
        if profile.resolves(type(connection.entry.connector).WORKSPACE):
            return f"The key is absent: {visible(tool.server, 40)} is a personal connector (R3, R9)."
        return f"The key is absent: the host being played, {host_played}, resolves nothing for this tool (R9)."
    names = ", ".join(visible(argument.name, 40) for argument in declaration.arguments)
    return f"The key is absent: no string stands in a declared argument ({names}) (R9)."


def _outcome_line(host: Host, resolution: Resolution, outcome: Outcome) -> Prose:
    claims = resolution.claims.get(outcome.uri, ())
    fate = fate_of_outcome(outcome, claims, host.declaration(resolution.tool))
    server = fate.server or "–"
    line = f"{GLYPHS[fate.tone]} {fate.word} · {outcome.uri} · {server} · {fate.detail} · {fate.rule}"
    return Prose(line, fate.tone)
