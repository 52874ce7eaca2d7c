"""A URI and sets of positions in it, one bit each, so that a whole set moves in one operation.

A set is an `int` in which bit `c` stands for the position with `c` characters of the URI after it: the
end is bit 0, the start bit `length`. A template is matched from its end to its start: given the positions
*after* some part of it, from which all that follows fits, `literal`, `run` and `one` give those *before*.
Each costs a few operations on integers of the URI's length, however many positions there are.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_FEW: Final = 4
_LONG: Final = 64


class UriText:
    """A URI under the eyes of a template; what is computed of it is kept for the next template.

    `uri` is ASCII and holds `%` only before two hex digits (`characters.is_uri_text`).
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.length = len(uri)
        self._octets = uri.encode("ascii")
        self._masks: dict[str, int] = {}
        self.boundaries = (1 << self.length + 1) - 1
        """The positions that split no `%HH`. Every set that is passed around lies within."""
        if "%" in uri:
            triplets = self.mask("%")
            self.boundaries &= ~(triplets >> 1 | triplets >> 2)
        self._closed: tuple[str, int] = ("", -1)

    def mask(self, characters: str) -> int:
        """The positions before a character of `characters`."""
        known = self._masks.get(characters)
        if known is None:
            known = int(self._octets.translate(_table(characters)) + b"0", 2)
            self._masks[characters] = known
        return known

    def literal(self, text: str, after: int) -> int:
        """The positions before `text` where `after` follows it."""
        if not text or not after:
            return after
        if after.bit_count() <= _FEW:
            before = self._literal_at_few(text, after)
        elif len(text) > _LONG:
            before = self._positions_of(text) & (after << len(text))
        else:
            before = after
            for character in reversed(text):
                before = (before << 1) & self.mask(character)
        return before & self.boundaries

    def _literal_at_few(self, text: str, after: int) -> int:
        before = 0
        while after:
            remaining = after.bit_length() - 1
            after ^= 1 << remaining
            if self.uri.endswith(text, 0, self.length - remaining):
                before |= 1 << remaining + len(text)
        return before

    def _positions_of(self, text: str) -> int:
        """Where `text` stands, overlapping included, in time linear in both (Knuth, Morris and Pratt)."""
        shorter = [0] * (len(text) + 1)
        border = 0
        for index in range(1, len(text)):
            while border and text[index] != text[border]:
                border = shorter[border]
            border += text[index] == text[border]
            shorter[index + 1] = border
        found: list[int] = []
        border = 0
        for index, character in enumerate(self.uri):
            while border and (border == len(text) or character != text[border]):
                border = shorter[border]
            border += character == text[border]
            if border == len(text):
                found.append(index + 1 - border)
        return self.set_of(found)

    def run(self, characters: str, after: int) -> int:
        """The positions before any number of `characters` (with `%` for a whole `%HH`), none included."""
        if after is self._closed[1] and self._closed[0] == characters:
            return after
        after = self.spread(self.mask(characters), after)
        self._closed = (characters, after)
        return after

    def spread(self, inside: int, after: int) -> int:
        """`after`, with the positions from which only characters of `inside` lead there."""
        seeds = (after << 1) & inside
        if not seeds:
            return after
        # Adding the seeds to the runs they stand in carries through each to its far end.
        return after | (((seeds + inside) ^ inside) & inside | seeds) & self.boundaries

    def within(self, count: int, after: int) -> int:
        """The positions with at most `count` characters between them and the next of `after`."""
        reached = 0
        while reached < count:
            step = min(count - reached, reached + 1)
            after |= after << step
            reached += step
        return after & self.boundaries

    def spans(self, pattern: "re.Pattern[str]") -> int:
        """The positions before each character of what `pattern` finds."""
        flags = bytearray(b"0" * (self.length + 1))
        for found in pattern.finditer(self.uri):
            start, end = found.span()
            flags[start:end] = b"1" * (end - start)
        return int(flags, 2)

    def one(self, characters: str, after: int) -> int:
        """The positions before one of `characters`, or before one whole `%HH` if `%` is among them."""
        before = (after << 1) & self.mask(characters)
        if "%" in characters and "%" in self.uri:
            triplets = self.mask("%")
            before = before & ~triplets | (after << 3) & triplets
        return before & self.boundaries

    def run_end(self, characters: str, start: int, limit: int | None = None) -> int:
        """The first position from `start` on, up to `limit`, that no character of `characters` follows."""
        found = _run_pattern(characters).match(self.uri, start, self.length if limit is None else limit)
        return found.end() if found else start

    def flags(self, positions: int) -> str:
        """The set as a string of `0` and `1`, one for each position from the URI's start to its end."""
        return format(positions, f"0{self.length + 1}b")

    def set_of(self, positions: Iterable[int]) -> int:
        """The set of these positions, counted from the URI's start."""
        flags = bytearray(b"0" * (self.length + 1))
        for position in positions:
            flags[position] = 49
        return int(flags, 2)


@lru_cache(maxsize=512)
def _table(characters: str) -> bytes:
    return bytes(49 if chr(octet) in characters else 48 for octet in range(256))


@lru_cache(maxsize=64)
def _run_pattern(characters: str) -> "re.Pattern[str]":
    return re.compile(f"[{re.escape(characters)}]*+")
