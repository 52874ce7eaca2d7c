"""Says what a schema does not allow, in one line each: what stands there, and what was expected."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inspector.workspace.json_values import cut_text, name_type

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_NAMED = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


def clearest(error: ValidationError) -> ValidationError:
    """The error that helps most: of alternatives of which only one is of the value's type, what is wrong there."""
    while error.validator in ("anyOf", "oneOf") and error.context:
        alternatives: dict[Any, list[ValidationError]] = {}
        for within in error.context:
            alternatives.setdefault(within.schema_path[0], []).append(within)
        near = [errors for errors in alternatives.values() if not _of_another_type(errors)]
        if len(near) != 1:
            break
        error = near[0][0]
    return error


def _of_another_type(errors: list[ValidationError]) -> bool:
    return any(error.validator in ("type", "const", "enum") and not error.relative_path for error in errors)


def describe_fault(error: ValidationError) -> str:
    """The fault in a line, without its place."""
    keyword: str | None = error.validator if isinstance(error.validator, str) else None
    wanted: Any = error.validator_value
    value: Any = error.instance
    match keyword:
        case "type":
            return f"is {name_type(value)}, and {_types(wanted)} is expected"
        case "required":
            return "is required and left out"
        case "additionalProperties":
            return "is not in the schema, which allows no others"
        case "enum" if isinstance(wanted, list):
            return f"is none of the values allowed: {_short(wanted)}"
        case "const":
            return f"is not {_short(wanted)}, the one value allowed"
        case "pattern":
            return f"does not match the pattern {cut_text(str(wanted), 80)}"
        case "minLength" | "maxLength":
            return f"has {_count(len(value), 'character')}, {_bound(keyword)} {wanted} are expected"
        case "minItems" | "maxItems":
            return f"has {_count(len(value), 'item')}, {_bound(keyword)} {wanted} are expected"
        case "minProperties" | "maxProperties":
            return f"has {_count(len(value), 'name')}, {_bound(keyword)} {wanted} are expected"
        case "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum":
            # Up to draft 4 it is a word beside the bound that excludes it.
            beside = f"exclusive{keyword.capitalize()}"
            excluded = isinstance(error.schema, dict) and error.schema.get(beside) is True
            return f"is {_short(value)}, {_bound(beside if excluded else keyword)} {_short(wanted)} is expected"
        case "multipleOf" | "divisibleBy":
            return f"is {_short(value)}, and a multiple of {_short(wanted)} is expected"
        case "uniqueItems":
            return "holds a value twice"
        case "anyOf":
            return f"fits none of the {len(wanted)} alternatives"
        case "oneOf":
            none = bool(error.context)
            return f"fits {'none' if none else 'more than one'} of the {len(wanted)} alternatives"
        case "not":
            return "is what the schema rules out"
        case None:
            return "is not allowed here"
    return f"does not hold to {keyword}: {_short(wanted)}"


def _types(wanted: Any) -> str:
    names = wanted if isinstance(wanted, list) else [wanted]
    return " or ".join(_NAMED.get(name, str(name)) if isinstance(name, str) else "a value" for name in names)


def _bound(keyword: str) -> str:
    if keyword.startswith("exclusive"):
        return f"and {'more' if keyword.endswith('Minimum') else 'less'} than"
    return f"and at {'least' if keyword.startswith('min') else 'most'}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _short(value: Any) -> str:
    if isinstance(value, list) and len(value) > 20:
        return f"{', '.join(_short(item) for item in value[:20])}, … ({len(value):,} in all)"
    if isinstance(value, list):
        return cut_text(", ".join(_short(item) for item in value), 200)
    if isinstance(value, str):
        return json.dumps(cut_text(value, 80), ensure_ascii=False)
    if isinstance(value, dict):
        return "{…}"
    try:
        return cut_text(json.dumps(value), 80)
    except ValueError:
        return "a number of many digits"
