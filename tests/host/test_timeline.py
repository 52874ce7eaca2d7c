"""The timeline of a call: what is known to belong to it, and what was only said at that time."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from inspector.host.host import Host
from inspector.host.timeline import GRACE, HAPPENINGS, TIMELINES, Timeline, Timelines, What, find_pair
from inspector.workspace.events import StderrLine, TrafficAdded
from inspector.workspace.traffic import Direction, Kind, Traffic
from tests.host.playing import crm, outbox, playing, resolve
from tests.servers.workspace import scripted

DONE = {"result": {"content": []}}


def words(timeline: Timeline) -> list[tuple[str, str, str, bool]]:
    """Each happening: what, which server, its subject, whether it is known to be of the call."""
    return [(h.what.value, h.server, h.subject, h.certain) for h in timeline.happenings]


async def send(host: Host, *citations: Any) -> None:
    await host.send(await resolve(host, *citations))


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_reads_and_call_are_attributed_by_the_requests_themselves(tmp_path: Path, era: str) -> None:
    servers = {"crm": crm(tmp_path, era=era), "outbox": outbox(tmp_path, era=era, calls={"send": DONE})}
    async with playing(tmp_path, servers) as host:
        timelines = Timelines()
        stop = timelines.follow(host)
        # A read that somebody else makes at the same time is no part of the call.
        beside = asyncio.create_task(host.read("crm://signals/9", "crm"))
        await send(host, "crm://signals/1", "crm://signals/77", "mail://1")
        await beside
        stop()
        (timeline,) = timelines.kept
        assert [each for each in words(timeline) if each[3]] == [
            ("read", "crm", "crm://signals/1", True),
            ("read", "crm", "crm://signals/77", True),
            ("call", "outbox", "send", True),
        ]
        pairs = [(h.message, h.answer) for h in timeline.happenings if h.certain]
        assert [answer.kind for _, answer in pairs if answer] == [Kind.RESULT, Kind.ERROR, Kind.RESULT]
        assert all(asked and answer and asked.id == answer.id for asked, answer in pairs)
        assert not timeline.running and timeline.sent is not None
        assert timeline.sending_at is not None and timeline.ended is not None
        assert timeline.began <= timeline.sending_at <= timeline.ended


async def test_what_servers_say_meanwhile_is_in_it_and_no_more_is_claimed_of_it(tmp_path: Path) -> None:
    log = {"method": "notifications/message", "params": {"level": "info", "data": "looked it up"}}
    answer = {"notify": [log], "stderr": "SELECT 1\n", "delay": 0.1, **DONE}
    servers = {
        "crm": crm(tmp_path, era="2025"),
        "outbox": outbox(tmp_path, era="2025", calls={"send": answer}),
        "idle": scripted(tmp_path, "idle"),
    }
    async with playing(tmp_path, servers) as host:
        timelines = Timelines()
        timelines.follow(host)
        await send(host, "crm://signals/1")
        timelines.hear(StderrLine("idle", "not asked"))
        (timeline,) = timelines.kept
        said = [each for each in words(timeline) if not each[3]]
        assert ("log", "outbox", "info: looked it up", False) in said
        assert ("stderr", "outbox", "SELECT 1", False) in said
        assert not any(server == "idle" for _, server, _, _ in said)


async def test_a_resolution_sent_twice_has_two_timelines_with_the_same_reads(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path, calls={"send": DONE})}
    async with playing(tmp_path, servers) as host:
        timelines = Timelines()
        timelines.follow(host)
        resolution = await resolve(host, "crm://signals/1")
        assert timelines.kept[0].sending_at is None
        await host.send(resolution)
        await host.send(resolution)
        one, other = ([h for h in each.happenings if h.certain] for each in timelines.kept)
        assert [h.what for h in one] == [h.what for h in other] == [What.READ, What.CALL]
        assert one[0].message is other[0].message
        assert one[1].message is not other[1].message


async def test_a_call_that_is_given_up_says_so(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path, calls={"send": {"hang": True}})}
    async with playing(tmp_path, servers) as host:
        timelines = Timelines()
        timelines.follow(host)
        resolution = await resolve(host, "crm://signals/1")
        task = asyncio.create_task(host.send(resolution))
        sent = asyncio.Event()
        host.subscribe(lambda _: sent.set() if timelines.kept[0].happenings[-1].what is What.CALL else None)
        await asyncio.wait_for(sent.wait(), 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (timeline,) = timelines.kept
        assert timeline.given_up and not timeline.running and timeline.sent is None


def test_progress_is_attributed_by_its_token_and_words_end_with_the_grace() -> None:
    now = [100.0]
    timelines, traffic = Timelines(lambda: now[0]), Traffic()
    timeline = Timeline(1, "send", "outbox", 100.0)
    timelines._begin(timeline, 1)
    request = traffic.add("outbox", Direction.SENT, Kind.REQUEST, "{}", size=2, id=7, method="tools/call", call=1)
    timelines.hear(TrafficAdded(request))
    for token in (7, 8):
        text = json.dumps({"params": {"progressToken": token, "progress": 1, "total": 3}})
        method = "notifications/progress"
        message = traffic.add("outbox", Direction.RECEIVED, Kind.NOTIFICATION, text, size=9, method=method)
        timeline.ended = message.at
        timelines.hear(TrafficAdded(message))
    told = [(h.subject, h.certain) for h in timeline.happenings if h.what is What.PROGRESS]
    assert told == [("1 of 3", True), ("1 of 3", False)]
    timeline.ended = now[0]
    now[0] += GRACE / 2
    timelines.hear(StderrLine("outbox", "late"))
    now[0] += GRACE
    timelines.hear(StderrLine("outbox", "too late"))
    assert [h.subject for h in timeline.happenings if h.what is What.STDERR] == ["late"]


def test_timelines_are_bounded() -> None:
    timelines = Timelines()
    for number in range(TIMELINES + 5):
        timelines._begin(Timeline(number, "send", "outbox", 0.0), number)
    assert (len(timelines.kept), timelines.dropped) == (TIMELINES, 5)
    for _ in range(HAPPENINGS + 3):
        timelines.hear(StderrLine("outbox", "x" * 100_000))
    newest = timelines.kept[-1]
    assert (len(newest.happenings), newest.dropped) == (HAPPENINGS, 3)
    assert len(newest.happenings[0].subject) < 100_000


def test_a_pair_is_found_though_ids_begin_again_with_each_connection() -> None:
    traffic = Traffic()

    def add(direction: Direction, kind: Kind, server: str = "crm", **fields: Any) -> Any:
        return traffic.add(server, direction, kind, "{}", size=2, id=fields.pop("id", 1), **fields)

    first = add(Direction.SENT, Kind.REQUEST, method="initialize")
    add(Direction.RECEIVED, Kind.RESULT, server="mail")
    answer = add(Direction.RECEIVED, Kind.RESULT, id="1")
    again = add(Direction.SENT, Kind.REQUEST, method="initialize")
    own = add(Direction.RECEIVED, Kind.REQUEST, method="ping")
    pong = add(Direction.SENT, Kind.RESULT)
    messages = traffic.messages
    assert find_pair(messages, first) == (first, answer)
    assert find_pair(messages, answer) == (first, answer)
    assert find_pair(messages, again) == (again, None)
    assert find_pair(messages, own) == (own, pong)
    assert find_pair(messages, pong) == (own, pong)
