"""Holds what a tool answered against its own `outputSchema`: what breaks it is a problem of that tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.host.snippets import snippet_of
from inspector.host.validation import validate
from inspector.workspace.catalog import Tool
from inspector.workspace.problem import Problem, Severity


def find_output_problem(tool: Tool, result: Mapping[str, Any]) -> Problem | None:
    """What a result has wrong by the tool's `outputSchema`; None where nothing, or where there is no such schema.

    An answer that says `isError` need not fit. Takes half a second at most; may be called in any thread.
    """
    schema = tool.raw.get("outputSchema")
    if not isinstance(schema, Mapping) or result.get("isError") is True:
        return None
    if result.get("resultType", "complete") != "complete":
        return None
    if "structuredContent" not in result:
        message = "has an outputSchema, and its result has no structuredContent"
        remedy = "Send structuredContent that fits the schema, or publish no outputSchema."
        snippet = snippet_of({"structuredContent": {}})
        return Problem(
            Severity.WARNING, tool.server, f"tool {tool.name}", "protocol", message, remedy, None, snippet
        )
    verdict = validate(schema, result["structuredContent"])
    if not verdict.faults:
        return None
    first = verdict.faults[0]
    more = f" ({verdict.count} faults in all)" if len(verdict.faults) > 1 else ""
    message = f"answered with output that breaks its outputSchema: {first.place} {first.message}".rstrip() + more
    remedy = "Send what the schema says, or let the schema say what is sent: clients may refuse the result."
    return Problem(Severity.WARNING, tool.server, f"tool {tool.name}", "protocol", message, remedy)
