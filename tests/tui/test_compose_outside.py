"""The call in a person's own editor: what is saved comes back into the form."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.tui.widgets.compose import ComposePane
from tests.host.playing import crm, outbox
from tests.servers.workspace import tool
from tests.tui.driving import driving, screen_text, setup_of, until

SCHEMA = {
    "type": "object",
    "properties": {"body": {"type": "string"}, "citations": {"type": "array", "items": {"type": "string"}}},
}
CALL = {"body": "one line", "citations": ["crm://signals/1", "crm://signals/2"]}


@pytest.fixture(autouse=True)
def _editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An editor that writes what stands in the file `wanted`, and keeps what it was given in `given`."""
    program = tmp_path / "editor.py"
    program.write_text(
        "import pathlib, sys\n"
        f"folder, path = pathlib.Path({str(tmp_path)!r}), pathlib.Path(sys.argv[1])\n"
        "(folder / 'given').write_text(path.read_text('utf-8'), 'utf-8')\n"
        "path.write_text((folder / 'wanted').read_text('utf-8'), 'utf-8')\n"
    )
    monkeypatch.setattr(InspectorApp, "suspend", nullcontext)
    monkeypatch.setenv("VISUAL", f"{sys.executable} {program}")


def started(folder: Path) -> Any:
    tools = [tool("send", ["crm"], inputSchema=SCHEMA)]
    servers = {"crm": crm(folder), "outbox": outbox(folder, tools=tools)}
    return setup_of(folder, servers, tool="outbox/send", arguments=CALL)


async def the_pane(app: InspectorApp, pilot: Pilot[None]) -> ComposePane:
    await until(pilot, lambda: list(app.main.query(ComposePane)))
    pane = app.main.query_one(ComposePane)
    await until(pilot, lambda: pane.arguments == CALL)
    await pilot.pause(0.1)
    return pane


async def test_the_text_at_hand_is_edited_alone_and_may_have_several_lines(tmp_path: Path) -> None:
    async with driving(started(tmp_path)) as (app, pilot):
        pane = await the_pane(app, pilot)
        pane.editor.form.focus_field("body")
        await pilot.pause()
        (tmp_path / "wanted").write_text("first\nsecond\n")
        await pilot.press("f12")
        await until(pilot, lambda: pane.arguments == {**CALL, "body": "first\nsecond"})
        assert (tmp_path / "given").read_text() == "one line"


async def test_one_string_of_an_array_is_edited_in_its_place(tmp_path: Path) -> None:
    async with driving(started(tmp_path)) as (app, pilot):
        pane = await the_pane(app, pilot)
        pane.editor.form.focus_field("citations")
        await pilot.press("down")
        (tmp_path / "wanted").write_text("crm://signals/9\n")
        await pilot.press("f12")
        await until(pilot, lambda: pane.arguments == {**CALL, "citations": ["crm://signals/1", "crm://signals/9"]})
        assert (tmp_path / "given").read_text() == "crm://signals/2"


async def test_the_whole_call_is_edited_as_json_and_what_is_none_is_shown_with_its_fault(tmp_path: Path) -> None:
    async with driving(started(tmp_path)) as (app, pilot):
        pane = await the_pane(app, pilot)
        await pilot.press("f4")
        await pilot.pause()
        (tmp_path / "wanted").write_text('{"body": 1e2, "other": [1]}')
        await pilot.press("f12")
        await until(pilot, lambda: pane.arguments == {"body": 100.0, "other": [1]})
        assert '"citations"' in (tmp_path / "given").read_text()
        (tmp_path / "wanted").write_text('{"body": ')
        await pilot.press("f12")
        await until(pilot, lambda: pane.arguments is None)
        assert '{"body":' in screen_text(app)
