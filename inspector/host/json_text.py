"""JSON as text, in pieces: whatever the size and the depth, no piece takes long, and no character is unseen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

_SLICE: Final = 1 << 16
"""Characters of one string that are written at once."""


class Number(str):
    """A JSON number in the spelling it came in."""

    __slots__ = ()


def write_json_text(value: Any, *, indent: int | None = 2) -> str:
    """A JSON value as text; `indent` is in spaces a level, None puts all of it on one line.

    Keeps the order of members, and numbers as they are. What a person would not see stands as its escape.
    """
    return "".join(json_pieces(value, indent=indent))


def json_pieces(
    root: Any, *, indent: int | None = 2, scalar: Callable[[Any], Iterator[str]] | None = None
) -> Iterator[str]:
    """The text of `write_json_text`, piece by piece, without recursion.

    `scalar` writes what is no object and no array, names of members too; JSON's way where it is None.
    """
    write = scalar or _scalar
    comma = ", " if indent is None else ","
    stack: list[tuple[Iterator[tuple[str | None, Any]], str]] = [(iter(((None, root),)), "")]
    first = True
    while stack:
        members, closing = stack[-1]
        member = next(members, None)
        depth = len(stack) - 1
        if member is None:
            stack.pop()
            if closing:
                yield _line(indent, depth - 1) + closing
            first = False
            continue
        name, value = member
        if depth:
            yield ("" if first else comma) + _line(indent, depth)
        if name is not None:
            yield from write(name)
            yield ": "
        first = False
        if isinstance(value, Mapping) and value:
            yield "{"
            stack.append((iter(value.items()), "}"))
            first = True
        elif isinstance(value, list | tuple) and value:
            yield "["
            stack.append((((None, item) for item in value), "]"))
            first = True
        elif isinstance(value, Mapping | list | tuple):
            yield "{}" if isinstance(value, Mapping) else "[]"
        else:
            yield from write(value)


def _line(indent: int | None, depth: int) -> str:
    return "" if indent is None else "\n" + " " * (indent * depth)


def _scalar(value: Any) -> Iterator[str]:
    if isinstance(value, Number):
        yield str(value)
    elif isinstance(value, str):
        yield '"'
        for start in range(0, len(value), _SLICE):
            yield _escaped(value[start : start + _SLICE])
        yield '"'
    else:
        yield json.dumps(value)


def _escaped(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)[1:-1]
    if written.isprintable():
        return written
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in written)
