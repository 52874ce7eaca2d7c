"""The HTTP client that the SDK's transports are given: each answer goes through the tap before the SDK
reads it.

Left alone the SDK turns every refused request into "Server returned an error response", drops the whole
connection where one POST fails on the way, and reads a body of any length. Here a POST that fails ends its
own request, in words; bodies are bounded; and what the SDK reads is what the tap made of it.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx2

from inspector.workspace.json_values import cut_text
from inspector.workspace.problem import Severity
from inspector.workspace.tap import MESSAGE_BYTES, Tap

_ERROR_BODY_BYTES = 65_536


class TappedClient(httpx2.AsyncClient):
    """An HTTP client for one server. `answer_elsewhere`, where given, takes an answer that cannot be the
    response itself: with the 2024 SSE transport an answer comes on another stream than the request went."""

    def __init__(
        self, tap: Tap, answer_elsewhere: Callable[[dict[str, Any]], None] | None = None, **settings: Any
    ) -> None:
        super().__init__(**settings)
        self._tap = tap
        self._answer_elsewhere = answer_elsewhere

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request, and give the SDK a response that it can read. Raises httpx2's errors, for a GET
        only."""
        if request.method == "POST":
            return await self._post(request, options)
        response = await super().send(request, **options)
        if (
            request.method == "GET"
            and response.status_code == HTTPStatus.OK
            and _is(response, "text/event-stream")
        ):
            return self._with_body(request, response, _TappedEvents(self._tap, response, None))
        return response

    async def _post(self, request: httpx2.Request, options: dict[str, Any]) -> httpx2.Response:
        identity = _request_id(request)
        try:
            response = await super().send(request, **options)
        except (httpx2.TransportError, httpx2.InvalidURL, OSError) as error:
            return self._failed(request, identity, describe_error(error, str(request.url)), transport=True)
        try:
            return await self._judged(request, response, identity)
        except httpx2.TransportError as error:
            await response.aclose()
            return self._failed(request, identity, describe_error(error, str(request.url)), transport=True)

    async def _judged(
        self, request: httpx2.Request, response: httpx2.Response, identity: int | str | None
    ) -> httpx2.Response:
        status = response.status_code
        if response.next_request is not None and status < 400:
            return response
        if status >= 400:
            body = await _read(response, _ERROR_BODY_BYTES)
            if identity is not None and body is not None and _is(response, "application/json"):
                message = self._tap.received(body, identity) if _is_json_rpc_error(body) else None
                if message is not None:
                    return self._answered(request, message, response)
            return self._failed(request, identity, describe_status(status, response, str(request.url)))
        if identity is None or self._answer_elsewhere is not None or status == HTTPStatus.ACCEPTED:
            return response
        if _is(response, "text/event-stream"):
            return self._with_body(request, response, _TappedEvents(self._tap, response, identity))
        if not _is(response, "application/json"):
            body = await _read(response, _ERROR_BODY_BYTES) or b""
            said = cut_text(body.decode("utf-8", "replace").strip(), 120)
            kind = response.headers.get("content-type", "nothing it names")
            return self._failed(request, identity, f"it is {kind}, not JSON: {said}")
        body = await _read(response, MESSAGE_BYTES)
        message = self._tap.too_long(b"", identity) if body is None else self._tap.received(body, identity)
        if message is None:
            return self._failed(request, identity, "the response answers no open request")
        return self._answered(request, message, response)

    def _failed(
        self, request: httpx2.Request, identity: int | str | None, fault: str, *, transport: bool = False
    ) -> httpx2.Response:
        if identity is None:
            self._tap.note(Severity.WARNING, "http", f"a notification did not arrive: {fault}")
            return httpx2.Response(HTTPStatus.ACCEPTED, request=request)
        message = self._tap.fail(identity, fault, transport=transport)
        if self._answer_elsewhere is not None:
            self._answer_elsewhere(message)
            return httpx2.Response(HTTPStatus.ACCEPTED, request=request)
        return self._answered(request, message)

    def _answered(
        self, request: httpx2.Request, message: dict[str, Any], response: httpx2.Response | None = None
    ) -> httpx2.Response:
        headers = [("content-type", "application/json")]
        if response is not None:
            # The session id among them.
            headers.extend(_headers(response, "content-type"))
        content = json.dumps(message).encode()
        return httpx2.Response(HTTPStatus.OK, headers=headers, content=content, request=request)

    def _with_body(
        self, request: httpx2.Request, response: httpx2.Response, body: httpx2.AsyncByteStream
    ) -> httpx2.Response:
        return httpx2.Response(response.status_code, headers=_headers(response), stream=body, request=request)


