"""What happened while a call was made, in time order: its reads, itself, and what its servers said meanwhile.

A request belongs to a call where it was sent for it, an answer where it answers such a request, progress where it
names one by its token: that is known (`certain`). A log notification and a line of standard error name no request:
they are taken for what a server of the call said at that time, and no more is claimed of them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from inspector.host.call import SentCall
from inspector.host.call_steps import CallStep, Phase
from inspector.host.host import Host, HostChanged
from inspector.host.resolution import Resolution
from inspector.workspace.events import Event, StderrLine, TrafficAdded
from inspector.workspace.traffic import Direction, Message
from inspector.workspace.traffic import Kind as MessageKind

GRACE: Final = 0.25
"""Seconds after the end of a call in which its servers' words still count: standard error comes by a way of its
own, and may be later than the answer that it came before."""

TIMELINES: Final = 200
"""The most timelines that are kept: the oldest go first."""

HAPPENINGS: Final = 2_000
"""The most happenings of one timeline; more are counted."""

CHARACTERS: Final = 32_000_000
"""The most characters that the messages of all timelines have together: the oldest go first, never the last."""

_LATEST: Final = 8
"""How many of the newest calls can still be told something: more never run at a time."""

_TEXT: Final = 2_000
"""Characters of a line that are kept."""


class What(StrEnum):
    """What happened."""

    READ = "read"
    CALL = "call"
    REQUEST = "request"
    """Another request: of ours for the call, or of a server at that time."""
    PROGRESS = "progress"
    LOG = "log"
    NOTIFICATION = "notification"
    STDERR = "stderr"
    NOISE = "noise"
    """A line among the messages that is none."""


@dataclass(slots=True)
class Happening:
    """One line of a timeline. `at` is in seconds since the epoch. `subject` is a URI, a tool, or what was said.

    `message` is what was sent or came, `answer` what answers it once that came. `certain` is false where all that
    is known is that it was at that time.
    """

    at: float
    server: str
    what: What
    subject: str
    message: Message | None = None
    answer: Message | None = None
    certain: bool = True


@dataclass(slots=True, eq=False)
class Timeline:
    """One call: `began` in seconds since the epoch; `happenings` in time order; `dropped` counts those beyond.

    `sending_at` is when it was sent, None where it was not yet; `ended` when what ran last ended, None while it
    runs. `given_up` says that it was cancelled or failed.
    """

    number: int
    tool: str
    server: str
    began: float
    resolution: Resolution | None = None
    sending_at: float | None = None
    sent: SentCall | None = None
    ended: float | None = None
    given_up: bool = False
    happenings: list[Happening] = field(default_factory=list)
    dropped: int = 0
    characters: int = 0

    @property
    def running(self) -> bool:
        """Whether it is being resolved or sent now."""
        return self.ended is None

    def hears(self, server: str, now: float) -> bool:
        """Whether what that server says now is of the time of this call."""
        during = self.ended is None or now <= self.ended + GRACE
        return during and (server == self.server or any(h.server == server for h in self.happenings))

    def add(self, happening: Happening) -> None:
        """Keeps what happened, in its place in time."""
        if len(self.happenings) >= HAPPENINGS:
            self.dropped += 1
            return
        self.happenings.append(happening)
        if len(self.happenings) > 1 and self.happenings[-2].at > happening.at:
            self.happenings.sort(key=lambda each: each.at)
        self._count(happening.message)

    def answer(self, answer: Message) -> None:
        """Puts an answer beside its request: the latest one of that id that has none."""
        for happening in reversed(self.happenings):
            asked = happening.message
            if asked is not None and happening.answer is None and _answers(answer, asked):
                happening.answer = answer
                self._count(answer)
                return

    def asked_with(self, server: str, token: Any) -> bool:
        """Whether a request of this call to that server gave this progress token."""
        return any(
            happening.message is not None
            and happening.server == server
            and happening.message.direction is Direction.SENT
            and token is not None
            and str(happening.message.id) == str(token)
            for happening in self.happenings
        )

    def _count(self, message: Message | None) -> None:
        self.characters += len(message.text) if message is not None else 0


class Timelines:
    """The timelines of a host's calls, made from its steps and events while it is listened to.

    `changed` grows with everything that alters one.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._kept: list[Timeline] = []
        self._running: dict[int, Timeline] = {}
        self.dropped = 0
        self.changed = 0

    @property
    def kept(self) -> Sequence[Timeline]:
        """The timelines, oldest first."""
        return tuple(self._kept)

    def follow(self, host: Host) -> Callable[[], None]:
        """Listens to a host; returns what ends that."""
        stops = (host.steps.subscribe(self.step), host.subscribe(self.hear))

        def stop() -> None:
            for each in stops:
                each()

        return stop

    def step(self, step: CallStep) -> None:
        """A call was begun, went on, or ended."""
        self.changed += 1
        if step.phase is Phase.RESOLVING:
            self._begin(Timeline(step.number, step.tool.name, step.tool.server, step.at), step.number)
        elif step.phase is Phase.SENDING and step.resolution is not None:
            timeline = self._of(step.resolution, step.number)
            timeline.sending_at, timeline.ended, timeline.given_up = step.at, None, False
            self._running[step.number] = timeline
        elif (ended := self._running.pop(step.number, None)) is not None:
            ended.ended, ended.given_up = step.at, step.phase is Phase.GIVEN_UP
            ended.resolution, ended.sent = step.resolution, step.sent
            self._shed()

    def _begin(self, timeline: Timeline, number: int) -> None:
        self._kept.append(timeline)
        self._running[number] = timeline
        self._shed()

    def _of(self, resolution: Resolution, number: int) -> Timeline:
        """The timeline that a resolution was made on; another with the same reads where that was sent before."""
        made = next((each for each in reversed(self._kept) if each.resolution is resolution), None)
        if made is not None and made.sending_at is None:
            return made
        tool = resolution.tool
        timeline = Timeline(number, tool.name, tool.server, self._clock(), resolution)
        if made is not None and made.sending_at is not None:
            timeline.began = made.began
            for happening in made.happenings:
                if happening.at < made.sending_at:
                    timeline.add(happening)
        self._kept.append(timeline)
        return timeline

    def _shed(self) -> None:
        while len(self._kept) > 1 and (
            len(self._kept) > TIMELINES or sum(each.characters for each in self._kept) > CHARACTERS
        ):
            del self._kept[0]
            self.dropped += 1

    def hear(self, event: Event | HostChanged) -> None:
        """Something happened at a server."""
        if isinstance(event, TrafficAdded):
            self._traffic(event.message)
        elif isinstance(event, StderrLine):
            now = self._clock()
            self._meanwhile(Happening(now, event.server, What.STDERR, event.line[:_TEXT], certain=False))

    def _traffic(self, message: Message) -> None:
        timeline = self._running.get(message.call) if message.call is not None else None
        if timeline is not None:
            self.changed += 1
            if message.direction is Direction.SENT:
                happening = _sent(message)
                if happening.what is What.CALL:
                    happening.subject = timeline.tool[:_TEXT]
                timeline.add(happening)
            else:
                timeline.answer(message)
        elif message.method == _OF_THE_CONNECTION:
            return
        elif message.direction is Direction.RECEIVED and message.kind in _UNASKED:
            self._said(message)
        elif message.direction is Direction.SENT and message.kind is MessageKind.RESULT:
            # What a server asked meanwhile is answered.
            for each in self._kept[-_LATEST:]:
                each.answer(message)

    def _said(self, message: Message) -> None:
        what = _WHAT.get(message.method or "", _UNASKED[message.kind])
        params = _params(message) if what in (What.PROGRESS, What.LOG) else {}
        happening = Happening(message.at, message.server, what, _said_words(message, params), message)
        if what is What.PROGRESS:
            token = params.get("progressToken")
            for timeline in self._kept[-_LATEST:]:
                if timeline.hears(message.server, message.at) and timeline.asked_with(message.server, token):
                    self.changed += 1
                    timeline.add(happening)
                    return
        happening.certain = False
        self._meanwhile(happening)

    def _meanwhile(self, happening: Happening) -> None:
        for timeline in self._kept[-_LATEST:]:
            if timeline.hears(happening.server, happening.at):
                self.changed += 1
                timeline.add(happening)


