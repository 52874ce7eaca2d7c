"""What a tool made of one case of a drill, and what of it deserves a look."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from inspector.extension import Code
from inspector.host.call import SentCall
from inspector.host.profile import Profile
from inspector.workspace.reply import Failure

if TYPE_CHECKING:
    from inspector.host.drill import DrillCase


class Answer(StrEnum):
    """How a tool answered one case."""

    ACCEPTED = "accepted"
    """A result without `isError`."""
    REPORTED = "accepted, and says so"
    """A result without `isError` that names the code: the tool did without the record, and tells."""
    REFUSED = "refused"
    """A result with `isError`."""
    PROTOCOL_ERROR = "protocol error"
    """A JSON-RPC error, or an answer that is no result."""
    TIMEOUT = "timeout"
    """No answer in time."""
    CLOSED = "no answer"
    """The connection ended first, or the call could not be sent."""


class Mark(StrEnum):
    """Something that deserves a look."""

    ACCEPTED_UNRESOLVED = "accepted a citation that was not resolved"
    SAME_ANSWER = "answered the same as if it were resolved"
    CRASHED = "crashed"
    RELIED_ON_CAPABILITY = "relied on the capability instead of the key"
    RETRIES_PERMANENT = "says to try again what stays as it is"
    NOTHING_TO_COMPARE = "not accepted as it is, so refusals prove nothing"


_PERMANENT: Final = frozenset(
    {Code.SCHEME_NOT_DECLARED, Code.NOT_FOUND, Code.AMBIGUOUS, Code.NOT_TEXT, Code.TOO_LARGE}
)
"""Codes that the same call gets again, however often: `over_limit` is retried split, `rate_limited` later."""

_RETRY: Final = re.compile(r"\b(re-?try(ing|able)?|try\w* (it )?again|temporar(y|ily)|transient)\b", re.IGNORECASE)
_CRASH: Final = re.compile(
    r"Traceback \(most recent call last\)|^Error executing tool \S+$|\b(Key|Type|Attribute|Index|Reference)Error\b"
    r"|Cannot read propert|is not iterable|nil pointer|panic:",
    re.MULTILINE,
)
_VOLATILE: Final = re.compile(r"[0-9a-f]{8,}|\d+", re.IGNORECASE)
"""Numbers, dates and ids of a result: they differ from call to call and say nothing of the citations."""

_ANSWERS: Final[Mapping[Failure, Answer]] = {
    Failure.ERROR: Answer.PROTOCOL_ERROR,
    Failure.MALFORMED: Answer.PROTOCOL_ERROR,
    Failure.TIMEOUT: Answer.TIMEOUT,
    Failure.CLOSED: Answer.CLOSED,
    Failure.REFUSED: Answer.CLOSED,
}


def judge_answer(case: DrillCase, sent: SentCall, baseline: SentCall) -> tuple[Answer, tuple[Mark, ...]]:
    """The answer to a case and its marks. `baseline` is the call as resolved, which may be this one."""
    answer = _answer(case, sent, baseline)
    if answer in (Answer.PROTOCOL_ERROR, Answer.TIMEOUT, Answer.CLOSED):
        return answer, (Mark.CRASHED,)
    marks: list[Mark] = []
    if sent.tool_error and _CRASH.search(_text(sent)):
        marks.append(Mark.CRASHED)
    if sent is baseline:
        if answer is not Answer.ACCEPTED and not marks:
            marks.append(Mark.NOTHING_TO_COMPARE)
        return answer, tuple(marks)
    if case.code is not None:
        if answer is Answer.ACCEPTED:
            marks.append(Mark.ACCEPTED_UNRESOLVED)
        if case.code in _PERMANENT and _says_retry(sent, baseline):
            marks.append(Mark.RETRIES_PERMANENT)
    same = _comparable(sent) == _comparable(baseline)
    if same and not baseline.tool_error and (case.code is not None or _lost_its_key(sent, baseline)):
        marks.append(Mark.SAME_ANSWER)
    if not same and case.profile is Profile.OUTSIDE_CLIENT and sent.resolution.meta == baseline.resolution.meta:
        marks.append(Mark.RELIED_ON_CAPABILITY)
    return answer, tuple(marks)


def _answer(case: DrillCase, sent: SentCall, baseline: SentCall) -> Answer:
    if sent.reply.failure is not None:
        return _ANSWERS[sent.reply.failure]
    if sent.tool_error:
        return Answer.REFUSED
    if case.code is not None and _names(case.code, sent) and not _names(case.code, baseline):
        return Answer.REPORTED
    return Answer.ACCEPTED


def _names(code: Code, sent: SentCall) -> bool:
    return re.search(rf"\b{code}\b", _text(sent)) is not None


def _says_retry(sent: SentCall, baseline: SentCall) -> bool:
    return _RETRY.search(_text(sent)) is not None and _RETRY.search(_text(baseline)) is None


def _lost_its_key(sent: SentCall, baseline: SentCall) -> bool:
    return baseline.resolution.present and not sent.resolution.present


def answer_text(sent: SentCall) -> str:
    """What the tool said: the text of its result, or why there is none."""
    result = sent.reply.result
    if result is None:
        return sent.reply.message
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [
        block["text"] for block in blocks if isinstance(block, Mapping) and isinstance(block.get("text"), str)
    ]
    return "\n".join(texts)


def _text(sent: SentCall) -> str:
    """All that a result says, text and structure; the text alone where there is no structure."""
    result = sent.reply.result
    if result is None or "structuredContent" not in result:
        return answer_text(sent)
    return f"{answer_text(sent)}\n{_dump(result['structuredContent'])}"


def _comparable(sent: SentCall) -> str:
    result = sent.reply.result or {}
    kept = {key: value for key, value in result.items() if key not in ("_meta", "resultType")}
    return _VOLATILE.sub("#", _dump(kept))


def _dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
