"""What differs between two results of one tool: whole, with counts, in columns where there is room."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from inspector.host.json_text import write_json_text
from inspector.tui.widgets.json_view_lines import Block, Heading, Pair, Prose
from inspector.tui.words import count

if TYPE_CHECKING:
    from inspector.host.call import SentCall

_MOST_LINES: Final = 4000
"""Lines that are compared one by one, once what is the same at both ends is left out."""

_CONTEXT: Final = 2
"""Lines shown around what differs."""


def difference_blocks(previous: SentCall, sent: SentCall, *, wide: bool) -> tuple[Block, ...]:
    """The difference of a result to the one before it. `wide` puts them side by side.

    Takes a while for long results: call it in a thread.
    """
    return compare_lines(_lines(previous), _lines(sent), wide=wide)


def compare_lines(
    before: Sequence[str], after: Sequence[str], *, wide: bool, than: str = "the last result of this tool"
) -> tuple[Block, ...]:
    """The difference of two texts, line by line. `than` is what the second is compared with, in words."""
    if before == after:
        return (Prose(f"The same as {than}.", "note"),)
    head = _same(before, after)
    tail = _same(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(old), len(new)) > _MOST_LINES:
        words = f"Too long to compare line by line: {len(old):,} lines became {len(new):,}."
        return (Heading(f"compared with {than}"), Prose(words, "note"))
    matcher = difflib.SequenceMatcher(None, old, new)
    changes = [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in matcher.get_opcodes()]
    changes = [change for change in changes if change[0] != "equal"]
    gone = sum(b - a for _, a, b, _, _ in changes)
    come = sum(d - c for _, _, _, c, d in changes)
    counts = f"+{come:,} −{gone:,} {'line' if gone + come == 1 else 'lines'}"
    blocks: list[Block] = [Heading(f"compared with {than} · {counts}")]
    shown = 0
    for index, (_, a, b, c, d) in enumerate(changes):
        start = max(shown, a - _CONTEXT)
        blocks += _passed_over(start - shown)
        blocks += _equal(before[start:a], wide)
        blocks += _changed(before[a:b], after[c:d], wide)
        following = changes[index + 1][1] if index + 1 < len(changes) else len(before)
        shown = min(b + _CONTEXT, following)
        blocks += _equal(before[b:shown], wide)
    blocks += _passed_over(len(before) - shown)
    return tuple(blocks)


def _same(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines are the same at the start."""
    length = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        length += 1
    return length


def _passed_over(lines: int) -> list[Block]:
    return [Prose(f"⋯ {count(lines, 'line')} the same", "fold", wrapped=False)] if lines > 0 else []


def _equal(lines: Sequence[str], wide: bool) -> list[Block]:
    if wide:
        return [Pair(line, line) for line in lines]
    return [Prose(f"  {line}", "note", wrapped=False) for line in lines]


def _changed(old: Sequence[str], new: Sequence[str], wide: bool) -> list[Block]:
    if not wide:
        gone = [Prose(f"- {line}", "error", wrapped=False) for line in old]
        return [*gone, *(Prose(f"+ {line}", "resolved", wrapped=False) for line in new)]
    rows = range(max(len(old), len(new)))
    return [Pair(old[n] if n < len(old) else None, new[n] if n < len(new) else None) for n in rows]


def _lines(sent: SentCall) -> list[str]:
    """A result as lines: its text as it is, the rest as JSON."""
    from inspector.tui.widgets.result import content_lines, result_word

    reply = sent.reply
    lines = [result_word(sent)[0]]
    if reply.result is None:
        return [*lines, *reply.message.split("\n"), *write_json_text(reply.data).split("\n")]
    return [*lines, *content_lines(reply.result)]
