"""Outcomes and results as text for people: a glyph and a word, what really happened, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from inspector.cli.output import Cell, align, paint, print_json_text, print_text
from inspector.extension import Outcome
from inspector.templates import Claim


def print_outcomes(outcomes: Sequence[Outcome], claims: Mapping[str, Sequence[Claim]]) -> None:
    """One line for each string, and below one that is not resolved what to do about it."""
    rows = [_row(outcome, claims.get(outcome.uri, ())) for outcome in outcomes]
    for line, outcome in zip(align(rows), outcomes, strict=True):
        print(f"  {line}")
        if outcome.code is not None and outcome.remedy:
            print(f"    {paint('→ ' + outcome.remedy, 'quiet')}")


def _row(outcome: Outcome, claims: Iterable[Claim]) -> tuple[Cell, ...]:
    resolved = outcome.is_resolved
    colour = "good" if resolved else "bad"
    if outcome.forced:
        detail = outcome.reason
    elif resolved:
        variables = "; ".join(variables_text(c.variables) for c in claims if c.server == outcome.server)
        detail = f"{outcome.size} B · {time_text(outcome.milliseconds)}"
        detail = f"{variables} · {detail}" if variables else detail
    else:
        detail = f"{outcome.reason} ({outcome.rule})"
    return (
        ("✓" if resolved else "✗", colour),
        (outcome.name + (" (forced)" if outcome.forced else ""), colour),
        (outcome.uri, None),
        (outcome.server or "–", None),
        (detail, None),
    )


def variables_text(variables: Mapping[str, Any]) -> str:
    """`id=42, tags=[a, b], filter={kind=funding}`; empty where the template has none."""
    return ", ".join(f"{name}={_value_text(value)}" for name, value in variables.items())


def _value_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value and not isinstance(value[0], str):
        return "{" + ", ".join(f"{key}={item}" for key, item in value) + "}"
    return "[" + ", ".join(value) + "]"


def time_text(milliseconds: float | None) -> str:
    """A time as people read it: `9 ms`, `1.2 s`."""
    if milliseconds is None:
        return "–"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def print_result(result: Mapping[str, Any]) -> None:
    """A tool's result: its content blocks in order, then its structured content."""
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        _print_block(block)
    if "structuredContent" in result:
        print(f"  {paint('structuredContent', 'strong')}")
        print_json_text(result["structuredContent"], indent=2)
    if content is not None and not isinstance(content, list):
        print_json_text(result, indent=2)


def _print_block(block: Any) -> None:
    match block:
        case {"type": "text", "text": str(text)}:
            print_text(text, indent=2)
        case {"type": "image" | "audio" as kind, "data": str(data), "mimeType": str(media)}:
            print_text(f"[{kind}: {media}, {len(data)} characters of base64]", indent=2)
        case {"type": "resource_link", "uri": str(uri)}:
            print_text(f"[link: {uri}]", indent=2)
        case {"type": "resource", "resource": {"uri": str(uri), "text": str(text)}}:
            print_text(f"[resource: {uri}]", indent=2)
            print_text(text, indent=2)
        case _:
            print_json_text(block, indent=2)


def print_contents(contents: Iterable[Mapping[str, Any]]) -> None:
    """What a read handed on, entry by entry."""
    for entry in contents:
        media = entry.get("mimeType")
        print(paint(f"{entry['uri']}{f' · {media}' if media else ''}", "strong"))
        print_text(entry["text"], indent=2)
