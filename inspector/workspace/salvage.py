"""One bad item hides no other: a list page is mended before the SDK sees it, since the SDK rejects it whole.

An item whose required field is wrong is left out; of one whose optional field is wrong only that field is
kept from the SDK. Either is recorded as a problem with what and why. What is handed on as the item is what
the server sent, not what the SDK got.

A result of 2026-07-28 that lacks `resultType`, `ttlMs` or `cacheScope` is completed for the SDK alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import Any, get_args

from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types import methods
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, TypeAdapter, ValidationError

from inspector.workspace.json_values import find_lone_surrogate, join_place
from inspector.workspace.problem import Problem, Severity

LISTS: Mapping[str, tuple[str, str, str]] = {
    "tools/list": ("tools", "tool", "name"),
    "resources/templates/list": ("resourceTemplates", "template", "uriTemplate"),
    "resources/list": ("resources", "resource", "uri"),
    "prompts/list": ("prompts", "prompt", "name"),
}
"""For each list method: the key of its items, what an item is called, and the field that names one."""

CACHEABLE = frozenset({*LISTS, "resources/read", "server/discover"})
"""The methods whose 2026-07-28 results must say how long they may be cached."""

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
_REMEDY = "Send what the protocol's schema asks for: most clients reject the whole page because of it."


@dataclass(frozen=True, slots=True)
class Page:
    """What one page of a list holds: the good items as they came, the next cursor, and what was wrong."""

    items: tuple[Mapping[str, Any], ...]
    cursor: str | None
    problems: tuple[Problem, ...] = field(repr=False)


def mend_page(
    server: str, method: str, version: str, result: Mapping[str, Any]
) -> tuple[Page | None, dict[str, Any]]:
    """A list result as a page, and the same result as the SDK accepts it.

    The page is None where the result has no list under its key: then nothing can be saved.
    """
    key, noun, naming = LISTS[method]
    mended = dict(result)
    problems = list(complete_result(server, method, version, mended))
    items = result.get(key)
    if not isinstance(items, list):
        return None, mended
    kept: list[Mapping[str, Any]] = []
    accepted: list[Any] = []
    suspects = _suspects(method, key, version, items)
    for index, item in enumerate(items):
        reasons: list[str] = []
        mended_item = item
        if index in suspects:
            subject = _subject(method, noun, naming, index, item)
            mended_item, reasons = _mend_item(method, key, version, item)
            for reason in reasons:
                problems.append(_problem(server, subject, reason))
        if mended_item is not None:
            kept.append(item)
            accepted.append(mended_item)
    mended[key] = accepted
    cursor = result.get("nextCursor")
    if cursor is not None and not isinstance(cursor, str):
        problems.append(
            _problem(server, method, f"the list ends here: nextCursor {_shown(cursor)} is no string")
        )
    if not isinstance(cursor, str):
        mended.pop("nextCursor", None)
        cursor = None
    if "_meta" in mended and not isinstance(mended["_meta"], dict):
        problems.append(_problem(server, method, "_meta of the page is left out: it is no object"))
        del mended["_meta"]
    return Page(tuple(kept), cursor, tuple(problems)), mended


def complete_result(server: str, method: str, version: str, result: dict[str, Any]) -> list[Problem]:
    """Fill in what a 2026-07-28 result must carry and does not, in place; the problems that this shows."""
    problems = [
        Problem(
            severity=Severity.ERROR if value is None else Severity.WARNING,
            server=server,
            subject=method,
            rule="protocol",
            message=message,
            remedy="Add it: the 2026-07-28 schema requires it." if value is None else None,
        )
        for value, message in _envelope_faults(method, version, result)
    ]
    if version in MODERN_PROTOCOL_VERSIONS:
        for name in _required_envelope(method):
            if not _envelope_fits(name, result.get(name)):
                result[name] = _COMPLETION[name]
    return problems


def find_departures(method: str, version: str, result: Mapping[str, Any]) -> tuple[str, ...]:
    """What the protocol of that version would not have in this result, in words; empty where all is well.

    A result that asks for input is not looked into: its shape is another. At most `8` of them are given.
    """
    found = [message for _, message in _envelope_faults(method, version, result)]
    completed = dict(result)
    if version in MODERN_PROTOCOL_VERSIONS:
        for name in _required_envelope(method):
            if not _envelope_fits(name, completed.get(name)):
                completed[name] = _COMPLETION[name]
    target = _result_type(method, version)
    if target is not None and completed.get("resultType", "complete") == "complete":
        try:
            _adapter(target).validate_python(completed, by_name=False)
        except ValidationError as error:
            found.extend(explain(error, completed))
    return tuple(dict.fromkeys(found))[:8]


def _required_envelope(method: str) -> tuple[str, ...]:
    return ("resultType", "ttlMs", "cacheScope") if method in CACHEABLE else ("resultType",)


def _envelope_fits(name: str, value: Any) -> bool:
    if name == "ttlMs":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if name == "cacheScope":
        return value in ("private", "public")
    return isinstance(value, str)


def _envelope_faults(method: str, version: str, result: Mapping[str, Any]) -> list[tuple[Any, str]]:
    if version not in MODERN_PROTOCOL_VERSIONS:
        return []
    faults: list[tuple[Any, str]] = []
    for name in _required_envelope(method):
        value = result.get(name)
        if value is None:
            faults.append((None, f"the result has no {name}"))
        elif not _envelope_fits(name, value):
            faults.append((None, f"{name} {_shown(value)} is not what the schema allows"))
        elif name == "resultType" and value != "complete":
            faults.append((value, f"resultType is {_shown(value)}, not complete: shown as it came"))
    return faults


def _suspects(method: str, key: str, version: str, items: Sequence[Any]) -> frozenset[int]:
    """The indexes of the items worth a closer look: one pass over all is far cheaper than a look at each."""
    suspects: set[int] = set()
    for item_type in _item_types(method, key, version):
        try:
            _list_adapter(item_type).validate_python(items, by_name=False)
        except ValidationError as error:
            suspects.update(
                fault["loc"][0]
                for fault in error.errors(include_url=False)
                if isinstance(fault["loc"][0], int)
            )
    for index, item in enumerate(items):
        if index not in suspects and (find_lone_surrogate(item) or _header_fault(method, version, item)):
            suspects.add(index)
    return frozenset(suspects)


def _mend_item(method: str, key: str, version: str, item: Any) -> tuple[Any | None, list[str]]:
    """The item as the SDK takes it (None: not at all), and why it differs from what came."""
    if not isinstance(item, dict):
        return None, [f"left out: it is no object but {_shown(item)}"]
    mended = dict(item)
    reasons: list[str] = []
    header_fault = _header_fault(method, version, item)
    if header_fault is not None:
        return None, [f"left out: invalid x-mcp-header: {header_fault}"]
    for item_type in _item_types(method, key, version):
        required = {info.alias or name for name, info in item_type.model_fields.items() if info.is_required()}
        # Each round takes at least one field away, so this ends.
        while (faults := _item_faults(item_type, mended)) is not None:
            for name, reason in faults.items():
                if name in required:
                    return None, [f"left out: {reason}"]
                reasons.append(f"{name} is left out: {reason}")
                mended.pop(name, None)
    for name, value in list(mended.items()):
        place = find_lone_surrogate({name: value})
        if place is not None:
            if any(name in _required(item_type) for item_type in _item_types(method, key, version)):
                return None, [f"left out: {place}: a lone surrogate"]
            reasons.append(f"{name} is left out: {place}: a lone surrogate")
            del mended[name]
    return mended, reasons


def _item_faults(item_type: type[BaseModel], item: dict[str, Any]) -> dict[str, str] | None:
    try:
        _adapter(item_type).validate_python(item, by_name=False)
    except ValidationError as error:
        faults: dict[str, str] = {}
        for fault in error.errors(include_url=False):
            faults.setdefault(str(fault["loc"][0]), _reason(fault, item))
        return faults
    return None


def _required(item_type: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in item_type.model_fields.items() if info.is_required()}


def _header_fault(method: str, version: str, item: Any) -> str | None:
    if method != "tools/list" or version not in MODERN_PROTOCOL_VERSIONS or not isinstance(item, dict):
        return None
    schema = item.get("inputSchema")
    return find_invalid_x_mcp_header(schema) if isinstance(schema, dict) else None


@cache
def _item_types(method: str, key: str, version: str) -> tuple[type[BaseModel], ...]:
    """The types that the SDK holds an item against: the version's own, and its version-free one."""
    found: list[type[BaseModel]] = []
    for model in (methods.SERVER_RESULTS.get((method, version)), methods.MONOLITH_RESULTS.get(method)):
        if not isinstance(model, type):
            continue
        for name, info in model.model_fields.items():
            if (info.alias or name) == key:
                found.extend(get_args(info.annotation)[:1])
    return tuple(found)


