"""Every value that a variable may have where it expanded to a text: what a repeated variable needs (R26).

`values.read_value` gives one value. Elsewhere in the template the same variable may stand under another
operator, where values that gave the same text here give different ones: `a,b` in `{x}` is a list or a pair.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from inspector.templates.characters import RESERVED, decode, decode_reserved, split_characters
from inspector.templates.expansion import Value
from inspector.templates.grammar import Operator, Variable
from inspector.templates.values import read_value

_MOST_PLACES: Final = 5
"""In how many places a text may be read in two ways before not every reading is listed."""


@dataclass(frozen=True, slots=True)
class Readings:
    """Values that give one text."""

    values: tuple[Value, ...]
    complete: bool
    """Whether every other value that gives it expands like one of these under every operator."""


@lru_cache(maxsize=64)
def readings_of(operator: Operator, variable: Variable, text: str) -> Readings:
    """The values of `variable` for which it expands to `text`, which is of its shape; the usual first."""
    usual = read_value(operator, variable, text)
    readings = _others(operator, variable, text)
    return Readings((usual, *(value for value in readings.values if value != usual)), readings.complete)


def _others(operator: Operator, variable: Variable, text: str) -> Readings:
    if variable.prefix is not None:
        return _start(operator, variable, text)
    if operator.reserved:
        return _reserved(variable, text)
    if not variable.explode:
        bare = text[len(variable.name) + 1 :] if operator.named else text
        return Readings(tuple(_joined_by_commas([decode(member) for member in bare.split(",")])), True)
    if operator.named:
        return _exploded_named(operator, variable.name, text)
    return _exploded(operator.separator, text)


def _start(operator: Operator, variable: Variable, text: str) -> Readings:
    """A string of which `text` is the first characters, or all of them if they are fewer than they may be."""
    bare = text[len(variable.name) + 1 :] if operator.named else text
    is_all = variable.prefix is not None and len(split_characters(bare)) < variable.prefix
    if not operator.reserved:
        return Readings((decode(bare),), is_all)
    spellings, every = _spellings(bare)
    return Readings(tuple(spellings), is_all and every)


def _joined_by_commas(members: list[str]) -> Iterator[Value]:
    if len(members) == 1:
        yield members[0]
        return
    yield members
    if len(members) % 2 == 0:
        yield list(zip(members[::2], members[1::2], strict=True))


def _exploded_named(operator: Operator, name: str, text: str) -> Readings:
    parted = [member.partition("=") for member in text.split(operator.separator)]
    values: list[Value] = []
    if all(key == name for key, _, _ in parted):
        members = [decode(value) for _, _, value in parted]
        values.append(members if len(members) > 1 else members[0])
    values.append([(decode(key), decode(value)) for key, _, value in parted])
    return Readings(tuple(values), True)


def _exploded(separator: str, text: str) -> Readings:
    pieces = text.split(separator)
    if separator != ".":
        if "=" in text:
            return Readings(([_decoded_pair(piece) for piece in pieces],), True)
        members = [decode(piece) for piece in pieces]
        return Readings((members if len(members) > 1 else members[0],), True)
    # A dot may join two members or stand within one.
    values: list[Value] = []
    for members in _groupings(pieces, separator):
        if "=" not in text:
            values.append([decode(member) for member in members] if len(members) > 1 else decode(members[0]))
        elif all(member.count("=") == 1 for member in members):
            values.append([_decoded_pair(member) for member in members])
    return Readings(tuple(values), len(pieces) <= _MOST_PLACES)


def _decoded_pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return decode(name), decode(value)


def _reserved(variable: Variable, text: str) -> Readings:
    """Where everything passes through: any comma may join members, any `%HH` be the value's own."""
    strings, every_spelling = _spellings(text)
    values: list[Value] = list(strings)
    pieces = text.split(",")
    for members in _groupings(pieces, ","):
        decoded = [decode_reserved(member) for member in members]
        if variable.explode:
            values.append(decoded)
            if all("=" in member for member in decoded):
                values.append([(name, value) for name, _, value in (member.partition("=") for member in decoded)])
        else:
            values.extend(_joined_by_commas(decoded))
    single = len(pieces) == 1 and not (variable.explode and "=" in text)
    return Readings(tuple(values), every_spelling and single)


def _groupings(pieces: list[str], separator: str) -> Iterator[list[str]]:
    """`pieces` joined again in every way, all apart first; only all apart where there are too many."""
    if len(pieces) > _MOST_PLACES:
        yield pieces
        return
    for joins in itertools.product((False, True), repeat=len(pieces) - 1):
        members = pieces[:1]
        for is_joined, piece in zip(joins, pieces[1:], strict=True):
            if is_joined:
                members[-1] += separator + piece
            else:
                members.append(piece)
        yield members


def _spellings(text: str) -> tuple[list[str], bool]:
    """The strings that `{+x}` may expand to `text`: each `%HH` the value's own, or put there by expansion."""
    choices: list[tuple[str, ...]] = []
    for character in split_characters(text):
        own = decode(character)
        # A reserved character would pass through as it is.
        choices.append((character,) if own == character or own in RESERVED else (own, character))
    if sum(len(choice) > 1 for choice in choices) > _MOST_PLACES:
        return list(dict.fromkeys((decode_reserved(text), text))), False
    return ["".join(choice) for choice in itertools.product(*choices)], True
