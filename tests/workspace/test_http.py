"""Servers over Streamable HTTP and over the SSE transport of 2024, on real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from inspector.workspace.events import StateChanged
from inspector.workspace.reply import Failure
from inspector.workspace.server import Era, ServerEntry, State, Transport
from tests.workspace.http_servers import EVENTS, JSON, Scripted, encode, sdk_server, serving
from tests.workspace.support import CLAIM, messages, running

SECRET = "s3cret-t0ken"


def http(url: str, **fields: Any) -> ServerEntry:
    fields = {"request_timeout": 1.0, "connection_timeout": 3.0, **fields}
    return ServerEntry("web", Transport.HTTP, url=url, headers={"Authorization": f"Bearer {SECRET}"}, **fields)


@pytest.fixture(scope="module")
def sdk_urls() -> Iterator[dict[str, str]]:
    with (
        serving(sdk_server().streamable_http_app()) as streaming,
        serving(sdk_server().streamable_http_app(json_response=True)) as plain,
        serving(sdk_server().sse_app()) as sse,
    ):
        yield {"streaming": f"{streaming}/mcp", "plain": f"{plain}/mcp", "sse": f"{sse}/sse"}


@pytest.mark.parametrize(
    ("kind", "era", "version"),
    [
        ("streaming", Era.AUTO, "2026-07-28"),
        ("streaming", Era.LEGACY, "2025-11-25"),
        ("plain", Era.MODERN, "2026-07-28"),
        ("plain", Era.LEGACY, "2025-11-25"),
        ("sse", Era.AUTO, "2026-07-28"),
        ("sse", Era.LEGACY, "2025-11-25"),
    ],
)
async def test_a_server_on_the_sdk_is_listed_read_and_called(
    sdk_urls: dict[str, str], kind: str, era: Era, version: str
) -> None:
    entry = http(sdk_urls[kind], era=era)
    if kind == "sse":
        entry = replace(entry, transport=Transport.SSE)
    async with running(entry) as workspace:
        web = workspace.connections["web"]
        assert (web.state, web.error, web.protocol_version) == (State.CONNECTED, None, version)
        assert [tool.name for tool in web.catalog.tools] == ["send"]
        assert [template.text for template in web.catalog.templates] == ["crm://signals/{number}"]
        reply = await web.request_read("crm://signals/42")
        assert reply.result is not None
        assert json.loads(reply.result["contents"][0]["text"]) == {"id": "42", "text": "é"}
        failed = await web.request_read("crm://signals/7")
        assert failed.failure is Failure.ERROR
        reply = await web.request_call("send", {"citations": ["é"], "body": "b"}, {"ai.example/x": {"n": 10**20}})
        assert reply.result is not None
        assert json.loads(reply.result["content"][0]["text"]) == ["b", ["é"]]
        assert (reply.departures, messages(web.problems)) == ((), [])
        sent = [json.loads(m.text) for m in workspace.traffic.messages if m.direction == "sent"]
        call = next(message for message in sent if message["method"] == "tools/call")
        assert call["params"]["_meta"]["ai.example/x"] == {"n": 10**20}
        first = sent[0]["params"]
        claimed = first.get("capabilities") or first["_meta"]["io.modelcontextprotocol/clientCapabilities"]
        assert claimed["extensions"] == CLAIM
    assert web.state is State.STOPPED


Answer = Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]]


def fixed(status: int, headers: dict[str, str], body: bytes = b"") -> Answer:
    return lambda message: (status, headers, body.replace(b"$ID", str(message.get("id")).encode()))


GOOD = b'{"jsonrpc":"2.0","id":$ID,"result":{"contents":[]}}'


@pytest.mark.parametrize(
    ("answer", "failure", "message"),
    [
        (fixed(401, {"www-authenticate": "Bearer"}), "malformed", "HTTP 401 Unauthorized from URL: needs "),
        (
            fixed(403, {}),
            "malformed",
            "HTTP 403 Forbidden from URL: the authorization given does not suffice",
        ),
        (fixed(404, {}), "malformed", "HTTP 404 Not Found from URL: "),
        (
            fixed(429, {"retry-after": "7"}),
            "malformed",
            "HTTP 429 Too Many Requests from URL: too many requests: try ",
        ),
        (fixed(500, {}, b"<h1>"), "malformed", "HTTP 500 Internal Server Error from URL"),
        (fixed(599, {}), "malformed", "HTTP 599 from URL"),
        (fixed(400, JSON, b'{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}'), "error", "no"),
        (
            fixed(200, {"content-type": "text/html"}, b"<h1>Hi"),
            "malformed",
            "it is text/html, not JSON: <h1>Hi",
        ),
        (
            fixed(200, JSON, b"nonsense"),
            "malformed",
            "it is not JSON (Expecting value, character 1): nonsense",
        ),
        (fixed(200, JSON, b"[]"), "malformed", "it is an array, no JSON-RPC message: []"),
        (
            fixed(200, JSON, b'{"jsonrpc":"2.0","id":$ID,"result":7}'),
            "malformed",
            "its result is a number, no object",
        ),
        (
            fixed(200, EVENTS, b"data: nonsense\n\n"),
            "malformed",
            "it is not JSON (Expecting value, character 1): n",
        ),
        (
            fixed(200, EVENTS, b"data: " + GOOD.replace(b'{"contents":[]}', b"[]") + b"\n\n"),
            "malformed",
            "its result",
        ),
        (
            fixed(200, EVENTS, b": nothing\n\n"),
            "closed",
            "SSE stream ended without a response",
        ),
        (fixed(202, {}), "closed", "server answered a request with 202 Accepted"),
        (
            fixed(302, {"location": "http://elsewhere.example/"}),
            "closed",
            "Redirect to ",
        ),
    ],
)
async def test_an_answer_that_is_none_ends_its_request_and_no_other(
    answer: Answer, failure: str, message: str
) -> None:
    app = Scripted(**{"x://bad": answer})
    with serving(app) as url:
        async with running(http(f"{url}/mcp?key={SECRET}", era=Era.LEGACY)) as workspace:
            web = workspace.connections["web"]
            bad, good = await asyncio.gather(web.request_read("x://bad"), web.request_read("x://good"))
            assert (bad.failure, bad.result) == (failure, None)
            assert bad.message.replace(f"{url}/mcp", "URL").startswith(message)
            assert SECRET not in bad.message
            assert good.failure is None
            assert web.state is State.CONNECTED
            assert app.headers[0]["authorization"] == f"Bearer {SECRET}"
            assert not any(SECRET in message.text for message in workspace.traffic.messages)


async def test_good_answers_of_every_dress() -> None:
    packed = {**JSON, "content-encoding": "gzip"}
    app = Scripted(
        **{
            "x://gzip": lambda message: (
                200,
                packed,
                gzip.compress(encode(message, result={"contents": []})),
            ),
            "x://events": fixed(200, EVENTS, b"event: message\r\nid: 1\r\ndata: " + GOOD + b"\r\n\r\n"),
            "x://lines": fixed(200, EVENTS, b"data: " + GOOD.replace(b",", b",\ndata: ") + b"\n\n"),
            "x://charset": lambda message: (
                200,
                {"content-type": "application/json; charset=utf-8"},
                encode(message, result={"contents": []}),
            ),
        }
    )
    with serving(app) as url:
        async with running(http(url, era=Era.LEGACY)) as workspace:
            web = workspace.connections["web"]
            for name in ("gzip", "events", "lines", "charset"):
                reply = await web.request_read(f"x://{name}")
                assert (name, reply.failure, reply.result) == (name, None, {"contents": []})


async def test_a_body_longer_than_the_bound_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.workspace.http_client.MESSAGE_BYTES", 10_000)
    long = GOOD.replace(b"[]", b'["' + b"x" * 20_000 + b'"]')
    app = Scripted(
        **{"x://json": fixed(200, JSON, long), "x://sse": fixed(200, EVENTS, b"data: " + long + b"\n\n")}
    )
    with serving(app) as url:
        async with running(http(url, era=Era.LEGACY)) as workspace:
            web = workspace.connections["web"]
            reply = await web.request_read("x://json")
            assert reply.message.startswith("it is longer than 64 MB and was not read to its end")
            reply = await web.request_read("x://sse")
            assert (reply.failure, reply.message[:28]) == (Failure.MALFORMED, "its event stream is broken: ")
            assert (await web.request_read("x://good")).failure is None


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        (
            {"initialize": fixed(401, {}), "server/discover": fixed(401, {})},
            "HTTP 401 Unauthorized from URL: needs authorization: set headers.Authorization",
        ),
        (
            {
                "initialize": fixed(200, {"content-type": "text/html"}, b"<h1>"),
                "server/discover": fixed(404, {}),
            },
            "its answer to initialize is unusable: it is text/html, not JSON: <h1>",
        ),
    ],
)
async def test_a_server_that_does_not_let_in_says_why(answers: dict[str, Answer], error: str) -> None:
    with serving(Scripted(**answers)) as url:
        async with running(http(f"{url.replace('//', f'//me:{SECRET}@')}/mcp?k={SECRET}")) as workspace:
            web = workspace.connections["web"]
            assert (web.state, (web.error or "").replace(f"{url}/mcp", "URL")) == (State.FAILED, error)


@pytest.mark.parametrize("transport", [Transport.HTTP, Transport.SSE])
async def test_nobody_at_the_address(transport: Transport) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with running(replace(http(f"http://127.0.0.1:{port}/mcp"), transport=transport)) as workspace:
        error = workspace.connections["web"].error
        assert error == f"could not connect to http://127.0.0.1:{port}/mcp: connection refused"


async def test_a_server_that_accepts_and_says_nothing() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/mcp"
        entries = [
            replace(http(url, connection_timeout=1.5), name=name, transport=transport)
            for name, transport in (("web", Transport.HTTP), ("old", Transport.SSE))
        ]
        async with running(*entries) as workspace:
            assert workspace.connections["web"].error == "no answer to initialize within 1.5 s"
            assert workspace.connections["old"].error == f"no answer from {url} within 1.5 s"


async def test_a_post_that_fails_over_the_sse_transport_ends_its_request() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if scope["method"] == "POST":
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"event: endpoint\ndata: /post\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    with serving(app) as url:
        async with running(replace(http(f"{url}/sse"), transport=Transport.SSE)) as workspace:
            assert workspace.connections["web"].error == f"HTTP 500 Internal Server Error from {url}/post"


async def test_a_server_that_dies_while_connected_fails_its_requests_in_words() -> None:
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(serving(Scripted()))
        async with running(http(url, era=Era.LEGACY)) as workspace:
            web = workspace.connections["web"]
            assert (await web.request_read("x://good")).failure is None
            stack.close()
            reply = await web.request_read("x://good")
            assert (reply.failure, reply.message) == (
                Failure.CLOSED,
                f"could not connect to {url}: connection refused",
            )


async def test_an_sse_stream_that_ends_is_a_failed_connection() -> None:
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(serving(sdk_server().sse_app()))
        async with running(replace(http(f"{url}/sse"), transport=Transport.SSE)) as workspace:
            web = workspace.connections["web"]
            failed = asyncio.Event()
            workspace.subscribe(lambda event: failed.set() if isinstance(event, StateChanged) else None)
            stack.close()
            await asyncio.wait_for(failed.wait(), 5)
            assert (web.state, web.error) == (State.FAILED, f"{url}/sse broke off the connection")
