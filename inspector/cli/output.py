"""What a command prints: one JSON document, or text for people; everything else goes to standard error."""

from __future__ import annotations

import json
import math
import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TextIO

from inspector.host.visible import visible

PROGRAM: Final = "ra-inspector"

_COLOURS: Final[Mapping[str, str]] = {
    "good": "32",
    "bad": "31",
    "doubtful": "33",
    "quiet": "2",
    "strong": "1",
}

LINE_LIMIT: Final = 400
"""The most characters of one line of JSON or text that are shown to a person; `--json` prints all of it."""


def print_document(document: Mapping[str, Any]) -> None:
    """Prints the one JSON document of a command, in printable ASCII.

    A number that JSON does not have (a server may send `NaN`) stands as null, and standard error says so.
    """
    try:
        text = json.dumps(document, indent=2, allow_nan=False)
    except ValueError:
        complain("a server sent NaN or an infinity, which JSON does not have: printed as null")
        text = json.dumps(_finite(document), indent=2)
    print(text)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value


def complain(message: str) -> None:
    """Says one line on standard error, whatever the text holds."""
    print(f"{PROGRAM}: {visible(message)}", file=sys.stderr, flush=True)


def coloured(stream: TextIO) -> bool:
    """Whether colour may be used there: a terminal that knows colours, and no NO_COLOR."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str | None = None) -> str:
    """The text made visible, since it may be a server's, in that colour where standard output takes colours."""
    shown = visible(text)
    if colour is None or not shown or not coloured(sys.stdout):
        return shown
    return f"\x1b[{_COLOURS[colour]}m{shown}\x1b[0m"


Cell = tuple[str, str | None]
"""A text, of whatever origin, and its colour or None."""

_WIDEST: Final = 60
"""A wider cell pushes its row's next ones aside rather than every row's."""


def align(rows: Iterable[Sequence[Cell]]) -> list[str]:
    """Lines of cells under each other, made visible. The last cell of a row takes what room it needs."""
    shown = [[(visible(text), colour) for text, colour in row] for row in rows]
    widths: dict[int, int] = {}
    for row in shown:
        for index, (text, _) in enumerate(row[:-1]):
            widths[index] = max(widths.get(index, 0), min(_width(text), _WIDEST))
    return [
        "  ".join(
            paint(text, colour) + " " * (widths[index] - _width(text) if index < len(row) - 1 else 0)
            for index, (text, colour) in enumerate(row)
        ).rstrip()
        for row in shown
    ]


def count_text(number: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _width(text: str) -> int:
    """The columns a terminal takes for a text: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def print_json_text(value: Any, *, indent: int = 0) -> None:
    """Prints a JSON value for reading: indented, its characters as they are, long lines cut with a mark."""
    print_text(json.dumps(value, indent=2, ensure_ascii=False), indent=indent)


def print_text(text: str, *, indent: int = 0) -> None:
    """Prints a text of many lines, made visible, long lines cut with a mark, and says where it cut."""
    lines = [visible(line.expandtabs(4), LINE_LIMIT + 1) for line in text.split("\n")]
    for line in lines:
        print((" " * indent + visible(line, LINE_LIMIT)).rstrip())
    if any(len(line) > LINE_LIMIT for line in lines):
        print(" " * indent + paint("(cut where … ends a line: --json prints all of it)", "quiet"))
