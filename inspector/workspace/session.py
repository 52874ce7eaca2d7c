"""One life of a connection: the SDK's client from the handshake to the end, and the requests made over it.

The SDK wants a client entered and left in the same task, so `hold` runs in one long-lived task, and others
ask.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client import IncomingMessage, advertise
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.dispatcher import ProgressFnT
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from inspector import __version__
from inspector.workspace.elicitation import Elicit
from inspector.workspace.exchange import CURRENT, Exchange
from inspector.workspace.handshake import Handshake, describe_failure, era_reason, suggest_era
from inspector.workspace.json_values import cut_text, find_unsendable
from inspector.workspace.judging import failed_reply, judge
from inspector.workspace.problem import Severity
from inspector.workspace.questions import Questions
from inspector.workspace.reply import Failure, Reply
from inspector.workspace.salvage import Page
from inspector.workspace.server import Era, ServerEntry
from inspector.workspace.tap import Tap
from inspector.workspace.transport import make_link
from inspector.workspace.waits import Waits

_LEAVE_SECONDS = 5.0
_LISTEN_ATTEMPTS = 3
_LISTEN_PAUSE = 1.0
_CONNECTION_CLOSED = -32000


class Hooks(Protocol):
    """What a session tells its connection while it lives."""

    def connected(self, handshake: Handshake) -> None:
        """The handshake is done."""

    def list_changed(self, methods: frozenset[str]) -> None:
        """The server says that these lists are others now."""

    def stderr_line(self, line: str) -> None:
        """The server wrote a line to standard error."""

    def logged(self, level: str, data: Any, logger: str | None) -> None:
        """The server sent a log notification."""

    def progressed(self, token: int | str, progress: float, total: float | None, message: str | None) -> None:
        """The server sent a progress notification."""


class SessionFailed(Exception):
    """The server could not be reached, or went away; the text says why, for a person, `remedy` what to do."""

    def __init__(self, reason: str, remedy: str | None = None) -> None:
        super().__init__(reason)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply, with the page where it is that of a list."""

    reply: Reply
    page: Page | None = None


