"""JSON as a person types it: read strictly, with the place of a fault; written so that nothing in it is unseen."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from inspector.tui.text import visible
from inspector.tui.widgets.caret import caret_lines

DEEPEST: Final = 100
"""Levels of nesting that a call's arguments may have here; far more would end in an overflow on the way out."""

_BEFORE: Final = 30
"""Characters that are shown before the place of a fault, and as many after it."""

_WORDS: Final[Mapping[str, str]] = {
    "Expecting value": "a value is expected",
    "Expecting property name enclosed in double quotes": "a name in double quotes is expected",
    "Expecting ',' delimiter": "a comma or the closing bracket is expected",
    "Expecting ':' delimiter": "a colon is expected",
    "Extra data": "there is text after the end",
    "Unterminated string starting at": "this string has no end",
    "Invalid control character at": "a string cannot hold this character as it is: write its escape, such as \\n",
    "Invalid \\escape": "this is no escape of JSON",
    "Invalid \\uXXXX escape": "\\u takes four hex digits",
    "Illegal trailing comma before end of object": "a comma cannot stand before the closing bracket",
    "Illegal trailing comma before end of array": "a comma cannot stand before the closing bracket",
}

_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class JsonFault(ValueError):
    """Text that is no JSON we can send. Says why in one line, with line and column from 1 where it has a place."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")
        self.place = None if line is None or column is None else (line, column)

    def in_text(self, text: str) -> str:
        """The fault in words; where it has a place, with that line of the text and a caret below the place."""
        if self.place is None:
            return str(self)
        line, column = self.place
        whole = text.split("\n")[line - 1]
        start = max(0, column - 1 - _BEFORE)
        above, below = caret_lines(whole[start : start + 2 * _BEFORE], column - 1 - start)
        return f"{self}\n{above.plain}\n{below.plain}"


def parse_json(text: str) -> Any:
    """Reads JSON with nothing lost: whole numbers of any size, the order of names. Raises JsonFault.

    What JSON does not have (`NaN`), what would lose something (a name that stands twice, a number beyond a
    double) and what nests deeper than `DEEPEST` is a fault.
    """
    _refuse_deep(text)
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
    except json.JSONDecodeError as error:
        message = _WORDS.get(error.msg.removesuffix(":"), error.msg.lower())
        raise JsonFault(message, error.lineno, error.colno) from None
    except JsonFault:
        raise
    except ValueError:
        raise JsonFault("a whole number has more digits than can be read") from None


def parse_object(text: str) -> dict[str, Any]:
    """Reads a JSON object, such as a call's arguments. Raises JsonFault."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise JsonFault("an object is expected: {…}", 1, 1)
    return value


def write_json(value: Any, *, indent: int | None = 2) -> str:
    """The value as JSON, with every character that a person would not see written as its escape."""
    return unseen_as_escapes(json.dumps(value, ensure_ascii=False, indent=indent))


def show_json(value: Any, limit: int) -> str:
    """A value of a schema as JSON in one line, cut to `limit` characters with a mark; whatever the value is."""
    try:
        return visible(json.dumps(value, ensure_ascii=False), limit)
    except (RecursionError, ValueError, TypeError):
        return "a value that is too large to show"


def nests_too_deep(value: Any) -> bool:
    """Whether a value nests deeper than `DEEPEST`, so that no call can hold it."""
    level = [value]
    for _ in range(DEEPEST + 1):
        nested = [each for each in level if isinstance(each, list | dict)]
        if not nested:
            return False
        level = [item for each in nested for item in (each.values() if isinstance(each, dict) else each)]
    return True


def unseen_as_escapes(text: str) -> str:
    """JSON text with every unseen character inside its strings written as `\\uXXXX`. Line feeds stay."""
    if visible(text, multiline=True) == text:
        return text
    return "".join(
        character if character == "\n" or visible(character) == character else json.dumps(character)[1:-1]
        for character in text
    )


def _refuse_deep(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        token = match.group()
        if token in "[{":
            depth += 1
            if depth > DEEPEST:
                line = text.count("\n", 0, match.start()) + 1
                column = match.start() - text.rfind("\n", 0, match.start())
                raise JsonFault(f"it nests deeper than {DEEPEST} levels", line, column)
        elif token in "]}":
            depth -= 1


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonFault(f'the name "{visible(twice, 40)}" stands twice in one object')
    return found


def _constant(text: str) -> NoReturn:
    raise JsonFault(f"{text} is no JSON")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise JsonFault(f"the number {visible(text, 40)} is beyond what a double holds")
    return number
