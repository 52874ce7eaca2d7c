"""What a person writes for a template's variables, and what it stands for. No widgets here.

A variable that is left empty is undefined. One with `*` takes a list, `a, b`, or an associative array, `k=v, k=v`:
one where every item has a `=`. A backslash before `,`, `=` or itself makes it part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from inspector.templates import UriTemplate, Value
from inspector.templates.grammar import Expression

_PIECE: Final = re.compile(r"\\[\\,=]|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TemplateVariable:
    """A variable that is asked for. `takes_many`: whether it may be a list or an associative array."""

    name: str
    takes_many: bool
    hint: str
    """What stands in its field while it is empty."""
    help: str
    """What can be written, in a line."""


def variables_of(template: UriTemplate) -> tuple[TemplateVariable, ...]:
    """The variables of a template, each once, in order of first occurrence."""
    explodes: dict[str, bool] = {}
    prefixes: dict[str, int] = {}
    spans: dict[str, bool] = {}
    for part in template.parts:
        if not isinstance(part, Expression):
            continue
        for variable in part.variables:
            explodes[variable.name] = explodes.get(variable.name, False) or variable.explode
            spans[variable.name] = spans.get(variable.name, False) or part.operator.reserved
            if variable.prefix is not None:
                prefixes[variable.name] = min(prefixes.get(variable.name, variable.prefix), variable.prefix)
    return tuple(
        _variable(name, explodes[name] and name not in prefixes, prefixes.get(name), spans[name])
        for name in template.variables
    )


def _variable(name: str, takes_many: bool, prefix: int | None, spans: bool) -> TemplateVariable:
    if takes_many:
        hint, about = "a, b or key=value, …", r"a, b is a list · k=v, k=v an associative array · \, a comma"
    elif prefix is not None:
        hint = about = f"its first {prefix} characters count" if prefix > 1 else "its first character counts"
    elif spans:
        hint, about = "one value, / and all", "one value · / and other reserved characters stand as they are"
    else:
        hint, about = "one value", "one value · what a URI cannot hold there is percent-encoded"
    return TemplateVariable(name, takes_many, f"left out  ·  {hint}", about)


def read_value(variable: TemplateVariable, text: str) -> Value | None:
    """The value that was written; None where the variable is left out."""
    if not text:
        return None
    if not variable.takes_many:
        return text
    items = [item for item in _split(text) if any(item)]
    pairs = [item for item in items if len(item) > 1]
    if items and len(pairs) == len(items):
        return [(name, "=".join(rest)) for name, *rest in pairs]
    return ["=".join(item) for item in items] or None


def _split(text: str) -> Iterable[list[str]]:
    """The items between commas, each as what stands between its `=`."""
    item = [""]
    for piece in _PIECE.findall(text):
        if piece == ",":
            yield [part.strip() for part in item]
            item = [""]
        elif piece == "=":
            item.append("")
        else:
            item[-1] += piece[-1]
    yield [part.strip() for part in item]


def write_value(variable: TemplateVariable, value: Value) -> str | None:
    """The text that stands for a value; None where no text does."""
    if isinstance(value, str):
        text = _escaped(value) if variable.takes_many else value
    else:
        text = ", ".join(
            _escaped(item) if isinstance(item, str) else f"{_escaped(item[0])}={_escaped(item[1])}"
            for item in value
        )
    read = read_value(variable, text)
    return text if read in (value, [value]) else None


def _escaped(text: str) -> str:
    return re.sub(r"[\\,=]", lambda found: "\\" + found[0], text)


def write_values(variables: Iterable[TemplateVariable], values: Mapping[str, Value]) -> dict[str, str] | None:
    """The texts that stand for these values; None where for one of them no text does."""
    texts: dict[str, str] = {}
    for variable in variables:
        if variable.name in values:
            text = write_value(variable, values[variable.name])
            if text is None:
                return None
            texts[variable.name] = text
    return texts


def item_at_end(variable: TemplateVariable, text: str) -> str:
    """The item that is being written: a server completes one item of a list, not the list."""
    return re.sub(r"\\([\\,=])", r"\1", text[_item_start(variable, text) :])


def _item_start(variable: TemplateVariable, text: str) -> int:
    if not variable.takes_many:
        return 0
    start = max((found.end() for found in _PIECE.finditer(text) if found[0] in ",="), default=0)
    return start + len(text[start:]) - len(text[start:].lstrip())


def with_item(variable: TemplateVariable, text: str, item: str) -> str:
    """The text with the item that is being written replaced by one that was offered."""
    before = text[: _item_start(variable, text)]
    return before + (_escaped(item) if variable.takes_many else item)
