"""Finds a text in the lines of a JSON view: in slices, in order, with the place of each hit."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

from inspector.tui.widgets.json_view_lines import Kind, Lines, literal

MOST_HITS: Final = 100_000
"""Hits that are kept; past them the count says that there are more."""

_SLICE_LINES: Final = 100
_SLICE_CHARACTERS: Final = 10_000
"""What is looked through between two yields: about a millisecond."""

_WORDS: Final = frozenset({Kind.PROSE, Kind.HEADING})
_OPENING: Final = frozenset({Kind.OPEN, Kind.EMPTY})

_VALUE: Final = 1 << 40
"""Added to the offset of a hit in a value, so that a line's hits in its name come before."""


class Hit(NamedTuple):
    """Where a text was found: in a line's value or in its member's name, from `start` to `end`."""

    line: int
    in_key: bool
    start: int
    end: int


class Found(NamedTuple):
    """How a search stands: `total` hits so far, more where it is `full`.

    `current` counts from 0, None where no hit is shown. `complete` says that all was looked at.
    """

    current: int | None
    total: int
    complete: bool
    full: bool

    def __str__(self) -> str:
        more = "+" if self.full else "" if self.complete else "…"
        if self.total == 0:
            return "not found" if self.complete else "searching…"
        at = "–" if self.current is None else f"{self.current + 1:,}"
        return f"{at} of {self.total:,}{more}"


class Search:
    """The hits of one text, more as `build` is consumed. Case counts only where the text has a capital letter."""

    def __init__(self, lines: Lines, sought: str) -> None:
        self.sought = sought
        self.complete = False
        self._lines = lines
        self._hit_lines = array("L")
        self._hit_places = array("Q")
        flags = re.NOFLAG if sought != sought.lower() else re.IGNORECASE
        self._pattern = re.compile(re.escape(sought), flags)

    @property
    def count(self) -> int:
        """The hits so far."""
        return len(self._hit_lines)

    @property
    def full(self) -> bool:
        """Whether there are more hits than are kept."""
        return self.count >= MOST_HITS

    def hit(self, index: int) -> Hit:
        """A hit, counted from 0."""
        place = self._hit_places[index]
        in_key = place < _VALUE
        start = place if in_key else place - _VALUE
        return Hit(self._hit_lines[index], in_key, start, start + len(self.sought))

    def first_from(self, line: int) -> int:
        """The first hit on that line or below it; `count` where there is none so far."""
        return bisect_left(self._hit_lines, line)

    def spans(self, line: int, in_key: bool, start: int, stop: int) -> list[tuple[int, int, int]]:
        """The hits in that stretch of a line's text: where each begins and ends, and its index."""
        base = 0 if in_key else _VALUE
        width = len(self.sought)

        def place(index: int) -> tuple[int, int]:
            return self._hit_lines[index], self._hit_places[index]

        # A hit that began before the stretch may reach into it.
        wanted = (line, base + max(0, start - width + 1))
        index = bisect_left(range(self.count), wanted, key=place)
        found = []
        while index < self.count and place(index) < (line, base + stop):
            begin = self._hit_places[index] - base
            found.append((begin, begin + width, index))
            index += 1
        return found

    def build(self) -> Iterator[None]:
        """Looks through the lines that there are, yielding between slices."""
        for line in range(len(self._lines)):
            kind = self._lines.kind(line)
            if kind is not Kind.CLOSE:
                key = self._lines.key(line)
                if key is not None and kind not in _WORDS:
                    self._look(line, key, 0, 0, len(key))
                if kind not in _OPENING:
                    value = self._lines.value_at(line) if kind is Kind.PAIR else self._lines.value(line)
                    text = value if isinstance(value, str) else literal(value)
                    if len(text) > _SLICE_CHARACTERS:
                        yield from self._look_through(line, text)
                    else:
                        self._look(line, text, _VALUE, 0, len(text))
            if line % _SLICE_LINES == 0:
                if self.full:
                    break
                yield
        self.complete = True

    def _look_through(self, line: int, text: str) -> Iterator[None]:
        position = 0
        while position < len(text) and not self.full:
            # Slices overlap, so that no hit is parted; the next begins behind the last hit.
            stop = min(len(text), position + _SLICE_CHARACTERS)
            end = self._look(line, text, _VALUE, position, min(len(text), stop + len(self.sought) - 1))
            position = max(stop, end)
            yield

    def _look(self, line: int, text: str, base: int, start: int, stop: int) -> int:
        end = start
        for match in self._pattern.finditer(text, start, stop):
            if len(self._hit_lines) >= MOST_HITS:
                break
            self._hit_lines.append(line)
            self._hit_places.append(base + match.start())
            end = match.end()
        return end
