"""Servers at their worst, over stdio: nothing hangs, what happened is said, the others go on (R14, R19)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from inspector.workspace.events import StateChanged
from inspector.workspace.problem import Severity
from inspector.workspace.reply import Failure
from inspector.workspace.server import Era, ServerEntry, State, Transport
from tests.workspace.support import TEMPLATE, TOOL, messages, python, running, scripted

GOOD = {"contents": [{"uri": "x://good", "text": "ok"}]}


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (ServerEntry("crm", Transport.STDIO, command="crm2"), "could not start: no such file: crm2"),
        (ServerEntry("crm", Transport.STDIO, command="/etc"), "could not start: not executable: /etc"),
        (
            ServerEntry("crm", Transport.STDIO, command="crm2", cwd="/nowhere"),
            "could not start: no such folder: /nowhere",
        ),
        (ServerEntry("crm", Transport.STDIO, command="crm", unset="TOKEN"), "the variable TOKEN is not set"),
        (python("import sys; sys.exit('no database')"), "exited 1: no database"),
        (python("pass"), "exited 0"),
        (python("import os; os.kill(os.getpid(), 9)"), "was killed by SIGKILL"),
        (
            scripted(start=[{"stderr": "loading\n"}, {"hang": True}], connection_timeout=0.6, asked=Era.LEGACY),
            "no answer to initialize within 0.6 s; its last words: loading",
        ),
        (scripted(start=[{"hang": True}], connection_timeout=0.6), "no answer to initialize within 0.6 s"),
        (
            scripted(handshake=[{"error": {"code": -32600, "message": "go away"}}]),
            "it answered initialize with error -32600: go away",
        ),
        (
            scripted(asked=Era.MODERN, era="2025"),
            "does not speak 2026-07-28: it answered server/discover with error -32601: "
            "Method not found: server/discover",
        ),
        (
            scripted(asked=Era.LEGACY, handshake=[{"result": {"protocolVersion": "2025-11-25"}}]),
            "its answer to initialize is not what the protocol asks for: "
            "capabilities is missing; serverInfo is missing",
        ),
        (
            scripted(asked=Era.LEGACY, handshake=[{"raw": '{"jsonrpc":"2.0","id":$ID,"result":[]}'}]),
            "its answer to initialize is unusable: its result is an array, no object",
        ),
        (
            scripted(
                asked=Era.LEGACY,
                handshake=[
                    {
                        "result": {
                            "protocolVersion": "1999-01-01",
                            "capabilities": {},
                            "serverInfo": {"name": "a", "version": "1"},
                        }
                    }
                ],
            ),
            "Unsupported protocol version from the server: 1999-01-01",
        ),
        (
            scripted(asked=Era.LEGACY, handshake=[{"sleep": 0.1}, {"stderr": "boom\n"}, {"exit": 7}]),
            "exited 7: boom",
        ),
    ],
)
async def test_a_server_that_cannot_be_reached_says_why(entry: ServerEntry, error: str) -> None:
    async with running(entry, scripted("other")) as workspace:
        assert workspace.connections["crm"].state is State.FAILED
        assert workspace.connections["crm"].error == error
        assert f"connection: {error}" in messages(workspace.connections["crm"].problems)
        assert workspace.connections["other"].state is State.CONNECTED


@pytest.mark.parametrize(
    ("how", "failure", "message"),
    [
        ([{"hang": True}], Failure.TIMEOUT, "no answer within 0.4 s"),
        ([{"error": {"code": 5, "message": "no"}}], Failure.ERROR, "no"),
        ([{"stderr": "disk full\n"}, {"exit": 3}], Failure.CLOSED, "exited 3: disk full"),
        ([{"raw": '{"jsonrpc":"2.0","id":$ID}'}], Failure.MALFORMED, "it has neither result nor error"),
        (
            [{"raw": '{"jsonrpc":"2.0","id":$ID,"result":"x"}'}],
            Failure.MALFORMED,
            "its result is a string, no object",
        ),
        (
            [{"raw": '{"jsonrpc":"2.0","id":$ID,"error":"x"}'}],
            Failure.MALFORMED,
            "its error is no object with code and message",
        ),
        (
            [{"raw": '{"jsonrpc":"2.0","id":$ID,"result":{'}],
            Failure.MALFORMED,
            "it is not JSON (Expecting property name enclosed in double quotes, character 35): "
            '{"jsonrpc":"2.0","id":$ID,"result":{',
        ),
        (
            [{"raw": '{"jsonrpc":"2.0","id":$ID,"result":{"n":NaN}}'}],
            Failure.MALFORMED,
            'it is not JSON (NaN is no JSON value): {"jsonrpc":"2.0","id":$ID,"result":{"n":NaN}}',
        ),
        (
            [{"raw": '{"jsonrpc":"2.0","id":$ID,"result":{"contents":[{"text":"a\\ud800"}]}}'}],
            Failure.MALFORMED,
            "it holds a lone surrogate (contents[0].text, character 2)",
        ),
        (
            [{"bytes": b'{"jsonrpc":"2.0","id":$ID,"result":{"a":"\xff"}}'.hex()}],
            Failure.MALFORMED,
            'it is not UTF-8 (byte 40): {"jsonrpc":"2.0","id":$ID,"result":{"a":"\\xff"}}',
        ),
        (
            [{"raw": '{"jsonrpc":"2.0","id":$ID,"result":{"a":' + "[" * 5000}],
            Failure.MALFORMED,
            "it is nested too deeply: " + '{"jsonrpc":"2.0","id":$ID,"result":{"a":' + "[" * 81 + "…",
        ),
    ],
)
async def test_a_read_that_goes_wrong_ends_at_once_and_the_others_go_on(
    how: list[dict[str, Any]], failure: Failure, message: str
) -> None:
    reads = {"x://bad": how, "x://good": [{"sleep": 0.05}, {"result": GOOD}]}
    entry = scripted(reads=reads, request_timeout=0.4)
    async with running(entry, scripted("other", reads=reads)) as workspace:
        crm, other = workspace.connections["crm"], workspace.connections["other"]
        bad, good, elsewhere = await asyncio.gather(
            crm.request_read("x://bad"), crm.request_read("x://good"), other.request_read("x://good")
        )
        assert (bad.failure, bad.result) == (failure, None)
        assert bad.message.replace(f'"id":{_id(bad.message)}', '"id":$ID') == message
        assert elsewhere.failure is None
        if failure is not Failure.CLOSED:
            assert good.failure is None
            assert (await crm.request_read("x://good")).failure is None
            assert crm.state is State.CONNECTED


def _id(message: str) -> str:
    return message.partition('"id":')[2].partition(",")[0]


async def test_a_server_that_exits_during_a_call_is_failed_with_exit_code_and_last_words() -> None:
    entry = scripted(
        tools=[TOOL], calls={"send": [{"stderr": "boom\n"}, {"exit": 9}]}, reads={"x://h": [{"hang": 1}]}
    )
    async with running(entry) as workspace:
        crm = workspace.connections["crm"]
        changed = asyncio.Event()
        workspace.subscribe(lambda event: changed.set() if isinstance(event, StateChanged) else None)
        read, call = await asyncio.gather(crm.request_read("x://h"), crm.request_call("send", {}, {}))
        assert (read.failure, read.message) == (Failure.CLOSED, "exited 9: boom")
        assert (call.failure, call.message) == (Failure.CLOSED, "exited 9: boom")
        await changed.wait()
        assert (crm.state, crm.error, crm.catalog.tools) == (State.FAILED, "exited 9: boom", ())


async def test_a_request_can_be_cancelled_and_the_server_is_told() -> None:
    async with running(scripted(reads={"x://h": [{"hang": True}]})) as workspace:
        task = asyncio.create_task(workspace.connections["crm"].request_read("x://h"))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [m.method for m in workspace.traffic.messages][-1] == "notifications/cancelled"


async def test_noise_among_the_messages_is_shown_and_harms_nothing() -> None:
    noise = [{"raw": "Server ready!"}, {"raw": ""}, {"raw": "[1]"}, {"bytes": "efbbbf7b7d"}]
    async with running(scripted(tools=[TOOL], start=noise)) as workspace:
        crm = workspace.connections["crm"]
        assert len(crm.catalog.tools) == 1
        assert messages(crm.problems) == [
            "stdout: a line among the messages is not JSON (Expecting value, character 1): Server ready!",
            "stdout: a line among the messages is an array, no JSON-RPC message: [1]",
            "stdout: a byte order mark before a message",
            "messages: an answer to no open request (id null)",
        ]


async def test_a_flood_on_standard_error_is_bounded_and_harms_nothing() -> None:
    entry = scripted(tools=[TOOL], start=[{"flood": 50_000}])
    async with running(entry) as workspace:
        crm = workspace.connections["crm"]
        assert len(crm.catalog.tools) == 1
        assert len(crm.stderr) <= 1_000
        assert crm.stderr[-1].startswith("line 49999 ")


async def test_answers_twice_late_and_under_another_id() -> None:
    answer = '{"jsonrpc":"2.0","id":%s,"result":{"contents":[]}}'
    reads = {
        "x://twice": [{"raw": answer % "$ID"}, {"raw": answer % "$ID"}],
        "x://text": [{"raw": answer % '"$ID"'}],
        "x://other": [{"raw": answer % "99"}, {"hang": True}],
        "x://late": [{"sleep": 0.5}, {"raw": answer % "$ID"}],
    }
    async with running(scripted(asked=Era.LEGACY, reads=reads, request_timeout=0.4)) as workspace:
        crm = workspace.connections["crm"]
        assert (await crm.request_read("x://twice")).failure is None
        reply = await crm.request_read("x://text")
        number = [m.id for m in workspace.traffic.messages if m.direction == "sent"][-1]
        # The SDK takes it, and so would a host: a problem of the server, not of the result.
        assert reply.failure is None and reply.departures == ()
        assert f'answered with id "{number}" instead of {number}' in [problem.message for problem in crm.problems]
        assert (await crm.request_read("x://other")).failure is Failure.TIMEOUT
        assert (await crm.request_read("x://late")).failure is Failure.TIMEOUT
        await asyncio.sleep(0.2)
        found = messages(crm.problems)
        assert "messages: an answer to no open request (id 99)" in found
        assert len(found) == 3  # the second answer, the id as text, and 99; a late answer is no fault


async def test_a_message_longer_than_the_bound_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.workspace.stdio.MESSAGE_BYTES", 100_000)
    long = '{"jsonrpc":"2.0","id":$ID,"result":{"contents":[{"uri":"x://long","text":"$LONG"}]}}'
    reads = {
        "x://long": [{"raw": long}],
        "x://good": [{"result": GOOD}],
        "x://endless": [{"set": {"long": 1_700_000}}, {"raw": "$LONG"}],
    }
    async with running(scripted(reads=reads, request_timeout=2, long=120_000)) as workspace:
        crm = workspace.connections["crm"]
        reply = await crm.request_read("x://long")
        assert reply.failure is Failure.MALFORMED
        assert reply.message.startswith("it is longer than 64 MB and was not read to its end: ")
        assert (await crm.request_read("x://good")).failure is None
        reply = await crm.request_read("x://endless")
        assert (reply.failure, reply.message) == (Failure.CLOSED, "sent a message without end")


@pytest.mark.parametrize(
    ("arguments", "meta", "message"),
    [
        ({"citations": ["ok", "crm://s\ud800"]}, {}, "arguments.citations[1], character 8: a lone surrogate"),
        ({"a": {"\udfff": 1}}, {}, "the key of arguments.a, character 1: a lone surrogate"),
        ({}, {"k": {"text": "\ud800"}}, "_meta.k.text, character 1: a lone surrogate"),
        ({"n": [float("nan")]}, {}, "arguments.n[0]: nan is no JSON number"),
    ],
)
async def test_what_json_rpc_cannot_carry_is_refused_before_it_is_sent(
    arguments: dict[str, Any], meta: dict[str, Any], message: str
) -> None:
    async with running(scripted(tools=[TOOL])) as workspace:
        crm = workspace.connections["crm"]
        count = len(workspace.traffic.messages)
        reply = await crm.request_call("send", arguments, meta)
        assert reply.failure is Failure.REFUSED
        assert reply.message.startswith(f"not sent: {message}")
        assert (await crm.request_read("x://\ud800")).message.startswith("not sent: uri, character 5: ")
        assert len(workspace.traffic.messages) == count
        assert (await crm.request_call("send", {}, {})).failure is None


async def test_departures_are_said_and_the_result_is_given_as_it_came() -> None:
    results: dict[str, Any] = {
        "empty": {},
        "block": {"content": [{"type": "text", "text": 5}], "isError": False},
        "asks": {"resultType": "input_required", "inputRequests": {}},
    }
    calls = {name: [{"result": result}] for name, result in results.items()}
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in results]
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tools.append({"name": "output", "inputSchema": {"type": "object"}, "outputSchema": schema})
    calls["output"] = [{"result": {"content": [], "structuredContent": {"n": "x"}}}]
    async with running(scripted(tools=tools, calls=calls, templates=[TEMPLATE])) as workspace:
        crm = workspace.connections["crm"]
        found = {}
        for name in calls:
            reply = await crm.request_call(name, {}, {})
            assert reply.failure is None and reply.result is not None
            found[name] = (dict(reply.result), reply.departures)
        assert found["empty"] == ({"resultType": "complete"}, ("content is missing",))
        assert found["block"][0]["content"] == [{"type": "text", "text": 5}]
        assert found["block"][1][0] == "content[0].text is 5, not a string"
        assert found["asks"][1][0] == 'resultType is "input_required", not complete: shown as it came'
        assert found["output"][1] == (
            "Invalid structured content returned by tool output: 'x' is not of type 'integer'",
        )


async def test_what_2026_must_carry_and_does_not_is_a_problem_and_nothing_is_lost() -> None:
    reads = {"x://good": [{"result": GOOD}]}
    entry = scripted(asked=Era.LEGACY, tools=[TOOL], reads=reads, bare=True)
    async with running(entry) as workspace:
        assert workspace.connections["crm"].problems == ()
    handshake = [
        {
            "result": {
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
            }
        }
    ]
    async with running(scripted(tools=[TOOL], reads=reads, bare=True, handshake=handshake)) as workspace:
        crm = workspace.connections["crm"]
        assert crm.server_info is None
        assert len(crm.catalog.tools) == 1
        reply = await crm.request_read("x://good")
        assert reply.result == GOOD
        missing = ("resultType", "ttlMs", "cacheScope")
        assert reply.departures == tuple(f"the result has no {name}" for name in missing)
        expected = [
            f"{method}: the result has no {name}"
            for method in ("resources/read", "tools/list")
            for name in missing
        ]
        assert messages(crm.problems) == expected
        assert {problem.severity for problem in crm.problems} == {Severity.ERROR}
