"""The host: the workspace's servers, the profile being played, and what follows from both.

Both faces talk to this class. It starts servers, knows who owns which URIs, resolves a composed call and sends it.
It decides nothing itself: the rules are in `extension/`, matching is in `templates/`.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector.extension import (
    KEY,
    Admission,
    Budget,
    Declaration,
    Owners,
    admit,
    find_citations,
    read_declaration,
)
from inspector.host.call import SentCall, send_call
from inspector.host.call_steps import CallSteps
from inspector.host.naming import find_server, find_tool
from inspector.host.output_check import find_output_problem
from inspector.host.problem_search import ProblemSearch, Scope
from inspector.host.profile import HostSettings, Profile
from inspector.host.resolution import Resolution
from inspector.host.resolver import make_outcomes
from inspector.host.staleness import Ground, find_grounds, find_staleness
from inspector.host.verdict import OwnerVerdict, UriRead, describe_near, find_nearest, judge_owner, lone_citation
from inspector.host.what_if import WhatIf
from inspector.templates import Lookup, Near, OwnershipMap
from inspector.workspace.catalog import Tool
from inspector.workspace.connection import Connection, ProgressCallback
from inspector.workspace.elicitation import Elicit
from inspector.workspace.events import CatalogChanged, Event, ProblemFound, StateChanged
from inspector.workspace.inputs import AskInput
from inspector.workspace.problem import Problem
from inspector.workspace.reply import Failure, Reply
from inspector.workspace.server import Connector, ServerEntry, State
from inspector.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class HostChanged:
    """The profile, a limit, the budget, the server that is called, or a verdict on a tool's output changed."""


Listener = Callable[[Event | HostChanged], None]


