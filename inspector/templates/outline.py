"""Which templates might share a URI, found without a look at every pair.

An outline is what a template says for certain of the segments of its URIs, from the start up to the first
variable that may span segments. Templates that share a URI have outlines that agree segment by segment, so
the outlines are kept as a tree and each is walked down it.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from inspector.templates.grammar import Literal
from inspector.templates.template import UriTemplate

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outline:
    """The segments of a template."""

    segments: tuple[tuple[str, bool], ...]
    """How each begins, literally, and whether that is all of it."""
    is_open: bool
    """Whether the last of them may be followed by others."""
    tail: str
    """How its URIs end, literally."""


def outline_of(template: UriTemplate) -> Outline:
    """The outline of a template."""
    segments: list[tuple[str, bool]] = []
    start, whole, is_open, tail = "", True, False, ""
    for part in template.parts:
        if not isinstance(part, Literal):
            tail = ""
            if part.operator.reserved or part.operator.first == "/":
                is_open = True
            whole = False
            continue
        tail += part.text
        if is_open:
            continue
        first, *others = part.text.split("/")
        start += first if whole else ""
        for other in others:
            segments.append((start, whole))
            start, whole = other, True
    return Outline((*segments, (start, whole)), is_open, tail)


class _ByStart(Generic[T]):
    """Things kept by a text, found by texts that begin like it."""

    def __init__(self) -> None:
        self._things: dict[str, T] = {}
        self._sorted: list[str] = []
        self._lengths: list[int] = []

    def get(self, text: str) -> T | None:
        return self._things.get(text)

    def put(self, text: str, thing: T) -> T:
        if text not in self._things:
            insort(self._sorted, text)
            if len(text) not in self._lengths:
                insort(self._lengths, len(text))
        self._things[text] = thing
        return thing

    def exactly(self, text: str) -> Iterator[T]:
        """The one kept by `text`, if there is one."""
        thing = self._things.get(text)
        if thing is not None:
            yield thing

    def continuing(self, text: str) -> Iterator[T]:
        """Those whose text begins with `text`."""
        for index in range(bisect_left(self._sorted, text), len(self._sorted)):
            known = self._sorted[index]
            if not known.startswith(text):
                return
            yield self._things[known]

    def agreeing(self, text: str, whole: bool) -> Iterator[T]:
        """Those whose text `text` begins with; and unless `text` is `whole`, those that begin with it."""
        for length in self._lengths:
            if length >= len(text):
                break
            yield from self.exactly(text[:length])
        yield from self.exactly(text) if whole else self.continuing(text)


@dataclass(slots=True)
class _Node:
    whole: "_ByStart[_Node]" = field(default_factory=_ByStart)
    """By the whole text of the next segment."""
    begun: "_ByStart[_Node]" = field(default_factory=_ByStart)
    """By how the next segment begins."""
    open: "_ByStart[_ByStart[list[int]]]" = field(default_factory=_ByStart)
    """Templates that are open from here on: by how the next segment begins, then by their tail, backwards."""
    ended: "_ByStart[list[int]]" = field(default_factory=_ByStart)
    """Templates that end here, by their tail, backwards."""


class Outlines:
    """The outlines of a number of templates, numbered as they are added."""

    def __init__(self) -> None:
        self._outlines: list[Outline] = []
        self._root = _Node()

    def add(self, template: UriTemplate) -> None:
        """Adds a template; its number is how many were added before."""
        outline = outline_of(template)
        node = self._root
        *before, last = outline.segments
        for start, whole in before if outline.is_open else outline.segments:
            children = node.whole if whole else node.begun
            node = children.get(start) or children.put(start, _Node())
        by_tail = node.ended
        if outline.is_open:
            by_tail = node.open.get(last[0]) or node.open.put(last[0], _ByStart())
        backwards = outline.tail[::-1]
        numbers = by_tail.get(backwards) or by_tail.put(backwards, [])
        numbers.append(len(self._outlines))
        self._outlines.append(outline)

    def pairs_of(self, number: int) -> list[tuple[int, int]]:
        """Templates whose outlines agree with that of `number`, each pair with the lower number first.

        Over all numbers, once all are added, every two that agree come once.
        """
        outline = self._outlines[number]
        others = set(self._agreeing(outline)) - {number}
        return [
            (min(number, other), max(number, other))
            for other in sorted(others)
            if other > number or not _is_mutual(outline, self._outlines[other])
        ]

    def _agreeing(self, outline: Outline) -> Iterator[int]:
        """The templates that agree with `outline` and are fixed for no more segments than it is."""
        backwards = outline.tail[::-1]
        nodes = [self._root]
        for index, (start, whole) in enumerate(outline.segments):
            is_last = outline.is_open and index == len(outline.segments) - 1
            below: list[_Node] = []
            for node in nodes:
                for by_tail in node.open.agreeing(start, whole):
                    for numbers in by_tail.agreeing(backwards, False):
                        yield from numbers
                if not is_last:
                    below.extend(node.whole.exactly(start) if whole else node.whole.continuing(start))
                    below.extend(node.begun.agreeing(start, whole))
            nodes = below
        if not outline.is_open:
            for node in nodes:
                for numbers in node.ended.agreeing(backwards, False):
                    yield from numbers


def _is_mutual(one: Outline, other: Outline) -> bool:
    """Whether each of two that agree comes upon the other."""
    if one.is_open != other.is_open:
        return False
    return not one.is_open or len(one.segments) == len(other.segments)
