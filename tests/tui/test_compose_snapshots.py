"""Whole pictures of the composer, with times and ages held still."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.host.host import Host
from inspector.workspace.config import load_workspace
from tests.host.playing import crm, outbox
from tests.servers.workspace import tool, workspace_file
from tests.tui.composing import NARROW, Composer, Person
from tests.tui.filling import EVERY_KIND

Snap = Callable[..., bool]
LARGE = (140, 40)

CALL = {
    "body": "Congratulations on the funding round.",
    "citations": ["crm://signals/4", "crm://signals/77", "mail://inbox/1", "crm://people/[b]7[/b]"],
}
SCHEMA = {
    "type": "object",
    "required": ["body"],
    "properties": {
        "body": {"type": "string", "description": "What to say"},
        "count": {"type": "integer", "default": 3},
        "urgent": {"type": "boolean"},
        "tone": {"enum": ["warm", "cool"]},
        "citations": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object"},
    },
}
REFUSAL = {
    "content": [
        {
            "type": "text",
            "text": "Not sent. [b]Two[/b] citations do not hold:\n- crm://signals/77\n- mail://inbox/1",
        },
        {"type": "text", "text": '{"checked": 3, "price": 1.10}'},
        {"type": "image", "mimeType": "image/png", "data": "AAAA"},
        {"type": "resource_link", "uri": "outbox://drafts/1", "name": "draft"},
    ],
    "structuredContent": {"refused": ["crm://signals/77"]},
    "isError": True,
}


class Still(Composer):
    """Starts its own host, and ends it with itself."""

    def __init__(self, folder: Path) -> None:
        tools = [
            tool("send", ["crm"], inputSchema=SCHEMA, description="Sends a message that rests on records."),
            tool("every", ["crm"], inputSchema=EVERY_KIND, description="Has a field of every kind."),
        ]
        servers = {
            "crm": crm(folder),
            "outbox": outbox(folder, tools=tools, calls={"*": {"result": REFUSAL}}),
        }
        super().__init__(Host(load_workspace(workspace_file(folder, servers)).servers))

    async def on_unmount(self) -> None:
        await self.host.close()


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("fate", "result"):
        monkeypatch.setattr(f"inspector.tui.widgets.{module}.duration", lambda _: "9 ms")
    monkeypatch.setattr("inspector.tui.widgets.compose_words.describe_age", lambda _: "2 s old")


def pictured(
    snap: Snap,
    folder: Path,
    size: tuple[int, int],
    arguments: Mapping[str, Any],
    *keys: str,
    named: str = "send",
    theme: str = "harbour",
) -> None:
    async def compose(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, Still)
        await pilot.app.host.start(calling="outbox")
        await pilot.app.host.settled()
        person = Person(pilot)
        pilot.app.theme = theme
        await person.choose(named, arguments)
        for key in keys:
            await person.press(key)
        pilot.app.screen.set_focus(None)
        await person.settle()

    assert snap(Still(folder), run_before=compose, terminal_size=size)


def test_form_before_anything_is_read(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, tmp_path, NARROW, CALL)


def test_preview_in_a_small_terminal(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, tmp_path, NARROW, CALL, "ctrl+r")


def test_form_and_preview_together(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, tmp_path, LARGE, CALL, "ctrl+r")


def test_result(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, tmp_path, LARGE, CALL, "ctrl+r", "ctrl+j")


def test_arguments_as_json(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, tmp_path, NARROW, CALL, "ctrl+t")


def test_an_empty_form(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, tmp_path, LARGE, {})


EVERY = {
    "reply_to": None,
    "priority": 0,
    "tone": "c",
    "tags": ["a", "b", "c"],
    "citations": ["crm://signals/4"],
    "options": {"retry": True, "wait": 1.5},
}


@pytest.mark.parametrize("theme", ["harbour", "linen"])
@pytest.mark.parametrize("size", [NARROW, LARGE], ids=["small", "large"])
def test_a_field_of_every_kind(snap_compare: Snap, tmp_path: Path, size: tuple[int, int], theme: str) -> None:
    pictured(snap_compare, tmp_path, size, EVERY, named="every", theme=theme)
