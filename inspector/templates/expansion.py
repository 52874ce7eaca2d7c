"""Expansion (RFC 6570, section 3): uritemplate's, mended where that departs from the text.

The departures, each mended by what uritemplate is given or by one change to what it returns:

- it copies literals as they are; section 3.1 encodes what a URI cannot hold (`grammar` does);
- it sorts associative arrays; given as pairs, they keep their order;
- `{+x}` and `{#x}` stop encoding once a value holds any `%HH`; they get values that are encoded already;
- `:n` cuts through `%HH`; values come cut, and the expression without its modifier;
- an empty member of an exploded `;` list gives `;k=`, where appendix A has `;k`;
- an undefined member is written as `None`, an empty list under `;` as its name;
- an octet that is no UTF-8 (a lone surrogate from `decode`) cannot be written at all.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from uritemplate.variable import URIVariable

from inspector.templates.characters import encode_reserved, split_characters
from inspector.templates.grammar import Expression, Literal, Operator, Part, Variable

Value = str | list[str] | list[tuple[str, str]]
"""A variable's value: a string, a list, or an associative array as its pairs in order."""

_EMPTY_MEMBER = re.compile("=(?=;|$)")
_OCTETS = re.compile("[\udc80-\udcff]")
_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_HANDLE = re.compile("z+")


def expand_parts(parts: Sequence[Part], values: Mapping[str, Any]) -> str:
    """The URI that the template expands to. A name that is absent, None, or an empty list is undefined.

    A value is a string, a number, a sequence of them, a mapping, or a sequence of pairs; a member that
    is None is left out. Raises ValueError where a value cannot be expanded: `:n` on a list, or a lone
    surrogate that stands for no octet.
    """
    return "".join(part.text if isinstance(part, Literal) else _expand_expression(part, values) for part in parts)


def _expand_expression(expression: Expression, values: Mapping[str, Any]) -> str:
    operator = expression.operator
    texts = [
        text
        for variable in expression.variables
        if (value := normalize(values.get(variable.name))) is not None
        and (text := expand_variable(operator, variable, value)) is not None
    ]
    return operator.first + operator.separator.join(texts) if texts else ""


def normalize(value: Any) -> Value | None:
    """Any value that a person or JSON may give, as a Value; None where RFC 6570 calls it undefined."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        pairs = [(str(name), _scalar(member)) for name, member in value.items() if member is not None]
        return pairs or None
    if isinstance(value, (list, tuple)):
        members = [member for member in value if member is not None]
        if members and all(isinstance(member, (list, tuple)) and len(member) == 2 for member in members):
            return [(str(name), _scalar(member)) for name, member in members if member is not None] or None
        return [_scalar(member) for member in members] or None
    return _scalar(value)


def _scalar(value: Any) -> str:
    """A string or a number as it is written; JSON's spelling for true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def expand_variable(operator: Operator, variable: Variable, value: Value) -> str:
    """What one defined variable adds to its expression, without what stands before it.

    Raises ValueError as `expand_parts` does.
    """
    if variable.prefix is not None:
        if not isinstance(value, str):
            raise ValueError(f"{variable.name}:{variable.prefix} takes the start of a string, not of a list")
        value = _cut(operator, value, variable.prefix)
    for text in _texts(value):
        lone = _LONE_SURROGATE.search(text)
        if lone:
            raise ValueError(f"the value of {variable.name} holds a lone surrogate at {lone.start()}")
    if operator.reserved:
        value = _each(value, encode_reserved)
    handle = _handle_for(value)
    if handle:
        value = _each(value, lambda text: _OCTETS.sub(lambda found: f"{handle}{_octet(found[0])}", text))
    text = operator.symbol + variable.name + ("*" if variable.explode else "")
    # The library's types know no list of pairs; it takes one, and keeps its order.
    values: dict[str, Any] = {variable.name: value}
    expanded: str = URIVariable(text).expand(values)[text]
    if operator.symbol == ";":
        expanded = _EMPTY_MEMBER.sub("", expanded)
    return (expanded.replace(handle, "%") if handle else expanded).removeprefix(operator.first)


def _octet(escape: str) -> str:
    return f"{ord(escape) - 0xDC00:02X}"


def _cut(operator: Operator, value: str, length: int) -> str:
    """The first `length` characters; where `%HH` passes through, it is never split (section 2.4.1)."""
    return "".join(split_characters(value)[:length]) if operator.reserved else value[:length]


def _each(value: Value, change: Callable[[str], str]) -> Value:
    if isinstance(value, str):
        return change(value)
    changed: list[Any] = [
        change(member) if isinstance(member, str) else (change(member[0]), change(member[1])) for member in value
    ]
    return changed


def _texts(value: Value) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for member in value for text in ((member,) if isinstance(member, str) else member)]


def _handle_for(value: Value) -> str | None:
    """A word that stands for `%` before an octet and cannot be in the value; None where none is needed."""
    whole = "\n".join(_texts(value))
    if not _OCTETS.search(whole):
        return None
    longest = max((len(run) for run in _HANDLE.findall(whole)), default=0)
    return f"_{'z' * (longest + 1)}_"
