"""How a call of the history is drawn, laid out in full, and compared with another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from textual.content import Content

from inspector.host.history import PART_LIMIT, KeptCall, KeptPart
from inspector.host.json_text import write_json_text
from inspector.host.visible import visible
from inspector.tui.widgets.difference import compare_lines
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Prose
from inspector.tui.widgets.rows import Row, spread
from inspector.tui.widgets.traffic_rows import clock_time
from inspector.tui.words import PROFILES, duration, host_summary

_LONGEST: Final = 400_000
"""Characters of a part that are compared: more would take longer than a person waits."""

_STYLES: Final = {"answered": ("✓", "$outcome-resolved"), "tool error": ("✗", "$outcome-refused")}


def describe_outcomes(call: KeptCall) -> str:
    """What became of the strings, in a few words: `1 resolved, 2 not_found`."""
    if not call.present:
        return "no key"
    return ", ".join(f"{number} {name}" for name, number in call.outcomes.items()) or "no string"


def kept_row(call: KeptCall, *, marked: bool) -> Row:
    """A call as a row, known by its key."""
    return Row(call.key, partial(_draw, call, marked), call)


def _draw(call: KeptCall, marked: bool, width: int) -> Content:
    glyph, style = _STYLES.get(call.result, ("✗", "$outcome-error"))
    left = Content.assemble(
        ("◆ " if marked else "  ", "bold $accent"),
        (clock_time(call.at, date=True), "$text-muted"),
        f"  {visible(call.server, 16)} / ",
        (visible(call.tool, 40), "bold"),
        (f"  {visible(describe_outcomes(call), 80)}", "$text-muted"),
    )
    if width > 96:
        left += Content.assemble(
            (f"  {visible(call.workspace, 24)} · {PROFILES[call.settings.profile]}", "$text-muted")
        )
    right = Content.assemble((f"{glyph} {visible(call.result, 20)}", style), f" {duration(call.milliseconds)}")
    return spread(left, right, width)


def kept_blocks(call: KeptCall, parts: Mapping[str, KeptPart]) -> tuple[Block, ...]:
    """All that is kept of a call."""
    word, tone = {"answered": ("✓", "resolved"), "tool error": ("✗", "refused")}.get(call.result, ("✗", "error"))
    blocks: list[Block] = [
        Heading(f"{word} {call.result} · {duration(call.milliseconds)} · {describe_outcomes(call)}", tone),
        Prose(
            f"{clock_time(call.at, date=True)} · workspace {call.workspace} · {host_summary(call.settings)}",
            "note",
        ),
    ]
    if call.message:
        blocks.append(Prose(call.message, "error"))
    for name in ("arguments", "_meta", "result"):
        blocks += [Heading(name), *_part_blocks(parts[name])]
    return (*blocks, Heading("what became of each string"), *_part_blocks(parts["outcomes"], folded=True))


def _part_blocks(part: KeptPart, *, folded: bool = False) -> list[Block]:
    if part.text is None:
        return [Json(part.value, folded=folded)]
    cut = f"✂ Kept as text: longer than {PART_LIMIT:,} characters, or nested too deeply."
    return [Prose(cut, "refused"), Prose(part.text)]


def compared_blocks(
    one: tuple[KeptCall, Mapping[str, KeptPart]], other: tuple[KeptCall, Mapping[str, KeptPart]]
) -> tuple[Block, ...]:
    """What differs from one call to another. Takes a while for long parts: call it in a thread."""
    (before, were), (after, are) = one, other
    blocks: list[Block] = [
        Prose(f"{mark} {clock_time(call.at, date=True)}  {call.server} / {call.tool}  {call.result}", tone)
        for mark, call, tone in (("-", before, "error"), ("+", after, "resolved"))
    ]
    if before.settings != after.settings:
        blocks += [
            Heading("the host played"),
            Prose(f"- {host_summary(before.settings)}", "error"),
            Prose(f"+ {host_summary(after.settings)}", "resolved"),
        ]
    for name in ("arguments", "_meta", "result"):
        blocks.append(Heading(name))
        old, new = _text(were[name]), _text(are[name])
        if max(len(old), len(new)) > _LONGEST:
            same = "The same." if old == new else "They differ, and are too long to be compared line by line."
            blocks.append(Prose(same, "note"))
        else:
            than = f"the {name} of the one before"
            blocks += compare_lines(old.split("\n"), new.split("\n"), wide=False, than=than)
    return tuple(blocks)


def _text(part: KeptPart) -> str:
    return write_json_text(part.value) if part.text is None else part.text
