"""What a form edits: the fields that an `inputSchema` asks for, and the arguments as they stand. No widgets here.

A schema may have any shape. What a field cannot be made of is a field for JSON, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Final

from inspector.host.same_json import same_json
from inspector.tui.text import visible
from inspector.tui.widgets.form_json import JsonFault, show_json, write_json

MOST_FIELDS: Final = 100
"""A schema with more properties than this has its others in the JSON alone."""

MOST_ROWS: Final = 64
"""An array with more strings than this is edited as JSON."""

_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class Absent(Enum):
    """The type of `ABSENT`."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""Stands for an argument that is left out: neither `null` nor empty."""


class FieldKind(StrEnum):
    """How a field is edited."""

    TEXT = "string"
    INTEGER = "integer"
    NUMBER = "number"
    CHOICE = "choice"
    STRINGS = "array of strings"
    JSON = "JSON"


@dataclass(frozen=True, slots=True)
class Field:
    """One argument that the form asks for.

    `schemes` are those that the tool declares for it (R4), empty where it declares none. `choices` are JSON
    values, `titles` their names, empty where a choice has none. `default` and `examples` are shown and never sent
    unless taken. `known` is False for an argument that the schema does not name. `empty` is the empty value of its
    kind, or `ABSENT`. `note` says what the field cannot do, `facts` what else the schema asks for.
    """

    name: str
    kind: FieldKind
    required: bool = False
    schemes: tuple[str, ...] = ()
    description: str = ""
    choices: tuple[Any, ...] = ()
    default: Any = ABSENT
    examples: tuple[Any, ...] = ()
    known: bool = True
    titles: tuple[str, ...] = ()
    nullable: bool = False
    title: str = ""
    empty: Any = ABSENT
    note: str = ""
    facts: tuple[str, ...] = ()

    @property
    def declared(self) -> bool:
        """Whether its strings are resolved (R6)."""
        return bool(self.schemes)

    @property
    def word(self) -> str:
        """What it holds, in a word or two: `integer`, `array of strings`, `object`."""
        if self.kind is FieldKind.JSON and self.empty is not ABSENT:
            return "array" if isinstance(self.empty, list) else "object"
        return "one of a few" if self.kind is FieldKind.CHOICE else self.kind.value

    @property
    def hint(self) -> str:
        """What stands in the field while it is empty."""
        needed = "required" if self.required else ""
        if self.default is not ABSENT:
            return f"{needed and f'{needed}, '}default: {show_json(self.default, 120)}"
        if self.examples:
            return f"{needed and f'{needed}, '}e.g. {show_json(self.examples[0], 120)}"
        as_json = " as JSON" if self.kind is FieldKind.JSON and self.word != self.kind.value else ""
        return f"{needed and f'{needed} '}{self.word}{as_json}"

    @property
    def offers(self) -> tuple[Any, ...]:
        """What can be taken with a key: the default, then the examples."""
        return self.examples if self.default is ABSENT else (self.default, *self.examples)

    @property
    def offer(self) -> str | None:
        """The first of the offers as it would be typed into a line, where it can be; else None."""
        value = self.offers[0] if self.offers else ABSENT
        if value is ABSENT or value is None or self.kind_for(value) is not self.kind:
            return None
        if isinstance(value, str):
            return value if is_line(value) else None
        return write_json(value) if self.kind in (FieldKind.INTEGER, FieldKind.NUMBER) else None

    @property
    def blanks(self) -> tuple[Any, ...]:
        """What the field can say without content: that it is left out, the empty value, null."""
        return (ABSENT, None) if self.empty is ABSENT else (ABSENT, self.empty, None)

    def kind_for(self, value: Any) -> FieldKind:
        """How that value is edited: as the field is meant, or as JSON where the value is of another shape."""
        return self.kind if value is ABSENT or _fits(self, value) else FieldKind.JSON


@dataclass(slots=True)
class Draft:
    """The arguments of one call while they are composed. `arguments` always holds JSON, in the order to be sent.

    `broken` says, by argument, what a person typed that is no value yet, and why.
    """

    fields: tuple[Field, ...]
    arguments: dict[str, Any] = field(default_factory=dict)
    broken: dict[str, tuple[str, str]] = field(default_factory=dict)

    def shown_fields(self) -> tuple[Field, ...]:
        """The fields, and then one for JSON for each other argument that is there."""
        named = {field.name for field in self.fields}
        others = [name for name in self.arguments if name not in named]
        return (*self.fields, *(Field(name, FieldKind.JSON, known=False) for name in others[:MOST_FIELDS]))

    def value(self, name: str) -> Any:
        """The argument's value, or `ABSENT`."""
        return self.arguments.get(name, ABSENT)

    def put(self, name: str, value: Any) -> None:
        """Sets an argument. One that is there keeps its place; a new one comes after the fields before it (R7)."""
        self.broken.pop(name, None)
        if value is ABSENT:
            self.arguments.pop(name, None)
        elif name in self.arguments:
            self.arguments[name] = value
        else:
            self._insert(name, value)

    def spoil(self, name: str, text: str, reason: str) -> None:
        """Keeps what was typed for an argument and is no value; the value before it stands."""
        self.broken[name] = (text, reason)

    def replace(self, arguments: Mapping[str, Any]) -> None:
        """Takes all arguments as they are given, order and unknown names too."""
        self.arguments = dict(arguments)
        self.broken.clear()

    def _insert(self, name: str, value: Any) -> None:
        order = [field.name for field in self.fields]
        before = order[: order.index(name)] if name in order else list(self.arguments)
        items = list(self.arguments.items())
        after = max((index + 1 for index, (other, _) in enumerate(items) if other in before), default=0)
        items.insert(after, (name, value))
        self.arguments = dict(items)


def read_number(text: str, kind: FieldKind) -> int | float:
    """Reads what was typed as a JSON number. Raises JsonFault."""
    text = text.strip()
    if _WHOLE.fullmatch(text):
        try:
            return int(text)
        except ValueError:
            raise JsonFault("a whole number with more digits than can be read") from None
    if kind is FieldKind.INTEGER:
        raise JsonFault("a whole number is expected, such as 42")
    if not _NUMBER.fullmatch(text):
        raise JsonFault("a number is expected, such as 42 or 0.5")
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise JsonFault("the number is beyond what a double holds")
    return number


def is_line(text: str) -> bool:
    """Whether a text can be edited as it is on one line: every character of it is seen."""
    return visible(text) == text


def is_prose(text: str) -> bool:
    """Whether a text can be edited as it is on several lines."""
    return visible(text, multiline=True) == text


def _fits(field: Field, value: Any) -> bool:
    if value is None:
        # Each field can say null, whatever its schema thinks of it.
        return True
    match field.kind:
        case FieldKind.TEXT:
            return isinstance(value, str)
        case FieldKind.INTEGER:
            return isinstance(value, int) and not isinstance(value, bool)
        case FieldKind.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case FieldKind.CHOICE:
            return _among(value, field.choices)
        case FieldKind.STRINGS:
            return (
                isinstance(value, list)
                and len(value) <= MOST_ROWS
                and all(isinstance(item, str) for item in value)
            )
        case FieldKind.JSON:
            return True


def _among(value: Any, choices: Iterable[Any]) -> bool:
    return any(type(choice) is type(value) and same_json(choice, value) for choice in choices)
