"""What a server answered to a read or a prompt, as it came, and what a host would make of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from inspector.host.visible import visible
from inspector.tui.widgets.asked import entries, meaning, reason, refusal
from inspector.tui.widgets.content_items import ContentItem, read_entry, read_item
from inspector.tui.widgets.fate import describe_size
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Number, Prose
from inspector.tui.widgets.result import content_blocks, decoded_size
from inspector.tui.words import count, duration

if TYPE_CHECKING:
    from inspector.host.verdict import UriRead
    from inspector.workspace.reply import Reply

_MOST: Final = 200
"""Entries of contents, and messages of a prompt, that are laid out; the rest is in the result as it came."""

_LONGEST_JSON: Final = 200_000
"""Characters of a text that is read as JSON: reading more would hold up a key."""

_READ: Final = frozenset({"contents", "ttlMs", "cacheScope", "resultType"})
_PROMPT: Final = frozenset({"description", "messages", "resultType"})


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it is shown. `uri` is what was read, empty for a prompt; `saveable` is what can be saved."""

    blocks: tuple[Block, ...]
    uri: str = ""
    saveable: tuple[ContentItem, ...] = ()


def answer_of_read(read: UriRead, server: str, *, owns: bool) -> Answer:
    """What came of reading a URI from a server. `owns`: do its templates count (R14)?"""
    reply = read.reply
    assert reply is not None
    uri = read.outcome.uri
    number = len(entries(reply))
    blocks = _head(reply, server, "" if number == 1 else count(number, "entry", "entries"))
    blocks.append(Prose(uri))
    for words, rule, doubtful in meaning(read, server, owns=owns):
        blocks.append(Prose(f"{'! ' if doubtful else ''}{words}  {rule}", "refused" if doubtful else "note"))
    items: list[ContentItem] = []
    if reply.result is not None:
        blocks += _caching(reply.result)
        if not isinstance(reply.result.get("contents"), list):
            blocks += _as_it_came(reply.result)
        else:
            for entry in entries(reply)[:_MOST]:
                blocks += _entry(entry, uri)
                items += [read_entry(entry)] if isinstance(entry, Mapping) else []
            blocks += _rest(reply.result, _READ, len(entries(reply)))
    return Answer(tuple(blocks), uri, tuple(item for item in items if item.can_be_saved))


def answer_of_prompt(reply: Reply, server: str, name: str, arguments: Mapping[str, str]) -> Answer:
    """What came of getting a prompt with these arguments."""
    blocks = _head(reply, server, count(len(_messages(reply)), "message"))
    blocks.append(Prose(name))
    blocks += [Prose(f"{name}: {value}", "note") for name, value in arguments.items()]
    items: list[ContentItem] = []
    if reply.result is not None:
        description = reply.result.get("description")
        if isinstance(description, str) and description:
            blocks.append(Prose(description))
        if not isinstance(reply.result.get("messages"), list):
            blocks += _as_it_came(reply.result)
        else:
            for message in _messages(reply)[:_MOST]:
                blocks += _message(message)
                items += [read_item(content) for content in _contents(message)]
            blocks += _rest(reply.result, _PROMPT, len(_messages(reply)))
    return Answer(tuple(blocks), saveable=tuple(item for item in items if item.can_be_saved))


def _head(reply: Reply, server: str, what: str) -> list[Block]:
    """How it ended, with what, and how long it took; for a failure why, and what the server sent with it."""
    name, took = visible(server, 40), duration(reply.milliseconds)
    blocks: list[Block]
    if reply.failure is None:
        blocks = [Heading(f"✓ {name} answers{f': {what}' if what else ''} · {took}", "resolved")]
    else:
        blocks = [Heading(f"✗ {refusal(reply, name)} · {took}", "error"), Prose(reason(reply), "error")]
    blocks += [Prose(f"! not as the protocol has it: {departure}", "refused") for departure in reply.departures]
    if reply.data is not None:
        blocks += [Heading("data of the error"), Json(reply.data)]
    return blocks


