"""The function that answers `UriTemplate.match`: a pattern where there is one, or the exact search."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from inspector.templates.expansion import Value
from inspector.templates.grammar import Expression, Literal, Operator, Part, Variable
from inspector.templates.pattern import Pattern, pattern_of
from inspector.templates.shapes import PLAIN
from inspector.templates.values import Reader, read_members, reader_of

Matcher = Callable[[str], dict[str, Value] | None]

_SHORT: Final = 500
"""The length of a URI, in characters, up to which a quadratic pattern is quicker than the exact search."""

_PLAIN_TO_END = re.compile(f"[{re.escape(PLAIN)},]*+\\Z")


def matcher_of(parts: Sequence[Part], exact: Matcher) -> Matcher:
    """A function that answers as `exact` does, and most templates many times faster. No name repeats."""
    if all(isinstance(part, Literal) for part in parts):
        text = "".join(part.text for part in parts if isinstance(part, Literal))
        return lambda uri: {} if uri == text else None
    pattern = pattern_of(parts, with_octets=False)
    if pattern is None:
        return exact
    matcher = _with_end_first(parts, _guarded(pattern, _reader(parts, pattern), exact))
    return _with_nothing_first(parts, matcher)


def _with_nothing_first(parts: Sequence[Part], matcher: Matcher) -> Matcher:
    """`matcher`, but the URI without any variable answered at once, where nothing else expands to it.

    That is so where each expression that is not left out adds a character of its own.
    """
    if not all(part.operator.first for part in parts if isinstance(part, Expression)):
        return matcher
    bare = "".join(part.text for part in parts if isinstance(part, Literal))
    return lambda uri: {} if uri == bare else matcher(uri)


def _guarded(pattern: Pattern, matcher: Matcher, exact: Matcher) -> Matcher:
    """`matcher` for the URIs of which the pattern speaks, `exact` for the others."""
    if not pattern.is_quadratic and not pattern.without_equals:
        return matcher
    is_quadratic, without_equals = pattern.is_quadratic, pattern.without_equals

    def match(uri: str) -> dict[str, Value] | None:
        if (is_quadratic and len(uri) > _SHORT) or (without_equals and "=" in uri):
            return exact(uri)
        return matcher(uri)

    return match


def _with_end_first(parts: Sequence[Part], matcher: Matcher) -> Matcher:
    """`matcher`, asked only where the end of the URI fits: a long URI is most quickly refused there."""
    last = parts[-1]
    if isinstance(last, Literal):
        tail = last.text
        return lambda uri: matcher(uri) if uri.endswith(tail) else None
    before = parts[-2] if len(parts) > 1 else None
    spans = any(isinstance(part, Expression) and part.operator.reserved for part in parts[:-1])
    is_plain = not last.operator.symbol and len(last.variables) == 1 and not last.variables[0].explode
    if not (spans and is_plain and isinstance(before, Literal)):
        return matcher
    lead = before.text

    def match(uri: str) -> dict[str, Value] | None:
        # Where any place of the lead is followed by nothing but plain characters, the last one is.
        at = uri.rfind(lead)
        return matcher(uri) if at >= 0 and _PLAIN_TO_END.match(uri, at + len(lead)) else None

    return match


def _reader(parts: Sequence[Part], pattern: Pattern) -> Matcher:
    """A function that matches the pattern and reads the values off its groups."""
    variables = [
        (part.operator, variable) for part in parts if isinstance(part, Expression) for variable in part.variables
    ]
    readers = [(variable.name, _group_reader(operator, variable)) for operator, variable in variables]
    names = [name for name, _ in readers]
    match = re.compile(pattern.regex + r"\Z").match
    encoded = _encoded_reader(parts, readers)
    if any(variable.explode or operator.symbol == ";" for operator, variable in variables):

        def read(uri: str) -> dict[str, Value] | None:
            if "%" in uri:
                return encoded(uri)
            found = match(uri)
            return None if found is None else _read(readers, found)

        return read
    if len(names) == 1 and not variables[0][0].first:
        (name,) = names

        def read_one(uri: str) -> dict[str, Value] | None:
            if "%" in uri:
                return encoded(uri)
            found = match(uri)
            if found is None:
                return None
            return _read(readers, found) if "," in uri else {name: found[1]}

        return read_one

    def read_several(uri: str) -> dict[str, Value] | None:
        if "%" in uri:
            return encoded(uri)
        found = match(uri)
        if found is None:
            return None
        if "," in uri:
            return _read(readers, found)
        texts = found.groups()
        # As many texts as names; `strict` would cost as much as the rest of the line.
        pairs = zip(names, texts)  # noqa: B905
        return {name: text for name, text in pairs if text is not None} if None in texts else dict(pairs)

    return read_several


_Readers = Sequence[tuple[str, Reader]]


def _encoded_reader(parts: Sequence[Part], readers: _Readers) -> Matcher:
    """The same for URIs with `%HH` in them; its pattern is written when the first is seen."""
    match: list[Callable[[str], re.Match[str] | None]] = []

    def read(uri: str) -> dict[str, Value] | None:
        if not match:
            pattern = pattern_of(parts, with_octets=True)
            assert pattern is not None
            match.append(re.compile(pattern.regex + r"\Z").match)
        found = match[0](uri)
        return None if found is None else _read(readers, found)

    return read


def _group_reader(operator: Operator, variable: Variable) -> Reader:
    # The pattern holds `name=` outside the group of a `?` or `&` variable that is not exploded.
    return read_members if operator.if_empty and not variable.explode else reader_of(operator, variable)


def _read(readers: _Readers, found: "re.Match[str]") -> dict[str, Value]:
    return {
        name: reader(text)
        for (name, reader), text in zip(readers, found.groups(), strict=True)
        if text is not None
    }
