"""How a row of a `JsonView` is drawn: pieces of text, each with a tone, cut to the width with a mark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rich.cells import cell_len, set_cell_size

from inspector.tui.widgets.json_view_lines import LITERALS, Kind, Lines, Number, Pair, literal
from inspector.tui.widgets.json_view_rows import Place, Rows, has_header
from inspector.tui.widgets.json_view_wrap import Wrapped, escape, plain

TONES: Final = (
    "key",
    "string",
    "number",
    "literal",
    "punctuation",
    "fold",
    "summary",
    "prose",
    "note",
    "heading",
    "resolved",
    "refused",
    "error",
    "hit",
    "current",
)
"""The component classes of the view: what each piece of a row is."""

Piece = tuple[str, str]
"""A tone and a text."""

Found = Callable[[int, bool, int, int], Sequence[tuple[int, int, bool]]]
"""What a search found in a stretch of a line's text, or of its member's name: where each hit begins and ends, and
whether it is the current one."""

_FoundIn = Callable[[int, int], Sequence[tuple[int, int, bool]]]
"""The same of one text."""

_INDENT: Final = 2
_DEEPEST: Final = 16
"""Past this many levels the indentation stays, and the level stands there as a number."""


def mark_column(lines: Lines, line: int) -> int:
    """The column of the line's fold mark."""
    return min(lines.depth(line), _DEEPEST) * _INDENT


def quoted(lines: Lines, line: int) -> bool:
    """Whether the line's text is shown as the inside of a JSON string."""
    kind = lines.kind(line)
    return kind is Kind.KEY or (kind is Kind.LEAF and _is_string(lines.value(line)))


def text_width(lines: Lines, line: int, width: int) -> int:
    """The cells that a row of the line's unfolded text may take in a view of that width."""
    indent = 0 if lines.kind(line) in (Kind.PROSE, Kind.HEADING) else mark_column(lines, line) + 2 * _INDENT
    return max(8, width - indent)


def unfold(lines: Lines, line: int, width: int) -> Wrapped:
    """The line's text over rows of a view of that width, still to be built."""
    value = lines.value(line)
    text = value if isinstance(value, str) else literal(value)
    return Wrapped(text, text_width(lines, line, width), quoted=quoted(lines, line))


def can_unfold(lines: Lines, line: int, width: int) -> bool:
    """Whether the line does not fit in the width, and so has more to show."""
    if lines.kind(line) not in (Kind.LEAF, Kind.KEY, Kind.PROSE, Kind.HEADING):
        return False
    pieces = _whole(lines, line, width)
    return sum(cell_len(text) for _, text in pieces) > width


def _nothing(*_: object) -> Sequence[tuple[int, int, bool]]:
    return ()


def draw(rows: Rows, place: Place, width: int, found: Found = _nothing) -> list[Piece]:
    """The pieces of a row, no wider than the width. What is left out shows as `…`; what was `found` is marked."""
    lines, line = rows.lines, place.line
    wrapped = rows.unfolded.get(line)
    if wrapped is not None and place.part is not None:
        return cut(_part(lines, line, wrapped, place.part, found), width)
    if line in rows.folded:
        return cut([*_lead(lines, line, "▸ "), *_folded(lines, line, found)], width)
    if wrapped is not None and has_header(lines.kind(line)):
        summary: Piece = ("summary", _size(wrapped.text))
        return cut([*_lead(lines, line, "▾ "), *_name(lines, line, found), summary], width)
    return cut(_whole(lines, line, width, found), width)


def cut(pieces: Iterable[Piece], width: int) -> list[Piece]:
    """The pieces up to the width; where one is cut off, its last cell is `…`."""
    kept: list[Piece] = []
    room = width
    for tone, text in pieces:
        cells = len(text) if text.isascii() else cell_len(text)
        if cells > room and cell_len(bare := text.rstrip(" ")) <= room:
            # Nothing is lost but the space that a row breaks after.
            text, cells = bare, room
        if cells > room:
            if room > 0:
                kept.append((tone, set_cell_size(text, room - 1)))
            elif kept:
                last_tone, last = kept.pop()
                kept.append((last_tone, set_cell_size(last, cell_len(last) - 1)))
            kept.append(("fold", "…"))
            return kept
        kept.append((tone, text))
        room -= cells
    return kept


