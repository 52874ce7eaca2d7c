"""What the result shows: how the call ended, each content block by its kind, and what differs from the last."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from inspector.tui.widgets.fate import describe_size
from inspector.tui.widgets.form_json import unseen_as_escapes
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Number, Prose
from inspector.tui.words import count, duration
from inspector.workspace.reply import Failure

if TYPE_CHECKING:
    from inspector.host.call import SentCall
    from inspector.host.resolution import Resolution

_LONGEST_JSON: Final = 200_000
"""Characters of text that are looked at for being JSON: reading more would hold up a key."""

_LONGEST_COMPARED: Final = 2000
"""Lines of a result that are compared with the last."""

_FAILURES: Final[Mapping[Failure, str]] = {
    Failure.ERROR: "the server answered with an error",
    Failure.TIMEOUT: "no answer in time",
    Failure.CLOSED: "the connection ended before an answer",
    Failure.MALFORMED: "the answer is no result",
    Failure.REFUSED: "not sent",
}
_SHOWN: Final = frozenset({"content", "structuredContent", "isError", "resultType"})


def result_word(sent: SentCall) -> tuple[str, str]:
    """How a call ended, in a glyph and a few words, and the tone of it."""
    reply = sent.reply
    if reply.failure is not None:
        code = f" {reply.code}" if reply.code is not None else ""
        return f"✗ {_FAILURES[reply.failure]}{code}", "error"
    if sent.tool_error:
        return "✗ isError: the tool refused or failed", "refused"
    return "✓ answered", "resolved"


def result_blocks(sent: SentCall, previous: SentCall | None) -> tuple[Block, ...]:
    """The answer to a call; `previous` is the one before it from the same tool."""
    word, tone = result_word(sent)
    reply = sent.reply
    blocks: list[Block] = [Heading(f"{word} · {duration(reply.milliseconds)}", tone)]
    if reply.failure is not None:
        blocks.append(Prose(reply.message or "The server gave no reason.", "error"))
    if reply.failure is not Failure.REFUSED:
        blocks.append(Prose(f"delivered: {describe_delivery(sent.resolution)}", "note"))
    blocks += [Prose(f"! not as the protocol has it: {departure}", "refused") for departure in reply.departures]
    if reply.data is not None:
        blocks += [Heading("data of the error"), Json(reply.data)]
    if reply.result is not None:
        blocks += _result_blocks(reply.result)
    if previous is not None:
        blocks += _difference(previous, sent)
    return tuple(blocks)


def describe_delivery(resolution: Resolution) -> str:
    """What the call carried, in a line: `1 resolved (53 B), 2 not_found`."""
    if not resolution.present:
        return "no key"
    counts = Counter(outcome.name for outcome in resolution.outcomes)
    size = sum(outcome.size for outcome in resolution.outcomes if outcome.code is None)
    parts = [f"{number} {name}" for name, number in counts.items()]
    return ", ".join(f"{part} ({describe_size(size)})" if part.endswith(" resolved") else part for part in parts)


def _result_blocks(result: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = []
    content = result.get("content")
    if isinstance(content, list):
        for item in content:
            blocks += _content_blocks(item)
    elif content is not None:
        blocks += [Heading("content, which is no array"), Json(content)]
    if not content and "structuredContent" not in result:
        blocks.append(Prose("The result is empty: it has no content.", "note"))
    if "structuredContent" in result:
        blocks += [Heading("structuredContent"), Json(result["structuredContent"])]
    others = {key: value for key, value in result.items() if key not in _SHOWN}
    for key, value in others.items():
        blocks += [Heading(key), Json(value, folded=True)]
    return blocks


def _content_blocks(item: Any) -> list[Block]:
    if not isinstance(item, Mapping):
        return [Heading("a content block that is no object"), Json(item)]
    notes = _annotations(item)
    match item.get("type"):
        case "text" if isinstance(item.get("text"), str):
            return _text_blocks("text", item["text"], notes)
        case "image" | "audio" as kind if isinstance(item.get("data"), str):
            return [Heading(" · ".join([kind, *_kind(item), f"about {_decoded(item['data'])}", *notes]))]
        case "resource_link":
            named = [str(item[key]) for key in ("name", "uri") if isinstance(item.get(key), str)]
            description = item.get("description")
            about: list[Block] = [Prose(description)] if isinstance(description, str) and description else []
            return [Heading(" · ".join(["resource link", *named, *_kind(item), *notes])), *about]
        case "resource" if isinstance(item.get("resource"), Mapping):
            resource = item["resource"]
            named = ["resource", *([resource["uri"]] if isinstance(resource.get("uri"), str) else [])]
            if isinstance(resource.get("text"), str):
                return _text_blocks(" · ".join([*named, *_kind(resource)]), resource["text"], notes)
            if isinstance(resource.get("blob"), str):
                return [Heading(" · ".join([*named, *_kind(resource), f"about {_decoded(resource['blob'])}"]))]
    return [Heading(f"content of type {item.get('type')!r}"), Json(item)]


def _text_blocks(name: str, text: str, notes: list[str]) -> list[Block]:
    size = count(len(text), "character")
    value = _as_json(text)
    if value is not None:
        return [Heading(" · ".join([name, "JSON, laid out", size, *notes])), Json(value)]
    body = Prose(text) if text else Prose("(empty)", "note")
    return [Heading(" · ".join([name, size, *notes])), body]


def _as_json(text: str) -> Any:
    """The object or array that a text is, its numbers as they are spelt; None where it is neither."""
    if text.lstrip()[:1] not in ("{", "[") or len(text) > _LONGEST_JSON:
        return None
    try:
        value = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _kind(item: Mapping[str, Any]) -> list[str]:
    return [item["mimeType"]] if isinstance(item.get("mimeType"), str) else []


def _annotations(item: Mapping[str, Any]) -> list[str]:
    annotations = item.get("annotations")
    if not isinstance(annotations, Mapping):
        return []
    return [f"{name} {json.dumps(value)[:40]}" for name, value in list(annotations.items())[:4]]


def _decoded(base64: str) -> str:
    return describe_size(len(base64) * 3 // 4 - base64[-2:].count("="))


def _difference(previous: SentCall, sent: SentCall) -> list[Block]:
    before, after = _lines(previous), _lines(sent)
    if before is None or after is None:
        return [Heading("compared with the last result"), Prose("Too long to compare here.", "note")]
    if before == after:
        return [Prose("The same as the last result of this tool.", "note")]
    blocks: list[Block] = [Heading("compared with the last result of this tool")]
    for line in list(difflib.unified_diff(before, after, n=2, lineterm=""))[2:]:
        tone = {"+": "resolved", "-": "error", "@": "fold"}.get(line[:1], "note")
        blocks.append(Prose(line, tone, wrapped=False))
    return blocks


def _lines(sent: SentCall) -> list[str] | None:
    """A result as lines to compare; None where it is too long."""
    reply = sent.reply
    if reply.result is None:
        return [result_word(sent)[0], reply.message]
    lines: list[str] = [result_word(sent)[0]]
    for block in _result_blocks(reply.result):
        text = _dump(block.value) if isinstance(block, Json) else block.text
        if text is None or text.count("\n") + len(lines) > _LONGEST_COMPARED or len(text) > _LONGEST_JSON:
            return None
        lines += text.split("\n")
    return lines


def _dump(value: Any) -> str | None:
    if _cells(value) > _LONGEST_COMPARED:
        return None
    return unseen_as_escapes(json.dumps(value, ensure_ascii=False, indent=2))


def _cells(value: Any) -> int:
    """How many values there are in a value, as far as the most that is compared."""
    stack: list[Any] = [value]
    seen = 0
    while stack and seen <= _LONGEST_COMPARED:
        seen += 1
        item = stack.pop()
        members: Iterable[Any] = ()
        if isinstance(item, Mapping):
            members = item.values()
        elif isinstance(item, list):
            members = item
        stack.extend(members)
    return seen
