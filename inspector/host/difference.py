"""What differs between two JSON values, place by place, with the places that do not count left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from inspector.host.same_json import same_json

_ABSENT: Final = object()

MOST: Final = 200
"""Differences that are looked for at most: past that two values are simply different."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place that differs. `path` is a JSON pointer (RFC 6901). What is absent is None and not in `has`."""

    path: str
    before: Any
    after: Any
    has_before: bool = True
    has_after: bool = True


def find_differences(before: Any, after: Any, ignored: Sequence[str] = ()) -> tuple[Difference, ...]:
    """The places where two JSON values differ, at most `MOST` of them.

    `ignored` are JSON pointers of parts that do not count; `*` stands for any member or index.
    """
    patterns = [tuple(parse_pointer(pointer)) for pointer in ignored]
    found = _differences(before, after, (), patterns)
    return tuple(difference for difference, _ in zip(found, range(MOST), strict=False))


def parse_pointer(pointer: str) -> list[str]:
    """The steps of a JSON pointer. Raises ValueError where it is none."""
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} is no JSON pointer: it begins with /")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _differences(
    before: Any, after: Any, path: tuple[str, ...], ignored: Sequence[tuple[str, ...]]
) -> Iterator[Difference]:
    # A stack of its own: a result may be nested deeper than Python calls.
    waiting = [(before, after, path)]
    while waiting:
        one, other, at = waiting.pop()
        if any(_covers(pattern, at) for pattern in ignored):
            continue
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            names = [*one, *(name for name in other if name not in one)]
            members = [(one.get(name, _ABSENT), other.get(name, _ABSENT), (*at, name)) for name in names]
            waiting.extend(reversed(members))
        elif isinstance(one, list) and isinstance(other, list):
            longest = range(max(len(one), len(other)))
            items = [
                (
                    one[index] if index < len(one) else _ABSENT,
                    other[index] if index < len(other) else _ABSENT,
                    (*at, str(index)),
                )
                for index in longest
            ]
            waiting.extend(reversed(items))
        elif one is _ABSENT or other is _ABSENT or not same_json(one, other):
            yield Difference(
                "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in at),
                None if one is _ABSENT else one,
                None if other is _ABSENT else other,
                one is not _ABSENT,
                other is not _ABSENT,
            )


def _covers(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return len(pattern) == len(path) and all(step in ("*", name) for step, name in zip(pattern, path, strict=True))