def _result_type(method: str, version: str) -> type[BaseModel] | None:
    target = methods.SERVER_RESULTS.get((method, version))
    if isinstance(target, UnionType):
        # The other members are the results that ask for input.
        first: type[BaseModel] = get_args(target)[0]
        return first
    return target


@cache
def _adapter(target: type[BaseModel]) -> TypeAdapter[Any]:
    return TypeAdapter(target)


@cache
def _list_adapter(item_type: type[BaseModel]) -> TypeAdapter[Any]:
    return TypeAdapter(list[item_type])  # type: ignore[valid-type]


def explain(error: ValidationError, value: Any) -> list[str]:
    """What a value lacks or has wrong, fault by fault: `serverInfo is missing`, `ttlMs: should be a valid
    integer`."""
    return [_reason(fault, value) for fault in error.errors(include_url=False)]


def _reason(fault: Any, value: Any) -> str:
    """A fault of pydantic's in words: where, and what should stand there."""
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
        place = join_place(place, step)
    if fault["type"] == "missing":
        return f"{place} is missing"
    wanted = _WANTED.get(fault["type"])
    if wanted is not None:
        return f"{place} is {_shown(fault['input'])}, not {wanted}"
    return f"{place}: {str(fault['msg']).replace('Input should', 'should')}"


def _subject(method: str, noun: str, naming: str, index: int, item: Any) -> str:
    name = item.get(naming) if isinstance(item, dict) else None
    return f"{noun} {name}" if isinstance(name, str) and name else f"{method}, item {index + 1}"


def _problem(server: str, subject: str, message: str) -> Problem:
    return Problem(Severity.ERROR, server, subject, "protocol", message, _REMEDY)


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
