"""What a `JsonView` shows, as one index of lines: built in slices, and small beside what it describes.

Each line keeps a reference to its value and draws nothing: a line becomes text when it comes into view.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from inspector.host.json_text import Number
from inspector.host.visible import visible

__all__ = ["Block", "Heading", "Json", "Kind", "Lines", "Number", "Pair", "Prose", "literal"]

LITERALS: Final = {None: "null", True: "true", False: "false"}
"""The JSON values that are words."""

LONGEST_KEY: Final = 60
"""A key with more characters than this stands on a line of its own, so that the line can be opened."""

_SLICE: Final = 2000
"""Lines between two yields: a few milliseconds of work."""

_COMMA: Final = 0x80


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that names what follows. `tone` is a component class of the view: `heading`, `error`, …

    `subject` is what the lines from here to the next heading are about, where something can be done with it.
    """

    text: str
    tone: str = "heading"
    subject: Any = None


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value, laid out over lines; `folded` to its first one until it is asked for."""

    value: Any
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """Text as it is. Where `wrapped`, it takes as many rows as it needs; else its one row is cut."""

    text: str
    tone: str = "prose"
    wrapped: bool = True


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts side by side on one row, each in its half; None where there is none on that side."""

    left: str | None
    right: str | None

    @property
    def text(self) -> str:
        """Both texts, each on a line."""
        return "\n".join(text for text in (self.left, self.right) if text is not None)


Block = Heading | Json | Prose | Pair


class Kind(IntEnum):
    """What stands on a line."""

    OPEN = 0
    CLOSE = 1
    LEAF = 2
    KEY = 3
    PROSE = 4
    HEADING = 5
    EMPTY = 6
    """An object or array with nothing in it."""
    PAIR = 7


class Lines:
    """The index. `len()` grows while `build` is being consumed; lines that are there do not change."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        # Columns and not an object a line: the collector then has nothing to walk through.
        self._kinds = bytearray()
        self._depths = array("L")
        self._keys: list[str | None] = []
        self._values: list[Any] = []
        self._ends: dict[int, int] = {}
        self._headings = array("L")
        self._subjects: list[Any] = []
        self.complete = False
        self.folded: list[int] = []
        """The lines that begin folded."""
        self.unfolded: list[int] = []
        """The lines that are shown in full from the start."""

    def __len__(self) -> int:
        return len(self._kinds)

    def kind(self, line: int) -> Kind:
        """What stands on the line."""
        return Kind(self._kinds[line] & ~_COMMA)

    def comma(self, line: int) -> bool:
        """Whether another member follows in the same object or array."""
        return bool(self._kinds[line] & _COMMA)

    def depth(self, line: int) -> int:
        """How many objects and arrays the line stands in."""
        return self._depths[line]

    def key(self, line: int) -> str | None:
        """The member's name; for a heading or prose its tone."""
        return self._keys[line]

    def value(self, line: int) -> Any:
        """What begins or stands here: a value, or the text of a heading, of prose, or of a long key.

        On a closing line it is the number of the line that opens.
        """
        return self._values[line]

    def end(self, opener: int) -> int | None:
        """The line that closes what this line opens; None where it opens nothing, or its end is not found yet."""
        return self._ends.get(opener)

    def subject(self, line: int) -> Any:
        """What the heading at or above the line is about; None where there is none."""
        index = bisect_right(self._headings, line) - 1
        return self._subjects[index] if index >= 0 else None

    def value_at(self, line: int) -> Any:
        """The JSON value, or the text, that stands on a line or that the line belongs to."""
        kind = self.kind(line)
        if kind is Kind.CLOSE:
            return self.value(self.value(line))
        if kind is Kind.KEY and line + 1 < len(self):
            return self.value_at(line + 1)
        return self.value(line).text if kind is Kind.PAIR else self.value(line)

    def extend(self, blocks: Sequence[Block]) -> Iterator[None]:
        """Adds blocks below those that are there; call it once these are built."""
        self._blocks = blocks
        self.complete = False
        return self.build()

    def build(self) -> Iterator[None]:
        """Fills the index, yielding between slices so that the caller can let others run."""
        for block in self._blocks:
            if isinstance(block, Json):
                if block.folded and isinstance(block.value, Mapping | list) and block.value:
                    self.folded.append(len(self))
                yield from self._lay_out(block.value)
            elif isinstance(block, Heading):
                self._headings.append(len(self))
                self._subjects.append(block.subject)
                self._add(Kind.HEADING, 0, block.tone, block.text)
            elif isinstance(block, Pair):
                self._add(Kind.PAIR, 0, None, block)
            else:
                if block.wrapped:
                    self.unfolded.append(len(self))
                self._add(Kind.PROSE, 0, block.tone, block.text)
            if len(self) % _SLICE == 0:
                yield
        self.complete = True

    def _add(self, kind: Kind, depth: int, key: str | None, value: Any, comma: bool = False) -> None:
        self._kinds.append(kind | _COMMA if comma else kind)
        self._depths.append(depth)
        self._keys.append(key)
        self._values.append(value)

    def _lay_out(self, root: Any) -> Iterator[None]:
        """Lays a value out without recursion: a server may nest deeper than the interpreter's stack."""
        if not self._begin(0, None, root, comma=False):
            return
        open_: list[tuple[int, bool, Any, Iterator[Any], int]] = [self._opened(root, comma=False)]
        sliced = len(self)
        while open_:
            opener, comma, value, members, left = open_.pop()
            depth = len(open_) + 1
            for member in members:
                left -= 1
                key, item = member if isinstance(value, Mapping) else (None, member)
                if self._begin(depth, key, item, comma=left > 0):
                    open_.append((opener, comma, value, members, left))
                    open_.append(self._opened(item, comma=left > 0))
                    break
                if len(self) - sliced >= _SLICE:
                    sliced = len(self)
                    yield
            else:
                self._ends[opener] = len(self)
                self._add(Kind.CLOSE, depth - 1, None, opener, comma)
            if len(self) - sliced >= _SLICE:
                sliced = len(self)
                yield

    def _begin(self, depth: int, key: str | None, value: Any, *, comma: bool) -> bool:
        """Adds the line that a value begins on. Returns whether it has members, and so is open."""
        if key is not None and len(key) > LONGEST_KEY:
            self._add(Kind.KEY, depth, None, key)
            key = None
        if not isinstance(value, Mapping | list | tuple):
            self._add(Kind.LEAF, depth, key, value, comma)
            return False
        if not value:
            self._add(Kind.EMPTY, depth, key, value, comma)
            return False
        self._add(Kind.OPEN, depth, key, value)
        return True

    def _opened(self, value: Any, *, comma: bool) -> tuple[int, bool, Any, Iterator[Any], int]:
        members = iter(value.items()) if isinstance(value, Mapping) else iter(value)
        return len(self) - 1, comma, value, members, len(value)


def literal(value: Any) -> str:
    """What stands for a value that is no string, no object and no array."""
    if isinstance(value, Number):
        return visible(value)
    if isinstance(value, bool) or value is None:
        return LITERALS[value]
    try:
        return repr(value)
    except ValueError:
        # The interpreter refuses to write out thousands of digits unless asked to.
        return f"a whole number of {value.bit_length():,} bits"
