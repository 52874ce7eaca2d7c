"""The fields that a server asks a person to fill in (`requestedSchema`), and what is typed. No widgets here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final

from inspector.tui.widgets.form_json import JsonFault, parse_json
from inspector.tui.widgets.form_model import ABSENT, FieldKind, read_number

MOST_FIELDS: Final = 60
"""Fields that are shown at most; no form that is meant for people has as many."""

MOST_OPTIONS: Final = 100
"""Options of one field that are shown at most."""

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


class AskedKind(StrEnum):
    """How a field is filled in."""

    TEXT = "text"
    INTEGER = "whole number"
    NUMBER = "number"
    ONE = "one of these"
    MANY = "any of these"
    JSON = "JSON"


@dataclass(frozen=True, slots=True)
class AskedField:
    """One field. `options` are those of `ONE` and `MANY`: label and value. Nothing here is safe to show as it is.

    `default` is what it begins with, `ABSENT` where that is nothing. `form` is the format of a text: `email`,
    `uri`, `date` or `date-time`.
    """

    name: str
    kind: AskedKind
    required: bool = False
    title: str = ""
    about: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    default: Any = ABSENT
    form: str | None = None

    @property
    def label(self) -> str:
        """The title, else the name."""
        return self.title or self.name

    def read(self, text: str) -> Any:
        """What was typed, as a value; `ABSENT` where nothing was. Raises JsonFault where it is none."""
        if not text.strip():
            return ABSENT
        match self.kind:
            case AskedKind.INTEGER:
                return read_number(text, FieldKind.INTEGER)
            case AskedKind.NUMBER:
                return read_number(text, FieldKind.NUMBER)
            case AskedKind.TEXT:
                fault = _format_fault(self.form, text)
                if fault is not None:
                    raise JsonFault(fault)
                return text
            case _:
                return parse_json(text)


def read_asked_fields(schema: Mapping[str, Any]) -> tuple[AskedField, ...]:
    """The fields of a `requestedSchema`, in its order. What is not known is filled in as JSON, never an error."""
    properties = schema.get("properties")
    required = schema.get("required")
    names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    if not isinstance(properties, Mapping):
        return ()
    return tuple(_field(str(name), each, name in names) for name, each in properties.items())


def _field(name: str, schema: Any, required: bool) -> AskedField:
    if not isinstance(schema, Mapping):
        return AskedField(name, AskedKind.JSON, required)
    kind, options = _kind(schema)
    return AskedField(
        name,
        kind,
        required,
        title=_text(schema, "title"),
        about=_text(schema, "description"),
        options=options[:MOST_OPTIONS],
        default=schema.get("default", ABSENT),
        form=_text(schema, "format") or None,
    )


def _kind(schema: Mapping[str, Any]) -> tuple[AskedKind, tuple[tuple[str, Any], ...]]:
    if options := _options(schema):
        return AskedKind.ONE, options
    match schema.get("type"):
        case "string":
            return AskedKind.TEXT, ()
        case "integer":
            return AskedKind.INTEGER, ()
        case "number":
            return AskedKind.NUMBER, ()
        case "boolean":
            return AskedKind.ONE, (("yes", True), ("no", False))
        case "array":
            items = schema.get("items")
            if isinstance(items, Mapping) and (options := _options(items)):
                return AskedKind.MANY, options
    return AskedKind.JSON, ()


def _options(schema: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The choices, each with its title: `enum` (with `enumNames`), or `oneOf` or `anyOf` of titled constants."""
    values = schema.get("enum")
    if isinstance(values, list):
        names = schema.get("enumNames")
        titles = names if isinstance(names, list) else []
        return tuple(
            (str(titles[place]) if place < len(titles) else str(value), value)
            for place, value in enumerate(values)
        )
    for keyword in ("oneOf", "anyOf"):
        listed = schema.get(keyword)
        if isinstance(listed, list) and all(isinstance(each, Mapping) and "const" in each for each in listed):
            return tuple((str(each.get("title", each["const"])), each["const"]) for each in listed)
    return ()


def _text(schema: Mapping[str, Any], name: str) -> str:
    value = schema.get(name)
    return value if isinstance(value, str) else ""


def _format_fault(form: str | None, text: str) -> str | None:
    """Why a text is not of a format that elicitation knows; None where it is, or the format is another."""
    match form:
        case "email":
            name, at, domain = text.rpartition("@")
            whole = bool(name and at and domain) and not re.search(r"\s", text)
            return None if whole else "an e-mail address is expected, such as ann@example.org"
        case "uri":
            return None if _SCHEME.fullmatch(text) else "a URI is expected, such as https://example.org/"
        case "date":
            fits = re.fullmatch(r"\d{4}-\d\d-\d\d", text) and _is_date(text, date.fromisoformat)
            return None if fits else "a date is expected, such as 2026-07-28"
        case "date-time":
            zoned = re.search(r"(Z|[+-]\d\d:\d\d)$", text, re.IGNORECASE)
            fits = zoned and "T" in text.upper() and _is_date(text.upper(), datetime.fromisoformat)
            return None if fits else "a time is expected, such as 2026-07-28T09:00:00Z"
    return None


def _is_date(text: str, read: Any) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True
