"""What is wrong with tools: names, and schemas that are not valid in their dialect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from jsonschema.exceptions import SchemaError

from inspector.host.dialects import DEFAULT_DIALECT, find_dialect, remote_references
from inspector.host.problems import Published
from inspector.workspace.catalog import Tool
from inspector.workspace.problem import Problem, Severity

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_DEPTH: Final = 64


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
    for reference in sorted(set(remote_references(schema, _DEPTH))):
        message = f"{key} refers to {reference}, which is never fetched"
        yield Problem(
            Severity.WARNING, tool.server, subject, "protocol", message, "Put what it refers to in $defs."
        )
    validator = find_dialect(schema)
    if validator is None:
        message = f"{key} is of a dialect that is not known here: {schema.get('$schema')}"
        yield Problem(Severity.WARNING, tool.server, subject, "protocol", message, f"Use {DEFAULT_DIALECT}.")
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