_UNASKED: Final = {
    MessageKind.REQUEST: What.REQUEST,
    MessageKind.NOTIFICATION: What.NOTIFICATION,
    MessageKind.NOISE: What.NOISE,
}
_WHAT: Final = {
    "resources/read": What.READ,
    "tools/call": What.CALL,
    "notifications/progress": What.PROGRESS,
    "notifications/message": What.LOG,
}
_LARGE: Final = 200_000

_OF_THE_CONNECTION: Final = "notifications/subscriptions/acknowledged"
"""Said once a connection is up, and of no call even where one is made at that moment."""


def _params(message: Message) -> dict[str, Any]:
    if len(message.text) > _LARGE:
        return {}
    try:
        params = json.loads(message.text).get("params")
    except (ValueError, RecursionError, AttributeError):
        return {}
    return params if isinstance(params, dict) else {}


def _sent(message: Message) -> Happening:
    kind = What.NOTIFICATION if message.kind is MessageKind.NOTIFICATION else What.REQUEST
    what = _WHAT.get(message.method or "", kind)
    subject = message.method or ""
    if what is What.READ:
        subject = str(_params(message).get("uri", subject))
    return Happening(message.at, message.server, what, subject[:_TEXT], message)


def _said_words(message: Message, params: dict[str, Any]) -> str:
    if message.kind is MessageKind.NOISE:
        return message.text[:_TEXT]
    if message.method == "notifications/message":
        data = params.get("data")
        said = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        return f"{params.get('level')}: {said}"[:_TEXT]
    if message.method == "notifications/progress":
        total, words = params.get("total"), params.get("message")
        of = f" of {total}" if total is not None else ""
        return f"{params.get('progress')}{of}{f' {words}' if isinstance(words, str) else ''}"[:_TEXT]
    return (message.method or "")[:_TEXT]


def _answers(answer: Message, asked: Message) -> bool:
    return (
        answer.server == asked.server
        and answer.direction is not asked.direction
        and asked.kind is MessageKind.REQUEST
        and asked.id is not None
        and str(answer.id) == str(asked.id)
    )


def find_pair(messages: Iterable[Message], one: Message) -> tuple[Message, Message | None]:
    """A message with what it answers or what answers it: the request first, or the message alone.

    Ids are told apart by server and by when: a connection made anew begins with the same ids again.
    """
    if one.kind is MessageKind.NOTIFICATION or one.id is None:
        return one, None
    if one.kind is MessageKind.REQUEST:
        for message in messages:
            if message.number > one.number and message.server == one.server and str(message.id) == str(one.id):
                if message.kind is MessageKind.REQUEST and message.direction is one.direction:
                    break
                if message.kind is not MessageKind.REQUEST and _answers(message, one):
                    return one, message
        return one, None
    asked = None
    for message in messages:
        if message.number >= one.number:
            break
        if _answers(one, message):
            asked = message
    return (asked, one) if asked is not None else (one, None)
