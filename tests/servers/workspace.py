"""Scripted servers as entries of a workspace file, and what they saw."""

import json
import sys
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("scripted.py")


def scripted(folder: Path, name: str, **spec: Any) -> dict[str, Any]:
    """An `mcpServers` entry for a server that does as `spec` says; its keys: the head of scripted.py."""
    paths = {"log": str(log_of(folder, name)), "pids": str(folder / f"{name}.pids")}
    path = folder / f"{name}.spec.json"
    path.write_text(json.dumps({"name": name, **paths, **spec}), encoding="utf-8")
    # It needs the standard library alone, and not this folder, whose http.py is none of Python's.
    return {"command": sys.executable, "args": ["-I", "-S", str(SCRIPT), str(path)]}


def rescript(folder: Path, name: str, **changes: Any) -> None:
    """Change what the server does from its next start on, as an edit of a server's code does."""
    path = folder / f"{name}.spec.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), encoding="utf-8")


def workspace_file(folder: Path, servers: dict[str, Any], **beside: Any) -> Path:
    """Write `mcp.json` with these servers, and what stands beside them, such as `host`."""
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers, **beside}), encoding="utf-8")
    return path


def log_of(folder: Path, name: str) -> Path:
    """The file that gets every message the server `name` receives."""
    return folder / f"{name}.log"


def received(log: Path, method: str | None = None) -> list[dict[str, Any]]:
    """The messages that a server received, in order; those of one method, or all."""
    if not log.exists():
        return []
    messages = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    return [message for message in messages if method in (None, message.get("method"))]


def reads(log: Path) -> list[str]:
    """The URIs that a server was asked to read, in order."""
    return [message["params"]["uri"] for message in received(log, "resources/read")]


def process_ids(folder: Path, name: str) -> list[int]:
    """The process id of each start of the server `name`, and of the child that each start made."""
    path = folder / f"{name}.pids"
    return [int(line) for line in path.read_text("utf-8").split()] if path.exists() else []


def is_running(process_id: int) -> bool:
    """Whether the process exists and is no zombie."""
    status = Path(f"/proc/{process_id}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def tool(name: str = "send", schemes: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    """A tool with one array argument, `citations`, that declares `schemes` (none: it declares nothing)."""
    declared = {"arguments": {"citations": {"schemes": schemes}}}
    citations = {"type": "array", "items": {"type": "string"}}
    return {
        "name": name,
        "inputSchema": {"type": "object", "properties": {"citations": citations}},
        **({} if schemes is None else {"_meta": {"ai.nimblebrain/resource-arguments": declared}}),
        **fields,
    }


def text(uri: str, *texts: str, mime_type: str = "text/plain") -> dict[str, Any]:
    """An answer to a read: one entry of contents for each text."""
    return {"result": {"contents": [{"uri": uri, "text": each, "mimeType": mime_type} for each in texts]}}


def blob(uri: str, data: str = "AAAA", mime_type: str = "image/png") -> dict[str, Any]:
    """An answer to a read that holds bytes, `data` in base64."""
    return {"result": {"contents": [{"uri": uri, "blob": data, "mimeType": mime_type}]}}


def failure(message: str, code: int = -32603) -> dict[str, Any]:
    """An answer that is a JSON-RPC error."""
    return {"error": {"code": code, "message": message}}
