"""All that is known of a resource, a template or a prompt before it is asked for, as blocks of a `JsonView`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from inspector.extension import HOST_SCHEMES, scheme_of
from inspector.host.verdict import Verdict
from inspector.templates import InvalidTemplate, UriTemplate
from inspector.tui.widgets.browse_items import Item, Kind
from inspector.tui.widgets.fate import describe_size
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Prose
from inspector.tui.words import listing

if TYPE_CHECKING:
    from inspector.host.host import Host

_NAME: Final = 60
"""Characters of a server's name that are shown in a sentence."""


def describe(host: Host, item: Item) -> tuple[Block, ...]:
    """The item as its server lists it, and for a URI or a template who would own it."""
    blocks: list[Block] = [Heading(f"{item.kind.value} of {_cut(item.server)}"), Prose(item.text)]
    if item.kind is Kind.RESOURCE:
        blocks += owner_lines(host, item.text, item.server)
    elif item.kind is Kind.TEMPLATE:
        blocks.append(_template_line(host, item))
    blocks += _texts(item)
    if item.kind is Kind.PROMPT:
        blocks += _arguments(item.raw.get("arguments"))
    annotations = item.raw.get("annotations")
    if isinstance(annotations, Mapping) and annotations:
        blocks += [Heading("annotations"), Json(annotations)]
    if "_meta" in item.raw:
        blocks += [Heading("_meta"), Json(item.raw["_meta"])]
    return (*blocks, Heading("as it is listed"), Json(item.raw, folded=True))


def _texts(item: Item) -> list[Block]:
    """Its name and title where they say more than its text, its type and size, and what it says of itself."""
    named = [f"name: {item.name}"] if item.name != item.text else []
    named += [f"title: {title}"] if (title := item.string("title")) else []
    blocks: list[Block] = [Prose(line) for line in named]
    facts = [f"mimeType: {kind}"] if (kind := item.string("mimeType")) else []
    size = item.raw.get("size")
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        facts.append(f"size: {describe_size(size)}" + (f" ({size:,} bytes)" if size >= 1000 else ""))
    if facts:
        blocks.append(Prose(" · ".join(facts), "note"))
    description = item.string("description")
    return [*blocks, Prose(description)] if description else blocks


def owner_lines(host: Host, uri: str, server: str) -> list[Block]:
    """Who would own a URI as a host sees it, whichever server lists it (R13 to R15)."""
    verdict = host.verdict(uri)
    owners = tuple(dict.fromkeys(claim.server for claim in verdict.claims))
    match verdict.verdict:
        case Verdict.OWNED if owners == (server,):
            template = verdict.claims[0].template
            return [Prose(f"✓ owned by {_cut(server)}: its template {_cut(template, 200)}  R14", "resolved")]
        case Verdict.OWNED:
            words = f"! owned by {_cut(owners[0])}, and not by {_cut(server)}: a call reads it from the owner  R14"
            return [Prose(words, "refused")]
        case Verdict.AMBIGUOUS:
            named = listing(_cut(owner) for owner in owners)
            return [Prose(f"✗ ambiguous: {named} each claim it, so no call reads it  R15", "refused")]
        case Verdict.HOST_SCHEME:
            return [Prose("✗ the host's own scheme: no server can answer for it in a call  R13", "refused")]
        case Verdict.NO_SCHEME:
            return [Prose("✗ no scheme: no argument can declare it  R10", "refused")]
        case Verdict.UNDECIDED:
            return [
                Prose("✗ undecided: a template that repeats a variable is too hard to decide on  R26", "refused")
            ]
    words = "✗ no owner: no template of the workspace makes this URI, so a call that cites it gets not_found  R14"
    return [Prose(words, "refused")]


def _template_line(host: Host, item: Item) -> Block:
    try:
        template = UriTemplate.parse(item.text)
    except InvalidTemplate as fault:
        words = f"✗ no RFC 6570 template, at character {fault.position + 1}: {fault.message}; it owns nothing  R27"
        return Prose(words, "error")
    if not host.owns(item.server):
        return Prose("! outside the workspace: it owns nothing  R14", "refused")
    scheme = scheme_of(item.text)
    if scheme in HOST_SCHEMES:
        return Prose("✗ the host's own scheme: no server can answer for it in a call  R13", "refused")
    names = listing(template.variables) if template.variables else ""
    return Prose(f"variables: {names}" if names else "no variables: it stands for one URI", "note")


def _arguments(arguments: Any) -> list[Block]:
    if not isinstance(arguments, list) or not arguments:
        return [Prose("takes no arguments", "note")]
    blocks: list[Block] = [Heading("arguments")]
    for argument in arguments:
        if not isinstance(argument, Mapping):
            continue
        required = "required" if argument.get("required") is True else "may be left out"
        title, about = argument.get("title"), argument.get("description")
        parts = [text for text in (title, about) if isinstance(text, str) and text]
        blocks.append(Prose(f"{argument.get('name')}  ({required})" + "".join(f"  {part}" for part in parts)))
    return blocks


def _cut(text: str, limit: int = _NAME) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