class Session:
    """One connection to one server, from `hold` to its end. `claims` are the extensions it advertises.

    With `elicit` it claims elicitation too. Sampling and roots are never claimed, and refused where they are
    asked for.
    """

    def __init__(
        self,
        entry: ServerEntry,
        claims: Mapping[str, Mapping[str, Any]],
        tap: Tap,
        hooks: Hooks,
        elicit: Elicit | None = None,
    ) -> None:
        self._entry = entry
        self._claims = claims
        self._tap = tap
        self._hooks = hooks
        self._waits = Waits()
        self._questions = Questions(tap, self._waits, elicit)
        self._open: list[Exchange] = []
        self._link = make_link(entry, tap, hooks.stderr_line)
        self._client: Client | None = None
        self._scope = anyio.CancelScope()
        self._leave = anyio.Event()
        self._stopping = False
        self._reason = "not connected"

    @property
    def pid(self) -> int | None:
        """The process id of a stdio server, once it runs."""
        return getattr(self._link, "pid", None)

    @property
    def is_asking(self) -> bool:
        """Whether the server asked something that a person has not answered yet."""
        return self._waits.asking > 0

    def waiting_seconds(self, method: str) -> float | None:
        """How long the oldest open request of a method has waited; None where none is open."""
        waited = [exchange.milliseconds for exchange in self._open if exchange.method == method]
        return max(waited) / 1000 if waited else None

    async def hold(self) -> None:
        """Connect and stay until `stop`. Raises SessionFailed where the server cannot be reached or goes
        away."""
        started = anyio.current_time()
        self._scope.deadline = started + self._entry.connection_timeout
        limiter = asyncio.create_task(self._limit_discovery())
        handshake: Handshake | None = None
        failure: Exception | None = None
        try:
            with self._scope:
                async with self._make_client() as client:
                    limiter.cancel()
                    handshake = await self._shake_hands(client, started)
                    self._scope.deadline = math.inf
                    await self._stay(client, handshake)
                    self._scope.deadline = anyio.current_time() + _LEAVE_SECONDS
        except Exception as error:
            failure = error
        finally:
            limiter.cancel()
            self._client = None
        if self._stopping:
            return
        remedy = None
        if handshake is None:
            remedy = suggest_era(self._entry, self._tap, self._link)
            self._reason = describe_failure(self._entry, self._tap, self._link, failure)
        else:
            self._reason = self._ending()
        raise SessionFailed(self._reason, remedy)

    def stop(self) -> None:
        """Leave: at once where the handshake is not done, else after a proper goodbye, both bounded."""
        self._stopping = True
        self._reason = "the connection was stopped"
        if self._client is None:
            self._scope.cancel()
        self._leave.set()

    async def ask_page(self, method: str, cursor: str | None) -> Answer:
        """One page of a list."""
        params = types.PaginatedRequestParams(cursor=cursor) if cursor is not None else None

        async def send(client: Client) -> None:
            session = client.session
            match method:
                case "tools/list":
                    await session.list_tools(params=params)
                case "resources/templates/list":
                    await session.list_resource_templates(params=params)
                case "resources/list":
                    await session.list_resources(params=params)
                case _:
                    await session.list_prompts(params=params)

        return await self._ask(method, {"cursor": cursor}, send, None)

    async def read(self, uri: str, timeout: float | None) -> Reply:
        """`resources/read`, past every cache (R18)."""
        answer = await self._ask(
            "resources/read",
            {"uri": uri},
            lambda client: client.read_resource(uri, cache_mode="bypass"),
            timeout,
        )
        return answer.reply

    async def call(
        self,
        name: str,
        arguments: dict[str, Any],
        meta: Mapping[str, Any],
        timeout: float | None,
        progress: ProgressFnT | None,
    ) -> Reply:
        """`tools/call`, with these arguments and these keys in `_meta`."""
        request_meta: Any = dict(meta) if meta else None
        answer = await self._ask(
            "tools/call",
            {"name": name, "arguments": arguments, "_meta": request_meta},
            lambda client: client.call_tool(name, arguments, progress_callback=progress, meta=request_meta),
            timeout,
        )
        return answer.reply

    async def complete(
        self, ref: Mapping[str, str], argument: Mapping[str, str], context: Mapping[str, str] | None
    ) -> Reply:
        """`completion/complete` for `{"type": "ref/resource", "uri": …}` or `{"type": "ref/prompt", "name":
        …}`."""
        reference: types.ResourceTemplateReference | types.PromptReference
        if ref.get("type") == "ref/resource":
            reference = types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])
        else:
            reference = types.PromptReference(type="ref/prompt", name=ref["name"])
        arguments = dict(context) if context else None
        answer = await self._ask(
            "completion/complete",
            {"ref": ref, "argument": argument, "context": context},
            lambda client: client.complete(reference, dict(argument), arguments),
            None,
        )
        return answer.reply

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Reply:
        """`prompts/get`."""
        given = dict(arguments) or None
        answer = await self._ask(
            "prompts/get",
            {"name": name, "arguments": arguments},
            lambda client: client.get_prompt(name, given),
            None,
        )
        return answer.reply

    async def _ask(
        self, method: str, params: Any, send: Callable[[Client], Awaitable[Any]], timeout: float | None
    ) -> Answer:
        exchange = Exchange(method)
        unsendable = find_unsendable(params)
        if unsendable is not None:
            return Answer(failed_reply(exchange, Failure.REFUSED, f"not sent: {unsendable}"))
        client = self._client
        if client is None:
            return Answer(failed_reply(exchange, Failure.CLOSED, self._reason))
        limit = self._entry.request_timeout if timeout is None else timeout
        trouble: Exception | None = None
        token = CURRENT.set(exchange)
        self._open.append(exchange)
        try:
            # Both ways out, the limit and a cancelled caller, tell the server that nobody waits any more.
            with self._waits.limited(limit):
                await send(client)
        except Exception as error:
            trouble = error
        finally:
            self._open = [other for other in self._open if other is not exchange]
            CURRENT.reset(token)
        ending = self._reason if self._stopping else self._ending()
        return Answer(await judge(exchange, trouble, self._tap.version, limit, ending), exchange.page)

    def _ending(self) -> str:
        return self._link.ending() or "the server closed the connection"

    def _make_client(self) -> Client:
        mode = {Era.AUTO: "auto", Era.LEGACY: "legacy", Era.MODERN: LATEST_MODERN_VERSION}[self._entry.era]
        return Client(
            self._link.streams(),
            mode=mode,
            cache=None,
            client_info=types.Implementation(name="resource-arguments-inspector", version=__version__),
            extensions=[advertise(identifier, dict(settings)) for identifier, settings in self._claims.items()],
            message_handler=self._on_message,
            logging_callback=self._on_log,
            # The SDK claims what it has a callback for.
            elicitation_callback=self._questions.ask if self._questions.is_claimed else None,
        )

    async def _shake_hands(self, client: Client, started: float) -> Handshake:
        if self._entry.era is Era.MODERN:
            # The SDK adopts a pinned version blindly; a server that does not speak it should say so here.
            raw = await client.session.send_discover(LATEST_MODERN_VERSION)
            client.session.adopt(types.DiscoverResult.model_validate(raw))
        self._check_only_known_outputs(client)
        self._questions.refuse_unclaimed(client)
        version = client.protocol_version
        self._tap.version = version
        method = "server/discover" if version in MODERN_PROTOCOL_VERSIONS else "initialize"
        raw_result = self._tap.latest[method].result or {}
        milliseconds = (anyio.current_time() - started) * 1000
        return Handshake.read(version, raw_result, era_reason(self._entry, self._tap, version), milliseconds)

    def _check_only_known_outputs(self, client: Client) -> None:
        """The SDK lists tools again, mid-call, to check the output of a tool that no list has; then nothing
        is."""
        session = client.session
        validate = session.validate_tool_result

        async def check(name: str, result: types.CallToolResult) -> None:
            if name in self._tap.checked_tools:
                await validate(name, result)

        session.validate_tool_result = check  # type: ignore[method-assign]

    async def _stay(self, client: Client, handshake: Handshake) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch_end)
            self._client = client
            self._hooks.connected(handshake)
            followed = handshake.followed_lists()
            if followed and handshake.protocol_version in MODERN_PROTOCOL_VERSIONS:
                group.start_soon(self._follow, client, followed)
            await self._leave.wait()
            self._client = None
            if not self._stopping:
                self._reason = self._ending()
            group.cancel_scope.cancel()

    async def _watch_end(self) -> None:
        await self._link.ended.wait()
        self._leave.set()

    async def _limit_discovery(self) -> None:
        """A server of 2025 may never answer the probe: leave time for the handshake that it knows."""
        if self._entry.era is not Era.AUTO:
            return
        limit = min(10.0, self._entry.connection_timeout / 2)
        await asyncio.sleep(limit)
        exchange = self._tap.latest.get("server/discover")
        while exchange is None or exchange.id is None:
            # The machine is slow, not the server: the probe is not even sent.
            await asyncio.sleep(limit / 10)
            exchange = self._tap.latest.get("server/discover")
        if self._tap.is_open(exchange):
            self._link.inject(self._tap.fail(exchange.id, f"no answer within {limit:g} s"))

    async def _follow(self, client: Client, followed: frozenset[str]) -> None:
        """Keep a `subscriptions/listen` stream open, where the server keeps its word that lists change."""
        for attempt in range(_LISTEN_ATTEMPTS):
            if attempt:
                await anyio.sleep(_LISTEN_PAUSE)
                self._hooks.list_changed(followed)
            try:
                async with client.listen(
                    tools_list_changed="tools/list" in followed,
                    prompts_list_changed="prompts/list" in followed,
                    resources_list_changed="resources/list" in followed,
                ) as events:
                    async for event in events:
                        self._hooks.list_changed(_LIST_EVENTS.get(type(event).__name__, frozenset()))
            except SubscriptionLost:
                continue
            except (MCPError, ListenNotSupportedError, ValidationError) as error:
                message = f"it says that lists change, but refuses to tell: {cut_text(str(error), 120)}"
                self._tap.note(Severity.NOTE, "subscriptions/listen", message)
                return
        self._tap.note(
            Severity.NOTE, "subscriptions/listen", "the stream keeps ending: reconnect to see new lists"
        )

    async def _on_message(self, message: IncomingMessage) -> None:
        if isinstance(message, types.ProgressNotification):
            params = message.params
            self._hooks.progressed(params.progress_token, params.progress, params.total, params.message)
            return
        methods = _LIST_NOTIFICATIONS.get(type(message).__name__)
        if methods is not None:
            self._hooks.list_changed(methods)

    async def _on_log(self, params: types.LoggingMessageNotificationParams) -> None:
        self._hooks.logged(params.level, params.data, params.logger)


_TOOLS = frozenset({"tools/list"})
_RESOURCES = frozenset({"resources/list", "resources/templates/list"})
_PROMPTS = frozenset({"prompts/list"})
_LIST_EVENTS: Mapping[str, frozenset[str]] = {
    "ToolsListChanged": _TOOLS,
    "ResourcesListChanged": _RESOURCES,
    "PromptsListChanged": _PROMPTS,
}
_LIST_NOTIFICATIONS: Mapping[str, frozenset[str]] = {
    "ToolListChangedNotification": _TOOLS,
    "ResourceListChangedNotification": _RESOURCES,
    "PromptListChangedNotification": _PROMPTS,
}
