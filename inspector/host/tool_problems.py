"""What is wrong with tools: names, and schemas that are not valid in their dialect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from jsonschema.exceptions import SchemaError

from inspector.host.dialects import DEFAULT_DIALECT, find_dialect, remote_references
from inspector.host.plain_schemas import is_plainly_valid
from inspector.host.snippets import snippet_of
from inspector.workspace.catalog import Catalog, Tool
from inspector.workspace.problem import Problem, Severity

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_UNNAMEABLE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST_NAME: Final = 128
_DEPTH: Final = 64
_TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")


def tool_problems(server: str, catalog: Catalog) -> Iterator[Problem]:
    """The tool row of the table, for every tool of a server: what shows by itself, whatever else is published."""
    for name, count in Counter(tool.name for tool in catalog.tools).items():
        if count > 1:
            message = f"{count} tools of this server have this name: a call reaches one of them"
            remedy = "Give each tool a name of its own."
            yield Problem(Severity.ERROR, server, f"tool {name}", "protocol", message, remedy)
    for tool in catalog.tools:
        yield from _name_problems(tool)
        yield from _schema_problems(tool, "inputSchema")
        yield from _schema_problems(tool, "outputSchema")


def _name_problems(tool: Tool) -> Iterator[Problem]:
    if not _NAME.fullmatch(tool.name):
        message = "has a name outside A-Z, a-z, 0-9, _, . and -, of 1 to 128 characters"
        remedy = "Rename it: a model provider may refuse the whole list of tools for it."
        snippet = snippet_of({"name": _UNNAMEABLE.sub("_", tool.name).strip("_")[:_LONGEST_NAME] or "NAME"})
        yield Problem(
            Severity.WARNING, tool.server, f"tool {tool.name}", "protocol", message, remedy, snippet=snippet
        )


def _schema_problems(tool: Tool, key: str) -> Iterator[Problem]:
    schema = tool.raw.get(key)
    subject = f"tool {tool.name}"
    if schema is None and key == "outputSchema":
        return
    if not isinstance(schema, Mapping):
        message = f"{key} is no JSON Schema object"
        snippet = _object_snippet(key, {})
        yield Problem(Severity.ERROR, tool.server, subject, "protocol", message, _AS_OBJECT, snippet=snippet)
        return
    if key == "inputSchema" and schema.get("type") != "object":
        message = f"{key} is no object schema: its type is {schema.get('type', 'left out')}"
        snippet = _object_snippet(key, schema)
        yield Problem(Severity.ERROR, tool.server, subject, "protocol", message, _AS_OBJECT, snippet=snippet)
    if is_plainly_valid(schema):
        return
    for reference in sorted(set(remote_references(schema, _DEPTH))):
        message = f"{key} refers to {reference}, which is never fetched"
        remedy = "Put what it refers to in $defs, and refer to that."
        name = _UNNAMEABLE.sub("_", reference.rpartition("/")[2].partition("#")[0].partition(".")[0]) or "NAME"
        snippet = snippet_of({"$ref": f"#/$defs/{name}", "$defs": {name: {"type": "object"}}})
        yield Problem(Severity.WARNING, tool.server, subject, "protocol", message, remedy, snippet=snippet)
    validator = find_dialect(schema)
    if validator is None:
        message = f"{key} is of a dialect that is not known here: {schema.get('$schema')}"
        remedy = f"Leave $schema out, or name a dialect that clients know: {DEFAULT_DIALECT}."
        snippet = snippet_of({"$schema": DEFAULT_DIALECT})
        yield Problem(Severity.WARNING, tool.server, subject, "protocol", message, remedy, snippet=snippet)
        return
    try:
        validator.check_schema(dict(schema))
    except SchemaError as fault:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.absolute_path)
        message = f"{key}{place} is not valid in its dialect: {fault.message[:200]}"
        remedy, snippet = _mend_schema(f"{key}{place}", fault)
        yield Problem(Severity.ERROR, tool.server, subject, "protocol", message, remedy, snippet=snippet)
    except RecursionError:
        message = f"{key} is nested too deep to be checked"
        yield Problem(Severity.WARNING, tool.server, subject, "protocol", message, "Flatten the schema.")


def _object_snippet(key: str, schema: Mapping[str, Any]) -> str | None:
    """The schema as an object schema: with what it says of properties, where it says something."""
    kept = {name: value for name, value in schema.items() if name != "items"}
    whole = snippet_of({key: {"type": "object", "properties": {}} | kept | {"type": "object"}})
    return whole or snippet_of({key: {"type": "object", "properties": {}}})


def _mend_schema(place: str, fault: SchemaError) -> tuple[str, str | None]:
    """What to do about a schema that is not valid, and where a type is misspelt the one that is meant."""
    if fault.absolute_path and fault.absolute_path[-1] == "type" and isinstance(fault.instance, str):
        meant = get_close_matches(fault.instance.lower(), _TYPES, 1)
        if meant:
            return f"Write {meant[0]} there.", snippet_of({"type": meant[0]})
        return f"Write one of {', '.join(_TYPES)} there.", None
    return f"Write at {place} what JSON Schema allows: clients refuse a tool whose schema is none.", None


_AS_OBJECT: Final = 'Give it {"type": "object", …}.'
