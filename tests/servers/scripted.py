"""A stdio MCP server that does as a JSON file says. It uses no SDK, so it can be as wrong as a test needs.

    python scripted.py SPEC.json

The file, every key of which may be left out:

    name           the server's name
    era            "both" (default), "2025" or "2026"
    tools, resources, prompts     what the lists hold, item by item as it stands
    templates      resource templates; a string stands for a template of that text
    page_size      items on a page of a list (default: one page)
    loop_cursor    true: every page of every list carries one and the same cursor
    reads          {uri: answer}; "*" for every other URI. Without one: resource not found
    calls          {tool: answer}; "*" for every other tool. Without one: its arguments and _meta as text
    answers        {method: answer}, in place of what the server would answer, "initialize" and lists too
    startup        an answer whose delay, stderr, stdout, hang or exit are played before anything is read
    after          [{method, tool?, times?, change?, notify?, exit?}]: once a message of that method (a call
                   of that tool) has been answered for the times-th time (1), the spec is changed, the methods
                   of notify are sent as notifications, the way the era sends them, and the process ends
    stubborn       true: neither the end of stdin nor SIGTERM ends it
    child          true: it starts a child process, which outlives it and holds its stdout open
    log, pids      files: every message received, a line each; the process ids, child included

An answer holds one of

    result         an object, sent with what the era requires added where it is missing
    raw            anything, sent as the result exactly as it stands
    error          {code, message, data?}
    line           text, sent as a line in the answer's place

and beside it `delay` (seconds), `stderr` (text), `stdout` (a line before the answer), `notify` (notifications
before the answer, as they stand; progress gets the request's token), `silent` (no answer after those), `hang`
(nothing at all) and `exit` (a code;
no answer). `ask`, a list of requests {method, params}, is asked of the client the way the era asks, before the
answer; without one of its own that holds what was answered (`answers`), and in 2026-07-28 the `requestState`.
Nothing lives longer than ten minutes.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

MODERN = "2026-07-28"
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LONGEST = 600
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
LISTS = {
    "tools/list": ("tools", "tools"),
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("templates", "resourceTemplates"),
    "prompts/list": ("prompts", "prompts"),
}
CHANGES = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}

Message = dict[str, Any]


class Wire:
    """Standard output, a line at a time, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        with self._lock:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    def send(self, message: Message) -> None:
        self.line(json.dumps({"jsonrpc": "2.0", **message}))


