"""Whoever stops waiting tells the server, as the era and the transport have it; the connection stays usable."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from inspector.workspace.connection import Connection
from inspector.workspace.elicitation import Action, Elicit, Elicitation, ElicitationAnswer
from inspector.workspace.reply import Failure
from inspector.workspace.server import Era, ServerEntry, Transport
from inspector.workspace.workspace import Workspace
from tests.servers.http import Served, serve_streamable
from tests.servers.workspace import log_of, received, scripted
from tests.workspace.support import until

KEY = "ai.nimblebrain/resource-arguments"
META = {KEY: {"crm://signals/1": {"contents": []}}}
ERAS = {"2025": Era.LEGACY, "2026": Era.MODERN}
FORM = {
    "method": "elicitation/create",
    "params": {
        "message": "Which address?",
        "requestedSchema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    },
}
SAMPLING = {
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 1},
}

Ask = Callable[[Connection], Awaitable[Any]]


@asynccontextmanager
async def connected(
    folder: Path, era: str, *, limit: float = 5.0, elicit: Elicit | None = None, **spec: Any
) -> AsyncIterator[Connection]:
    """A server that does as `spec` says over stdio, with `limit` seconds for each request."""
    named = scripted(folder, "crm", **{"tools": [{"name": "send", "inputSchema": {"type": "object"}}], **spec})
    entry = ServerEntry(
        "crm",
        Transport.STDIO,
        command=named["command"],
        args=tuple(named["args"]),
        era=ERAS[era],
        request_timeout=limit,
    )
    workspace = Workspace([entry], extensions=lambda entry: {}, elicit=elicit)
    try:
        await workspace.start()
        await workspace.settled()
        yield workspace.connections["crm"]
    finally:
        await workspace.close()


async def give_up(request: Awaitable[Any], begun: Callable[[], Any]) -> None:
    task = asyncio.ensure_future(request)
    await until(begun)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("era", ["2025", "2026"])
@pytest.mark.parametrize(
    ("method", "ask"),
    [
        ("resources/read", lambda crm: crm.request_read("crm://signals/1")),
        ("tools/call", lambda crm: crm.request_call("send", {}, META)),
        ("prompts/get", lambda crm: crm.request_prompt("hello", {})),
        (
            "completion/complete",
            lambda crm: crm.request_complete(
                {"type": "ref/resource", "uri": "crm://{x}"}, {"name": "x", "value": ""}
            ),
        ),
    ],
)
async def test_a_request_that_is_cancelled_is_cancelled_at_the_server(
    tmp_path: Path, era: str, method: str, ask: Ask
) -> None:
    hang = {"delay": 0.2, "result": {}}
    log = log_of(tmp_path, "crm")
    async with connected(tmp_path, era, prompts=[], answers={method: hang}) as crm:
        await give_up(ask(crm), lambda: received(log, method))
        await until(lambda: received(log, "notifications/cancelled"))
        (request,), (cancelled,) = received(log, method), received(log, "notifications/cancelled")
        assert cancelled["params"]["requestId"] == request["id"]
        assert cancelled["params"]["reason"]
        # The answer comes all the same: it is late, and no fault.
        await asyncio.sleep(0.3)
        assert not crm.problems
        assert (await crm.request_read("crm://none")).failure is (
            Failure.ERROR if method != "resources/read" else None
        )


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_a_request_that_takes_too_long_is_cancelled_at_the_server(tmp_path: Path, era: str) -> None:
    log = log_of(tmp_path, "crm")
    async with connected(tmp_path, era, limit=0.2, calls={"send": {"hang": True}}) as crm:
        reply = await crm.request_call("send", {}, {})
        assert reply.failure is Failure.TIMEOUT
        await until(lambda: received(log, "notifications/cancelled"))
        (request,), (cancelled,) = received(log, "tools/call"), received(log, "notifications/cancelled")
        assert cancelled["params"]["requestId"] == request["id"]


class SlowServer:
    """A server on the SDK over HTTP, with a tool that never ends and says what became of it."""

    def __init__(self) -> None:
        self.began = False
        self.ended = ""
        self.server = MCPServer("slow")

        @self.server.tool(structured_output=False)
        async def wait() -> str:
            self.began = True
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                self.ended = "cancelled"
                raise
            return "done"

        @self.server.tool(structured_output=False)
        async def quick() -> str:
            return "done"


@asynccontextmanager
async def connected_over_http(slow: SlowServer, era: str) -> AsyncIterator[tuple[Connection, Served]]:
    async with serve_streamable(slow.server) as served:
        entry = ServerEntry("slow", Transport.HTTP, url=served.url, era=ERAS[era])
        workspace = Workspace([entry], extensions=lambda entry: {})
        try:
            await workspace.start()
            await workspace.settled()
            yield workspace.connections["slow"], served
        finally:
            await workspace.close()


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_over_http_a_call_that_is_cancelled_ends_at_the_server(era: str) -> None:
    slow = SlowServer()
    async with connected_over_http(slow, era) as (connection, served):
        before = len(served.requests)
        await give_up(connection.request_call("wait", {}, {}), lambda: slow.began)
        await until(lambda: slow.ended)
        assert slow.ended == "cancelled"
        posts = [request for request in served.requests[before:] if request.method == "POST"]
        told = [m for m in connection._traffic.messages if m.method == "notifications/cancelled"]
        # 2026-07-28 over HTTP has no such notification: closing the request's stream says it.
        assert (len(posts), len(told)) == ((2, 1) if era == "2025" else (1, 0))
        assert (await connection.request_call("quick", {}, {})).failure is None


def answering(*answers: ElicitationAnswer) -> tuple[Elicit, list[Elicitation]]:
    asked: list[Elicitation] = []

    async def elicit(elicitation: Elicitation) -> ElicitationAnswer:
        asked.append(elicitation)
        return answers[len(asked) - 1]

    return elicit, asked


def told(reply: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(reply.result["content"][0]["text"])
    return found


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_what_a_server_asks_for_is_answered_and_the_call_goes_on(tmp_path: Path, era: str) -> None:
    elicit, asked = answering(ElicitationAnswer(Action.ACCEPT, {"to": "ann@example.org"}))
    async with connected(tmp_path, era, elicit=elicit, calls={"send": {"ask": [FORM]}}) as crm:
        reply = await crm.request_call("send", {"body": "é"}, META)
        assert asked == [Elicitation("crm", "Which address?", FORM["params"]["requestedSchema"])]  # type: ignore[index]
        assert told(reply)["answers"] == [{"action": "accept", "content": {"to": "ann@example.org"}}]
        assert not reply.departures and not crm.problems
    sent = [line for line in log_of(tmp_path, "crm").read_text("utf-8").splitlines() if '"tools/call"' in line]
    # The extension's key goes with the call and with the one that is sent again, byte for byte.
    key = json.dumps(META, separators=(",", ":"))[1:-1]
    assert len(sent) == (1 if era == "2025" else 2)
    assert all(key in line for line in sent)
    if era == "2026":
        assert told(reply)["requestState"] == "s é"
        assert all(json.loads(line)["params"]["arguments"] == {"body": "é"} for line in sent)


@pytest.mark.parametrize("era", ["2025", "2026"])
@pytest.mark.parametrize("action", [Action.DECLINE, Action.CANCEL])
async def test_a_question_may_be_declined_or_cancelled(tmp_path: Path, era: str, action: Action) -> None:
    elicit, _ = answering(ElicitationAnswer(action))
    async with connected(tmp_path, era, elicit=elicit, calls={"send": {"ask": [FORM]}}) as crm:
        assert told(await crm.request_call("send", {}, {}))["answers"] == [{"action": action.value}]


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_no_limit_is_reached_while_a_person_is_asked(tmp_path: Path, era: str) -> None:
    async def elicit(_: Elicitation) -> ElicitationAnswer:
        await asyncio.sleep(0.8)
        return ElicitationAnswer(Action.DECLINE)

    async with connected(tmp_path, era, limit=0.5, elicit=elicit, calls={"send": {"ask": [FORM]}}) as crm:
        reply = await crm.request_call("send", {}, {})
        assert reply.failure is None and not crm.is_asking


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_elicitation_is_claimed_where_somebody_answers_and_sampling_and_roots_never(
    tmp_path: Path, era: str
) -> None:
    elicit, _ = answering()
    for claimed in (elicit, None):
        folder = tmp_path / str(claimed is None)
        folder.mkdir()
        async with connected(folder, era, elicit=claimed):
            pass
        (first,) = received(log_of(folder, "crm"), "initialize" if era == "2025" else "server/discover")[:1]
        params = first["params"]
        capabilities = (
            params["capabilities"]
            if era == "2025"
            else params["_meta"]["io.modelcontextprotocol/clientCapabilities"]
        )
        assert ("elicitation" in capabilities) is (claimed is not None)
        assert not {"sampling", "roots"} & set(capabilities)


async def test_a_server_of_2025_that_asks_for_what_is_not_claimed_is_told_so_and_noted(tmp_path: Path) -> None:
    async with connected(tmp_path, "2025", calls={"send": {"ask": [SAMPLING, FORM]}}) as crm:
        answers = told(await crm.request_call("send", {}, {}))["answers"]
        assert [answer["code"] for answer in answers] == [-32601, -32601]
        assert {problem.subject for problem in crm.problems} == {"sampling/createMessage", "elicitation/create"}


async def test_with_nobody_to_answer_the_result_is_shown_as_it_came(tmp_path: Path) -> None:
    async with connected(tmp_path, "2026", calls={"send": {"ask": [FORM]}}) as crm:
        reply = await crm.request_call("send", {}, {})
        assert reply.result is not None and reply.result["resultType"] == "input_required"
        assert reply.result["inputRequests"] == {"q0": FORM}
        assert any("elicitation/create" in problem.subject for problem in crm.problems)


async def test_a_call_that_is_cancelled_takes_its_question_back(tmp_path: Path) -> None:
    ended: list[str] = []

    async def elicit(_: Elicitation) -> ElicitationAnswer:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("taken back")
        return ElicitationAnswer(Action.CANCEL)

    async with connected(tmp_path, "2026", elicit=elicit, calls={"send": {"ask": [FORM]}}) as crm:
        await give_up(crm.request_call("send", {}, {}), lambda: crm.is_asking)
        assert ended == ["taken back"] and not crm.is_asking
