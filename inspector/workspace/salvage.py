"""One bad item hides no other: a list page is judged item by item, since the SDK rejects it whole.

An item whose required field is wrong is left out; of one whose optional field is wrong only that field is
left out for the SDK. Either is recorded as a problem with what and why. What is handed on as the item is
what the server sent.

The SDK is given of a page only what it has a use for: tools whose output it checks or whose arguments it puts
into HTTP headers. All else would cost seconds for a long list, and be thrown away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args

from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types import Tool, methods
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, TypeAdapter, ValidationError

from inspector.workspace.departures import LISTS, complete_result, find_faults, show_value
from inspector.workspace.json_values import find_lone_surrogate, may_hold_surrogates
from inspector.workspace.problem import Problem, Severity

_CHUNK = 1_000
_HEADER_ANNOTATION = "x-mcp-header"
_REMEDY = "Send what the protocol's schema asks for: most clients reject the whole page because of it."


@dataclass(frozen=True, slots=True)
class Page:
    """What one page of a list holds: the good items as they came, the next cursor, and what was wrong."""

    items: tuple[Mapping[str, Any], ...]
    cursor: str | None
    problems: tuple[Problem, ...] = field(repr=False)


def mend_page(
    server: str, method: str, version: str, result: Mapping[str, Any], text: str
) -> tuple[Page | None, dict[str, Any]]:
    """A list result as a page, and as the SDK takes it; `text` is the JSON that it came in.

    The page is None where the result has no list under its key: then nothing can be saved.
    """
    key, noun, naming = LISTS[method]
    mended = dict(result)
    problems = complete_result(server, method, version, mended)
    items = result.get(key)
    if not isinstance(items, list):
        return None, mended
    kept: list[Mapping[str, Any]] = []
    mended[key] = []
    suspects = _find_suspects(method, version, items, text)
    has_headers = _HEADER_ANNOTATION in text
    for index, item in enumerate(items):
        mended_item: dict[str, Any] | None = item
        if index in suspects:
            mended_item, reasons = _mend_item(method, version, item)
            subject = _subject(method, noun, naming, index, item)
            problems.extend(_problem(server, subject, reason) for reason in reasons)
        if mended_item is not None:
            kept.append(item)
            if method == "tools/list" and _concerns_sdk(mended_item, has_headers):
                mended[key].append(mended_item)
    cursor = result.get("nextCursor")
    if cursor is not None and not isinstance(cursor, str):
        message = f"the list ends here: nextCursor is {show_value(cursor)}, not a string"
        problems.append(_problem(server, method, message))
    if not isinstance(cursor, str):
        mended.pop("nextCursor", None)
        cursor = None
    if "_meta" in mended and not isinstance(mended["_meta"], dict):
        problems.append(_problem(server, method, "_meta of the page is left out: it is no object"))
        del mended["_meta"]
    return Page(tuple(kept), cursor, tuple(problems)), mended


def _find_suspects(method: str, version: str, items: Sequence[Any], text: str) -> frozenset[int]:
    """The indexes of the items worth a closer look: a page may hold 100,000 of them.

    One pass of each kind over all is far cheaper than a look at each.
    """
    suspects: set[int] = set()
    validator = _list_validator(_item_type(method, version))
    for start in range(0, len(items), _CHUNK):
        try:
            validator.validate_python(items[start : start + _CHUNK], by_name=False)
        except ValidationError as error:
            suspects.update(
                start + fault["loc"][0]
                for fault in error.errors(include_url=False, include_input=False)
                if isinstance(fault["loc"][0], int)
            )
    if may_hold_surrogates(text):
        suspects.update(index for index, item in enumerate(items) if find_lone_surrogate(item) is not None)
    if _HEADER_ANNOTATION in text:
        suspects.update(
            index for index, item in enumerate(items) if _header_fault(method, version, item) is not None
        )
    return frozenset(suspects)


def _mend_item(method: str, version: str, item: Any) -> tuple[dict[str, Any] | None, list[str]]:
    """The item without its wrong fields (None: it is left out), and what is wrong with it."""
    if not isinstance(item, dict):
        return None, [f"left out: it is no object but {show_value(item)}"]
    header_fault = _header_fault(method, version, item)
    if header_fault is not None:
        return None, [f"left out: invalid {_HEADER_ANNOTATION}: {header_fault}"]
    item_type = _item_type(method, version)
    required = {info.alias or name for name, info in item_type.model_fields.items() if info.is_required()}
    mended = dict(item)
    reasons: list[str] = []
    faults = find_faults(item_type, mended)
    for name in list(mended):
        place = find_lone_surrogate({name: mended[name]})
        if place is not None:
            faults[name] = f"{place}: a lone surrogate"
    for name, reason in faults.items():
        if name in required or name not in mended:
            return None, [f"left out: {reason}"]
        reasons.append(f"{name} is left out: {reason}")
        del mended[name]
    return mended, reasons


def _concerns_sdk(tool: dict[str, Any], has_headers: bool) -> bool:
    return (has_headers or tool.get("outputSchema") is not None) and not find_faults(Tool, tool)


def _header_fault(method: str, version: str, item: Any) -> str | None:
    """Why the protocol has clients drop a tool: 2026-07-28 says so of one whose header annotations are
    invalid."""
    if method != "tools/list" or version not in MODERN_PROTOCOL_VERSIONS or not isinstance(item, dict):
        return None
    schema = item.get("inputSchema")
    return find_invalid_x_mcp_header(schema) if isinstance(schema, dict) else None


@cache
def _item_type(method: str, version: str) -> type[BaseModel]:
    """What that version of the protocol has an item of that list be."""
    page_type = methods.SERVER_RESULTS[(method, version)]
    assert isinstance(page_type, type)
    found: type[BaseModel] = next(
        get_args(info.annotation)[0]
        for name, info in page_type.model_fields.items()
        if (info.alias or name) == LISTS[method][0]
    )
    return found


@cache
def _list_validator(item_type: type[BaseModel]) -> TypeAdapter[Any]:
    return TypeAdapter(list[item_type])  # type: ignore[valid-type]


def _subject(method: str, noun: str, naming: str, index: int, item: Any) -> str:
    name = item.get(naming) if isinstance(item, dict) else None
    return f"{noun} {name}" if isinstance(name, str) and name else f"{method}, item {index + 1}"


def _problem(server: str, subject: str, message: str) -> Problem:
    return Problem(Severity.ERROR, server, subject, "protocol", message, _REMEDY)
