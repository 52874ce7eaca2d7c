"""What a defined variable can look like in a URI (RFC 6570, sections 2.4 and 3.2), as shapes of text.

A shape answers two questions on a URI. `before`: of a set of positions from which the rest of the template
fits, before which positions can a text of this shape stand? `ends`: from one position, where can such a text
end, the shortest first? The first decides, the second reads the values off.
"""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final, Protocol

from inspector.templates.characters import RESERVED, UNRESERVED, split_characters
from inspector.templates.grammar import Operator, Variable
from inspector.templates.uritext import UriText

PLAIN: Final = UNRESERVED + "%"
"""What stands in a member of a value where reserved characters are encoded."""
ANY: Final = UNRESERVED + RESERVED + "%"
"""What stands in a value where they pass through."""


_PLAIN_RUN: Final = f"[{re.escape(PLAIN)}]*+"
_PLAIN_SOME: Final = f"[{re.escape(PLAIN)}]++"


class Shape(Protocol):
    """The texts that one variable, once defined, can expand to."""

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """The positions before a text of this shape, of `least` characters or more, that ends in `after`."""

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """The positions flagged in `after` where such a text can end that begins at `start`."""


def shape_of(operator: Operator, variable: Variable) -> Shape:
    """The shape of `variable` under `operator`, without what stands before it."""
    name = variable.name if operator.named else ""
    return _shape(operator, name, variable.explode, variable.prefix)


@lru_cache(maxsize=1024)
def _shape(operator: Operator, name: str, explode: bool, prefix: int | None) -> Shape:
    separator = operator.separator
    if explode and operator.named:
        return Either(NamedList(name, operator), _pairs(separator, operator.if_empty == ""))
    if explode and not operator.reserved:
        return Either(_run(PLAIN + separator), _pairs(separator, False))
    characters = ANY if operator.reserved else PLAIN
    value: Shape
    if prefix is not None:
        value = Start(prefix, characters)
    else:
        # The members of a list or an associative array are joined by commas.
        value = _run(characters if operator.reserved else characters + ",")
    return Named(name, operator, value) if operator.named else value


class Run:
    """Any number of some characters: a string, or members joined by one of the characters."""

    def __init__(self, characters: str) -> None:
        self.characters = characters

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape."""
        after = text.run(self.characters, after)
        return text.one(self.characters, after) if least else after

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        reached = start
        position = after.find("1", start + least)
        # Look no further than to where the text can end: a later variable looks from there.
        while position >= 0 and text.run_end(self.characters, reached, position) == position:
            yield position
            reached = position
            position = after.find("1", position + 1)


class Start:
    """At most `length` characters, as `:n` counts them (R25)."""

    def __init__(self, length: int, characters: str) -> None:
        self.length = length
        self.characters = characters

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape. With octets in the URI, a walk over it with the fewest characters to `after`."""
        if "%" not in text.uri:
            if not least:
                return text.run(self.characters, after) & text.within(self.length, after)
            after = text.one(self.characters, after)
            return text.run(self.characters, after) & text.within(self.length - 1, after)
        flags = text.flags(after)
        too_many = self.length + 1
        fewest = [0 if flag == "1" else too_many for flag in flags]
        found = [] if least else [position for position, flag in enumerate(flags) if flag == "1"]
        for position in range(text.length - 1, -1, -1):
            if text.uri[position] not in self.characters:
                continue
            count = 1 + min(fewest[position + width] for width in _widths(text.uri, position))
            if count <= self.length:
                found.append(position)
            if count < fewest[position]:
                fewest[position] = count
        return text.set_of(found) & text.boundaries

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        position = start
        if not least and after[position] == "1":
            yield position
        run_end = text.run_end(self.characters, start)
        characters = split_characters(text.uri[start : min(run_end, start + 12 * self.length)])
        for count, character in enumerate(characters[: self.length]):
            # Cut short, a character of several octets counts as that many.
            for width in range(3, len(character), 3):
                if count + width // 3 <= self.length and after[position + width] == "1":
                    yield position + width
            position += len(character)
            if after[position] == "1":
                yield position


def _widths(uri: str, position: int) -> tuple[int, ...]:
    if uri[position] != "%":
        return (1,)
    whole = len(split_characters(uri[position : position + 12])[0])
    return (3,) if whole == 3 else (3, whole)


