"""Where a result departs from the protocol of its version, in words; and what the SDK needs to take it
anyway."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Any, get_args

from mcp_types import methods
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, TypeAdapter, ValidationError

from inspector.workspace.json_values import cut_text, join_place, name_type
from inspector.workspace.problem import Problem, Severity

LISTS: Mapping[str, tuple[str, str, str]] = {
    "tools/list": ("tools", "tool", "name"),
    "resources/templates/list": ("resourceTemplates", "template", "uriTemplate"),
    "resources/list": ("resources", "resource", "uri"),
    "prompts/list": ("prompts", "prompt", "name"),
}
"""For each list method: the key of its items, what an item is called, and the field that names one."""

DEPARTURE_LIMIT = 8
"""The most departures that are told of one result."""

_CACHEABLE = frozenset({*LISTS, "resources/read", "server/discover"})
_COMPLETION: Mapping[str, Any] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
_WANTED: Mapping[str, str] = {
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
    "list_type": "an array",
    "string_type": "a string",
    "string_unicode": "a string that UTF-8 can carry",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
}


CONTENTS_SLICE = 500
"""Entries of a read's contents that are held against the protocol at a time: one call of it stops everything."""


def find_departures(method: str, version: str, result: Mapping[str, Any]) -> tuple[str, ...]:
    """What the protocol of that version would not have in this result; empty where all is well.

    A result that asks for input is not looked into: its shape is another.
    """
    return tuple(dict.fromkeys(fault for found in departure_slices(method, version, result) for fault in found))[
        :DEPARTURE_LIMIT
    ]


def departure_slices(method: str, version: str, result: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The same, slice by slice of a read's contents, for a loop that has others to serve; it ends at a fault."""
    completed = dict(result)
    found = [problem.message for problem in complete_result("", method, version, completed)]
    target = _result_type(method, version)
    if target is None or completed.get("resultType", "complete") != "complete":
        yield tuple(found)
        return
    contents = completed.get("contents")
    if method != "resources/read" or not isinstance(contents, list):
        yield (*found, *find_faults(target, completed).values())
        return
    for start in range(0, max(len(contents), 1), CONTENTS_SLICE):
        part = {**completed, "contents": contents[start : start + CONTENTS_SLICE]}
        faults = tuple(find_faults(target, part, start).values())
        yield (*found, *faults)
        found = []
        if faults:
            return


def complete_result(server: str, method: str, version: str, result: dict[str, Any]) -> list[Problem]:
    """Fill in what a 2026-07-28 result must carry and does not, in place; the problems that this shows.

    That is `resultType`, and for a list or a read `ttlMs` and `cacheScope`.
    """
    if version not in MODERN_PROTOCOL_VERSIONS:
        return []
    problems: list[Problem] = []
    for name in _COMPLETION if method in _CACHEABLE else ("resultType",):
        value = result.get(name)
        severity, remedy = Severity.ERROR, "Add it: the 2026-07-28 schema requires it."
        if value is None:
            message = f"the result has no {name}"
        elif not _fits(name, value):
            message = f"{name} {show_value(value)} is not what the schema allows"
            remedy = "Send what the 2026-07-28 schema allows."
        elif name == "resultType" and value != "complete":
            message = f"resultType is {show_value(value)}, not complete: shown as it came"
            remedy = "Send complete, unless the result asks for input or belongs to an extension of yours."
            problems.append(Problem(Severity.WARNING, server, method, "protocol", message, remedy))
            continue
        else:
            continue
        snippet = json.dumps({name: _COMPLETION[name]}, indent=2)
        problems.append(Problem(severity, server, method, "protocol", message, remedy, snippet=snippet))
        result[name] = _COMPLETION[name]
    return problems


def find_faults(target: type[BaseModel], value: Any, first: int = 0) -> dict[str, str]:
    """What a value has wrong as that type, by the field of it that is concerned; empty where it fits.

    `first` is the number of the first item of an array that the value holds a part of.
    """
    try:
        adapter(target).validate_python(value, by_name=False)
    except ValidationError as error:
        faults: dict[str, str] = {}
        for number, fault in enumerate(error.errors(include_url=False)):
            faults.setdefault(str(fault["loc"][0]) if fault["loc"] else str(number), _reason(fault, value, first))
        return faults
    return {}


def explain(error: ValidationError, value: Any) -> list[str]:
    """What a value lacks or has wrong, fault by fault: `serverInfo is missing`, `ttlMs is "x", not a whole
    number`."""
    return [_reason(fault, value) for fault in error.errors(include_url=False)]


def show_value(value: Any) -> str:
    """A JSON value for a message: short ones as they are, others by what they are."""
    if isinstance(value, str):
        return cut_text(json.dumps(value[:100]), 60)
    if isinstance(value, dict | list):
        return name_type(value)
    return cut_text(json.dumps(value), 60)


@cache
def adapter(target: type[BaseModel]) -> TypeAdapter[Any]:
    """The validator of a type; making one costs milliseconds."""
    return TypeAdapter(target)


def _fits(name: str, value: Any) -> bool:
    if name == "ttlMs":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if name == "cacheScope":
        return value in ("private", "public")
    return isinstance(value, str)


def _result_type(method: str, version: str) -> type[BaseModel] | None:
    target = methods.SERVER_RESULTS.get((method, version))
    if isinstance(target, UnionType):
        # The other members are the results that ask for input.
        first: type[BaseModel] = get_args(target)[0]
        return first
    return target


def _reason(fault: Any, value: Any, first: int = 0) -> str:
    """A fault of pydantic's in words: where, and what should stand there. The first index counts from `first`."""
    place = ""
    holder = value
    location = fault["loc"]
    for number, step in enumerate(location):
        inside = (isinstance(holder, dict) and step in holder) or (
            isinstance(holder, list) and isinstance(step, int) and 0 <= step < len(holder)
        )
        if inside:
            holder = holder[step]
        elif number < len(location) - 1:
            continue  # the name of a union's member, no step in the value
        place = join_place(place, step + first if isinstance(step, int) else step)
        first = 0 if isinstance(step, int) else first
    if fault["type"] == "missing":
        return f"{place} is missing"
    wanted = _WANTED.get(fault["type"])
    if wanted is not None:
        return f"{place or 'it'} is {show_value(fault['input'])}, not {wanted}"
    return f"{place}: {str(fault['msg']).replace('Input should', 'should')}"
