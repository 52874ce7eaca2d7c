"""What a defined variable can look like in a URI (RFC 6570, sections 2.4 and 3.2), as shapes of text.

A shape answers two questions on a URI. `before`: of a set of positions from which the rest of the template
fits, before which positions can a text of this shape stand? `ends`: from one position, where can such a text
end, the shortest first? The first decides, the second reads the values off.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Protocol

from inspector.templates.characters import RESERVED, UNRESERVED, split_characters
from inspector.templates.grammar import Operator, Variable
from inspector.templates.uritext import UriText

PLAIN: Final = UNRESERVED + "%"
"""What stands in a member of a value where reserved characters are encoded."""
ANY: Final = UNRESERVED + RESERVED + "%"
"""What stands in a value where they pass through."""


class Shape(Protocol):
    """The texts that one variable, once defined, can expand to."""

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """The positions before a text of this shape, of `least` characters or more, that ends in `after`."""

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """The positions flagged in `after` where such a text can end that begins at `start`."""


def shape_of(operator: Operator, variable: Variable) -> Shape:
    """The shape of `variable` under `operator`, without what stands before it."""
    separator = operator.separator
    if variable.explode and operator.named:
        return Either(NamedList(variable.name, operator), Pairs(separator, bare=operator.if_empty == ""))
    if variable.explode and not operator.reserved:
        return Either(Run(PLAIN + separator), Pairs(separator, bare=False))
    characters = ANY if operator.reserved else PLAIN
    value: Shape
    if variable.prefix is not None:
        value = Start(variable.prefix, characters)
    else:
        # The members of a list or an associative array are joined by commas.
        value = Run(characters if operator.reserved else characters + ",")
    return Named(variable.name, operator, value) if operator.named else value


class Run:
    """Any number of some characters: a string, or members joined by one of the characters."""

    def __init__(self, characters: str) -> None:
        self.characters = "".join(dict.fromkeys(characters))

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape."""
        after = text.run(self.characters, after)
        return text.one(self.characters, after) if least else after

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        return _flagged(after, start + least, text.run_end(self.characters, start))


class Start:
    """At most `length` characters, as `:n` counts them (R25)."""

    def __init__(self, length: int, characters: str) -> None:
        self.length = length
        self.characters = characters

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape. One walk over the URI with the fewest characters that lead into `after`."""
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
        self.bare = operator.if_empty == ""

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape."""
        flags = text.flags(after)
        going_on: set[int] = set()
        lead = self.separator + self.name
        for found in reversed(list(re.finditer(re.escape(lead), text.uri))):
            windows, end = self._member(text, found.start() + 1)
            if windows and (_reaches(flags, windows) or end in going_on):
                going_on.add(found.start())
        after |= text.set_of(going_on)
        valued = text.literal("=", Run(PLAIN).before(text, after, int(self.bare)))
        return text.literal(self.name, valued | after if self.bare else valued)

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        while text.uri.startswith(self.name, start):
            windows, end = self._member(text, start)
            for low, high in windows:
                yield from _flagged(after, low, high)
            if not windows or not text.uri.startswith(self.separator, end):
                return
            start = end + 1

    def _member(self, text: UriText, start: int) -> tuple[list[tuple[int, int]], int]:
        """Where the member at `start` can end, as ranges of positions, and the last of them."""
        equals = start + len(self.name)
        windows = [(equals, equals)] if self.bare else []
        if text.uri.startswith("=", equals):
            end = text.run_end(PLAIN, equals + 1)
            low = equals + 1 + self.bare
            if low <= end:
                return [*windows, (low, end)], end
        return windows, equals


class Pairs:
    """`name=value` for each pair of an exploded associative array, with a separator between.

    Under `;` (`bare`) a pair with an empty value is its bare name.
    """

    def __init__(self, separator: str, bare: bool) -> None:
        self.separator = separator
        self.bare = bare

    def before(self, text: UriText, after: int, least: int = 0) -> int:
        """See Shape. Right to left over the places where a pair is parted or joined to the next."""
        flags = text.flags(after)
        fits: set[int] = set()
        places = "=;" if self.bare else "="
        for found in reversed(list(re.finditer(f"[{places}]", text.uri))):
            place = found.start()
            windows, onward = self._from(text, place)
            if _reaches(flags, windows) or onward in fits:
                fits.add(place)
        return text.run(PLAIN, text.set_of(fits) | (after if self.bare else 0))

    def ends(self, text: UriText, start: int, after: str, least: int = 0) -> Iterator[int]:
        """See Shape."""
        end = text.run_end(PLAIN, start)
        if self.bare:
            yield from _flagged(after, start, end)
        place: int | None = end
        if text.uri[end : end + 1] not in (("=", ";") if self.bare else ("=",)):
            return
        while place is not None:
            windows, place = self._from(text, place)
            for low, high in windows:
                yield from _flagged(after, low, high)

    def _from(self, text: UriText, place: int) -> tuple[list[tuple[int, int]], int | None]:
        """After the `=` (or the `;`) at `place`: where the text can end, and the next such place, if any."""
        uri = text.uri
        end = text.run_end(PLAIN, place + 1)
        if uri[place] == ";":
            return [(place + 1, end)], end if uri[end : end + 1] in ("=", ";") else None
        low = place + 1 + self.bare
        if low > end:
            return [], None
        if self.bare:
            onward = end if uri.startswith(";", end) else None
        elif self.separator in PLAIN:
            onward = end if uri.startswith("=", end) and self.separator in uri[place:end] else None
        else:
            name_end = text.run_end(PLAIN, end + 1) if uri.startswith(self.separator, end) else end
            onward = name_end if name_end > end and uri.startswith("=", name_end) else None
        return [(low, end)], onward


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


def _reaches(flags: str, windows: Iterable[tuple[int, int]]) -> bool:
    return any(flags.find("1", low, high + 1) >= 0 for low, high in windows)


@lru_cache(maxsize=1024)
def cached_shape_of(operator: Operator, variable: Variable) -> Shape:
    """`shape_of`, kept: the variables of many templates are alike."""
    return shape_of(operator, variable)
