"""Which line of a `JsonView` stands on which row of the screen, given what is folded and what is unfolded."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from inspector.tui.widgets.json_view_lines import Kind, Lines
from inspector.tui.widgets.json_view_wrap import Wrapped


@dataclass(frozen=True, slots=True)
class Place:
    """What stands on a row: a line, and which row of its unfolded text (None: the line itself)."""

    line: int
    part: int | None = None


@dataclass(slots=True)
class Rows:
    """Maps rows to lines and back. `rebuild` after every change of `folded` or `unfolded`, or of the lines.

    `folded` holds opening lines whose members are hidden. `unfolded` holds lines whose text is shown in full.
    The work is in the number of these, not of lines.
    """

    lines: Lines
    folded: set[int] = field(default_factory=set)
    unfolded: dict[int, Wrapped] = field(default_factory=dict)
    count: int = 0
    _marked: list[int] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _afters: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def rebuild(self) -> None:
        """Reckons the rows anew."""
        self._marked, self._starts, self._afters, self._ends = [], [], [], []
        line, row = 0, 0
        for marked in sorted(self.folded | self.unfolded.keys()):
            if marked < line:
                continue  # inside something folded
            row += marked - line
            self._marked.append(marked)
            self._starts.append(row)
            end = self.lines.end(marked) if marked in self.folded else None
            if end is not None:
                row, line = row + 1, end + 1
            else:
                row, line = row + self._height(marked), marked + 1
            self._afters.append(row)
            self._ends.append(line)
        self.count = row + max(0, len(self.lines) - line)

    def _height(self, line: int) -> int:
        wrapped = self.unfolded.get(line)
        if wrapped is None:
            return 1
        return wrapped.rows + (1 if has_header(self.lines.kind(line)) else 0)

    def locate(self, row: int) -> Place:
        """What stands on a row from 0 to `count` - 1."""
        index = bisect_right(self._starts, row) - 1
        if index < 0:
            return Place(row)
        if row >= self._afters[index]:
            return Place(self._ends[index] + row - self._afters[index])
        line, part = self._marked[index], row - self._starts[index]
        if line not in self.unfolded:
            return Place(line)
        if has_header(self.lines.kind(line)):
            return Place(line, part - 1 if part else None)
        return Place(line, part)

    def row_of(self, line: int) -> int:
        """The first row of a line; of a hidden one, the row of what hides it."""
        index = bisect_right(self._marked, line) - 1
        if index < 0:
            return line
        if line < self._ends[index]:
            return self._starts[index]
        return self._afters[index] + line - self._ends[index]


def has_header(kind: Kind) -> bool:
    """Whether a line of this kind keeps its own row above its unfolded text."""
    return kind is Kind.LEAF
