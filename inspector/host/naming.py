"""How a person names a tool: `SERVER/TOOL`, or the tool alone where it is unique."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inspector.workspace.catalog import Tool
from inspector.workspace.connection import Connection

_SHOWN = 12
"""Names that an error lists; of more it says how many there are."""


class UnknownTool(LookupError):
    """No such tool, or more than one of that name. Its text is one line that says which there are."""


def find_server(connections: Mapping[str, Connection], reference: str) -> str | None:
    """The server that a reference names, the longest name that fits, connected or not; None for a bare name."""
    names = sorted(connections, key=len, reverse=True)
    return next((name for name in names if reference.startswith(f"{name}/")), None)


def find_tool(connections: Mapping[str, Connection], reference: str) -> Tool:
    """The tool that a reference names. Raises UnknownTool."""
    server = find_server(connections, reference)
    if server is not None:
        catalog, name = connections[server].catalog, reference[len(server) + 1 :]
        tool = catalog.tool(name)
        if tool is None:
            raise UnknownTool(f"{server} has no tool {name}: there is {_listing(t.name for t in catalog.tools)}")
        return tool
    tools = [tool for connection in connections.values() for tool in connection.catalog.tools]
    found = [tool for tool in tools if tool.name == reference]
    if len(found) == 1:
        return found[0]
    if found:
        listed = _listing(tool.reference for tool in found)
        raise UnknownTool(f"the tool {reference} is on several servers: name one of {listed}")
    if "/" in reference:
        raise UnknownTool(f"{reference} names no server of the workspace: there is {_listing(connections)}")
    raise UnknownTool(f"no tool {reference}: there is {_listing(tool.reference for tool in tools)}")


def _listing(names: Iterable[str]) -> str:
    listed = list(names)
    shown = ", ".join(listed[:_SHOWN])
    return f"{shown}, … ({len(listed)} in all)" if len(listed) > _SHOWN else shown or "none"
