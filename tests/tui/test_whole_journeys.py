"""The first two journeys of the design, walked from end to end in the whole program by keys alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from tests.host.playing import SIGNALS, crm
from tests.servers.workspace import log_of, received, rescript, scripted, tool
from tests.tui.driving import NARROW, WIDE, driving, notices, screen_text, setup_of, until
from tests.tui.test_calls import composed

CHECKER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params", {})
    result = {}
    if method == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "outbox", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [TOOL]}
    elif method == "tools/call":
        entries = params["_meta"].get("ai.nimblebrain/resource-arguments", {})
        refused = [uri for uri, entry in entries.items() if "contents" not in entry]
        words = "refused: " + ", ".join(refused) if refused else "sent with " + ", ".join(entries)
        result = {"content": [{"type": "text", "text": words}], "isError": bool(refused)}
    elif method != "ping":
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"],
                          "error": {"code": -32601, "message": "unknown"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
"""A tool that does what the extension advises: it refuses what did not resolve."""


def checking(folder: Path) -> dict[str, Any]:
    script = folder / "outbox.py"
    script.write_text(CHECKER.replace("TOOL", repr(tool(schemes=["crm"]))), encoding="utf-8")
    return {"command": sys.executable, "args": ["-I", "-S", str(script)]}


async def paste(app: InspectorApp, pilot: Pilot[None], text: str) -> None:
    app.screen.post_message(Paste(text))
    await pilot.pause(0.1)


async def shows(app: InspectorApp, pilot: Pilot[None], *words: str) -> None:
    """Waits until every one of the words is on the screen, with its line breaks taken out."""

    def holds() -> bool:
        text = " ".join(screen_text(app).split())
        return all(word in text for word in words)

    try:
        await until(pilot, holds)
    except TimeoutError:
        pytest.fail(f"never all of {words} on:\n{screen_text(app)}")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_my_tool_says_not_found(tmp_path: Path, size: tuple[int, int]) -> None:
    servers = {
        "crm": crm(tmp_path, templates=[SIGNALS, "crm://broken/{id"]),
        "archive": scripted(tmp_path, "archive", templates=["crm://signals/{year}-{id}"]),
        "outbox": checking(tmp_path),
    }
    call = {"citations": [""]}
    async with driving(setup_of(tmp_path, servers, tool="outbox/send", arguments=call), size) as (app, pilot):
        pane = await composed(app, pilot)
        # The URI is pasted into the composer, and its row says at once that nobody owns it and what comes near.
        await paste(app, pilot, "crm://signal/1")
        await shows(app, pilot, "not_found", "nearest crm://signals/{id} of crm", "they part after crm://signal")
        await pilot.press("f3")
        await shows(app, pilot, "to be read")
        assert pane.arguments == {"citations": ["crm://signals/1"]}
        # Two servers claim another one: both are named, and Ownership shows a URI that both claim.
        await pilot.press("end", "backspace", *"2024-17")
        await shows(app, pilot, "ambiguous", "crm", "archive")
        await pilot.press("escape", "2")
        await shows(app, pilot, "both claim it", "crm://signals/{year}-{id}")
        # A template with a fault is there too, with a caret under the fault.
        await shows(app, pilot, "crm://broken/{id", "▲")
        # The server is mended and connected anew: the row changes, the call stays.
        rescript(tmp_path, "archive", templates=["archive://signals/{year}-{id}"])
        await pilot.press("escape", "R")
        await until(pilot, lambda: any("1 of your URIs changed owner" in notice for notice in notices(app)))
        await pilot.press("1")
        await shows(app, pilot, "to be read")
        assert pane.arguments == {"citations": ["crm://signals/2024-17"]}


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_my_tool_refuses_what_it_should(tmp_path: Path, size: tuple[int, int]) -> None:
    servers = {"crm": crm(tmp_path), "outbox": checking(tmp_path)}
    call = {"citations": ["crm://signals/1"]}
    async with driving(setup_of(tmp_path, servers, tool="outbox/send", arguments=call), size) as (app, pilot):
        pane = await composed(app, pilot)
        await pilot.press("ctrl+r")
        await shows(app, pilot, "resolved", "contents", "send this")
        await pilot.press("ctrl+j")
        await shows(app, pilot, "✓ answered", "sent with crm://signals/1")
        # Another citation, which nobody has: nothing unseen is sent, so the first key resolves and shows.
        await pilot.press("ctrl+l")
        pane.editor.focus_call()
        await pilot.press("end", "7")
        await pilot.press("ctrl+j")
        await until(pilot, lambda: any("press ^j again" in notice for notice in notices(app)))
        await pilot.press("ctrl+j")
        await shows(app, pilot, "✗ isError", "refused: crm://signals/17")
        # What changed in the result since the last call is said.
        await shows(app, pilot, "compared with the last result")
        assert pane.arguments == {"citations": ["crm://signals/17"]}
        assert len(received(log_of(tmp_path, "crm"), "resources/read")) == 2
