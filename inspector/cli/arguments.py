"""Reads `--args`: a JSON object, exactly, or one line that says where it is none."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

from inspector.cli.errors import WrongWords
from inspector.workspace.json_values import find_lone_surrogate, name_type

_DEEPEST: Final = 200
"""The most objects and arrays within each other: the SDK's own writer gives up at 255."""


def read_arguments(text: str | None) -> dict[str, Any]:
    """The arguments of a call, in the order given and with whole numbers of any size.

    `text` is the JSON, `@FILE`, `-` for standard input, or None for no arguments. Raises WrongWords where it is no
    JSON object, or one that no JSON-RPC message carries as it stands: a key given twice, `NaN`, a number too
    large, a lone surrogate.
    """
    if text is None:
        return {}
    if text == "-":
        return _parse(_decode(read_standard_input("--args -"), "--args -"), "--args -")
    if text.startswith("@"):
        return _parse(read_text_file(text[1:], f"--args {text}"), f"--args {text}")
    return _parse(text, "--args")


def read_standard_input(wanted_by: str) -> bytes:
    """All of standard input, for the word `wanted_by`. Raises WrongWords where it cannot be read."""
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise WrongWords(f"{wanted_by}: standard input cannot be read: {error.strerror or error}") from error


def read_text_file(name: str, where: str) -> str:
    """The text of a file, as UTF-8. Raises WrongWords, which says `where`."""
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise WrongWords(f"{where}: cannot be read: {reason}") from error
    return _decode(data, where)


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongWords(f"{where}: is not UTF-8 at byte {error.start + 1}: save it as UTF-8") from error


def _parse(text: str, where: str) -> dict[str, Any]:
    value = parse_json(text, where)
    if not isinstance(value, dict):
        raise WrongWords(f'{where}: is {name_type(value)}, not a JSON object: write {{"NAME": VALUE, …}}')
    return value


def parse_json(text: str, where: str) -> Any:
    """A JSON value that a JSON-RPC message carries as it stands. Raises WrongWords, which says `where`."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise WrongWords(f"{where}: holds the key {json.dumps(twice)} twice in one object: leave one")
        return found

    def no_number(name: str) -> NoReturn:
        raise WrongWords(f"{where}: {name} is no JSON: write a number, or null")

    def finite(digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            raise WrongWords(f"{where}: the number {digits} is too large for JSON's doubles: write a smaller one")
        return number

    def whole(digits: str) -> int:
        try:
            return int(digits)
        except ValueError:
            raise WrongWords(f"{where}: holds a number of {len(digits)} digits: write a shorter one") from None

    try:
        value = json.loads(
            text, object_pairs_hook=unique, parse_constant=no_number, parse_float=finite, parse_int=whole
        )
    except json.JSONDecodeError as error:
        fault = error.msg[:1].lower() + error.msg[1:]
        raise WrongWords(f"{where}: is not JSON: {fault} at line {error.lineno}, column {error.colno}") from error
    except RecursionError:
        raise WrongWords(f"{where}: is nested too deep: write it flatter") from None
    if _deeper(value, _DEEPEST):
        raise WrongWords(f"{where}: is nested too deep: write it flatter")
    place = find_lone_surrogate(value)
    if place is not None:
        raise WrongWords(f"{where}: holds a lone surrogate at {place}, and no call can carry half a character")
    return value


def _deeper(value: Any, levels: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return levels == 0 or any(_deeper(item, levels - 1) for item in value)
