"""A workspace file of many servers that publish much, each a real process over stdio, without the SDK."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.servers.workspace import scripted, workspace_file

TOOLS = 200
TEMPLATES = 40


def big_workspace(folder: Path, count: int) -> Path:
    """Writes the file and the servers' scripts; `count` is how many servers, 0 for one that publishes nothing."""
    if count == 0:
        return workspace_file(folder, {"s0": scripted(folder, "s0")})
    names = [f"s{number}" for number in range(count)]
    return workspace_file(folder, {name: _server(folder, name, count) for name in names})


def _server(folder: Path, name: str, count: int) -> dict[str, Any]:
    following = f"s{(int(name[1:]) + 1) % count}"
    tools = [_tool(f"record_{number}_of_{name}", number, following) for number in range(TOOLS)]
    templates = [f"{name}://kind-{number}/{{id}}{{?fields*}}" for number in range(TEMPLATES)]
    entry = scripted(folder, name, tools=tools, templates=templates)
    return {**entry, "connectionTimeout": 60_000}


def _tool(name: str, number: int, scheme: str) -> dict[str, Any]:
    """Every tenth declares; all have a schema such as people write."""
    properties = {
        "body": {"type": "string", "description": "What is written in the record, in a sentence or two."},
        "amount": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 1},
        "kind": {"type": "string", "enum": ["call", "letter", "visit"]},
        "citations": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
    }
    declared = {"arguments": {"citations": {"schemes": [scheme]}}}
    return {
        "name": name,
        "title": f"Keep record {number}",
        "description": "Keeps a record of what was said. It takes the records that it rests on as citations.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["body"]},
        **({"_meta": {"ai.nimblebrain/resource-arguments": declared}} if number % 10 == 0 else {}),
    }
