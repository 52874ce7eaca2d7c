"""A tool's `_meta` read as a declaration, and what is wrong with it (R4, R5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.extension.capability import KEY, is_scheme


@dataclass(frozen=True, slots=True)
class DeclaredArgument:
    """One argument that holds URIs: its name and the valid schemes, as the tool's author wrote them."""

    name: str
    schemes: tuple[str, ...]

    def accepts(self, scheme: str) -> bool:
        """Whether the scheme is one of the argument's, without regard to case (R5)."""
        return scheme.lower() in {declared.lower() for declared in self.schemes}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a declaration that declares nothing, or less than it seems to.

    `fatal` is True where what it stands in declares nothing at all. `path` is where it is below the tool's
    `_meta[KEY]`, as keys and indexes.
    """

    path: tuple[str | int, ...]
    message: str
    remedy: str
    fatal: bool
    rule: str = "R4"

    @property
    def place(self) -> str:
        """The path as a person writes it: `arguments.citations.schemes[1]`."""
        text = ""
        for step in self.path:
            text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
        return text or f"_meta[{KEY!r}]"


@dataclass(frozen=True, slots=True)
class Declaration:
    """Which arguments of a tool hold resource URIs. Empty where the tool declares nothing."""

    arguments: tuple[DeclaredArgument, ...] = ()
    faults: tuple[Fault, ...] = ()
    present: bool = False
    """Whether the key stands in the tool's `_meta` at all, whatever its shape."""

    def __bool__(self) -> bool:
        return bool(self.arguments)

    def argument(self, name: str) -> DeclaredArgument | None:
        """The declared argument of that name, or None."""
        return next((argument for argument in self.arguments if argument.name == name), None)

    @property
    def schemes(self) -> tuple[str, ...]:
        """Every declared scheme once, in lower case, in the order of the declaration."""
        return tuple(dict.fromkeys(scheme.lower() for arg in self.arguments for scheme in arg.schemes))

    def as_json(self) -> dict[str, dict[str, list[str]]]:
        """`{name: {"schemes": […]}}` with what counts of it."""
        return {argument.name: {"schemes": list(argument.schemes)} for argument in self.arguments}


def read_declaration(meta: Any) -> Declaration:
    """Reads a tool's `_meta`, of any shape. What is wrong comes back as faults, never as an exception (R5)."""
    if not isinstance(meta, Mapping) or KEY not in meta:
        return Declaration()
    value = meta[KEY]
    if not isinstance(value, Mapping):
        return _nothing((), f"is {_kind(value)}, not an object", 'give it {"arguments": {…}}')
    if "arguments" not in value:
        return _nothing((), "has no `arguments`", 'give it {"arguments": {"NAME": {"schemes": ["SCHEME"]}}}')
    entries = value["arguments"]
    if not isinstance(entries, Mapping):
        return _nothing(
            ("arguments",),
            f"is {_kind(entries)}, not an object",
            "key it by the names of the tool's arguments",
        )
    faults: list[Fault] = []
    arguments: list[DeclaredArgument] = []
    for name, entry in entries.items():
        schemes = _read_schemes(str(name), entry, faults)
        if schemes:
            arguments.append(DeclaredArgument(str(name), schemes))
    return Declaration(tuple(arguments), tuple(faults), present=True)


def _read_schemes(name: str, entry: Any, faults: list[Fault]) -> tuple[str, ...]:
    path: tuple[str | int, ...] = ("arguments", name)
    remedy = 'write {"schemes": ["SCHEME"]}'
    if not isinstance(entry, Mapping):
        faults.append(Fault(path, f"is {_kind(entry)}, not an object: it declares nothing", remedy, fatal=True))
        return ()
    if "schemes" not in entry:
        faults.append(Fault(path, "has no `schemes`: it declares nothing", remedy, fatal=True))
        return ()
    schemes = entry["schemes"]
    path = (*path, "schemes")
    if not isinstance(schemes, list | tuple):
        faults.append(Fault(path, f"is {_kind(schemes)}, not an array: it declares nothing", remedy, fatal=True))
        return ()
    valid = tuple(dict.fromkeys(s for s in schemes if isinstance(s, str) and is_scheme(s)))
    for index, scheme in enumerate(schemes):
        if not isinstance(scheme, str) or not is_scheme(scheme):
            message, mend = _scheme_fault(scheme)
            faults.append(Fault((*path, index), message, mend, fatal=False, rule="R5"))
    if not valid:
        message = "is empty" if not schemes else "holds no valid scheme"
        faults.append(Fault(path, f"{message}: it declares nothing", remedy, fatal=True, rule="R5"))
    return valid


def _scheme_fault(scheme: Any) -> tuple[str, str]:
    if not isinstance(scheme, str):
        return f"is {_kind(scheme)}, not a scheme's name", "name a scheme, as a string"
    head = scheme.partition(":")[0]
    if scheme == "*":
        return '"*" is no scheme: there is no wildcard', "name each scheme that the argument takes"
    if head != scheme and is_scheme(head):
        return (
            f'"{scheme}" is no scheme: a scheme is named without "{scheme[len(head) :]}"',
            f'write "{head}"',
        )
    return (
        f'"{scheme}" is no scheme name',
        'a scheme is a letter, then letters, digits, "+", "-" or "." (RFC 3986 section 3.1)',
    )


def _nothing(path: tuple[str | int, ...], message: str, remedy: str) -> Declaration:
    fault = Fault(path, f"{message}: the tool declares nothing", remedy, fatal=True)
    return Declaration(faults=(fault,), present=True)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an array" if isinstance(value, list | tuple) else "an object"