class Named:
    """`name=value`; an empty value leaves `name=` or, under `;`, the bare name."""

    def __init__(self, name: str, operator: Operator, value: Shape) -> None:
        self.name = name
        self.bare = operator.if_empty == ""
        self.value = value

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape."""
        if self.name not in text.uri:
            return 0
        valued = text.literal("=", self.value.before(text, after, int(self.bare)))
        return text.literal(self.name, valued | after if self.bare else valued)

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        if not text.uri.startswith(self.name, start):
            return
        end = start + len(self.name)
        if self.bare and after[end] == "1":
            yield end
        if text.uri.startswith("=", end):
            yield from self.value.ends(text, end + 1, after, int(self.bare))


class NamedList:
    """`name=member` for each member of an exploded list, with the operator's separator between."""

    def __init__(self, name: str, operator: Operator) -> None:
        self.name = name
        self.separator = operator.separator
        # Under `;` an empty member is its bare name.
        self.bare = operator.if_empty == ""

    @cached_property
    def _member(self) -> "re.Pattern[str]":
        value = f"(?:=({_PLAIN_RUN}))?+" if self.bare else f"=({_PLAIN_RUN})"
        return re.compile(re.escape(self.name) + value)

    @cached_property
    def _linked(self) -> "re.Pattern[str]":
        lead = re.escape(self.separator + self.name)
        if self.bare:
            return re.compile(f"(?:{lead}(?:={_PLAIN_SOME})?+(?={lead}))++")
        return re.compile(f"(?:{lead}={_PLAIN_RUN}(?={lead}=))++")

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape. Behind the first member, any stretch of members that are linked."""
        if self.name not in text.uri:
            return 0
        last = text.literal(self.separator, self._one(text, after))
        if last:
            after |= text.spread(text.spans(self._linked), last) & text.mask(self.separator)
        return self._one(text, after)

    def _one(self, text: UriText, after: int) -> int:
        valued = text.literal("=", Run(PLAIN).before(text, after, int(self.bare)))
        return text.literal(self.name, valued | after if self.bare else valued)

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        while found := self._member.match(text.uri, start):
            if self.bare:
                yield from _flagged(after, start + len(self.name), start + len(self.name))
            if found[1] is not None:
                yield from _flagged(after, found.start(1) + self.bare, found.end(1))
            if not text.uri.startswith(self.separator, found.end()):
                return
            start = found.end() + 1


class Pairs:
    """`name=value` for each pair of an exploded associative array, with a separator between.

    Under `;` (`bare`) a pair with an empty value is its bare name.
    """

    def __init__(self, separator: str, bare: bool) -> None:
        self.separator = separator
        self.bare = bare
        # From a place that parts a pair, or joins it to the next: the run behind it, and the next such place.
        if bare:
            self._place = re.compile(f"[=;](?=({_PLAIN_RUN})([=;])?)")
            self._linked = re.compile(f"(?:;{_PLAIN_RUN}(?=[=;])|={_PLAIN_SOME}(?=;))++")
        elif separator in PLAIN:
            undotted = re.escape(PLAIN.replace(separator, ""))
            self._place = re.compile(f"=(?=({_PLAIN_RUN})(=)?)")
            self._linked = re.compile(f"(?:=[{undotted}]*+{re.escape(separator)}{_PLAIN_RUN}(?==))++")
        else:
            join = f"{re.escape(separator)}{_PLAIN_RUN}"
            self._place = re.compile(f"=(?=({_PLAIN_RUN})(?:{join}(=))?)")
            self._linked = re.compile(f"(?:={_PLAIN_RUN}{join}(?==))++")

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape. From the last such place leftwards through any stretch of them that are linked."""
        run = text.run(PLAIN, after)
        last = text.literal("=", text.one(PLAIN, run) if self.bare else run)
        places = text.mask("=")
        if self.bare:
            last |= text.literal(";", run)
            places |= text.mask(";")
        if last:
            last = text.spread(text.spans(self._linked), last) & places
        return text.run(PLAIN, last | (after if self.bare else 0))

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        place = text.run_end(PLAIN, start)
        if self.bare:
            yield from _flagged(after, start, place)
        while found := self._place.match(text.uri, place):
            yield from _flagged(after, found.start(1) + (self.bare and found[0] == "="), found.end(1))
            place = self._onward(found)
            if place < 0:
                return

    def _onward(self, found: "re.Match[str]") -> int:
        """The next such place that the text can reach; -1 where there is none."""
        if self.bare and found[0] == "=":
            return found.start(2) if found[2] == ";" and found[1] else -1
        if self.separator in PLAIN and self.separator not in found[1]:
            return -1
        return found.start(2)


@lru_cache(maxsize=16)
def _run(characters: str) -> Run:
    return Run("".join(dict.fromkeys(characters)))


@lru_cache(maxsize=16)
def _pairs(separator: str, bare: bool) -> Pairs:
    return Pairs(separator, bare)


class Either:
    """One shape or another; the first is preferred."""

    def __init__(self, first: Shape, second: Shape) -> None:
        self.first = first
        self.second = second

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape."""
        return self.first.before(text, after, least) | self.second.before(text, after, least)

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        yield from self.first.ends(text, start, after, least)
        yield from self.second.ends(text, start, after, least)


def _flagged(flags: str, low: int, high: int) -> Iterator[int]:
    """The flagged positions from `low` to `high`, both included."""
    position = flags.find("1", low, high + 1)
    while position >= 0:
        yield position
        position = flags.find("1", position + 1, high + 1)