def _caching(result: Mapping[str, Any]) -> list[Block]:
    """How long the server lets a client keep it, and for whom, where it says so."""
    parts: list[str] = []
    ttl = result.get("ttlMs")
    if isinstance(ttl, int | float) and not isinstance(ttl, bool):
        parts.append(f"ttlMs {ttl}" + (f" ({ttl / 1000:g} s)" if ttl >= 1000 else ""))
    elif "ttlMs" in result:
        parts.append("ttlMs is no number")
    scope = result.get("cacheScope")
    if scope is not None:
        parts.append(f"cacheScope {scope}" if isinstance(scope, str) else "cacheScope is no string")
    return [Prose(f"{' · '.join(parts)} (a host reads past every cache, R18)", "note")] if parts else []


def _as_it_came(result: Mapping[str, Any]) -> list[Block]:
    kind = result.get("resultType")
    said = f"resultType {kind}: " if isinstance(kind, str) and kind != "complete" else ""
    return [Heading(f"{said}the result as it came"), Json(result)]


def _rest(result: Mapping[str, Any], shown: frozenset[str], number: int) -> list[Block]:
    """What else the result holds; all of it where not all was laid out, or where it is no usual result."""
    if number > _MOST or result.get("resultType", "complete") != "complete":
        return _as_it_came(result)
    blocks: list[Block] = []
    for key, value in result.items():
        if key not in shown:
            blocks += [Heading(key), Json(value, folded=key != "_meta")]
    return blocks


def _entry(entry: Any, uri: str) -> list[Block]:
    if not isinstance(entry, Mapping):
        return [Heading("an entry that is no object"), Json(entry)]
    kind = entry.get("mimeType")
    named = [entry["uri"]] if isinstance(entry.get("uri"), str) and entry["uri"] != uri else []
    named += [kind] if isinstance(kind, str) else []
    text, blob = entry.get("text"), entry.get("blob")
    blocks: list[Block]
    if isinstance(text, str):
        size = describe_size(len(text.encode("utf-8", "surrogatepass")))
        body = _lay_out(text, kind if isinstance(kind, str) else "")
        laid_out = ["laid out"] if isinstance(body[-1], Json) else []
        blocks = [Heading(" · ".join(["text", *named, size, *laid_out]), subject=read_entry(entry)), *body]
    elif isinstance(blob, str):
        title = " · ".join(["blob", *named, f"about {decoded_size(blob)}"])
        blocks = [Heading(title, subject=read_entry(entry)), Prose("w saves it", "note")]
    else:
        blocks = [Heading(" · ".join(["an entry with neither text nor blob", *named])), Json(entry)]
    if "_meta" in entry:
        blocks += [Heading("_meta of this entry"), Json(entry["_meta"])]
    return blocks


def _lay_out(text: str, media_type: str) -> list[Block]:
    """A text, as JSON where its type says that it is, or where none is given; and why not, where it is not."""
    typed = "json" in media_type.casefold()
    if not text:
        return [Prose("(empty)", "note")]
    if not typed and (media_type or text.lstrip()[:1] not in ("{", "[")):
        return [Prose(text)]
    if len(text) > _LONGEST_JSON:
        return [Prose("too long to be laid out", "note"), Prose(text)]
    try:
        value = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)
    except RecursionError:
        return [Prose("too deep to be laid out", "note"), Prose(text)]
    except ValueError:
        return [*([Prose("! no JSON, whatever its type says", "refused")] if typed else []), Prose(text)]
    return [Json(value)]


def _messages(reply: Reply) -> Sequence[Any]:
    messages = reply.result.get("messages") if reply.result is not None else None
    return messages if isinstance(messages, list) else ()


def _contents(message: Any) -> list[Any]:
    """The content of a message: one block, or an array of them where a server sends one."""
    content = message.get("content") if isinstance(message, Mapping) else None
    return [each for each in (content if isinstance(content, list) else [content]) if isinstance(each, Mapping)]


def _message(message: Any) -> list[Block]:
    if not isinstance(message, Mapping):
        return [Heading("a message that is no object"), Json(message)]
    role = message.get("role")
    content = message.get("content")
    blocks: list[Block] = [Heading(role if isinstance(role, str) else "a message without a role", "key")]
    for item in content if isinstance(content, list) else [content]:
        head, *body = content_blocks(item)
        # The role is what parts one message from the next.
        blocks += [replace(head, tone="note") if isinstance(head, Heading) else head, *body]
    others = {key: value for key, value in message.items() if key not in ("role", "content")}
    return [*blocks, Json(others)] if others else blocks
