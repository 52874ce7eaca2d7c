"""Makes text from a server safe to look at: what a terminal would obey, or nobody would see, stands as a mark.

Both faces show server text through this one function, so a control character looks the same in each.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_CONTROL_PICTURES: Final = 0x2400
"""Unicode's pictures of the control characters begin here: U+001B stands as U+241B, `␛`."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, format characters (direction overrides, zero widths, tags), surrogates, line separators."""


class _Marks(dict[int, int | str]):
    """What each character is shown as, by code point, filled in as characters are met."""

    def __missing__(self, point: int) -> int | str:
        shown = _mark(point) if unicodedata.category(chr(point)) in _UNSEEN else point
        if point <= 0xFFFF:  # a server may send all of Unicode: what is kept of it is bounded
            self[point] = shown
        return shown


def _mark(point: int) -> str:
    if point < 0x20:
        return chr(_CONTROL_PICTURES + point)
    if point == 0x7F:
        return "␡"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


_ONE_LINE: Final = _Marks()
_MULTILINE: Final = _Marks({ord("\n"): ord("\n"), ord("\t"): ord("\t")})


def visible(text: str, limit: int | None = None, *, multiline: bool = False) -> str:
    """The text with every control, escape, direction override and other unseen character shown as a mark.

    C0 controls and DEL become their pictures (`␛`, `␊`, `␡`), every other one its escape (`\\u202e`). With
    `multiline`, line feeds and tabs stay. `limit` is the most characters of the result: a longer text is cut
    between whole marks and ends with `…`.
    """
    marks = _MULTILINE if multiline else _ONE_LINE
    if limit is None:
        return text if text.isprintable() else text.translate(marks)
    # No mark is shorter than its character, so nothing past the limit can be shown.
    shown = text[: limit + 1].translate(marks)
    if len(shown) <= limit:
        return shown
    kept: list[str] = []
    room = limit - 1
    for character in text[:limit]:
        mark = character.translate(marks)
        room -= len(mark)
        if room < 0:
            break
        kept.append(mark)
    return "".join(kept) + "…"
