"""What a server answered that was asked for a URI whoever owns it, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from textual.content import Content

from inspector.host.verdict import UriRead
from inspector.host.visible import visible
from inspector.tui.widgets.fate import describe_size
from inspector.tui.words import duration, listing
from inspector.workspace.reply import Failure, Reply

_LINES: Final = 3
"""Lines of a text that are shown."""


def asked_lines(read: UriRead, server: str, *, owns: bool) -> Content:
    """The answer of `server`, and how it goes with what it publishes. `owns`: do its templates count (R14)?"""
    reply = read.reply
    assert reply is not None
    name = visible(server, 40)
    if reply.failure is None:
        head = Content.assemble((f"✓ {name} answers", "bold $outcome-resolved"), f": {_contents(reply)}")
    else:
        head = Content.assemble((f"✗ {refusal(reply, name)}", "bold $outcome-error"), f": {reason(reply)}")
    head += Content.assemble((f" · {duration(reply.milliseconds)}", "$text-muted"))
    lines = [head, *(Content.assemble(("│ ", "$text-muted"), line) for line in _text_head(reply))]
    return Content("\n").join([*lines, *map(_said, meaning(read, server, owns=owns))])


def refusal(reply: Reply, name: str) -> str:
    """How a server gave no result, in a few words; `name` is the server's, safe to show."""
    match reply.failure:
        case Failure.ERROR:
            return f"{name} refuses"
        case Failure.REFUSED:
            return f"{name} was not asked"
        case Failure.TIMEOUT | Failure.CLOSED:
            return f"{name} does not answer"
        case _:
            return f"{name} answers nonsense"


def reason(reply: Reply) -> str:
    """Why there is no result, in the server's words where it gave any, with the code of its error."""
    code = f" (error {reply.code})" if reply.code is not None else ""
    return f"{visible(reply.message, 300)}{code}"


def entries(reply: Reply) -> Sequence[Any]:
    """The entries of a read's `contents`; none where that is no array."""
    contents = reply.result.get("contents") if reply.result is not None else None
    return contents if isinstance(contents, list) else ()


def _contents(reply: Reply) -> str:
    """`53 B of text`, `a blob of image/png`, or each of several."""
    parts: list[str] = []
    for entry in entries(reply):
        text = entry.get("text") if isinstance(entry, Mapping) else None
        media = entry.get("mimeType") if isinstance(entry, Mapping) else None
        of_type = f", {visible(media, 60)}" if isinstance(media, str) else ""
        if isinstance(text, str):
            parts.append(f"{describe_size(len(text.encode('utf-8', 'surrogatepass')))} of text{of_type}")
        elif isinstance(entry, Mapping) and "blob" in entry:
            parts.append(f"a blob{of_type}")
        else:
            parts.append("an entry with neither text nor blob")
    if len(parts) > 4:
        parts = [*parts[:3], f"{len(parts) - 3} more entries"]
    return listing(parts) if parts else "no contents"


def _text_head(reply: Reply) -> list[str]:
    """The first lines of the first text."""
    for entry in entries(reply):
        text = entry.get("text") if isinstance(entry, Mapping) else None
        if isinstance(text, str):
            lines = text[:2_000].splitlines()
            shown = [visible(line, 160) for line in lines[:_LINES]]
            return [*shown, "…"] if len(lines) > _LINES or len(text) > 2_000 else shown
    return []


class Said(NamedTuple):
    """What a read says of its server: a sentence, the rule behind it, and whether it is one to doubt."""

    words: str
    rule: str
    doubtful: bool = False


def meaning(read: UriRead, server: str, *, owns: bool) -> list[Said]:
    """Does what a server answers go with what it publishes? `owns`: do its templates count (R14)?"""
    answers = read.reply is not None and read.reply.failure is None
    others = dict.fromkeys(claim.server for claim in read.claims if claim.server != server)
    mine = next((claim for claim in read.claims if claim.server == server), None)
    if not owns:
        return [Said("It is outside the workspace, so it owns nothing that it publishes.", "R14")]
    if mine is not None and not answers:
        words = f"Its template {visible(mine.template, 120)} claims the URI, and it refuses the read: not_found."
        return [Said(words, "R19", doubtful=True)]
    if mine is None and answers:
        words = "It publishes no template that the URI expands from, so no host reads it from there."
        said = [Said(words, "R14", doubtful=True)]
        if others:
            said.append(Said(f"Claimed by {listing(visible(other, 40) for other in others)}.", "R14"))
        return said
    if mine is None:
        return [Said("It publishes no template for it either.", "R14")]
    code = read.outcome.code
    if code is not None:
        words = f"A call would get {code.value}: {visible(read.outcome.reason, 200)}."
        return [Said(words, read.outcome.rule, doubtful=True)]
    return [Said(f"Its template {visible(mine.template, 120)} claims the URI.", "R14")]


def _said(said: Said) -> Content:
    words = (f"! {said.words}", "$outcome-refused") if said.doubtful else said.words
    return Content.assemble(words, (f"  {said.rule}", "$text-muted"))
