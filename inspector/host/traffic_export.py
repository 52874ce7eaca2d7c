"""Traffic as NDJSON: a JSON object a line, each message as it went over the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from inspector.workspace.traffic import Kind, Message


def export_lines(messages: Iterable[Message]) -> Iterator[str]:
    """A line for each message: when, which server, which way, and `message`, the JSON-RPC message itself.

    Where it is no JSON, or was cut, `text` holds what there is of it instead.
    """
    for message in messages:
        about = {
            "number": message.number,
            "at": datetime.fromtimestamp(message.at, UTC).isoformat(timespec="milliseconds"),
            "server": message.server,
            "direction": message.direction.value,
            "kind": message.kind.value,
            "id": message.id,
            "method": message.method,
            "milliseconds": None if message.milliseconds is None else round(message.milliseconds, 3),
            "size": message.size,
            "cut": message.cut,
        }
        head = json.dumps(about, ensure_ascii=False)[:-1]
        yield f"{head}, {_body(message)}}}\n"


def _body(message: Message) -> str:
    if not message.cut and message.kind is not Kind.NOISE:
        # As it was spelt: big numbers, the order of members and the same name twice stay what they were.
        if not any(end in message.text for end in "\r\n"):
            return f'"message": {message.text.strip()}'
        try:
            return f'"message": {json.dumps(json.loads(message.text), ensure_ascii=False)}'
        except (ValueError, RecursionError):
            pass
    return f'"text": {json.dumps(message.text)}'
