"""From the text of a defined variable back to its value.

A string where one will do, then a list, then an associative array as its pairs. What is one member is a
string. In `{x}` a comma parts the members of a list; in `{+x}` it belongs to the string. Where `.` joins
pairs, a name begins after the last dot before its `=`.
"""

from collections.abc import Callable
from functools import lru_cache

from inspector.templates.characters import decode, decode_reserved
from inspector.templates.expansion import Value
from inspector.templates.grammar import Operator, Variable

Reader = Callable[[str], Value]


def read_value(operator: Operator, variable: Variable, text: str) -> Value:
    """The value that `variable` has where it expanded to `text`, which is of its shape."""
    return reader_of(operator, variable)(text)


def read_members(text: str) -> Value:
    """The value of `{x}`, or what stands behind `name=` in `{?x}`: members that commas part."""
    if "," in text:
        return [decode(member) for member in text.split(",")]
    return decode(text)


@lru_cache(maxsize=1024)
def reader_of(operator: Operator, variable: Variable) -> Reader:
    """The function that reads the values of `variable` off its texts."""
    if operator.reserved:
        return decode_reserved
    if variable.explode and operator.named:
        return _exploded_named(operator, variable.name)
    if variable.explode:
        return _exploded(operator.separator)
    if operator.named:
        start = len(variable.name) + 1
        return lambda text: read_members(text[start:])
    return read_members


def _exploded(separator: str) -> Reader:
    def read(text: str) -> Value:
        if "=" in text:
            return _pairs(_split_at_dots(text) if separator == "." else text.split(separator))
        if "%" not in text:
            members = text.split(separator)
            return members if len(members) > 1 else text
        members = [decode(member) for member in text.split(separator)]
        return members if len(members) > 1 else members[0]

    return read


def _exploded_named(operator: Operator, name: str) -> Reader:
    separator, is_bare = operator.separator, not operator.if_empty
    valued = name + "="
    start = len(valued)

    def read(text: str) -> Value:
        members: list[str] = []
        for member in text.split(separator):
            if member.startswith(valued):
                members.append(decode(member[start:]))
            elif is_bare and member == name:
                members.append("")
            else:
                return _pairs(text.split(separator))
        return members if len(members) > 1 else members[0]

    return read


def _split_at_dots(text: str) -> list[str]:
    first, *others = text.split("=")
    pairs = [first]
    for other in others[:-1]:
        value, _, name = other.rpartition(".")
        pairs[-1] += "=" + value
        pairs.append(name)
    pairs[-1] += "=" + others[-1]
    return pairs


def _pairs(members: list[str]) -> Value:
    parted = [member.partition("=") for member in members]
    return [(decode(name), decode(value)) for name, _, value in parted]
