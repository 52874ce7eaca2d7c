"""What a workspace tells, what it asks a person for, and what it leaves behind: nothing."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector.workspace.events import (
    Event,
    LogMessage,
    ProblemFound,
    Progress,
    StateChanged,
    StderrLine,
    TrafficAdded,
)
from inspector.workspace.reply import Failure
from inspector.workspace.server import Era, InputRequest, ServerEntry, State
from inspector.workspace.traffic import COUNT_LIMIT, MESSAGE_LIMIT, TOTAL_LIMIT, Direction, Kind, Traffic
from inspector.workspace.workspace import Workspace
from tests.workspace.support import CLAIM, TOOL, messages, running, scripted

TOKEN = "n0t-to-be-seen"


async def test_a_subscriber_hears_of_all_that_happens() -> None:
    steps = [
        {
            "notify": {
                "method": "notifications/message",
                "params": {"level": "info", "data": {"a": 1}, "logger": "l"},
            }
        },
        {"stderr": "working\n"},
        {"raw": "noise"},
        {
            "notify": {
                "method": "notifications/progress",
                "params": {"progressToken": 9, "progress": 1, "total": 2},
            }
        },
        {"sleep": 0.1},
        {"result": {"content": []}},
    ]
    events: list[Event] = []
    workspace = Workspace([scripted(tools=[TOOL], calls={"send": steps})], extensions=lambda entry: CLAIM)
    unsubscribe = workspace.subscribe(events.append)
    await workspace.start()
    await workspace.settled()
    await workspace.connections["crm"].request_call("send", {}, {})
    await workspace.close()
    unsubscribe()
    states = [event.state for event in events if isinstance(event, StateChanged)]
    assert states == [State.CONNECTING, State.CONNECTED, State.STOPPED]
    assert LogMessage("crm", "info", {"a": 1}, "l") in events
    assert StderrLine("crm", "working") in events
    assert Progress("crm", 9, 1, 2, None) in events
    assert [event.problem.subject for event in events if isinstance(event, ProblemFound)] == [
        "notifications/message",
        "stdout",
    ]
    assert [event.message for event in events if isinstance(event, TrafficAdded)] == list(
        workspace.traffic.messages
    )
    count = len(events)
    await workspace.start()
    await workspace.close()
    assert len(events) == count


async def test_progress_of_a_call_goes_to_who_asked_for_it() -> None:
    progress = {
        "method": "notifications/progress",
        "params": {"progressToken": "$TOKEN", "progress": 3, "message": "m"},
    }
    steps = [{"notify": progress}, {"sleep": 0.1}, {"result": {"content": []}}]
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with running(scripted(tools=[TOOL], calls={"send": steps})) as workspace:
        await workspace.connections["crm"].request_call("send", {}, {}, progress=hear)
        assert heard == [(3.0, None, "m")]


async def test_a_subscriber_that_fails_harms_no_connection() -> None:
    reported: list[Mapping[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    workspace = Workspace([scripted(tools=[TOOL])], extensions=lambda entry: CLAIM)

    def fail(event: Event) -> None:
        raise RuntimeError("mine")

    workspace.subscribe(fail)
    await workspace.start()
    await workspace.settled()
    assert workspace.connections["crm"].state is State.CONNECTED
    await workspace.close()
    assert all(context["message"] == "a workspace subscriber failed" for context in reported)
    assert reported


async def test_what_the_sdk_logs_is_an_event_and_not_on_the_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    events: list[Event] = []
    async with running(scripted()) as workspace:
        workspace.subscribe(events.append)
        logging.getLogger("mcp.client").warning("careful: %s", "x" * 5_000)
        logging.getLogger("httpx2").info("HTTP Request: POST http://x/?key=secret")
    assert [(event.server, event.level, event.data[:10]) for event in events if isinstance(event, LogMessage)] == [
        (None, "warning", "careful: x")
    ]
    assert capfd.readouterr() == ("", "")
    assert logging.getLogger("mcp").propagate


async def test_inputs_are_asked_for_once_and_never_kept_after_a_failure() -> None:
    asked: list[InputRequest] = []
    answers: dict[str, str | None] = {"token": TOKEN, "region": "eu"}

    async def ask(request: InputRequest) -> str | None:
        asked.append(request)
        return answers[request.identifier]

    code = "import os, sys; print(os.environ['TOKEN'][:3], file=sys.stderr); sys.exit(2)"
    token = InputRequest("crm", "token", "API token", password=True)
    entry = replace(
        scripted("crm"),
        args=("-c", code),
        env={"TOKEN": "${input:token}"},
        inputs=(token, InputRequest("crm", "region")),
    )
    good = replace(scripted("good"), env={"T": "${input:region}"}, inputs=(InputRequest("good", "region"),))
    workspace = Workspace([good, entry], extensions=lambda entry: CLAIM, ask_input=ask)
    await workspace.start()
    await workspace.settled()
    assert workspace.connections["crm"].error == f"exited 2: {TOKEN[:3]}"
    assert workspace.connections["good"].state is State.CONNECTED
    assert [request.identifier for request in asked] == ["region", "token"]
    answers["token"] = None
    await workspace.reconnect("crm")
    assert workspace.connections["crm"].error == "needs the input token, which was not given"
    assert not any(TOKEN in message.text for message in workspace.traffic.messages)
    assert TOKEN not in repr(workspace.connections["crm"].entry)
    await workspace.close()


async def test_with_nobody_to_ask_a_server_fails_by_the_name_of_its_input() -> None:
    entry = replace(scripted(), inputs=(InputRequest("crm", "token"),))
    async with running(entry) as workspace:
        assert workspace.connections["crm"].error == "needs the input token, which was not given"


async def test_only_some_servers_can_be_started_and_one_can_be_stopped() -> None:
    workspace = Workspace([scripted("a", tools=[TOOL]), scripted("b")], extensions=lambda entry: CLAIM)
    await workspace.start(only=["a"])
    await workspace.settled()
    assert [connection.state for connection in workspace.connections.values()] == [
        State.CONNECTED,
        State.IDLE,
    ]
    await workspace.stop("a")
    stopped = workspace.connections["a"]
    assert (stopped.state, stopped.catalog.tools, stopped.pid) == (State.STOPPED, (), None)
    reply = await stopped.request_read("x://1")
    assert (reply.failure, reply.message) == (Failure.CLOSED, "not connected (stopped)")
    await workspace.close()


async def test_other_entries_keep_what_is_unchanged() -> None:
    a, b, c = scripted("a"), scripted("b"), scripted("c")
    async with running(a, b) as workspace:
        kept = workspace.connections["a"]
        pid, other = kept.pid, workspace.connections["b"].pid
        renewed = await workspace.set_entries([c, replace(b, era=Era.LEGACY), a])
        await workspace.settled()
        assert renewed == ("c", "b")
        assert list(workspace.connections) == ["c", "b", "a"]
        assert (workspace.connections["a"], kept.pid) == (kept, pid)
        assert workspace.connections["b"].pid != other
        assert workspace.connections["b"].protocol_version == "2025-11-25"
        await workspace.set_entries([a])
        assert list(workspace.connections) == ["a"]


async def test_a_claim_that_changes_reconnects_those_it_concerns() -> None:
    limits = {"a": 1, "b": 1}

    def claims(entry: ServerEntry) -> dict[str, dict[str, int]]:
        return {"ai.example/test": {"limit": limits[entry.name]}}

    workspace = Workspace([scripted("a"), scripted("b")], extensions=claims)
    await workspace.start()
    await workspace.settled()
    limits["b"] = 2
    assert [change.server for change in await workspace.renew_claims()] == ["b"]
    sent = [json.loads(m.text) for m in workspace.traffic.messages if m.server == "b" and m.direction == "sent"]
    capabilities = sent[-1]["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]
    assert capabilities["extensions"] == {"ai.example/test": {"limit": 2}}
    await workspace.close()


async def test_closing_while_connecting_or_asking_is_quick_and_leaves_nothing() -> None:
    hanging = scripted("hanging", start=[{"sleep": 30}], connection_timeout=30)
    busy = scripted("busy", reads={"x://h": [{"hang": True}]}, request_timeout=30)
    descriptors = _descriptors()
    async with running(hanging, busy, settle=False) as workspace:
        await workspace.connections["busy"].settled()
        read = asyncio.create_task(workspace.connections["busy"].request_read("x://h"))
        await asyncio.sleep(0.1)
        await workspace.close()
        reply = await read
        assert (reply.failure, reply.message) == (Failure.CLOSED, "the connection was stopped")
        assert workspace.connections["hanging"].state is State.STOPPED
    await asyncio.sleep(0.05)
    gc.collect()
    assert _descriptors() <= descriptors
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_a_cancelled_workspace_leaves_no_process() -> None:
    workspace = Workspace([scripted(start=[{"deaf": True}])], extensions=lambda entry: CLAIM)
    await workspace.start()
    await workspace.settled()
    pid = workspace.connections["crm"].pid
    assert pid is not None
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for _ in range(2):
        for task in tasks:
            task.cancel()
        await asyncio.sleep(0.05)
    await asyncio.wait(tasks, timeout=5)
    await asyncio.sleep(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with contextlib.suppress(asyncio.CancelledError):
        await workspace.close()


async def test_deprecated_features_that_a_server_leans_on_are_noted() -> None:
    steps = [{"notify": {"id": 77, "method": "roots/list"}}, {"sleep": 0.05}, {"result": {"content": []}}]
    async with running(scripted(asked=Era.LEGACY, tools=[TOOL], calls={"send": steps})) as workspace:
        crm = workspace.connections["crm"]
        await crm.request_call("send", {}, {})
        assert messages(crm.problems) == [
            "roots/list: the server uses roots, which 2026-07-28 deprecates",
            "roots/list: it asks for roots/list, which this client does not claim",
        ]


def test_traffic_is_bounded_and_the_cut_is_marked() -> None:
    traffic = Traffic()
    for number in range(COUNT_LIMIT + 10):
        traffic.add("a", Direction.SENT, Kind.REQUEST, f"{number}", size=1)
    assert (len(traffic.messages), traffic.dropped, traffic.messages[0].text) == (COUNT_LIMIT, 10, "10")
    for _ in range(8):
        message = traffic.add(
            "a", Direction.RECEIVED, Kind.RESULT, "x" * (MESSAGE_LIMIT + 1), size=MESSAGE_LIMIT + 1
        )
    assert (message.cut, len(message.text), message.size) == (True, MESSAGE_LIMIT, MESSAGE_LIMIT + 1)
    assert len(traffic.messages) == TOTAL_LIMIT // MESSAGE_LIMIT


def _descriptors() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0
