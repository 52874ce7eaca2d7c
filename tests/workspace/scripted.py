"""A server for the tests of the workspace, without any SDK: it answers over stdio as its script says.

    scripted.py '{"tools": […], …}'

Keys of the script, all optional: `era` ("both", "2025", "2026"); `tools`, `templates`, `resources`,
`prompts`; `capabilities`; `page_size`; `loop` (every page names one cursor); `lists` ({method: how to
answer}); `reads` ({uri: how}); `calls` ({tool: how}); `start`, `handshake` (how, before the first message,
and for the handshake). A tool without a `how` echoes what it got.

A `how` is a list of steps, taken in order: {"result": …}, {"error": {…}}, {"raw": "a line"} (`$ID` and
`$LONG`, of `long` characters, are filled in), {"bytes": "hex"}, {"stderr": "text"}, {"exit": code},
{"hang": true}, {"sleep": seconds}, {"notify": {…}} (with the id of the listen stream for `$SUBSCRIPTION`),
{"set": {key: value}} (the script changes), {"flood": lines on stderr}, {"spawn": true} (a grandchild, its
pid on stderr), {"deaf": true} (SIGTERM and the end of standard input are passed over).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

MODERN, LEGACY = "2026-07-28", "2025-11-25"
VERSION = "io.modelcontextprotocol/protocolVersion"
LISTS = {
    "tools/list": ("tools", "tools"),
    "resources/templates/list": ("resourceTemplates", "templates"),
    "resources/list": ("resources", "resources"),
    "prompts/list": ("prompts", "prompts"),
}

script: dict[str, Any] = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
lock = threading.Lock()
modern = False
deaf = False


def write(data: bytes) -> None:
    with lock:
        sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()


def send(message: Any) -> None:
    write(json.dumps(message).encode())


def stamp(method: str, result: Any) -> Any:
    if not modern or not isinstance(result, dict) or script.get("bare"):
        return result
    envelope: dict[str, Any] = {"resultType": "complete"}
    if method in LISTS or method in ("resources/read", "server/discover"):
        envelope |= {"ttlMs": 0, "cacheScope": "private"}
    return envelope | result


def play(steps: list[dict[str, Any]], method: str, identifier: Any) -> None:
    global deaf
    for step in steps:
        for action, value in step.items():
            if action == "result":
                send({"jsonrpc": "2.0", "id": identifier, "result": stamp(method, value)})
            elif action == "error":
                send({"jsonrpc": "2.0", "id": identifier, "error": value})
            elif action == "raw":
                long = "x" * script.get("long", 0)
                line = value.replace("$ID", json.dumps(identifier)).replace("$LONG", long)
                write(line.encode("utf-8", "surrogatepass"))
            elif action == "bytes":
                write(bytes.fromhex(value).replace(b"$ID", str(identifier).encode()))
            elif action == "stderr":
                sys.stderr.write(value)
                sys.stderr.flush()
            elif action == "flood":
                for number in range(value):
                    sys.stderr.write(f"line {number} " + "x" * 100 + "\n")
                sys.stderr.flush()
            elif action == "exit":
                os._exit(value)
            elif action == "hang":
                threading.Event().wait()
            elif action == "sleep":
                time.sleep(value)
            elif action == "notify":
                subscription = json.dumps(script.get("subscription"))
                message = json.dumps({"jsonrpc": "2.0", **value})
                token = json.dumps(script.get("progress_token"))
                message = message.replace('"$SUBSCRIPTION"', subscription).replace('"$TOKEN"', token)
                write(message.encode())
            elif action == "set":
                script.update(value)
            elif action == "spawn":
                other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
                sys.stderr.write(f"grandchild {other.pid}\n")
                sys.stderr.flush()
            elif action == "deaf":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                deaf = True


def capabilities() -> dict[str, Any]:
    offered: dict[str, Any] = script.get("capabilities", {"tools": {}, "resources": {}, "prompts": {}})
    return offered


def page(method: str, params: dict[str, Any]) -> dict[str, Any]:
    key, name = LISTS[method]
    items = script.get(name, [])
    size = script.get("page_size") or max(len(items), 1)
    start = int(params.get("cursor") or 0)
    result: dict[str, Any] = {key: items[start : start + size]}
    if script.get("loop"):
        result["nextCursor"] = "0"
    elif start + size < len(items):
        result["nextCursor"] = str(start + size)
    return result


def handle(message: dict[str, Any]) -> None:
    global modern
    method, identifier, params = message["method"], message.get("id"), message.get("params") or {}
    if identifier is None:
        return
    era = script.get("era", "both")
    if VERSION in (params.get("_meta") or {}):
        modern = era != "2025"
    script["progress_token"] = (params.get("_meta") or {}).get("progressToken")
    how: list[dict[str, Any]] | None = None
    info = {"name": "scripted", "version": "1"}
    if method in ("initialize", "server/discover") and "handshake" in script:
        how = script["handshake"]
    elif method == "initialize":
        modern = False
        result = {
            "protocolVersion": LEGACY,
            "capabilities": capabilities(),
            "serverInfo": info,
            "instructions": "Hi.",
        }
        how = [{"result": result}] if era != "2026" else [{"error": {"code": -32601, "message": "no initialize"}}]
    elif method == "server/discover" and era != "2025":
        meta = {"io.modelcontextprotocol/serverInfo": info}
        how = [{"result": {"supportedVersions": [MODERN], "capabilities": capabilities(), "_meta": meta}}]
    elif method in LISTS:
        how = script.get("lists", {}).get(method) or [{"result": page(method, params)}]
    elif method == "resources/read":
        how = script.get("reads", {}).get(params.get("uri"))
        how = how or [{"error": {"code": -32002, "message": f"no resource {params.get('uri')}"}}]
    elif method == "tools/call":
        text = json.dumps({"arguments": params.get("arguments"), "_meta": params.get("_meta")})
        echo = {"content": [{"type": "text", "text": text}]}
        how = script.get("calls", {}).get(params.get("name")) or [{"result": echo}]
    elif method == "subscriptions/listen" and script.get("listen"):
        acknowledged = {
            "method": "notifications/subscriptions/acknowledged",
            "params": {
                "notifications": params["notifications"],
                "_meta": {"io.modelcontextprotocol/subscriptionId": identifier},
            },
        }
        script["subscription"] = identifier
        how = [{"notify": acknowledged}, {"hang": True}]
    else:
        how = script.get("methods", {}).get(method) or [
            {"error": {"code": -32601, "message": f"Method not found: {method}"}}
        ]
    play(how, method, identifier)


def main() -> None:
    play(script.get("start", []), "", None)
    while True:
        for line in sys.stdin:
            threading.Thread(target=handle, args=(json.loads(line),), daemon=True).start()
        if not deaf:
            break
        time.sleep(60)


main()
