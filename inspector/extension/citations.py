"""The strings of the declared arguments: which entries the key will have, and in which order (R6 to R8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.extension.capability import scheme_of
from inspector.extension.declaration import Declaration


@dataclass(frozen=True, slots=True)
class Citation:
    """One distinct string of the declared arguments, exactly as it appeared (R7).

    `arguments` names the declared arguments that hold it, in the call's order. `scheme` is in lower case, None
    where the string has none. `declared` says whether any of these arguments declares the scheme (R8).
    """

    uri: str
    arguments: tuple[str, ...]
    scheme: str | None
    declared: bool


def find_citations(declaration: Declaration, arguments: Mapping[str, Any]) -> tuple[Citation, ...]:
    """The distinct strings of the declared arguments, in argument order (R7).

    The order is that of the call's `arguments` object, then of the array.
    """
    holders: dict[str, list[str]] = {}
    for name, value in arguments.items():
        if declaration.argument(name) is None:
            continue
        for text in _strings(value):
            names = holders.setdefault(text, [])
            if name not in names:
                names.append(name)
    return tuple(_citation(declaration, text, tuple(names)) for text, names in holders.items())


def _citation(declaration: Declaration, text: str, names: tuple[str, ...]) -> Citation:
    scheme = scheme_of(text)
    declared = scheme is not None and any(
        argument.accepts(scheme) for argument in declaration.arguments if argument.name in names
    )
    return Citation(text, names, scheme, declared)


def _strings(value: Any) -> Iterator[str]:
    """A string, or the direct string items of an array; nothing nested counts (R6)."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        yield from (item for item in value if isinstance(item, str))
