"""Browse: what the servers offer beside tools, found, read, filled in and cited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.browse import BrowsePane
from tests.host.playing import crm
from tests.servers.workspace import rescript, scripted
from tests.tui.driving import driving, page_key, row_texts, screen_text, setup_of, until

SIGNAL = {
    "uri": "crm://signals/7",
    "name": "signal-7",
    "title": "Funding",
    "description": "Seven",
    "mimeType": "application/json",
    "size": 53,
}


def workspace(folder: Path, **crm_spec: Any) -> Setup:
    prompt = {"name": "draft", "arguments": [{"name": "message", "required": True}, {"name": "tone"}]}
    servers = {
        "crm": crm(folder, **{"era": "2026", "resources": [SIGNAL], **crm_spec}),
        "mail": scripted(folder, "mail", era="2025", templates=["mail://{id}"], prompts=[prompt]),
        "quiet": scripted(folder, "quiet"),
        "billing": scripted(folder, "billing", startup={"stderr": "no database\n", "exit": 3}),
    }
    return setup_of(folder, servers)


async def browse(app: InspectorApp, pilot: Pilot[None]) -> BrowsePane:
    await pilot.press("escape", page_key(app, "browse"))
    await until(pilot, lambda: app.main.made.browse is not None and app.main.made.browse.rows.has_focus)
    assert app.main.made.browse is not None
    return app.main.made.browse


def detail(pane: BrowsePane) -> list[str]:
    view = pane.detail
    return [view.text_row(row).strip() for row in range(view.row_count)]


async def test_all_that_servers_offer_stands_by_server_and_kind_with_counts(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        texts = [" ".join(text.split()) for text in row_texts(pane.rows)]
        assert texts[:8] == [
            "crm 1 template · 1 resource",
            "templates 1",
            "crm://signals/{id} template-0",
            "resources 1",
            "crm://signals/7 Funding application/json · 53 B",
            "mail 1 template · 1 prompt",
            "templates 1",
            "mail://{id} template-0",
        ]
        assert texts[9] == "draft(message, tone?)"
        assert texts[10] == "quiet offers no template, resource or prompt"
        assert texts[11].startswith("billing ✗ failed: ")
        assert "2 templates · 1 resource · 1 prompt" in screen_text(app)


async def test_the_cursor_stays_when_lists_change(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("down")
        await until(pilot, lambda: "size: 53 B" in "".join(detail(pane)))
        more = [{"uri": f"crm://signals/{n}", "name": f"signal-{n}"} for n in range(1, 7)]
        rescript(tmp_path, "crm", resources=[*more, SIGNAL], templates=["crm://a/{b}", "crm://signals/{id}"])
        app.main.reconnect("crm")
        await until(pilot, lambda: "crm://signals/6" in "".join(row_texts(pane.rows)))
        assert pane.item is not None
        assert pane.item.text == "crm://signals/7"
