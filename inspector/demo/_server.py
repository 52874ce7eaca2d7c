"""What the demo's servers have in common."""

import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Resource, TextContent, ToolAnnotations
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
"""A tool that changes nothing."""

HANDSHAKE_RESOURCE_NOT_FOUND = -32002
"""The 2025 era's own code for a resource that does not exist; 2026-07-28 answers "invalid params"."""


class DemoServer(MCPServer[dict[str, Any]]):
    """An SDK server whose `resources/list` is made when it is asked for: records come and go."""

    def __init__(
        self, name: str, *, title: str, instructions: str, listing: Callable[[], Sequence[Resource]]
    ) -> None:
        # A resource that is not there is no event worth a line on stderr.
        super().__init__(name, title=title, instructions=instructions, version="1", log_level="WARNING")
        self._listing = listing

    async def list_resources(self) -> list[Resource]:
        """The resources that exist now."""
        return list(await anyio.to_thread.run_sync(self._listing))


def not_found(context: Context[Any, Any], reason: str) -> MCPError:
    """The error that says a resource does not exist, with the code of the connection's era."""
    modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    uri = (context.request_context.params or {}).get("uri")
    code = INVALID_PARAMS if modern else HANDSHAKE_RESOURCE_NOT_FOUND
    return MCPError(code=code, message=reason, data={"uri": uri})


def serve_over(folder: Path, build: Callable[[Path], DemoServer]) -> None:
    """Serve what `build` makes over the data in `folder`; where that holds no data, say so and leave."""
    try:
        server = build(folder)
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"{folder} cannot hold the demo's data ({error}); name another folder with --data")
    server.run()


def text_block(text: str) -> TextContent:
    """`text` as a content block of a tool's result."""
    return TextContent(type="text", text=text)
