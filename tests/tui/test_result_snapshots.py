"""Whole pictures of a result: every kind of block, the search line, and what differs from the last result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.host.host import Host
from inspector.workspace.config import load_workspace
from tests.host.playing import crm, outbox
from tests.servers.workspace import tool, workspace_file
from tests.tui.composing import NARROW, Composer, Person
from tests.tui.test_compose_snapshots import LARGE, Snap

CALL = {"citations": ["crm://signals/4", "crm://signals/77"]}
KINDS: dict[str, Any] = {
    "content": [
        {"type": "text", "text": "Sent. [b]Two[/b] records were read.", "annotations": {"audience": ["user"]}},
        {"type": "text", "text": '{"checked": 2, "price": 1.10}'},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
        {"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="},
        {
            "type": "resource_link",
            "uri": "outbox://drafts/1",
            "name": "draft",
            "mimeType": "text/plain",
            "size": 812,
        },
        {
            "type": "resource",
            "resource": {"uri": "outbox://log/1", "text": "queued\nsent", "mimeType": "text/plain"},
        },
        {"type": "resource", "resource": {"uri": "outbox://pic/1", "blob": "AAAA", "mimeType": "image/png"}},
        {"type": "hologram", "depth": 3},
    ],
    "structuredContent": {"sent": "yes", "count": 2},
}
OTHER = {
    **KINDS,
    "content": [{"type": "text", "text": "Sent. One record was read."}, *KINDS["content"][1:]],
    "structuredContent": {"sent": True, "count": 1, "note": "one left out"},
}
OUTPUT = {"type": "object", "properties": {"sent": {"type": "boolean"}, "count": {"type": "integer"}}}


class Answering(Composer):
    """A composer whose tool answers with a block of every kind; in the theme that is given."""

    def __init__(self, folder: Path, theme: str) -> None:
        servers = {
            "crm": crm(folder),
            "outbox": outbox(
                folder,
                tools=[tool("send", ["crm"], outputSchema=OUTPUT)],
                calls={"*": {"result": KINDS}},
                after=[{"method": "tools/call", "change": {"calls": {"*": {"result": OTHER}}}}],
            ),
        }
        super().__init__(Host(load_workspace(workspace_file(folder, servers)).servers))
        self.theme = theme

    async def on_unmount(self) -> None:
        await self.host.close()


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("fate", "result"):
        monkeypatch.setattr(f"inspector.tui.widgets.{module}.duration", lambda _: "9 ms")
    monkeypatch.setattr("inspector.tui.widgets.compose_words.describe_age", lambda _: "2 s old")


@pytest.mark.parametrize("theme", ["harbour", "linen"])
@pytest.mark.parametrize("size", [NARROW, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("scene", ["kinds", "search", "difference"])
def test_a_result(snap_compare: Snap, tmp_path: Path, scene: str, size: tuple[int, int], theme: str) -> None:
    async def play(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, Answering)
        await pilot.app.host.start(calling="outbox")
        await pilot.app.host.settled()
        person = Person(pilot)
        await person.choose("send", CALL)
        await person.press("ctrl+r", "ctrl+j")
        if scene == "difference":
            await person.press("ctrl+j")
            person.pane.view.active.action_edge(1)
        if scene == "search":
            await person.press("ctrl+f")
            await person.type("sent")
            await person.press("enter")
        pilot.app.screen.set_focus(None)
        await person.settle()

    assert snap_compare(Answering(tmp_path, theme), run_before=play, terminal_size=size)
