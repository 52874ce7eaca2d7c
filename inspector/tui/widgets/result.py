"""What the result shows: how the call ended, each content block by its kind, and what its schema says to it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from inspector.host.json_text import write_json_text
from inspector.host.validation import Fault, SchemaVerdict, validate
from inspector.tui.widgets.content_items import ContentItem, read_item
from inspector.tui.widgets.fate import describe_size
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Number, Prose
from inspector.tui.words import count, duration
from inspector.workspace.reply import Failure

if TYPE_CHECKING:
    from inspector.host.call import SentCall
    from inspector.host.resolution import Resolution

_LONGEST_JSON: Final = 200_000
"""Characters of text that are looked at for being JSON: reading more would hold up a key."""

_MOST_FAULTS: Final = 12
"""Faults of a structured content that are shown; past them stands how many more there are."""

_FAILURES: Final[Mapping[Failure, str]] = {
    Failure.ERROR: "the server answered with an error",
    Failure.TIMEOUT: "no answer in time",
    Failure.CLOSED: "the connection ended before an answer",
    Failure.MALFORMED: "the answer is no result",
    Failure.REFUSED: "not sent",
}
_MARKS: Final[Mapping[Failure, str]] = {
    Failure.ERROR: "error",
    Failure.TIMEOUT: "no answer",
    Failure.CLOSED: "ended",
    Failure.MALFORMED: "no result",
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


def result_mark(sent: SentCall) -> str:
    """How a call ended, for a title: a glyph and a word or two."""
    if sent.reply.failure is not None:
        return f"✗ {_MARKS[sent.reply.failure]}"
    return "✗ isError" if sent.tool_error else "✓ answered"


def judge_output(sent: SentCall) -> SchemaVerdict | None:
    """What the tool's `outputSchema` says to the `structuredContent`; None where it publishes none.

    Takes half a second at most: call it in a thread.
    """
    result, raw = sent.reply.result, sent.resolution.tool.raw
    if result is None or sent.tool_error or raw.get("outputSchema") is None:
        return None
    if "structuredContent" not in result:
        return SchemaVerdict((Fault((), "there is none, and the tool publishes an outputSchema"),))
    return validate(raw["outputSchema"], result["structuredContent"])


def result_blocks(sent: SentCall, verdict: SchemaVerdict | None = None) -> tuple[Block, ...]:
    """The answer to a call; `verdict` is what the tool's `outputSchema` says to it."""
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
        blocks += _result_blocks(reply.result, verdict)
    return tuple(blocks)


def describe_delivery(resolution: Resolution) -> str:
    """What the call carried, in a line: `1 resolved (53 B), 2 not_found`."""
    if not resolution.present:
        return "no key"
    counts = Counter(outcome.name for outcome in resolution.outcomes)
    size = sum(outcome.size for outcome in resolution.outcomes if outcome.code is None)
    parts = [f"{number} {name}" for name, number in counts.items()]
    return ", ".join(f"{part} ({describe_size(size)})" if part.endswith(" resolved") else part for part in parts)


def content_lines(result: Mapping[str, Any]) -> list[str]:
    """A result as lines of text, to compare: its texts as they are, the rest as JSON; sizes do not count."""
    lines: list[str] = []
    for block in _result_blocks(result, None):
        if isinstance(block, Heading) and isinstance(block.subject, ContentItem):
            lines.append(_named(block.subject))
        else:
            text = write_json_text(block.value) if isinstance(block, Json) else str(block.text)
            lines += text.split("\n")
    return lines


def _named(item: ContentItem) -> str:
    """A block's heading without its size; bytes, which are not shown, by the start of their SHA-256."""
    digest = None
    if item.base64 is not None:
        digest = hashlib.sha256(item.base64.encode("utf-8", "replace")).hexdigest()[:12]
    return " · ".join(part for part in (item.kind, item.uri, item.mime_type, digest) if part)


def contents_blocks(contents: Iterable[Any]) -> list[Block]:
    """The contents of a resource that was read, entry by entry."""
    return [block for entry in contents for block in content_blocks({"type": "resource", "resource": entry})]


