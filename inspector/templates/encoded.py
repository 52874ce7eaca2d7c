"""Which octets of an expansion did the expansion percent-encode? For people to see what became of what they typed.

A `%HH` that a template spells, in a literal or in the name of a variable, or that passes through `{+x}` and
`{#x}` (RFC 6570, section 3.2.3), was there before and is not among them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.templates.characters import RESERVED, UNRESERVED, encode_octets, split_characters
from inspector.templates.expansion import expand_parts, normalize
from inspector.templates.grammar import Expression, Literal, Variable
from inspector.templates.template import UriTemplate

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_TOKEN = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Expanded:
    """An expansion, and what of it was encoded."""

    uri: str
    encoded: tuple[tuple[int, int], ...]
    """Start and end (exclusive) of each run that expansion percent-encoded: offsets in `uri` from 0, in order."""


def expand_marked(template: UriTemplate, values: Mapping[str, Any]) -> Expanded:
    """As `UriTemplate.expand`, with what was encoded. Raises ValueError as that does."""
    uri = ""
    encoded: list[tuple[int, int]] = []
    for part in template.parts:
        text = expand_parts((part,), values)
        origins = _of_literal(part) if isinstance(part, Literal) else _of_expression(part, values)
        for found, is_new in zip(_TRIPLET.finditer(text), origins, strict=True):
            start, end = len(uri) + found.start(), len(uri) + found.end()
            if is_new and encoded and encoded[-1][1] == start:
                encoded[-1] = (encoded[-1][0], end)
            elif is_new:
                encoded.append((start, end))
        uri += text
    return Expanded(uri, tuple(encoded))


def _of_literal(literal: Literal) -> Iterator[bool]:
    """For each `%HH` that it expands to, in order: was it encoded?"""
    for token in _TOKEN.findall(literal.source):
        if len(token) == 3:
            yield False
        elif not token.isascii():
            yield from _encoded(token)


def _of_expression(expression: Expression, values: Mapping[str, Any]) -> Iterator[bool]:
    """The same for an expression: names and values in the order in which they are expanded."""
    operator = expression.operator
    for variable in expression.variables:
        value = normalize(values.get(variable.name))
        if value is None:
            continue
        name = [False] * len(_TRIPLET.findall(variable.name)) if operator.named else []
        if isinstance(value, str):
            yield from name
            yield from _of_value(expression, _cut(expression, variable, value))
            continue
        if not variable.explode:
            yield from name
        for member in value:
            if isinstance(member, str):
                if variable.explode:
                    yield from name
                yield from _of_value(expression, member)
            else:
                yield from _of_value(expression, member[0])
                yield from _of_value(expression, member[1])


def _cut(expression: Expression, variable: Variable, value: str) -> str:
    """What `:n` leaves of a value; where `%HH` passes through, it is one character (section 2.4.1)."""
    if variable.prefix is None:
        return value
    return (
        "".join(split_characters(value)[: variable.prefix])
        if expression.operator.reserved
        else value[: variable.prefix]
    )


def _of_value(expression: Expression, text: str) -> Iterator[bool]:
    reserved = expression.operator.reserved
    stands = UNRESERVED + RESERVED if reserved else UNRESERVED
    for token in _TOKEN.findall(text) if reserved else text:
        if len(token) == 3:
            yield False
        elif token not in stands:
            yield from _encoded(token)


def _encoded(character: str) -> list[bool]:
    return [True] * (len(encode_octets(character)) // 3)
