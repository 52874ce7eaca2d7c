"""A citation tool over stdio that does as the extension advises, or makes one known mistake: its first word.

It needs the standard library alone. `send` takes `citations` and declares `crm` for them.
"""

import json
import sys

KEY = "ai.nimblebrain/resource-arguments"
SCHEMA = {"type": "object", "properties": {"citations": {"type": "array", "items": {"type": "string"}}}}
TOOL = {
    "name": "send",
    "inputSchema": SCHEMA,
    "annotations": {"readOnlyHint": False, "destructiveHint": True},
    "_meta": {KEY: {"arguments": {"citations": {"schemes": ["crm"]}}}},
}


class Crash(Exception):
    """The tool fell over an entry that it did not expect."""


def answer(mistake: str, claimed: bool, arguments: dict, meta: dict) -> tuple[str, bool]:
    """What the tool says, and whether it refuses."""
    cited = ", ".join(arguments.get("citations", []))
    if mistake == "ignores-the-key":
        return f"Sent with {cited}.", False
    delivered = meta.get(KEY)
    if mistake == "trusts-the-capability" and not claimed:
        delivered = None
    if delivered is None:
        return "Sent. This host delivers no records, so nothing was verified.", False
    missing = {uri: entry for uri, entry in delivered.items() if "contents" not in entry}
    if mistake == "accepts-not-found":
        missing = {uri: entry for uri, entry in missing.items() if entry["error"]["code"] != "not_found"}
    if mistake == "retries-everything" and missing:
        return "The records are not there right now. Please try again in a minute.", True
    if mistake == "crashes-on-error" and missing:
        raise Crash
    if mistake == "dies-on-error" and missing:
        sys.exit(1)
    if missing:
        return "Not sent: " + ", ".join(f"{uri}: {entry['error']['code']}" for uri, entry in missing.items()), True
    return f"Sent and verified with {cited}.", False


def main(mistake: str) -> None:
    """Answers line by line until standard input ends."""
    claimed = False
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        method, params = message["method"], message.get("params", {})
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        if method == "initialize":
            claimed = KEY in params["capabilities"].get("extensions", {})
            reply["result"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "checking", "version": "1"},
            }
        elif method == "tools/list":
            reply["result"] = {"tools": [TOOL]}
        elif method == "tools/call":
            try:
                words, refused = answer(mistake, claimed, params["arguments"], params.get("_meta", {}))
                reply["result"] = {"content": [{"type": "text", "text": words}], "isError": refused}
            except Crash:
                reply["error"] = {"code": -32603, "message": "KeyError: 'contents'"}
        else:
            reply["error"] = {"code": -32601, "message": "unknown method"}
        print(json.dumps(reply), flush=True)


main(sys.argv[1] if len(sys.argv) > 1 else "")
