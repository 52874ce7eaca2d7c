"""A workspace of real processes: connect, list, read, call, close (R2, R14, R18)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.workspace.reply import Failure
from inspector.workspace.server import Era, State
from tests.workspace.support import CLAIM, TEMPLATE, TOOL, running, scripted

ERAS = pytest.mark.parametrize(("era", "version"), [(Era.LEGACY, "2025-11-25"), (Era.MODERN, "2026-07-28")])


def test_importing_the_workspace_loads_neither_the_sdk_nor_the_interface() -> None:
    code = (
        "import sys, inspector.workspace.workspace, inspector.workspace.connection\n"
        "heavy = ('mcp', 'mcp_types', 'httpx2', 'textual', 'click', 'pydantic')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


@ERAS
async def test_a_server_is_connected_listed_read_and_called(era: Era, version: str) -> None:
    contents = {"contents": [{"uri": "crm://signals/1", "text": "one"}]}
    entry = scripted(
        asked=era, tools=[TOOL], templates=[TEMPLATE], reads={"crm://signals/1": [{"result": contents}]}
    )
    async with running(entry) as workspace:
        crm = workspace.connections["crm"]
        assert (crm.state, crm.protocol_version, crm.era_reason) == (State.CONNECTED, version, "asked for")
        assert crm.server_info == {"name": "scripted", "version": "1"}
        assert [tool.reference for tool in crm.catalog.tools] == ["crm/send"]
        assert [template.text for template in crm.catalog.templates] == ["crm://signals/{id}"]
        assert crm.problems == ()
        reply = await crm.request_read("crm://signals/1")
        assert reply.result is not None and reply.result["contents"] == contents["contents"]
        assert reply.departures == ()
        reply = await crm.request_call(
            "send", {"b": [None, 10**30], "a": 1.5}, {"z": 1, "ai.example/x": {"k": None}}
        )
        assert reply.result is not None
        echoed = json.loads(reply.result["content"][0]["text"])
        assert list(echoed["arguments"].items()) == [("b", [None, 10**30]), ("a", 1.5)]
        assert [key for key in echoed["_meta"] if not key.startswith("io.")] == ["z", "ai.example/x"]
        assert echoed["_meta"]["ai.example/x"] == {"k": None}
    assert crm.state is State.STOPPED


async def test_servers_are_side_by_side_and_one_that_fails_leaves_the_rest_working() -> None:
    dead = scripted("billing", start=[{"stderr": "no database\n"}, {"exit": 3}])
    async with running(scripted("crm", tools=[TOOL]), dead, scripted("mail")) as workspace:
        states = {name: connection.state for name, connection in workspace.connections.items()}
        assert states == {"crm": State.CONNECTED, "billing": State.FAILED, "mail": State.CONNECTED}
        assert workspace.connections["billing"].error == "exited 3: no database"
        reply = await workspace.connections["billing"].request_read("x://1")
        assert (reply.failure, reply.message) == (Failure.CLOSED, "not connected: exited 3: no database")


@ERAS
@pytest.mark.parametrize("claims", [CLAIM, {}])
async def test_the_claim_is_made_where_it_is_due(
    era: Era, version: str, claims: dict[str, dict[str, int]]
) -> None:
    """R2: in `initialize`, or in every request of 2026-07-28, the probe included. R3: and not where not."""
    async with running(scripted(asked=era, tools=[TOOL]), claims=claims) as workspace:
        await workspace.connections["crm"].request_call("send", {}, {})
        sent = [
            json.loads(m.text) for m in workspace.traffic.messages if m.direction == "sent" and m.id is not None
        ]
    claimed = []
    for message in sent:
        params = message.get("params", {})
        if message["method"] == "initialize":
            claimed.append(params["capabilities"].get("extensions"))
        elif era is Era.MODERN:
            claimed.append(params["_meta"]["io.modelcontextprotocol/clientCapabilities"].get("extensions"))
    assert len(claimed) == (1 if era is Era.LEGACY else len(sent))
    assert all(claim == (claims or None) for claim in claimed)


async def test_auto_probes_and_falls_back_and_says_why() -> None:
    async with running(scripted("new"), scripted("old", era="2025")) as workspace:
        new, old = workspace.connections["new"], workspace.connections["old"]
        assert (new.protocol_version, new.era_reason) == ("2026-07-28", "answered server/discover")
        assert old.protocol_version == "2025-11-25"
        assert old.era_reason == (
            "fell back: server/discover was answered with error -32601: Method not found: server/discover"
        )


async def test_no_process_is_left_after_closing() -> None:
    spawning = scripted("spawning", start=[{"spawn": True}])
    deaf = scripted("deaf", start=[{"deaf": True}, {"spawn": True}])
    async with running(scripted("crm"), spawning, deaf) as workspace:
        connections = workspace.connections.values()
        pids = [connection.pid for connection in connections]
        pids += [int(c.stderr[0].removeprefix("grandchild ")) for c in connections if c.stderr]
        assert len(pids) == 5
    for pid in pids:
        assert pid is not None
        assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