class _TappedEvents(httpx2.AsyncByteStream):
    """An event stream with each message replaced by what the tap made of it."""

    def __init__(self, tap: Tap, response: httpx2.Response, identity: int | str | None) -> None:
        self._tap = tap
        self._response = response
        self._identity = identity

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for event in httpx2.EventSource(self._response, max_event_size=MESSAGE_BYTES):
                data = event.data
                if event.event == "message" and data:
                    message = self._tap.received(data.encode("utf-8", "surrogatepass"), self._answering(data))
                    if message is None:
                        continue
                    data = json.dumps(message, ensure_ascii=True, separators=(",", ":"))
                yield _encode_event(event, data)
        except httpx2.SSEError as error:
            if self._identity is None:
                raise
            message = self._tap.fail(self._identity, f"its event stream is broken: {cut_text(str(error), 120)}")
            yield b"data: " + json.dumps(message).encode() + b"\n\n"

    async def aclose(self) -> None:
        await self._response.aclose()

    def _answering(self, data: str) -> int | str | None:
        """The request, where the event is its answer and not a message that the server sends on the way."""
        return None if self._identity is None or '"method"' in data else self._identity


def describe_status(status: int, response: httpx2.Response, url: str) -> str:
    """A refusal by HTTP in words: the status, the address without secrets, and what to do where that is
    known."""
    try:
        phrase = f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        phrase = f"HTTP {status}"
    advice = {
        401: "needs authorization: set headers.Authorization",
        403: "the authorization given does not suffice",
        404: "no such endpoint, or its session has ended",
        405: "the endpoint takes no POST: is the transport sse?",
        406: "the endpoint accepts none of the types that MCP uses",
        429: "too many requests",
    }.get(status)
    if status == HTTPStatus.TOO_MANY_REQUESTS and (after := response.headers.get("retry-after")):
        advice = f"too many requests: try again after {cut_text(after, 40)} s"
    return f"{phrase} from {public_url(url)}" + (f": {advice}" if advice else "")


def describe_error(error: BaseException, url: str) -> str:
    """A failure on the way in words, with the address without secrets."""
    address = public_url(url)
    if isinstance(error, httpx2.HTTPStatusError):
        return describe_status(error.response.status_code, error.response, url)
    if isinstance(error, httpx2.ConnectTimeout):
        return f"could not connect to {address}: no answer in time"
    if isinstance(error, httpx2.ConnectError):
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLError):
                reason = getattr(cause, "verify_message", "") or cause.reason or "TLS failed"
                return f"could not connect to {address}: {reason}"
            if isinstance(cause, ConnectionRefusedError):
                return f"could not connect to {address}: connection refused"
            cause = cause.__cause__ or cause.__context__
        said = str(error)
        if "connection attempts failed" in said:
            return f"could not connect to {address}: connection refused or unreachable"
        return f"could not connect to {address}: {cut_text(said, 120)}"
    if isinstance(error, httpx2.LocalProtocolError):
        # Its text quotes the header, which may be a secret.
        return f"could not ask {address}: a header of the entry is not valid HTTP"
    if isinstance(error, httpx2.TimeoutException):
        return f"no answer from {address} in time"
    if isinstance(error, httpx2.SSEError):
        return f"{address} is no event stream: {cut_text(str(error), 120)}"
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError):
        return f"{address} broke off the connection"
    return f"could not reach {address}: {cut_text(str(error), 120) or type(error).__name__}"


def public_url(url: str) -> str:
    """The address without what may be secret: no user, no password, no query, no fragment."""
    try:
        parts = urlsplit(url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        return "the given address"


def _encode_event(event: httpx2.ServerSentEvent, data: str) -> bytes:
    lines = [f"event: {event.event}"]
    if event.id:
        lines.append(f"id: {event.id}")
    if event.retry is not None:
        lines.append(f"retry: {event.retry}")
    lines.extend(f"data: {line}" for line in data.split("\n"))
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


async def _read(response: httpx2.Response, limit: int) -> bytes | None:
    """The body, or None where it is longer than the limit: then the rest is not read."""
    parts: list[bytes] = []
    length = 0
    try:
        async for part in response.aiter_bytes():
            length += len(part)
            if length > limit:
                return None
            parts.append(part)
    finally:
        await response.aclose()
    return b"".join(parts)


def _headers(response: httpx2.Response, *without: str) -> list[tuple[str, str]]:
    """The headers that still hold for a body that is decoded, and another one."""
    dropped = {"content-encoding", "content-length", "transfer-encoding", *without}
    return [(name, value) for name, value in response.headers.multi_items() if name.lower() not in dropped]


def _is(response: httpx2.Response, kind: str) -> bool:
    found: str = response.headers.get("content-type", "")
    return found.lower().startswith(kind)


def _request_id(request: httpx2.Request) -> int | str | None:
    """The id of the JSON-RPC request in a POST; None for a notification or an answer."""
    message = json.loads(request.content)
    found = message.get("id") if "method" in message else None
    return found if isinstance(found, int | str) else None


def _is_json_rpc_error(body: bytes) -> bool:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and isinstance(message.get("error"), dict)
