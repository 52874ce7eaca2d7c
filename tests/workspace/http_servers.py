"""Servers over HTTP for the tests of the workspace: uvicorn on a free loopback port, in a thread of its
own."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The address of an ASGI app that is served while this lasts."""
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="critical", timeout_graceful_shutdown=1, ws="none")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(5)


def sdk_server() -> MCPServer:
    """A server on the SDK: a tool, a template, a resource."""
    server = MCPServer("sdk")

    @server.tool(structured_output=False)
    async def send(body: str, citations: list[str]) -> str:
        return json.dumps([body, citations])

    @server.resource("crm://signals/{number}", mime_type="application/json")
    def signal(number: str) -> str:
        if number == "7":
            raise ValueError("no signal 7")
        return json.dumps({"id": number, "text": "é"})

    return server


class Scripted:
    """An MCP server over Streamable HTTP without any SDK: `answers` maps a method (or a URI that is read)
    to a function of the request that gives the status, the headers and the body."""

    def __init__(self, **answers: Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]]) -> None:
        self.answers: dict[str, Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]]] = answers
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            event = await receive()
            body += event.get("body", b"")
            if not event.get("more_body"):
                break
        self.headers.append({name.decode(): value.decode() for name, value in scope["headers"]})
        status, headers, content = 405, {}, b""
        if scope["method"] == "POST":
            message = json.loads(body)
            self.requests.append(message)
            uri = message.get("params", {}).get("uri", "")
            answer = self.answers.get(uri) or self.answers.get(message["method"]) or self._answer
            status, headers, content = answer(message)
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": content})

    def _answer(self, message: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        results: dict[str, dict[str, Any]] = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}, "resources": {}},
                "serverInfo": {"name": "scripted", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "send", "inputSchema": {"type": "object"}}]},
            "resources/templates/list": {"resourceTemplates": []},
            "resources/list": {"resources": []},
            "resources/read": {"contents": [{"uri": "x://good", "text": "ok"}]},
        }
        if "id" not in message:
            return 202, {}, b""
        result = results.get(message["method"])
        if result is None:
            return 200, JSON, encode(message, error={"code": -32601, "message": "Method not found"})
        return 200, JSON, encode(message, result=result)


JSON = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream"}


def encode(message: dict[str, Any], **answer: Any) -> bytes:
    """The JSON-RPC answer to a request."""
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}).encode()
