"""Fills in forms made from any schema, for tests of the composer's form."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from textual.widget import Widget

from inspector.workspace.catalog import Tool
from tests.servers.workspace import log_of, received
from tests.tui.composing import Person

KEY = "ai.nimblebrain/resource-arguments"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["body", "citations"],
    "properties": {
        "body": {"type": "string", "description": "What to [b]say[/b]"},
        "count": {"type": "integer", "default": 3},
        "ratio": {"anyOf": [{"type": "number"}, {"type": "null"}], "examples": [0.5]},
        "urgent": {"type": "boolean"},
        "tone": {"enum": ["warm", "cool", 7]},
        "citations": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object"},
    },
}

_numbers = itertools.count()


def new_tool(schema: Any = SCHEMA, schemes: tuple[str, ...] = ("crm",), argument: str = "citations") -> Tool:
    """A tool as `outbox` might list it, of a name that no other test has."""
    declared = {KEY: {"arguments": {argument: {"schemes": list(schemes)}}}}
    return Tool("outbox", f"tool{next(_numbers)}", {"inputSchema": schema, "_meta": declared})


async def fill(person: Person, schema: Any = SCHEMA, arguments: dict[str, Any] | None = None) -> Tool:
    """Begins a call of a tool with that schema."""
    tool = new_tool(schema)
    await person.pane.show_tool(tool, arguments)
    await person.settle()
    return tool


def calls(person: Person) -> list[dict[str, Any]]:
    """The calls that the server received of the tool at hand."""
    tool = person.pane.tool
    assert tool is not None
    log = log_of(Path(person.host.workspace.connections["outbox"].entry.args[-1]).parent, "outbox")
    return [m["params"] for m in received(log, "tools/call") if m["params"]["name"] == tool.name]


def field(person: Person, name: str) -> Any:
    return next(row for row in person.pane.editor.form.rows if row.field.name == name)


def shown_error(person: Person) -> str:
    return " ".join(str(error.render()) for error in person.pane.query(".field--error") if error.display)


def focused(person: Person) -> Widget | None:
    return person.app.focused


EVERY_KIND: dict[str, Any] = {
    "type": "object",
    "required": ["body", "priority"],
    "properties": {
        "body": {"type": "string", "description": "What to say, with [b]no markup[/b]", "minLength": 3},
        "reply_to": {"type": ["string", "null"], "format": "email"},
        "priority": {"$ref": "#/$defs/priority", "description": "How soon"},
        "count": {"type": "integer", "default": 3, "maximum": 9},
        "ratio": {"anyOf": [{"type": "number"}, {"type": "null"}], "examples": [0.5]},
        "urgent": {"type": "boolean"},
        "tone": {"oneOf": [{"const": "w", "title": "Warm"}, {"const": "c", "title": "Cool"}]},
        "channel": {"enum": ["mail", "[b]chat[/b]", "letter"], "default": "mail"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "citations": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object", "properties": {"retry": {"type": "boolean"}}},
        "far": {"$ref": "https://example.com/x.json"},
    },
    "$defs": {"priority": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}},
}
"""A field of every kind."""
