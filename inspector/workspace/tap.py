"""Between a transport and the SDK: records every message, keeps raw answers, and ends what cannot be
answered.

The SDK turns results into its own types and rejects what does not fit. Here the result that came is kept
beside the request that asked for it (an `Exchange`), and an answer that the SDK would drop or choke on, so
that its request would wait until its timeout, becomes a JSON-RPC error for that request, with the fault in
words.

A request finds its exchange by a context variable: the SDK's dispatcher awaits the transport's `send` in the
task of whoever asked.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from mcp_types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from inspector.workspace.collecting import without_collecting
from inspector.workspace.departures import LISTS, complete_result
from inspector.workspace.exchange import CALL, CURRENT, Exchange, RequestId
from inspector.workspace.json_values import cut_text, find_lone_surrogate, may_hold_surrogates, name_type
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.salvage import mend_page
from inspector.workspace.traffic import Direction, Kind, Traffic

MESSAGE_BYTES = 64 * 1024 * 1024
"""The longest message that is taken from a server; a longer one is refused by name."""

_ID = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})')
_LARGE_BYTES = 1_000_000
_NOISE_LIMIT = 20
_ABANDONED_LIMIT = 1_000
_INTERNAL_ERROR = -32603

_LEANED_ON: Mapping[str, tuple[str, str]] = {
    "roots/list": ("roots", "Take the folders as arguments, or from the server's configuration."),
    "sampling/createMessage": ("sampling", "Ask a model provider from the server itself."),
    "notifications/message": ("logging", "Write to standard error, or tell what matters in the result."),
}
"""What 2026-07-28 deprecates, by the method that shows it, and what to do instead."""


class Tap:
    """What one connection's messages pass through.

    `version` is the negotiated protocol version, once known. `latest` is the newest exchange of each method.
    `checked_tools` are the tools of the last list whose output the SDK holds against their `outputSchema`.
    `answers_questions` says that an `input_required` result is answered (elicitation is claimed).
    `cancels_by_closing` is set by a transport on which 2026-07-28 knows no `notifications/cancelled`.
    """

    def __init__(self, server: str, traffic: Traffic, note: Callable[[Problem], None]) -> None:
        self.server = server
        self.channel = "stdout"
        self.cancels_by_closing = False
        self.answers_questions = False
        self.version = ""
        self.latest: dict[str, Exchange] = {}
        self.checked_tools: set[str] = set()
        self._traffic = traffic
        self._note = note
        self._pending: dict[RequestId, Exchange] = {}
        self._abandoned: dict[RequestId, str] = {}
        self._noise = 0
        self._noted: set[str] = set()

    def sending(self, message: JSONRPCMessage) -> str:
        """Record a message on its way out; the JSON text of it. Called in the task of whoever sends it."""
        text = json.dumps(
            message.model_dump(by_alias=True, exclude_unset=True), ensure_ascii=False, separators=(",", ":")
        )
        kind, method, request_id = Kind.RESULT, None, None
        if isinstance(message, JSONRPCRequest):
            kind, method, request_id = Kind.REQUEST, message.method, message.id
            exchange = CURRENT.get()
            if exchange is None or exchange.method != message.method:
                # One that the SDK makes of itself: the handshake, or a list that it wants to see again.
                exchange = Exchange(message.method)
            exchange.begin(message.id)
            self.latest[message.method] = exchange
            self._pending[_same(message.id)] = exchange
            if message.method == "tools/list" and "cursor" not in (message.params or {}):
                self.checked_tools.clear()
        elif isinstance(message, JSONRPCNotification):
            kind, method = Kind.NOTIFICATION, message.method
            if message.method == "notifications/cancelled":
                self._abandon((message.params or {}).get("requestId"))
                if self.cancels_by_closing and self.version in MODERN_PROTOCOL_VERSIONS:
                    # The transport closes the request's stream instead: nothing is sent, so nothing is recorded.
                    return text
        else:
            request_id = message.id
        self._traffic.add(
            self.server,
            Direction.SENT,
            kind,
            text,
            size=len(text.encode("utf-8", "surrogatepass")),
            id=request_id,
            method=method,
            # As with an exchange: whoever sends for a call does so in a task that knows its number.
            call=CALL.get(),
        )
        return text

    def received(self, data: bytes, answering: RequestId | None = None) -> dict[str, Any] | None:
        """One message that came, as JSON-RPC that the SDK takes, or None where it is nothing for it.

        `answering` is the request that the message is known to answer (an HTTP response), whatever it says.
        """
        if len(data) < _LARGE_BYTES:
            return self._received(data, answering)
        with without_collecting():
            return self._received(data, answering)

    def _received(self, data: bytes, answering: RequestId | None) -> dict[str, Any] | None:
        text = data.decode("utf-8", "backslashreplace")
        try:
            data.decode("utf-8")
            if text.startswith("\ufeff"):
                text = text[1:]
                self.note(
                    Severity.NOTE,
                    self.channel,
                    "a byte order mark before a message",
                    "Write UTF-8 without one.",
                )
            raw = json.loads(text, parse_constant=_no_constant)
        except UnicodeDecodeError as error:
            return self._unusable(text, len(data), f"is not UTF-8 (byte {error.start + 1})", answering)
        except RecursionError:
            return self._unusable(text, len(data), "is nested too deeply", answering)
        except ValueError as error:
            return self._unusable(text, len(data), f"is not JSON ({_json_fault(error)})", answering)
        if not isinstance(raw, dict):
            return self._unusable(text, len(data), f"is {name_type(raw)}, no JSON-RPC message", answering)
        if "method" in raw:
            return self._asked(raw, text, len(data))
        return self._answered(raw, text, len(data), answering)

    def too_long(self, beginning: bytes, answering: RequestId | None = None) -> dict[str, Any] | None:
        """A message longer than `MESSAGE_BYTES` began like that and is not read to its end."""
        limit = f"is longer than {MESSAGE_BYTES // (1024 * 1024)} MB and was not read to its end"
        text = beginning.decode("utf-8", "replace")
        return self._unusable(text, len(beginning), limit, answering)

    def fail(self, request_id: RequestId, fault: str, *, transport: bool = False) -> dict[str, Any]:
        """A JSON-RPC error that ends a request whose answer is unusable or can never come."""
        exchange = self._pending.pop(_same(request_id), None)
        if exchange is not None:
            exchange.answered = time.perf_counter()
            exchange.fault, exchange.transport_fault = fault, transport
            # An answer that comes after all was given up on here: it is late, and no fault of the server's.
            self._give_up(request_id, exchange.method)
        return {"jsonrpc": "2.0", "id": request_id, "error": {"code": _INTERNAL_ERROR, "message": fault}}

    def is_open(self, exchange: Exchange) -> bool:
        """Whether a request still waits for its answer."""
        return exchange.id is not None and self._pending.get(_same(exchange.id)) is exchange

    def note(
        self, severity: Severity, subject: str, message: str, remedy: str | None = None, snippet: str | None = None
    ) -> None:
        """Record a problem with this server, once for each wording."""
        if (key := f"{subject}: {message}") not in self._noted and len(self._noted) < 200:
            self._noted.add(key)
            self._note(Problem(severity, self.server, subject, "protocol", message, remedy, snippet=snippet))

    def _asked(self, raw: dict[str, Any], text: str, size: int) -> dict[str, Any] | None:
        method, params, request_id = raw["method"], raw.get("params"), raw.get("id")
        is_request = "id" in raw
        self._record(Kind.REQUEST if is_request else Kind.NOTIFICATION, text, size, request_id, method)
        fault = None
        if not isinstance(method, str):
            fault = "a message whose method is no string"
        elif params is not None and not isinstance(params, dict):
            fault = f"{method} whose params are {name_type(params)}"
        elif is_request and not _is_id(request_id):
            fault = f"{method} whose id is {name_type(request_id)}"
        elif may_hold_surrogates(text) and (place := find_lone_surrogate(raw)):
            fault = f"{method} with a lone surrogate ({place})"
        if fault is not None:
            remedy = "Send what JSON-RPC and the protocol's schema ask for."
            self.note(Severity.ERROR, "messages", f"passed over: {fault}", remedy)
            return None
        if method in _LEANED_ON:
            self._note_leaning(method)
        message = {"jsonrpc": "2.0", "method": method}
        if is_request:
            message["id"] = request_id
        if params is not None:
            message["params"] = params
        return message

    def _answered(
        self, raw: dict[str, Any], text: str, size: int, answering: RequestId | None
    ) -> dict[str, Any] | None:
        given = raw.get("id")
        request_id = answering if answering is not None else given
        exchange = self._pending.pop(_same(request_id), None) if _is_id(request_id) else None
        kind = Kind.RESULT if "result" in raw else Kind.ERROR
        method = exchange.method if exchange is not None else None
        if exchange is None:
            self._record(kind, text, size, given, self._abandoned.get(_same(given)) if _is_id(given) else None)
            if not (_is_id(given) and _same(given) in self._abandoned):
                shown = json.dumps(given) if _is_id(given) else name_type(given)
                remedy = "Answer each request once, with its id."
                self.note(Severity.ERROR, "messages", f"an answer to no open request (id {shown})", remedy)
            return None
        exchange.answered = time.perf_counter()
        self._record(kind, text, size, given, method, exchange.milliseconds, exchange.call)
        assert request_id is not None
        if given != exchange.id or isinstance(given, bool):
            # The SDK takes it as the answer all the same, and so would a host: a problem, not a broken result.
            answered = f"answered with id {json.dumps(given)} instead of {json.dumps(exchange.id)}"
            self.note(Severity.ERROR, exchange.method, answered, "Send the request's id back as it came.")
        if raw.get("jsonrpc") != "2.0":
            exchange.departures.append('the answer does not say "jsonrpc": "2.0"')
        envelope: dict[str, Any] = {"jsonrpc": "2.0", "id": exchange.id}
        result, error = raw.get("result"), raw.get("error")
        if error is not None:
            if not _is_error(error):
                return self._refuse(exchange, "its error is no object with code and message")
            exchange.error = error
            return envelope | {"error": error}
        if not isinstance(result, dict):
            fault = (
                f"its result is {name_type(result)}, no object"
                if "result" in raw
                else "it has neither result nor error"
            )
            return self._refuse(exchange, fault)
        if "error" in raw:
            exchange.departures.append("the answer carries an error, null, beside its result")
        is_list = exchange.method in LISTS and bool(self.version)
        if not is_list and may_hold_surrogates(text) and (place := find_lone_surrogate(result)):
            return self._refuse(exchange, f"it holds a lone surrogate ({place})")
        exchange.result = result
        return envelope | {"result": self._mended(exchange, result, text if is_list else None)}

    def _mended(self, exchange: Exchange, result: dict[str, Any], text: str | None) -> dict[str, Any]:
        if text is not None:
            exchange.page, mended = mend_page(self.server, exchange.method, self.version, result, text)
            if exchange.method == "tools/list" and exchange.page is not None:
                self.checked_tools.update(tool["name"] for tool in mended["tools"])
            return mended
        mended = dict(result)
        if exchange.method == "resources/read" and isinstance(result.get("contents"), list):
            # Nobody asks the SDK what it makes of them, and it takes long over many: `judge` looks at what came.
            mended["contents"] = []
        if self.version in MODERN_PROTOCOL_VERSIONS:
            asks = self.answers_questions and result.get("resultType") == "input_required"
            for problem in complete_result(self.server, exchange.method, self.version, mended):
                if asks and problem.severity is Severity.WARNING:
                    # It is not shown as it came: it is answered, and the request sent again.
                    continue
                self.note(problem.severity, problem.subject, problem.message, problem.remedy, problem.snippet)
            asked = result.get("inputRequests")
            for request in asked.values() if isinstance(asked, dict) else ():
                method = request.get("method") if isinstance(request, dict) else None
                if isinstance(method, str) and method in _LEANED_ON:
                    self._note_leaning(method)
        return mended

    def _note_leaning(self, method: str) -> None:
        feature, remedy = _LEANED_ON[method]
        self.note(Severity.NOTE, method, f"the server uses {feature}, which 2026-07-28 deprecates", remedy)

    def _refuse(self, exchange: Exchange, fault: str) -> dict[str, Any]:
        exchange.fault = fault
        return {"jsonrpc": "2.0", "id": exchange.id, "error": {"code": _INTERNAL_ERROR, "message": fault}}

    def _unusable(self, text: str, size: int, fault: str, answering: RequestId | None) -> dict[str, Any] | None:
        request_id = answering if answering is not None else self._recognise(text)
        if request_id is None or _same(request_id) not in self._pending:
            self._record(Kind.NOISE, text, size, None, None)
            self._noise += 1
            if self._noise <= _NOISE_LIMIT:
                remedy = "Print to standard error: standard output belongs to the protocol."
                self.note(
                    Severity.WARNING,
                    self.channel,
                    f"a line among the messages {fault}: {cut_text(text.strip(), 120)}",
                    remedy if self.channel == "stdout" else None,
                )
            return None
        pending = self._pending[_same(request_id)]
        self._record(Kind.NOISE, text, size, request_id, pending.method, pending.milliseconds, pending.call)
        return self.fail(request_id, f"it {fault}: {cut_text(text.strip(), 120)}")

    def _recognise(self, text: str) -> RequestId | None:
        """The id of an answer that is not JSON, where one stands near its beginning or its end."""
        for piece in (text[:1000], text[-300:]):
            for match in _ID.finditer(piece):
                try:
                    found = json.loads(match[1])
                except ValueError:
                    continue
                if _is_id(found) and _same(found) in self._pending:
                    identifier: RequestId = found
                    return identifier
        return None

    def _abandon(self, request_id: Any) -> None:
        if _is_id(request_id) and (exchange := self._pending.pop(_same(request_id), None)) is not None:
            self._give_up(request_id, exchange.method)

    def _give_up(self, request_id: RequestId, method: str) -> None:
        self._abandoned[_same(request_id)] = method
        while len(self._abandoned) > _ABANDONED_LIMIT:
            del self._abandoned[next(iter(self._abandoned))]

    def _record(
        self,
        kind: Kind,
        text: str,
        size: int,
        request_id: Any,
        method: Any,
        milliseconds: float | None = None,
        call: int | None = None,
    ) -> None:
        self._traffic.add(
            self.server,
            Direction.RECEIVED,
            kind,
            text,
            size=size,
            id=request_id if _is_id(request_id) else None,
            method=method if isinstance(method, str) else None,
            milliseconds=milliseconds,
            call=call,
        )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _json_fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, character {error.pos + 1}"
    return str(error)


def _is_id(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _same(request_id: Any) -> RequestId:
    """The key of an id: a server that answers "7" means 7, as the SDK has it too."""
    if isinstance(request_id, str):
        try:
            return int(request_id)
        except ValueError:
            return request_id
    found: RequestId = request_id
    return found


def _is_error(error: Any) -> bool:
    return (
        isinstance(error, dict)
        and isinstance(error.get("code"), int)
        and not isinstance(error.get("code"), bool)
        and isinstance(error.get("message"), str)
    )
