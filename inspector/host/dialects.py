"""The dialects of JSON Schema that can be checked here: draft 3 to 2020-12. The library is loaded at first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

DEFAULT_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema that names none, as the protocol has it."""


def find_dialect(schema: Mapping[str, Any]) -> type[Validator] | None:
    """The library's class for the dialect that a schema names with `$schema`; None where it knows no such one."""
    from jsonschema import validators

    dialect = schema.get("$schema", DEFAULT_DIALECT)
    if not isinstance(dialect, str):
        return None
    # The default is what comes back for a dialect that is not known.
    unknown: Any = None
    found: type[Validator] | None = validators.validator_for({"$schema": dialect}, default=unknown)
    return found


def remote_references(schema: Any, depth: int) -> Iterator[str]:
    """Every `$ref` that points out of the schema, as often as it stands there, down to `depth` levels."""
    if depth == 0:
        return
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            yield reference
        for item in schema.values():
            yield from remote_references(item, depth - 1)
    elif isinstance(schema, list):
        for item in schema:
            yield from remote_references(item, depth - 1)
