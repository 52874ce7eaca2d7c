"""Words about JSON values, and what JSON-RPC cannot carry, found before it is sent, with its place.

A lone surrogate (half of a UTF-16 pair, as `"\\ud800"` in JSON makes it) has no UTF-8 form: written to a
connection it breaks the writer, and every request on that connection with it. NaN and the infinities have no
JSON form at all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def find_lone_surrogate(value: Any) -> str | None:
    """The place of the first lone surrogate in a JSON value, or None.

    The place reads like `citations[1], character 7`; a character counts from 1, as people count. In a key it
    reads `the key of a, character 1`. A value that is a bare string has the place `character 7`.
    """
    for place, found in _strings(value):
        match = _LONE.search(found)
        if match is not None:
            character = f"character {match.start() + 1}"
            return f"{place}, {character}" if place else character
    return None


def may_hold_surrogates(text: str) -> bool:
    """Whether the value of a JSON text can hold a lone surrogate at all: only an escape makes one."""
    return _ESCAPED_SURROGATE.search(text) is not None


def find_unsendable(value: Any) -> str | None:
    """Why a JSON value cannot be sent, with the place, or None where it can be.

    Either a lone surrogate or a number that JSON does not have: `citations[1], character 7: a lone
    surrogate`.
    """
    place = find_lone_surrogate(value)
    if place is not None:
        return f"{place}: a lone surrogate (half of a character), which UTF-8 cannot carry"
    for place, number in _numbers(value):
        if not math.isfinite(number):
            return f"{place or 'the value'}: {number} is no JSON number"
    return None


def join_place(place: str, step: str | int) -> str:
    """One step further into a JSON value: `a` and `b` give `a.b`, `a` and 1 give `a[1]`."""
    if isinstance(step, int):
        return f"{place}[{step}]"
    if not _PLAIN_NAME.fullmatch(step):
        shown = _LONE.sub("\ufffd", step)
        return f'{place}["{shown}"]'
    return f"{place}.{step}" if place else step


def name_type(value: Any) -> str:
    """What a JSON value is, for a message: `a string`, `an array`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names: Mapping[type, str] = {
        str: "a string",
        int: "a number",
        float: "a number",
        list: "an array",
        dict: "an object",
    }
    return names.get(type(value), type(value).__name__)


def cut_text(text: str, limit: int) -> str:
    """The text, or its beginning and an ellipsis where it is longer than `limit` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _leaves(value: Any) -> Iterator[tuple[str, Any, bool]]:
    # A stack, not recursion: a value nested a thousand deep is data like any other.
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        place, found = stack.pop()
        if isinstance(found, Mapping):
            for key in found:
                yield (f"the key of {place}" if place else "a key"), key, True
            stack.extend((join_place(place, str(key)), found[key]) for key in reversed(list(found)))
        elif isinstance(found, list | tuple):
            stack.extend((join_place(place, index), found[index]) for index in reversed(range(len(found))))
        else:
            yield place, found, False


def _strings(value: Any) -> Iterator[tuple[str, str]]:
    return ((place, found) for place, found, _ in _leaves(value) if isinstance(found, str))


def _numbers(value: Any) -> Iterator[tuple[str, float]]:
    return ((place, found) for place, found, _ in _leaves(value) if isinstance(found, float))