class Host:
    """Plays one host over one workspace. Started and closed on one event loop.

    `generation` grows with every change that can alter an outcome: a server's lists or state, the profile, a
    limit. A `Resolution` of an earlier generation is stale where what it rests on changed: see `staleness`.
    """

    def __init__(
        self,
        entries: Sequence[ServerEntry],
        settings: HostSettings | None = None,
        *,
        ask_input: AskInput | None = None,
        elicit: Elicit | None = None,
    ) -> None:
        self.settings = settings or HostSettings()
        self.generation = 0
        self.steps = CallSteps()
        self._calling: str | None = None
        self._budgets: dict[str, Budget] = {}
        self._ownership: OwnershipMap | None = None
        self._lookups: dict[str, Lookup] = {}
        self._nearest: dict[str, tuple[Near, ...]] = {}
        self._problems = ProblemSearch(self._scope)
        self._outputs: dict[tuple[str, str], Problem] = {}
        self._listeners: list[Listener] = []
        self.workspace = Workspace(entries, extensions=self._extensions, ask_input=ask_input, elicit=elicit)
        self.workspace.subscribe(self._on_event)

    # Life

    async def start(self, *, calling: str | None = None) -> None:
        """Begins to connect every server, side by side, and returns.

        `calling` names the server whose tool will be called, where that is known: under `personal` and
        `outside-client` its connection claims nothing (R3).
        """
        self._calling = calling
        await self.workspace.start()

    async def settled(self) -> None:
        """Waits until every server is connected with its lists read, or has failed. Bounded by their timeouts."""
        await self.workspace.settled()

    async def close(self) -> None:
        """Ends every connection and every child."""
        await self.workspace.close()
        await self._problems.close()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Calls the listener with each event of the workspace and each `HostChanged`. Returns how to stop it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def change(self, settings: HostSettings) -> tuple[str, ...]:
        """Plays another host from now on. Returns the servers that were reconnected since their claim changed."""
        if settings == self.settings:
            return ()
        for budget in self._budgets.values():
            budget.change_rate(settings.budget, time.monotonic())
        self.settings = settings
        return await self._renew_claims()

    async def set_entries(self, entries: Sequence[ServerEntry]) -> tuple[str, ...]:
        """Takes on other servers: see `Workspace.set_entries`. Returns those that are new or changed."""
        renewed = await self.workspace.set_entries(entries)
        self._forget()
        self._tell(HostChanged())
        return renewed

    async def set_calling(self, server: str) -> tuple[str, ...]:
        """Says over which server's connection the next call goes; reconnects those whose claim that changes."""
        if server == self._calling:
            return ()
        self._calling = server
        return await self._renew_claims()

    async def _renew_claims(self) -> tuple[str, ...]:
        self._forget()
        self._tell(HostChanged())
        return tuple(change.server for change in await self.workspace.renew_claims())

    def _extensions(self, entry: ServerEntry) -> Mapping[str, Mapping[str, Any]]:
        claims = self.settings.profile.claims(entry.connector, calling=entry.name == self._calling)
        return {KEY: self.settings.limits.claim()} if claims else {}

    def _on_event(self, event: Event) -> None:
        if isinstance(event, StateChanged):
            self._outputs = {key: kept for key, kept in self._outputs.items() if key[0] != event.server}
        if isinstance(event, StateChanged | CatalogChanged):
            self._forget()
        elif isinstance(event, ProblemFound):
            self._problems.forget()
        self._tell(event)

    def _forget(self) -> None:
        self.generation += 1
        self._ownership = None
        self._problems.forget()
        self._lookups.clear()
        self._nearest.clear()

    def _tell(self, event: Event | HostChanged) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    # Looking

    def tools(self) -> tuple[Tool, ...]:
        """Every tool of every connected server, in the workspace's order."""
        return tuple(tool for connection in self._connected() for tool in connection.catalog.tools)

    def find_tool(self, reference: str) -> Tool:
        """The tool that `SERVER/TOOL` names; or a bare name, where it is unique. Raises UnknownTool."""
        return find_tool(self.workspace.connections, reference)

    def server_of(self, reference: str) -> str | None:
        """The server that a reference names, connected or not; None for a bare tool name."""
        return find_server(self.workspace.connections, reference)

    def declaration(self, tool: Tool) -> Declaration:
        """What the tool declares (R4, R5)."""
        return read_declaration(tool.meta)

    @property
    def ownership(self) -> OwnershipMap:
        """Who owns which URIs: the templates of the connected servers of the workspace (R14)."""
        if self._ownership is None:
            self._ownership = OwnershipMap(
                {
                    connection.entry.name: [template.text for template in connection.catalog.templates]
                    for connection in self._connected()
                    if self._in_workspace(connection.entry)
                }
            )
        return self._ownership

    def _connected(self) -> list[Connection]:
        return [c for c in self.workspace.connections.values() if c.state is State.CONNECTED]

    def _in_workspace(self, entry: ServerEntry) -> bool:
        return entry.connector is Connector.WORKSPACE and not (
            self.settings.profile is Profile.PERSONAL and entry.name == self._calling
        )

    def owns(self, server: str) -> bool:
        """Whether a server is connected and in the workspace, so that its templates count (R14)."""
        connection = self.workspace.connections[server]
        return connection.state is State.CONNECTED and self._in_workspace(connection.entry)

    def lookup(self, uri: str) -> Lookup:
        """The templates that a URI expands from, and those that are undecided (R14, R15, R26)."""
        if uri not in self._lookups:
            self._lookups[uri] = self.ownership.lookup(uri)
        return self._lookups[uri]

    def _owners(self, uri: str) -> Owners:
        lookup = self.lookup(uri)
        servers = tuple(dict.fromkeys(claim.server for claim in lookup.claims))
        # Another undecided template of a server that owns the URI anyway changes nothing (R15).
        return Owners(servers, undecided=any(server not in servers for server, _ in lookup.undecided))

    # Playing

    def resolves(self, tool: Tool) -> bool:
        """Whether this host resolves the arguments of that tool at all (R9): not where its server is gone."""
        connection = self.workspace.connections.get(tool.server)
        return connection is not None and self.settings.profile.resolves(connection.entry.connector)

    def admissions(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[Admission, ...]:
        """What can be said of each string before anything is read. Empty where the key will be absent (R9)."""
        return self._admit(tool, arguments, self.budget(tool.server).level(time.monotonic()))

    def _admit(self, tool: Tool, arguments: Mapping[str, Any], tokens: float) -> tuple[Admission, ...]:
        if not self.resolves(tool):
            return ()
        return admit(
            find_citations(self.declaration(tool), arguments),
            self.settings.limits,
            self._owners,
            may_read=self.settings.profile.may_read,
            tokens=tokens,
        )

    async def resolve(self, tool: Tool, arguments: Mapping[str, Any]) -> Resolution:
        """Resolves a call as the host would; each read takes from the calling server's budget (R17)."""
        return await self.steps.resolve(tool, self._resolve(tool, arguments))

    async def _resolve(self, tool: Tool, arguments: Mapping[str, Any]) -> Resolution:
        started = time.monotonic()
        kept: dict[str, Any] = copy.deepcopy(dict(arguments))
        generation = self.generation
        grounds = self._grounds(tool, kept)
        tokens = self.budget(tool.server).level(started)
        admissions = tuple(map(self._explain, self._admit(tool, kept, tokens)))
        reads = sum(1 for admission in admissions if admission.code is None)
        if reads:
            self.budget(tool.server).take(reads, started)
        outcomes = await make_outcomes(admissions, self.settings.limits, self._read)
        now = time.monotonic()
        return Resolution(
            tool=tool,
            settings=self.settings,
            arguments=kept,
            present=bool(admissions),
            outcomes=outcomes,
            claims={admission.uri: self.lookup(admission.uri).claims for admission in admissions},
            resolved_at=now,
            generation=generation,
            grounds=grounds,
            milliseconds=(now - started) * 1000,
        )

    def _explain(self, admission: Admission) -> Admission:
        """A string without an owner says what comes close to it (R14)."""
        near = self.nearest(admission.uri)[:1] if admission.rule == "R14" else ()
        if not near:
            return admission
        suggestion = near[0].suggestion
        remedy = admission.remedy if suggestion is None else f"Cite {suggestion} instead."
        return replace(admission, reason=f"no owner; {describe_near(near[0])}", remedy=remedy)

    async def _read(self, server: str, uri: str) -> Reply:
        connection = self.workspace.connections.get(server)
        if connection is None:
            return Reply("resources/read", None, 0.0, Failure.CLOSED, f"{server} is not connected")
        return await connection.request_read(uri)

    async def read(self, uri: str, server: str) -> Reply:
        """Reads a URI from a chosen server, whoever owns it. Takes nothing from any budget."""
        return await self._read(server, uri)

    def verdict(self, uri: str) -> OwnerVerdict:
        """Who owns a URI, whatever any argument declares (R10, R13 to R15, R26)."""
        return judge_owner(uri, self.lookup(uri))

    def what_if(self, drafts: Iterable[tuple[str, str]]) -> WhatIf:
        """What would follow if each server named also published the template beside its name.

        A server that is not connected is taken to be; one outside the workspace still owns nothing (R14).
        """
        templates: dict[str, list[str]] = {}
        for server, template in drafts:
            if self._in_workspace(self.workspace.connections[server].entry):
                templates.setdefault(server, []).append(template)
        return WhatIf(tuple(self.workspace.connections), self.ownership, OwnershipMap(templates))

    def nearest(self, uri: str, what_if: WhatIf | None = None) -> tuple[Near, ...]:
        """Why a URI has no owner, the likeliest reason first: what comes close, and where they part (R14).

        Empty where it has one. `what_if`: among its drafts too.
        """
        if what_if is not None:
            return self._find_nearest(uri, what_if.combined)
        if uri not in self._nearest:
            self._nearest[uri] = self._find_nearest(uri, self.ownership)
        return self._nearest[uri]

    def _find_nearest(self, uri: str, ownership: OwnershipMap) -> tuple[Near, ...]:
        beside = self.workspace.connections.values()
        return find_nearest(uri, ownership, [c for c in beside if self._in_workspace(c.entry)])

    async def read_uri(self, uri: str, server: str | None = None) -> UriRead:
        """Reads one URI as the host would for a call that cites nothing else; from `server`, whoever owns it.

        Takes nothing from any budget.
        """
        citation = lone_citation(uri)
        if server is None:
            may_read = self.settings.profile.may_read
            (admission,) = admit((citation,), self.settings.limits, self._owners, may_read=may_read)
        else:
            admission = Admission(citation, None, "R18", f"asked of {server}", server)
        replies: list[Reply] = []

        async def read(owner: str, wanted: str) -> Reply:
            replies.append(await self._read(owner, wanted))
            return replies[-1]

        (outcome,) = await make_outcomes((admission,), self.settings.limits, read)
        return UriRead(outcome, tuple(self.lookup(uri).claims), replies[0] if replies else None)

    def staleness(self, resolution: Resolution, tool: Tool, arguments: Mapping[str, Any]) -> str | None:
        """Why a resolution is not what would be sent now, in a few words; None where it still is (R29)."""
        unchanged = self.generation == resolution.generation
        grounds = None if unchanged else self._grounds(resolution.tool, resolution.arguments)
        return find_staleness(resolution, tool, arguments, self.settings, grounds)

    def _grounds(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[Ground, ...]:
        connections = self.workspace.connections
        if tool.server not in connections:
            return ()
        return find_grounds(self._admit(tool, arguments, float("inf")), connections)

    async def send(
        self, resolution: Resolution, *, timeout: float | None = None, progress: ProgressCallback | None = None
    ) -> SentCall:
        """Sends exactly what the resolution holds, whatever its outcomes (R29, R30). `timeout` is in seconds.

        `progress` is what is told of the server's progress: with it the server is given a `progressToken`."""
        sending = send_call(self.workspace.connections.get(resolution.tool.server), resolution, timeout, progress)
        return await self.steps.send(resolution, self._checked(sending))

    async def _checked(self, sending: Awaitable[SentCall]) -> SentCall:
        sent = await sending
        if sent.reply.result is not None and "outputSchema" in sent.resolution.tool.raw:
            await self._check_output(sent.resolution.tool, sent.reply.result)
        return sent

    async def _check_output(self, tool: Tool, result: Mapping[str, Any]) -> None:
        """What breaks its `outputSchema` is a problem of the tool until it answers otherwise, or starts anew."""
        key = tool.server, tool.name
        problem = await asyncio.to_thread(find_output_problem, tool, result)
        if problem is not None and self._outputs.get(key) != problem:
            self._outputs[key] = problem
            self._on_event(ProblemFound(tool.server, problem))
        elif problem is None and self._outputs.pop(key, None) is not None:
            self._problems.forget()
            self._tell(HostChanged())

    async def find_problems(self) -> tuple[Problem, ...]:
        """Everything wrong with the servers and with what they publish, worst first.

        Looked for in a thread: in a large workspace that takes longer than a screen may stand.
        """
        return await self._problems.find()

    def _scope(self) -> Scope:
        connections = self.workspace.connections.values()
        met = [problem for connection in connections for problem in connection.problems]
        return Scope(
            catalogs={connection.entry.name: connection.catalog for connection in self._connected()},
            owners=frozenset(c.entry.name for c in self._connected() if self._in_workspace(c.entry)),
            absent=tuple(c.entry.name for c in connections if c.state is not State.CONNECTED),
            limits=self.settings.limits,
            met=[*met, *self._outputs.values()],
        )

    def budget(self, server: str) -> Budget:
        """The resource budget of a calling server (R17)."""
        if server not in self._budgets:
            self._budgets[server] = Budget(self.settings.budget, time.monotonic())
        return self._budgets[server]