def _result_blocks(result: Mapping[str, Any], verdict: SchemaVerdict | None) -> list[Block]:
    blocks: list[Block] = []
    content = result.get("content")
    if isinstance(content, list):
        for item in content:
            blocks += content_blocks(item)
    elif content is not None:
        blocks += [Heading("content, which is no array"), Json(content)]
    if not content and "structuredContent" not in result:
        blocks.append(Prose("The result is empty: it has no content.", "note"))
    if "structuredContent" in result:
        blocks += [*_verdict_blocks(verdict), Json(result["structuredContent"])]
    elif verdict is not None and verdict.faults:
        blocks += _verdict_blocks(verdict)
    others = {key: value for key, value in result.items() if key not in _SHOWN}
    for key, value in others.items():
        blocks += [Heading(key), Json(value, folded=True)]
    return blocks


def _verdict_blocks(verdict: SchemaVerdict | None) -> list[Block]:
    """The heading of the structured content, with what the tool's schema says to it."""
    name = "structuredContent"
    if verdict is None:
        return [Heading(name)]
    if verdict.unsupported is not None:
        return [Heading(f"{name} · not checked: {verdict.unsupported}")]
    notes: list[Block] = [Prose(f"not checked: {what}", "note") for what in verdict.unchecked]
    if not verdict.faults:
        return [Heading(f"{name} · ✓ as its outputSchema has it", "resolved"), *notes]
    word = "break" if verdict.more or len(verdict.faults) > 1 else "breaks"
    places = "places" if verdict.more or len(verdict.faults) > 1 else "place"
    shown = [
        Prose(f"! {fault.place or 'the whole'}: {fault.message}", "refused")
        for fault in verdict.faults[:_MOST_FAULTS]
    ]
    left = len(verdict.faults) - len(shown)
    more: list[Block] = [Prose(f"… and {left} more", "refused")] if left > 0 else []
    title = f"{name} · ! {verdict.count} {places} {word} its outputSchema"
    return [Heading(title, "refused"), *shown, *more, *notes]


def content_blocks(item: Any) -> list[Block]:
    """One content block by its kind: a heading with it as the subject, then what it holds."""
    if not isinstance(item, Mapping):
        return [Heading("a content block that is no object"), Json(item)]
    notes = _annotations(item)
    subject = read_item(item)
    match item.get("type"):
        case "text" if isinstance(item.get("text"), str):
            return _text_blocks("text", item["text"], notes, subject)
        case "image" | "audio" as kind if isinstance(item.get("data"), str):
            parts = [kind, *_kind(item), f"about {decoded_size(item['data'])}", *notes]
            return [Heading(" · ".join(parts), subject=subject)]
        case "resource_link":
            named = [str(item[key]) for key in ("name", "uri") if isinstance(item.get(key), str)]
            description = item.get("description")
            about: list[Block] = [Prose(description)] if isinstance(description, str) and description else []
            size = item.get("size")
            sized = [describe_size(size)] if isinstance(size, int) and not isinstance(size, bool) else []
            parts = ["resource link", *named, *_kind(item), *sized, *notes]
            return [Heading(" · ".join(parts), subject=subject), *about]
        case "resource" if isinstance(item.get("resource"), Mapping):
            resource = item["resource"]
            named = ["resource", *([resource["uri"]] if isinstance(resource.get("uri"), str) else [])]
            if isinstance(resource.get("text"), str):
                return _text_blocks(" · ".join([*named, *_kind(resource)]), resource["text"], notes, subject)
            if isinstance(resource.get("blob"), str):
                parts = [*named, *_kind(resource), f"about {decoded_size(resource['blob'])}", *notes]
                return [Heading(" · ".join(parts), subject=subject)]
    return [Heading(f"content of type {item.get('type')!r}"), Json(item)]


def _text_blocks(name: str, text: str, notes: list[str], subject: ContentItem) -> list[Block]:
    size = count(len(text), "character")
    value = _as_json(text)
    if value is not None:
        return [Heading(" · ".join([name, "JSON, laid out", size, *notes]), subject=subject), Json(value)]
    body = Prose(text) if text else Prose("(empty)", "note")
    return [Heading(" · ".join([name, size, *notes]), subject=subject), body]


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


def decoded_size(base64: str) -> str:
    """How many bytes a text in base64 stands for, about."""
    return describe_size(len(base64) * 3 // 4 - base64[-2:].count("="))
