"""Long text over several rows: where each row begins, found in slices, and what a row shows."""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from inspector.tui.text import visible

_SLICE: Final = 4000
"""Characters looked at one by one, or rows found at once, between two yields."""

_TAB: Final = "    "
_AWKWARD: Final = re.compile(r'["\\]')


def escape(text: str) -> str:
    """The text as it stands between the quotes of a JSON string, with no character unseen."""
    return visible(json.dumps(text, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f"))


def plain(text: str) -> str:
    """One row of text as a person reads it: tabs as spaces, unseen characters as marks."""
    return visible(text.replace("\t", _TAB))


class _Widths(dict[str, int]):
    """Cells that each character takes as it is shown."""

    def __init__(self, quoted: bool) -> None:
        super().__init__()
        self._show = escape if quoted else plain

    def __missing__(self, character: str) -> int:
        width = cell_len(self._show(character))
        if character <= "\uffff":
            self[character] = width
        return width


_WIDTHS: Final = {quoted: _Widths(quoted) for quoted in (False, True)}


class Wrapped:
    """A text laid out over rows of `width` cells, broken after each line feed and where a row is full.

    `quoted` says that it is shown as the inside of a JSON string: a line feed then shows as `\\n`. Every
    character of the text is on exactly one row. `rows` grows while `build` is being consumed.
    """

    def __init__(self, text: str, width: int, *, quoted: bool) -> None:
        self.text = text
        self.width = max(width, 8)
        self.quoted = quoted
        self._starts = array("L", [0])
        self.complete = False

    @property
    def rows(self) -> int:
        """How many rows are known so far; at least one."""
        return len(self._starts)

    def row(self, index: int) -> str:
        """What stands on a row, safe to draw."""
        start, end = self.span(index)
        return self.show(self.text[start:end])

    def show(self, piece: str) -> str:
        """How a piece of a row's text is shown."""
        return escape(piece) if self.quoted else plain(piece.removesuffix("\n"))

    def span(self, index: int) -> tuple[int, int]:
        """Where the text of a row begins and ends."""
        start = self._starts[index]
        last = len(self.text) if self.complete else start + self.width
        return start, self._starts[index + 1] if index + 1 < len(self._starts) else last

    def row_of(self, position: int) -> int | None:
        """The row that a character of the text stands on; None where that is not known yet."""
        row = bisect_right(self._starts, position) - 1
        return row if self.complete or row + 1 < len(self._starts) else None

    def build(self) -> Iterator[None]:
        """Finds where the rows begin, yielding between slices."""
        text, size, width = self.text, len(self.text), self.width - 2 if self.quoted else self.width
        position, work = 0, 0
        while position < size:
            candidate = text[position : position + width]
            feed = candidate.find("\n") + 1
            if feed:
                candidate = candidate[:feed]
            length = len(candidate)
            body = candidate[:-1] if feed else candidate
            if not (body.isascii() and body.isprintable()) or (self.quoted and _AWKWARD.search(body)):
                length = self._fitting(candidate, width)
                work += length
            if not self.quoted and position + length < size and text[position + length - 1] != "\n":
                length = _at_word(text, position, length)
            position += length
            if position < size:
                self._starts.append(position)
            work += 4
            if work >= _SLICE:
                work = 0
                yield
        self.complete = True

    def _fitting(self, candidate: str, width: int) -> int:
        """How many characters of the candidate fit in the width; at least one."""
        widths, used = _WIDTHS[self.quoted], 0
        for index, character in enumerate(candidate):
            if character == "\n":
                return index + 1
            used += widths[character]
            if used > width and index:
                return index
        return len(candidate)


def _at_word(text: str, position: int, length: int) -> int:
    """A shorter length that ends after a space, where the row would else part a word in two."""
    if text[position + length] in " \n":
        return length + 1
    space = text.rfind(" ", position + length // 2, position + length)
    return space - position + 1 if space >= 0 else length
