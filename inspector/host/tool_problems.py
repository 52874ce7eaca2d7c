"""What is wrong with tools: names, and schemas that are not valid in their dialect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema import validators
from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for

from inspector.host.problems import Published
from inspector.workspace.catalog import Tool
from inspector.workspace.problem import Problem, Severity

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_DEFAULT_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_DEPTH: Final = 64
_Unknown: Final = validators.create({})
"""Stands for a dialect that the schema library does not know: it checks nothing."""


def tool_problems(published: Published) -> Iterator[Problem]:
    """The tool row of the table, for every tool."""
    for server, catalog in published.catalogs.items():
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
        yield Problem(Severity.WARNING, tool.server, f"tool {tool.name}", "protocol", message, "Rename it.")


def _schema_problems(tool: Tool, key: str) -> Iterator[Problem]:
    schema = tool.raw.get(key)
    subject = f"tool {tool.name}"
    if schema is None and key == "outputSchema":
        return
    if not isinstance(schema, Mapping):
        yield Problem(
            Severity.ERROR, tool.server, subject, "protocol", f"{key} is no JSON Schema object", _AS_OBJECT
        )
        return
    if key == "inputSchema" and schema.get("type") != "object":
        message = f"{key} is no object schema: its type is {schema.get('type', 'left out')}"
        yield Problem(Severity.ERROR, tool.server, subject, "protocol", message, _AS_OBJECT)
    for reference in sorted(set(_remote_references(schema, _DEPTH))):
        message = f"{key} refers to {reference}, which is never fetched"
        yield Problem(
            Severity.WARNING, tool.server, subject, "protocol", message, "Put what it refers to in $defs."
        )
    dialect = schema.get("$schema", _DEFAULT_DIALECT)
    validator = validator_for({"$schema": dialect}, default=_Unknown) if isinstance(dialect, str) else _Unknown
    if validator is _Unknown:
        message = f"{key} is of a dialect that is not known here: {dialect}"
        yield Problem(Severity.WARNING, tool.server, subject, "protocol", message, f"Use {_DEFAULT_DIALECT}.")
        return
    try:
        validator.check_schema(dict(schema))
    except SchemaError as fault:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.absolute_path)
        message = f"{key}{place} is not valid in its dialect: {fault.message[:200]}"
        yield Problem(Severity.ERROR, tool.server, subject, "protocol", message, "Mend the schema.")
    except RecursionError:
        message = f"{key} is nested too deep to be checked"
        yield Problem(Severity.WARNING, tool.server, subject, "protocol", message, "Flatten the schema.")


_AS_OBJECT: Final = 'Give it {"type": "object", …}.'


def _remote_references(value: Any, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        reference = value.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            yield reference
        for item in value.values():
            yield from _remote_references(item, depth - 1)
    elif isinstance(value, list):
        for item in value:
            yield from _remote_references(item, depth - 1)