class Server:
    """One process, one connection, one spec that may change under way."""

    def __init__(self, spec: dict[str, Any], wire: Wire) -> None:
        self.spec = spec
        self.wire = wire
        self.era = spec.get("era", "both")
        self.handshaken = False
        self.subscriptions: dict[Any, Message] = {}
        self.counts: dict[int, int] = {}
        self.lock = threading.Lock()
        self.asked: dict[Any, queue.Queue[Message]] = {}

    def handle(self, message: Message) -> None:
        method, params = message.get("method", ""), message.get("params") or {}
        if not method:
            self.asked[message["id"]].put(message)
            return
        if "id" in message:
            modern = self.era != "2025" and VERSION_KEY in (params.get("_meta") or {})
            if method == "subscriptions/listen" and modern:
                self.listen(message["id"], params)
            else:
                answer = self.spec.get("answers", {}).get(method) or self.usual(method, params, modern)
                self.play(message["id"], answer, method, params, modern)
        self.react(method, params)

    def play(self, number: Any, answer: Message, method: str, params: Message, modern: bool) -> None:
        if not effects(answer, self.wire):
            return
        for notification in answer.get("notify", []):
            self.wire.send(with_token(notification, params))
        if answer.get("silent"):
            return
        if "ask" in answer:
            answer = self.ask(answer, params) if modern else self.ask_outright(answer, params)
        if "line" in answer:
            self.wire.line(answer["line"])
        elif "error" in answer:
            self.wire.send({"id": number, "error": answer["error"]})
        elif "raw" in answer:
            self.wire.send({"id": number, "result": answer["raw"]})
        else:
            result = answer.get("result", {})
            if modern:
                cacheable = method in LISTS or method in ("server/discover", "resources/read")
                stamps = {"ttlMs": 0, "cacheScope": "private"} if cacheable else {}
                result = {"resultType": "complete", **stamps, **result}
            self.wire.send({"id": number, "result": result})

    def ask(self, answer: Message, params: Message) -> Message:
        if "inputResponses" not in params:
            requests = {f"q{place}": request for place, request in enumerate(answer["ask"])}
            return {"raw": {"resultType": "input_required", "inputRequests": requests, "requestState": "s é"}}
        state = {"requestState": params.get("requestState")}
        return told(answer, params, list(params["inputResponses"].values()), state)

    def ask_outright(self, answer: Message, params: Message) -> Message:
        waiting = []
        for place, request in enumerate(answer["ask"]):
            with self.lock:
                number = f"ask-{len(self.asked)}-{place}"
                self.asked[number] = queue.Queue()
            waiting.append(self.asked[number])
            self.wire.send({"id": number, **request})
        answers = [each.get(timeout=LONGEST) for each in waiting]
        return told(answer, params, [each.get("result", each.get("error")) for each in answers], {})

    def usual(self, method: str, params: Message, modern: bool) -> Message:
        """What the server answers where the spec's `answers` say nothing."""
        if method in LISTS:
            return {"result": self.page(*LISTS[method], params)}
        match method:
            case "initialize":
                return self.initialize(params)
            case "server/discover" if self.era != "2025":
                return {"result": self.introduction() | {"supportedVersions": [MODERN]}}
            case "ping":
                return {"result": {}}
            case "resources/read":
                return self.choose("reads", params.get("uri")) or not_found(params, modern)
            case "tools/call":
                return self.choose("calls", params.get("name")) or echo(params)
        return {"error": {"code": -32601, "message": f"Method not found: {method}"}}

    def choose(self, key: str, name: Any) -> Message | None:
        answers: dict[Any, Message] = self.spec.get(key, {})
        return answers.get(name, answers.get("*"))

    def initialize(self, params: Message) -> Message:
        wanted = params.get("protocolVersion")
        if self.era == "2026":
            data = {"supported": [MODERN], "requested": wanted}
            return {"error": {"code": -32022, "message": "Unsupported protocol version", "data": data}}
        self.handshaken = True
        version = wanted if wanted in HANDSHAKE else HANDSHAKE[-1]
        identity = {"name": self.spec.get("name", "scripted"), "version": "1"}
        return {
            "result": {
                "protocolVersion": version,
                "capabilities": self.capabilities(),
                "serverInfo": identity,
            }
        }

    def introduction(self) -> Message:
        identity = {"name": self.spec.get("name", "scripted"), "version": "1"}
        return {
            "capabilities": self.capabilities(),
            "_meta": {"io.modelcontextprotocol/serverInfo": identity},
        }

    def capabilities(self) -> Message:
        capabilities: Message = {"tools": {"listChanged": True}, "resources": {"listChanged": True}}
        if "prompts" in self.spec:
            capabilities["prompts"] = {"listChanged": True}
        if "completion/complete" in self.spec.get("answers", {}):
            capabilities["completions"] = {}
        return capabilities

    def page(self, key: str, field: str, params: Message) -> Message:
        items = self.spec.get(key, [])
        if key == "templates":
            items = [
                {"name": f"template-{place}", "uriTemplate": item} if isinstance(item, str) else item
                for place, item in enumerate(items)
            ]
        size = self.spec.get("page_size") or max(len(items), 1)
        start = int(params.get("cursor") or 0)
        result: Message = {field: items[start : start + size]}
        if self.spec.get("loop_cursor"):
            result["nextCursor"] = "0"
        elif start + size < len(items):
            result["nextCursor"] = str(start + size)
        return result

    def listen(self, number: Any, params: Message) -> None:
        wanted = params.get("notifications") or {}
        with self.lock:
            self.subscriptions[number] = wanted
        acknowledged = {"_meta": {SUBSCRIPTION_KEY: number}, "notifications": wanted}
        self.wire.send({"method": "notifications/subscriptions/acknowledged", "params": acknowledged})

    def notify(self, method: str) -> None:
        """A change, said as the era says it: outright in 2025, in 2026 to those who listen for it."""
        if self.handshaken:
            self.wire.send({"method": method})
            return
        with self.lock:
            listeners = [number for number, wanted in self.subscriptions.items() if wanted.get(CHANGES[method])]
        for number in listeners:
            self.wire.send({"method": method, "params": {"_meta": {SUBSCRIPTION_KEY: number}}})

    def react(self, method: str, params: Message) -> None:
        for place, reaction in enumerate(self.spec.get("after", [])):
            if reaction["method"] != method or reaction.get("tool", params.get("name")) != params.get("name"):
                continue
            with self.lock:
                self.counts[place] = self.counts.get(place, 0) + 1
                due = self.counts[place] == reaction.get("times", 1)
                if due:
                    self.spec = {**self.spec, **reaction.get("change", {})}
            if due:
                for change in reaction.get("notify", []):
                    self.notify(change)
                if "exit" in reaction:
                    os._exit(reaction["exit"])


