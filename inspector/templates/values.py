"""From the text of a defined variable back to its value."""

from inspector.templates.characters import decode, decode_reserved
from inspector.templates.expansion import Value
from inspector.templates.grammar import Operator, Variable


def read_value(operator: Operator, variable: Variable, text: str) -> Value:
    """The value that `variable` has where it expanded to `text`, which is of its shape.

    A string where one will do, then a list, then an associative array as its pairs. What is one member is
    a string. In `{x}` a comma parts the members of a list; in `{+x}` it belongs to the string. Where `.`
    joins pairs, a name begins after the last dot before its `=`.
    """
    if operator.reserved:
        return decode_reserved(text)
    if variable.explode:
        return _read_exploded(operator, variable.name, text)
    if operator.named:
        text = text[len(variable.name) + 1 :]
    return decode(text) if "," not in text else [decode(member) for member in text.split(",")]


def _read_exploded(operator: Operator, name: str, text: str) -> Value:
    if not operator.named:
        if "=" in text:
            return _pairs(_split_pairs(text, operator.separator))
        return _list(text.split(operator.separator))
    members = text.split(operator.separator)
    valued = name + "="
    if all(member.startswith(valued) or (member == name and not operator.if_empty) for member in members):
        return _list([member[len(valued) :] for member in members])
    return _pairs(members)


def _split_pairs(text: str, separator: str) -> list[str]:
    if separator != ".":
        return text.split(separator)
    first, *others = text.split("=")
    pairs = [first]
    for other in others[:-1]:
        value, _, name = other.rpartition(".")
        pairs[-1] += "=" + value
        pairs.append(name)
    pairs[-1] += "=" + others[-1]
    return pairs


def _list(members: list[str]) -> Value:
    return decode(members[0]) if len(members) == 1 else [decode(member) for member in members]


def _pairs(members: list[str]) -> Value:
    parted = [member.partition("=") for member in members]
    return [(decode(name), decode(value)) for name, _, value in parted]
