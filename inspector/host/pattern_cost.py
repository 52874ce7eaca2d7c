"""What a regular expression of a server could cost at worst: one that runs away would hold up everything."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 2_000
"""Characters of a pattern; a longer one is never run."""

_BEYOND: Final = 10.0**30
"""The cost of what is never run."""

_TOKEN: Final = re.compile(
    r"\\(?P<back>[1-9]|k)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<look>\(\?[=!<]*)|(?P<open>\()|(?P<close>\))"
    r"|(?P<many>[*+]|\{(?P<low>\d*)(?P<comma>,?)(?P<high>\d*)\})[?+]?|(?P<or>\|)|.",
    re.DOTALL,
)
_FEW: Final = 16
"""A repetition of no more than this counts as written out."""


def pattern_cost(pattern: str, length: int) -> float:
    """The most steps that a search may take on a text of `length` characters: an upper guess, not an exact one.

    Each open repetition multiplies by the length; one that holds another, or a choice, doubles with each
    character.
    """
    if len(pattern) > _LONGEST:
        return _BEYOND
    repeats, nested = _shape(pattern)
    if nested:
        return 2.0 ** min(length, 90) * 8 if length > 4 else 1_000.0
    start = 0 if pattern.startswith(("^", r"\A")) else 1
    return float(length + 1) ** min(repeats + start, 9) * max(1, len(pattern))


def _shape(pattern: str) -> tuple[int, bool]:
    """How many open repetitions stand side by side, and whether one holds another or a choice."""
    repeats = 0
    # For each open group: whether a repetition or a choice is within.
    groups: list[bool] = [False]
    closed = False
    for token in _TOKEN.finditer(pattern):
        was_closed, closed = closed, False
        if token["back"]:
            return repeats, True
        if token["look"] or token["open"]:
            groups.append(False)
        elif token["close"] and len(groups) > 1:
            within = groups.pop()
            closed = within
            groups[-1] = groups[-1] or within
        elif token["or"]:
            groups[-1] = True
        elif token["many"] and _is_open(token):
            if was_closed:
                return repeats, True
            repeats += 1
            groups[-1] = True
    return repeats, False


def _is_open(token: re.Match[str]) -> bool:
    if token["many"] in ("*", "+"):
        return True
    high = token["high"] or (token["low"] if not token["comma"] else "")
    return not high or int(high) > _FEW
