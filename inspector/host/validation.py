"""Holds a value against a JSON Schema: a call's arguments, or a result. It warns and never forbids.

A schema comes from a server, so it may be anything. Nothing is ever fetched, a pattern that could run away is not
run, and time and the number of faults are bounded; what was not looked at for that is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from inspector.host.dialects import find_dialect
from inspector.workspace.json_values import cut_text, join_place

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST_FAULTS: Final = 100
"""No more faults than this are looked for."""

_SECONDS: Final = 0.5
"""A validation that takes longer ends, and says so."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a schema does not allow. `path` leads to it from the top: names, and positions from 0."""

    path: tuple[str | int, ...]
    message: str

    @property
    def place(self) -> str:
        """The path as a person reads it: `options.tags[2]`; empty for the value as a whole."""
        place = ""
        for step in self.path:
            place = join_place(place, cut_text(step, 80) if isinstance(step, str) else step)
        return place


@dataclass(frozen=True, slots=True)
class SchemaVerdict:
    """What a schema says to a value.

    `unsupported` says why nothing could be checked: the dialect is not known, or the schema is none. `unchecked`
    names what was left out: a reference elsewhere, a pattern that could run away, the rest when time ran out.
    `more` says that there are more faults than `faults` holds.
    """

    faults: tuple[Fault, ...] = ()
    unsupported: str | None = None
    unchecked: tuple[str, ...] = field(default=())
    more: bool = False

    @property
    def count(self) -> str:
        """How many faults there are: `3`, or `more than 100`."""
        return f"more than {len(self.faults)}" if self.more else str(len(self.faults))


def validate(schema: Any, instance: Any) -> SchemaVerdict:
    """Holds a JSON value against a schema, in its dialect (else 2020-12). Takes half a second at most.

    Loads the schema library with its first use, some 0.15 s. May be called in any thread; raises nothing.
    """
    if isinstance(schema, bool):
        return SchemaVerdict() if schema else SchemaVerdict((Fault((), "the schema allows nothing"),))
    if not isinstance(schema, Mapping):
        return SchemaVerdict(unsupported="it is no JSON Schema object")
    dialect = find_dialect(schema)
    if dialect is None:
        named = cut_text(str(schema.get("$schema")), 120)
        return SchemaVerdict(unsupported=f"its dialect is not known here: {named}")
    from inspector.host.bounded_validator import Bounds, TimeRanOut, bounded_errors

    bounds = Bounds.begin(_SECONDS)
    faults: dict[tuple[tuple[str | int, ...], str], Fault] = {}
    try:
        for error in bounded_errors(dialect, schema, instance, bounds):
            fault = _fault(error)
            faults.setdefault((fault.path, fault.message), fault)
            if len(faults) > MOST_FAULTS:
                break
    except TimeRanOut:
        bounds.skip("the rest: it took too long")
    except RecursionError:
        bounds.skip("the rest: it nests too deep")
    except Exception as error:
        # A schema that is not valid in its dialect may raise anything from within the library.
        if not faults:
            return SchemaVerdict(unsupported=_why_invalid(dialect, schema, error))
        bounds.skip(f"the rest: {_why_invalid(dialect, schema, error)}")
    found = tuple(faults.values())
    return SchemaVerdict(found[:MOST_FAULTS], None, tuple(bounds.skipped), len(found) > MOST_FAULTS)


def _why_invalid(dialect: Any, schema: Mapping[str, Any], error: Exception) -> str:
    from jsonschema.exceptions import SchemaError

    try:
        dialect.check_schema(dict(schema))
    except SchemaError as fault:
        place = Fault(tuple(fault.absolute_path), "").place
        return f"the schema is not valid in its dialect: {place}: {cut_text(fault.message, 160)}"
    except Exception:
        return "the schema cannot be checked at all"
    return f"the schema cannot be checked: {cut_text(str(error) or type(error).__name__, 160)}"


def _fault(error: ValidationError) -> Fault:
    from inspector.host.fault_words import clearest, describe_fault

    error = clearest(error)
    return Fault(tuple(error.absolute_path), describe_fault(error))
