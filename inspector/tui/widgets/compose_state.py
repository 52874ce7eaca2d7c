"""A call while it is composed: what a person filled in, what was resolved and shown, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inspector.host.same_json import same_json
from inspector.tui.widgets.fate import Fate, explained, fate_of_admission, fate_of_outcome, fate_while_connecting
from inspector.tui.widgets.form_json import parse_object
from inspector.tui.widgets.form_model import Draft
from inspector.tui.widgets.form_schema import read_fields
from inspector.workspace.json_values import find_unsendable

if TYPE_CHECKING:
    from inspector.extension import Admission, Outcome
    from inspector.host.call import SentCall
    from inspector.host.host import Host
    from inspector.host.resolution import Resolution
    from inspector.workspace.catalog import Tool


@dataclass(slots=True)
class ComposedCall:
    """One tool's call, kept while a person looks at other tools.

    `raw` is the arguments' JSON as it was typed, None where the form was used since; `raw_fault` says why it is
    no object. `seen` says that the resolution has been on the screen. `pasted_meta` is that of a pasted call.
    """

    tool: Tool
    draft: Draft
    raw: str | None = None
    raw_fault: str | None = None
    raw_open: bool = False
    resolution: Resolution | None = None
    seen: bool = False
    sent: SentCall | None = None
    previous: SentCall | None = None
    pasted_meta: Mapping[str, Any] | None = None
    logged: int = 0

    @classmethod
    def begin(cls, host: Host, tool: Tool, arguments: Mapping[str, Any] | None) -> ComposedCall:
        """A call with the arguments that are given, and otherwise with none."""
        draft = Draft(read_fields(tool.input_schema, host.declaration(tool)))
        draft.replace(arguments or {})
        return cls(tool, draft)

    def retool(self, host: Host, tool: Tool) -> bool:
        """Takes the tool as its server lists it now; the arguments stay. Returns whether its fields changed."""
        if tool == self.tool:
            return False
        fields = read_fields(tool.input_schema, host.declaration(tool))
        changed = fields != self.draft.fields
        self.tool = tool
        self.draft.fields = fields
        return changed

    def fault(self) -> str | None:
        """What in the form keeps the call from being sent, with its place; None where nothing does."""
        if self.raw_open and self.raw_fault is not None:
            return f"the JSON, {self.raw_fault}"
        if self.draft.broken:
            name, (_, reason) = next(iter(self.draft.broken.items()))
            return f"{name}: {reason}"
        return find_unsendable(self.draft.arguments)

    def staleness(self, host: Host) -> str | None:
        """Why what was resolved is not what would be sent now; None where it is, or nothing was resolved."""
        if self.resolution is None:
            return None
        if self.draft.broken or (self.raw_open and self.raw_fault is not None):
            return "an argument changed"
        return host.staleness(self.resolution, self.tool, self.draft.arguments)

    def can_send(self, host: Host) -> bool:
        """Whether the next send sends what is on screen: it was resolved, it was seen, and nothing changed."""
        return self.resolution is not None and self.seen and self.staleness(host) is None

    def take_sent(self, sent: SentCall, logged: int) -> None:
        """Keeps the answer, and the one before it to compare with. `logged` counts the log lines of its time."""
        self.previous, self.sent, self.logged = self.sent, sent, logged

    def kept_raw(self) -> str | None:
        """The JSON as it was typed, where it still stands for the arguments or for no JSON at all."""
        if self.raw is None or self.raw_fault is not None:
            return self.raw
        return self.raw if same_json(parse_object(self.raw), self.draft.arguments) else None

    def fates(self, host: Host) -> dict[str, Fate]:
        """What is known of each string of the declared arguments, by the string."""
        if self.tool.server not in host.workspace.connections:
            return {}
        stale = self.resolution is None or self.staleness(host) is not None
        if not stale and self.resolution is not None:
            resolution = self.resolution
            return {o.uri: self._outcome_fate(host, o, stale=False) for o in resolution.outcomes}
        admissions = host.admissions(self.tool, self.draft.arguments)
        return {admission.uri: self._fate(host, admission) for admission in admissions}

    def _outcome_fate(self, host: Host, outcome: Outcome, *, stale: bool) -> Fate:
        claims = self.resolution.claims.get(outcome.uri, ()) if self.resolution is not None else ()
        fate = fate_of_outcome(outcome, claims, host.declaration(self.tool), stale=stale)
        return explained(fate, host.nearest(outcome.uri)) if outcome.rule == "R14" else fate

    def _fate(self, host: Host, admission: Admission) -> Fate:
        """An outcome of before the change stands, marked, where it would be read again from the same server."""
        resolution = self.resolution
        outcome = resolution.outcome(admission.uri) if resolution is not None else None
        read_again = admission.code is None and outcome is not None and outcome.milliseconds is not None
        if resolution is not None and outcome is not None and read_again and outcome.server == admission.server:
            return self._outcome_fate(host, outcome, stale=True)
        connecting = host.workspace.connecting
        if admission.rule == "R14" and connecting:
            return fate_while_connecting(admission, connecting)
        claims = host.lookup(admission.uri).claims if admission.code is None else ()
        near = host.nearest(admission.uri) if admission.rule == "R14" else ()
        return fate_of_admission(admission, claims, host.declaration(self.tool), near)
