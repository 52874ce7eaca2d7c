"""Traffic as NDJSON: each line is JSON, and holds the message as it was spelt."""

from __future__ import annotations

import json

import pytest

from inspector.host.traffic_export import export_lines
from inspector.workspace import traffic as kept
from inspector.workspace.traffic import Direction, Kind, Traffic


def test_each_line_holds_a_message_as_it_was_spelt(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = Traffic()
    spelt = '{"jsonrpc":"2.0","id":1,"result":{"n":1.10,"big":12345678901234567890123,"a":1,"a":2}}'
    traffic.add(
        "crm", Direction.RECEIVED, Kind.RESULT, spelt, size=9, id=1, method="tools/call", milliseconds=1.23456
    )
    traffic.add("crm", Direction.RECEIVED, Kind.NOISE, 'no "JSON"\u2028 at\nall', size=9)
    traffic.add("crm", Direction.RECEIVED, Kind.RESULT, '{\r\n "id": 2 }', size=9, id=2)
    monkeypatch.setattr(kept, "MESSAGE_LIMIT", 20)
    traffic.add("crm", Direction.SENT, Kind.REQUEST, '{"id": "' + "x" * 50, size=99, id=3)
    lines = list(export_lines(traffic.messages))
    assert all(line.endswith("}\n") and line.count("\n") == 1 for line in lines)
    first, noise, split, cut = (json.loads(line) for line in lines)
    assert f'"message": {spelt}}}' in lines[0]
    assert (first["number"], first["server"], first["direction"], first["milliseconds"]) == (
        1,
        "crm",
        "received",
        1.235,
    )
    assert first["at"].endswith("+00:00")
    assert (noise["kind"], noise["text"]) == ("noise", 'no "JSON"\u2028 at\nall')
    assert split["message"] == {"id": 2}
    assert (cut["cut"], cut["size"], cut["text"]) == (True, 99, '{"id": "' + "x" * 12)
