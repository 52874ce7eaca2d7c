"""The drill: one composed call under every outcome and every kind of host, and what the tool made of each.

Calls may have effects, so whoever runs a drill says first how many it makes: `plan_drill` is what is shown and
asked about, `run_drill` carries it out, one call at a time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from inspector.extension import Code, Outcome, RawEntry
from inspector.host.call import SentCall
from inspector.host.drill_judging import Answer, Mark, judge_answer
from inspector.host.forcing import Forced, ForcedCode, ForcedEntry, ForcedText, Forces
from inspector.host.host import Host
from inspector.host.profile import Profile
from inspector.host.resolution import Resolution
from inspector.workspace.catalog import Tool
from inspector.workspace.server import Connector, State

RESOLVED: Final = "as resolved"
"""The first case of a drill: what every other answer is compared with."""

HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint")


@dataclass(frozen=True, slots=True)
class DrillCase:
    """One call of a drill. `uris` are the strings whose outcome is not the real one; none: all are as resolved."""

    name: str
    profile: Profile
    forces: Forces
    uris: tuple[str, ...] = ()
    code: Code | None = None


@dataclass(frozen=True, slots=True)
class DrillRow:
    """What came of one case, with what deserves a look."""

    case: DrillCase
    sent: SentCall
    answer: Answer
    marks: tuple[Mark, ...]

    @property
    def resolution(self) -> Resolution:
        """What was sent."""
        return self.sent.resolution


def plan_drill(resolution: Resolution) -> tuple[DrillCase, ...]:
    """The cases of a drill, in order: as resolved; each code on each string, then on all; other contents; hosts.

    `resolution` is the call as resolved, forces and all: what it forces is kept in every case that does not force
    the same string otherwise. Without a string there is nothing to force: only the hosts are drilled.
    """
    played, base = resolution.settings.profile, dict(resolution.forces)
    uris = tuple(outcome.uri for outcome in resolution.outcomes)

    def case(name: str, changed: Mapping[str, Forced], code: Code | None = None) -> DrillCase:
        return DrillCase(name, played, {**base, **changed}, tuple(changed), code)

    cases = [DrillCase(RESOLVED, played, base)]
    for code in Code:
        cases += [case(f"{code} on {uri}", {uri: ForcedCode(code)}, code) for uri in uris]
        if len(uris) > 1:
            cases.append(case(f"{code} on all", {uri: ForcedCode(code) for uri in uris}, code))
    if uris:
        cases.append(case("empty contents", {uri: ForcedText("") for uri in uris}))
        moved = {outcome.uri: ForcedEntry(RawEntry(_elsewhere(outcome))) for outcome in resolution.outcomes}
        cases.append(case("contents under another uri", moved))
    cases.append(DrillCase("plain host: no key, no capability", Profile.PLAIN, {}))
    if uris:
        cases.append(DrillCase("outside client: key, no capability", Profile.OUTSIDE_CLIENT, base))
    return tuple(cases)


def _elsewhere(outcome: Outcome) -> dict[str, Any]:
    contents = [dict(content) for content in outcome.contents] or [{"text": ""}]
    return {"contents": [{**content, "uri": f"{outcome.uri}?elsewhere"} for content in contents]}


def tool_hints(tool: Tool) -> dict[str, bool | None]:
    """What the tool says of its effects, by its annotations; None where it says nothing."""
    annotations = tool.raw.get("annotations")
    said = annotations if isinstance(annotations, Mapping) else {}
    return {hint: value if isinstance(value := said.get(hint), bool) else None for hint in HINTS}


async def run_drill(host: Host, resolution: Resolution) -> AsyncIterator[DrillRow]:
    """Makes the calls of the drill, one after the other, and gives each row as it comes.

    The resources were read once, for `resolution`: every case sends those contents. Other hosts are played in
    their turn, which reconnects the servers whose claim changes, and a server that a call ended is started again;
    at the end, and where the drill is broken off, the host is as it was.
    """
    before = host.settings
    baseline: SentCall | None = None
    try:
        for case in plan_drill(resolution):
            await host.change(replace(before, profile=case.profile))
            await _connected_again(host, resolution.tool.server)
            sent = await host.send(_resolved_as(case, resolution))
            if baseline is None:
                baseline = sent
            answer, marks = judge_answer(case, sent, baseline)
            yield DrillRow(case, sent, answer, marks)
    finally:
        await host.change(before)


async def _connected_again(host: Host, server: str) -> None:
    if host.workspace.connections[server].state is not State.CONNECTED:
        await host.workspace.reconnect(server)


def _resolved_as(case: DrillCase, resolution: Resolution) -> Resolution:
    present = resolution.present and case.profile.resolves(Connector.WORKSPACE)
    forced = resolution.with_forces(case.forces if present else {})
    settings = replace(resolution.settings, profile=case.profile)
    return replace(forced, settings=settings, present=present, outcomes=forced.outcomes if present else ())
