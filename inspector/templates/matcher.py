"""The function that answers `UriTemplate.match`: a pattern where there is one, or the exact search."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from inspector.templates.expansion import Value
from inspector.templates.grammar import Expression, Literal, Operator, Part, Variable
from inspector.templates.pattern import pattern_of
from inspector.templates.values import read_value

Matcher = Callable[[str], dict[str, Value] | None]

_SHORT: Final = 500
"""The length of a URI, in characters, up to which a quadratic pattern is quicker than the exact search."""


def matcher_of(parts: Sequence[Part], exact: Matcher) -> Matcher:
    """A function that answers as `exact` does, and most templates many times faster."""
    if all(isinstance(part, Literal) for part in parts):
        text = "".join(part.text for part in parts if isinstance(part, Literal))
        return lambda uri: {} if uri == text else None
    pattern = pattern_of(parts)
    if pattern is None:
        return exact
    matcher = _reader(parts, re.compile(pattern.regex + r"\Z"))
    if not pattern.is_quadratic and not pattern.without_equals:
        return matcher
    longest = _SHORT if pattern.is_quadratic else None
    without_equals = pattern.without_equals

    def guarded(uri: str) -> dict[str, Value] | None:
        if (longest is not None and len(uri) > longest) or (without_equals and "=" in uri):
            return exact(uri)
        return matcher(uri)

    return guarded


def _reader(parts: Sequence[Part], regex: "re.Pattern[str]") -> Matcher:
    variables = [
        (part.operator, variable)
        for part in parts
        if isinstance(part, Expression)
        for variable in part.variables
    ]
    match = regex.match
    if any(variable.explode or operator.symbol == ";" for operator, variable in variables):

        def read(uri: str) -> dict[str, Value] | None:
            found = match(uri)
            return None if found is None else _read(variables, found)

        return read
    names = [variable.name for _, variable in variables]
    if any(operator.first or len(part_variables) > 1 for operator, part_variables in _expressions(parts)):

        def read_optional(uri: str) -> dict[str, Value] | None:
            found = match(uri)
            if found is None:
                return None
            if "%" in uri or "," in uri:
                return _read(variables, found)
            return {name: text for name, text in zip(names, found.groups(), strict=True) if text is not None}

        return read_optional
    if len(names) == 1:
        (name,) = names

        def read_one(uri: str) -> dict[str, Value] | None:
            found = match(uri)
            if found is None:
                return None
            if "%" in uri or "," in uri:
                return _read(variables, found)
            return {name: found[1]}

        return read_one

    def read_all(uri: str) -> dict[str, Value] | None:
        found = match(uri)
        if found is None:
            return None
        if "%" in uri or "," in uri:
            return _read(variables, found)
        return dict(zip(names, found.groups(), strict=True))

    return read_all


def _expressions(parts: Sequence[Part]) -> list[tuple[Operator, tuple[Variable, ...]]]:
    return [(part.operator, part.variables) for part in parts if isinstance(part, Expression)]


def _read(variables: Sequence[tuple[Operator, Variable]], found: "re.Match[str]") -> dict[str, Value]:
    values: dict[str, Value] = {}
    for (operator, variable), text in zip(variables, found.groups(), strict=True):
        if text is None:
            continue
        if operator.if_empty and not variable.explode:
            # The pattern holds the name and its `=` outside the group.
            text = f"{variable.name}={text}"
        values[variable.name] = read_value(operator, variable, text)
    return values