def _whole(lines: Lines, line: int, width: int, found: Found = _nothing) -> list[Piece]:
    """All of a line, or as much more than the width as shows that it goes on."""
    kind, value = lines.kind(line), lines.value(line)
    if kind in (Kind.PROSE, Kind.HEADING):
        return _marked(value[: width + 1], 0, plain, lines.key(line) or "prose", _in_value(line, found))
    if kind is Kind.PAIR:
        return _pair(value, width)
    if kind is Kind.OPEN:
        return [*_lead(lines, line, "▾ "), *_name(lines, line, found), ("punctuation", _brackets(value)[0])]
    comma: list[Piece] = [("punctuation", ",")] if lines.comma(line) else []
    if kind is Kind.CLOSE:
        return [*_lead(lines, line), ("punctuation", _brackets(lines.value(value))[1]), *comma]
    if kind is Kind.EMPTY:
        return [*_lead(lines, line), *_name(lines, line, found), ("punctuation", _brackets(value)), *comma]
    if kind is Kind.KEY:
        name = _quoted(value[: width + 1], "key", _in_value(line, found))
        return [*_lead(lines, line), *name, ("punctuation", ":")]
    pieces = [*_name(lines, line, found), *_leaf(value, width, _in_value(line, found)), *comma]
    fits = mark_column(lines, line) + _INDENT + sum(cell_len(text) for _, text in pieces) <= width
    return [*_lead(lines, line, "  " if fits else "▸ "), *pieces]


def _pair(pair: Pair, width: int) -> list[Piece]:
    """The two texts in columns; one that stands alone is marked as gone or as new."""
    room = max(4, (width - 3) // 2)
    same = pair.left == pair.right
    left = _half("  " if same else "- ", pair.left, "note" if same else "error", room)
    right = _half("  " if same else "+ ", pair.right, "note" if same else "resolved", room)
    return [*left, ("punctuation", " │ "), *right]


def _half(mark: str, text: str | None, tone: str, room: int) -> list[Piece]:
    pieces = [] if text is None else cut([(tone, mark + plain(text[: room + 1]))], room)
    return [*pieces, ("note", " " * (room - sum(cell_len(piece) for _, piece in pieces)))]


def _lead(lines: Lines, line: int, mark: str = "  ") -> list[Piece]:
    depth = lines.depth(line)
    indent = " " * mark_column(lines, line)
    if depth > _DEEPEST:
        indent = f"{depth} ".rjust(len(indent))
    return [("fold", indent + mark)]


def _name(lines: Lines, line: int, found: Found = _nothing) -> list[Piece]:
    key = lines.key(line)
    if key is None:
        return []
    return [*_quoted(key, "key", partial(found, line, True)), ("punctuation", ": ")]


def _leaf(value: Any, width: int, found: _FoundIn) -> list[Piece]:
    if _is_string(value):
        return _quoted(value[: width + 1], "string", found)
    if isinstance(value, bool) or value is None:
        return _marked(LITERALS[value], 0, plain, "literal", found)
    return _marked(literal(value), 0, plain, "number", found)


def _part(lines: Lines, line: int, wrapped: Wrapped, part: int, found: Found) -> list[Piece]:
    kind = lines.kind(line)
    start, end = wrapped.span(part)
    text = wrapped.text[start:end]
    if kind in (Kind.PROSE, Kind.HEADING):
        tone, lead = lines.key(line) or "prose", []
    else:
        tone = "key" if kind is Kind.KEY else "string" if _is_string(lines.value(line)) else "number"
        lead = [("fold", " " * (mark_column(lines, line) + 2 * _INDENT))]
    return [*lead, *_marked(text, start, wrapped.show, tone, _in_value(line, found))]


def _in_value(line: int, found: Found) -> _FoundIn:
    return partial(found, line, False)


def _quoted(text: str, tone: str, found: _FoundIn) -> list[Piece]:
    return [(tone, '"'), *_marked(text, 0, escape, tone, found), (tone, '"')]


def _marked(text: str, start: int, show: Callable[[str], str], tone: str, found: _FoundIn) -> list[Piece]:
    """A text that begins at `start` of what was searched, its hits in a tone of their own."""
    pieces: list[Piece] = []
    at = 0
    for first, last, current in found(start, start + len(text)):
        first, last = max(first - start, at), min(last - start, len(text))
        pieces.append((tone, show(text[at:first])))
        pieces.append(("current" if current else "hit", show(text[first:last])))
        at = last
    pieces.append((tone, show(text[at:])))
    return [piece for piece in pieces if piece[1]]


def _folded(lines: Lines, line: int, found: Found) -> list[Piece]:
    value = lines.value(line)
    count = len(value)
    what = ("member" if isinstance(value, Mapping) else "item") + ("" if count == 1 else "s")
    end = lines.end(line)
    comma = "," if end is not None and lines.comma(end) else ""
    brackets = _brackets(value)
    return [
        *_name(lines, line, found),
        ("punctuation", brackets[0]),
        ("summary", f" {count:,} {what} "),
        ("punctuation", brackets[1] + comma),
    ]


def _brackets(value: Any) -> str:
    return "{}" if isinstance(value, Mapping) else "[]"


def _size(text: str) -> str:
    return f"{len(text):,} character" + ("" if len(text) == 1 else "s")


def _is_string(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)
