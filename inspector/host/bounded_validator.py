"""The schema library's validators, bounded: in time, in what a pattern may cost, and without a network.

Loads the schema library: import it where a value is validated, not before.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from attrs import fields
from jsonschema import validators
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from inspector.host.pattern_cost import pattern_cost
from inspector.workspace.json_values import cut_text

_MOST_STEPS: Final = 2_000_000
"""Steps that one pattern may take on one string, at worst: some tens of milliseconds."""

_MOST_SKIPPED: Final = 20
"""Things that were not checked, of which each is named."""

Keyword = Callable[[Any, Any, Any, Any], Any]
"""How the library has a keyword: validator, keyword's value, instance, schema; it yields errors or is None."""


class TimeRanOut(Exception):
    """The time that a validation may take is over."""


@dataclass(slots=True)
class Bounds:
    """When a validation has to end (on the monotonic clock, in seconds), and what it did not look at."""

    deadline: float
    skipped: dict[str, None] = field(default_factory=dict)

    @classmethod
    def begin(cls, seconds: float) -> Bounds:
        """Bounds for a validation that begins now."""
        return cls(time.monotonic() + seconds)

    def skip(self, what: str) -> None:
        """Says that something was not checked."""
        if len(self.skipped) < _MOST_SKIPPED:
            self.skipped[what] = None

    def look(self) -> None:
        """Raises TimeRanOut where the time is over."""
        if time.monotonic() > self.deadline:
            raise TimeRanOut


_bounds: ContextVar[Bounds] = ContextVar("bounds")
_NOTHING_ELSE: Final[Registry[Any]] = Registry()
"""Knows no schema, and fetches none; the library adds the dialects' own."""


def bounded_errors(
    dialect: Any, schema: Mapping[str, Any], instance: Any, bounds: Bounds
) -> Iterator[ValidationError]:
    """The library's errors for a value. Raises TimeRanOut, and whatever the library does for an invalid schema."""
    token = _bounds.set(bounds)
    try:
        yield from _bounded(dialect)(dict(schema), registry=_NOTHING_ELSE).iter_errors(instance)
    finally:
        _bounds.reset(token)


@cache
def _bounded(dialect: Any) -> Any:
    known: Mapping[str, Keyword] = dialect.VALIDATORS
    ours: dict[str, Keyword] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
    }
    if "divisibleBy" in known:
        ours["properties"] = _draft_3_properties
    else:
        ours["required"] = _required
    keywords = {name: _counted(ours.get(name, known[name])) for name in known}
    extend: Any = validators.extend
    bounded = extend(dialect, keywords)
    # The library's own goes over to its unbounded class where a schema within names a dialect.
    bounded.evolve = _evolve
    return bounded


def _evolve(self: Any, **changes: Any) -> Any:
    for each in fields(type(self)):
        if each.init and each.alias not in changes:
            changes[each.alias] = getattr(self, each.name)
    return type(self)(**changes)


def _counted(keyword: Keyword) -> Keyword:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        bounds = _bounds.get()
        bounds.look()
        try:
            for error in keyword(validator, value, instance, schema) or ():
                bounds.look()
                yield error
        except Unresolvable:
            reference = _reference(schema)
            why = "the schema has no such place" if reference.startswith("#") else "it is elsewhere, never fetched"
            bounds.skip(f"what is behind {cut_text(reference, 120)}: {why}")

    return counted


def _reference(schema: Any) -> str:
    names = ("$ref", "$dynamicRef", "$recursiveRef")
    return next((str(schema[name]) for name in names if name in schema), "a reference")


def _search(pattern: str, text: str) -> bool | None:
    """Whether a pattern is found; None where looking could take too long."""
    if pattern_cost(pattern, len(text)) > _MOST_STEPS:
        _bounds.get().skip(f"the pattern {cut_text(pattern, 60)}: it could take too long")
        return None
    return re.search(pattern, text) is not None


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and _search(pattern, instance) is False:
        yield ValidationError("does not match")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, within in patterns.items():
        for name, value in instance.items():
            if _search(pattern, name):
                yield from validator.descend(value, within, path=name, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for name, value in instance.items():
        # A name that a pattern could not be tried on may be allowed by it: it is no fault.
        if name in properties or any(_search(pattern, name) is not False for pattern in patterns):
            continue
        if isinstance(allowed, Mapping):
            yield from validator.descend(value, allowed, path=name)
        elif not allowed:
            yield ValidationError("not allowed", path=(name,))


def _unique_items(validator: Any, unique: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if unique and isinstance(instance, list):
        met: set[str] = set()
        for item in instance:
            text = json.dumps(_plain(item), sort_keys=True)
            if text in met:
                yield ValidationError("not unique")
                return
            met.add(text)


def _plain(value: Any) -> Any:
    """The value with each number written one way: to a schema, 1 and 1.0 are the same."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, dict) else value


def _required(validator: Any, required: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in required:
            if name not in instance:
                yield ValidationError("required", path=(name,))


def _draft_3_properties(validator: Any, properties: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, within in properties.items():
        if name in instance:
            yield from validator.descend(instance[name], within, path=name, schema_path=name)
        elif within.get("required", False):
            yield ValidationError("required", validator="required", path=(name,))
