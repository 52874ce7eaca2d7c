"""The composer's keys reach it wherever the focus is on its page, and the help has the whole of a field."""

from __future__ import annotations

from pathlib import Path

from inspector.tui.screens.help import HelpScreen
from inspector.tui.widgets.compose import ComposePane
from tests.host.playing import crm, outbox
from tests.servers.workspace import tool
from tests.tui.driving import NARROW, driving, page_key, screen_text, setup_of, until

LONG = "A description that no line of eighty columns can hold, told to its very end: " * 3 + "THE END"
SCHEMA = {
    "type": "object",
    "required": ["body"],
    "properties": {"body": {"type": "string", "description": LONG, "default": "hi"}},
}


async def test_json_and_view_work_from_the_servers_too_and_the_help_says_all(tmp_path: Path) -> None:
    servers = {
        "crm": crm(tmp_path),
        "outbox": outbox(tmp_path, tools=[tool("send", ["crm"], inputSchema=SCHEMA)]),
    }
    setup = setup_of(tmp_path, servers, tool="outbox/send", arguments={})
    async with driving(setup, NARROW) as (app, pilot):

        def pane() -> ComposePane:
            return app.screen_stack[0].query_one(ComposePane)

        await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        assert "THE END" in screen_text(app) and "default: " in screen_text(app)
        await pilot.press("escape", "escape")
        assert app.focused is None
        await pilot.press("ctrl+t")
        await until(pilot, lambda: pane().editor.raw.display)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: pane().editor.form.display)
        app.main.set_focus(None)
        await pilot.press("ctrl+l")
        await until(pilot, lambda: pane().view.is_on_screen)
        app.main.set_focus(None)
        await pilot.press(page_key(app, "ownership"), "ctrl+t", "ctrl+l")
        assert app.main.pages.active == "ownership"
