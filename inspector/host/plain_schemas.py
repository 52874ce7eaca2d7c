"""Tells at a glance that a JSON Schema is valid. The full check takes milliseconds; a workspace has thousands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from inspector.host.dialects import DEFAULT_DIALECT

_DEPTH: Final = 32
_DIALECTS: Final = (
    DEFAULT_DIALECT,
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-06/schema#",
)
_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_plainly_valid(schema: Any) -> bool:
    """Whether a schema holds nothing but common keywords, each with what draft 6 to 2020-12 allow there.

    False says nothing: the schema is to be checked in full.
    """
    if not isinstance(schema, Mapping) or schema.get("$schema", DEFAULT_DIALECT) not in _DIALECTS:
        return False
    return _is_plain(schema, _DEPTH)


def _is_plain(schema: Any, depth: int) -> bool:
    if isinstance(schema, bool):
        return True
    if depth == 0 or not isinstance(schema, Mapping):
        return False
    for word, value in schema.items():
        if word in _SCHEMAS:
            plain = _is_plain(value, depth - 1)
        elif word in _MAPS:
            plain = isinstance(value, Mapping) and all(_is_plain(item, depth - 1) for item in value.values())
        elif word in _LISTS:
            plain = isinstance(value, list) and bool(value) and all(_is_plain(item, depth - 1) for item in value)
        else:
            is_allowed = _ALLOWED.get(word)
            plain = is_allowed is not None and is_allowed(value)
        if not plain:
            return False
    return True


def _is_anything(value: Any) -> bool:
    return True


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_names(value: Any) -> bool:
    named = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return named and len(set(value)) == len(value)


def _is_choice(value: Any) -> bool:
    # An empty one is valid from 2019-09 on only.
    return bool(value) and _is_names(value)


def _is_local_reference(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("#/$defs/", "#/definitions/"))


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except (re.error, RecursionError, OverflowError):
        return False


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return _is_names(value) and bool(value) and _TYPES.issuperset(value)


_SCHEMAS: Final = frozenset({"items", "additionalProperties", "not", "contains", "propertyNames"})
_MAPS: Final = frozenset({"properties", "$defs", "definitions"})
_LISTS: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_ALLOWED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "$schema": _is_string,
    "$ref": _is_local_reference,
    "$comment": _is_string,
    "type": _is_type,
    "title": _is_string,
    "description": _is_string,
    "format": _is_string,
    "default": _is_anything,
    "const": _is_anything,
    "examples": _is_list,
    "enum": _is_choice,
    "pattern": _is_pattern,
    "deprecated": _is_flag,
    "readOnly": _is_flag,
    "writeOnly": _is_flag,
    "required": _is_names,
    "uniqueItems": _is_flag,
    "minimum": _is_number,
    "maximum": _is_number,
    "exclusiveMinimum": _is_number,
    "exclusiveMaximum": _is_number,
    "minLength": _is_count,
    "maxLength": _is_count,
    "minItems": _is_count,
    "maxItems": _is_count,
    "minProperties": _is_count,
    "maxProperties": _is_count,
}