def effects(answer: Message, wire: Wire) -> bool:
    """Play what an answer does beside answering; False where it then does not answer."""
    time.sleep(min(answer.get("delay", 0), LONGEST))
    if "stderr" in answer:
        sys.stderr.write(answer["stderr"])
        sys.stderr.flush()
    if "stdout" in answer:
        wire.line(answer["stdout"])
    if "exit" in answer:
        os._exit(answer["exit"])
    return not answer.get("hang")


def with_token(notification: Message, params: Message) -> Message:
    token = (params.get("_meta") or {}).get("progressToken")
    if notification["method"] != "notifications/progress" or token is None:
        return notification
    return {**notification, "params": {**notification.get("params", {}), "progressToken": token}}


def not_found(params: Message, modern: bool) -> Message:
    uri = params.get("uri")
    code = -32602 if modern else -32002
    return {"error": {"code": code, "message": f"Resource not found: {uri}", "data": {"uri": uri}}}


def echo(params: Message) -> Message:
    text = json.dumps({"arguments": params.get("arguments"), "meta": params.get("_meta")})
    return {"result": {"content": [{"type": "text", "text": text}], "isError": False}}


def told(answer: Message, params: Message, answers: list[Any], state: Message) -> Message:
    if any(key in answer for key in ("line", "error", "raw", "result")):
        return answer
    text = json.dumps({"answers": answers, "meta": params.get("_meta"), **state})
    return {"result": {"content": [{"type": "text", "text": text}], "isError": False}}


def append(path: str | None, line: str) -> None:
    if path is not None:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def main() -> None:
    spec = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    append(spec.get("pids"), str(os.getpid()))
    if spec.get("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if spec.get("child"):
        command = [sys.executable, "-S", "-c", f"import time; time.sleep({LONGEST})"]
        append(spec.get("pids"), str(subprocess.Popen(command, stdin=subprocess.DEVNULL).pid))
    wire = Wire()
    if not effects(spec.get("startup", {}), wire):
        time.sleep(LONGEST)
        return
    server = Server(spec, wire)
    for line in sys.stdin:
        append(spec.get("log"), line.rstrip("\n"))
        # A thread for each message: a slow answer holds up no other.
        threading.Thread(target=server.handle, args=(json.loads(line),), daemon=True).start()
    if spec.get("stubborn"):
        time.sleep(LONGEST)


if __name__ == "__main__":
    main()
