"""Names and texts that mean harm: shown or cut with a mark on every page, never markup, never raw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.tui.screens.choices import ChoicesScreen
from tests.host.playing import crm
from tests.servers.workspace import scripted, tool
from tests.tui.driving import NARROW, WIDE, driving, page_key, screen_text, setup_of, until

HOSTILE = {
    "markup": "[bold red]x[/] [@click=app.exit]y",
    "closing": "[/",
    "unclosed": "[b +",
    "escape": "a\x1b[2J\x1b]0;t\x07b\x9b1m",
    "unseen": "a\u200b\u200d\ufeff\u00adb",
    "direction": "a\u202egnp.exe\u2066b",
    "control": "a\x00\x07\b\x7f\rb\nc",
    "long": "[x" + "ab\u202e" * 33_000,
}
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200d\u202a-\u202e\u2066-\u2069\ufeff]")


def hostile(folder: Path) -> dict[str, Any]:
    texts = list(HOSTILE.values())
    said = "".join(texts)
    return {
        "crm": crm(
            folder,
            tools=[{**tool(text, ["crm"], title=text), "description": text} for text in (*texts, texts[0])],
            templates=["crm://signals/{id}", *texts],
            resources=[
                {"uri": f"crm://{text}", "name": text, "title": text, "description": text, "mimeType": text}
                for text in texts
            ],
            prompts=[{"name": text, "title": text, "description": text} for text in texts],
        ),
        "[b +": scripted(folder, "bad", startup={"stderr": f"{said}\n", "exit": 3}),
    }


def looks_sound(app: InspectorApp) -> None:
    """Nothing raw is on the screen, and no line is wider than it."""
    text = screen_text(app)
    found = RAW.search(text)
    assert found is None, f"{found!r} is on the screen"


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
async def test_every_page_stands_it(tmp_path: Path, size: tuple[int, int]) -> None:
    async with driving(setup_of(tmp_path, hostile(tmp_path)), size) as (app, pilot):
        looks_sound(app)
        for page in app.main.pages.ids:
            app.set_focus(None)
            await pilot.press(page_key(app, page))
            await pilot.pause(0.1)
            looks_sound(app)
            for key in ("down", "down", "tab", "end"):
                await pilot.press(key)
            looks_sound(app)
        app.set_focus(None)
        await pilot.press("s", "home")
        looks_sound(app)
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        looks_sound(app)
        await pilot.press("escape", "escape")
        for kind in ("markup", "long"):
            await compose_hostile(app, pilot, HOSTILE[kind])
        await pilot.press("ctrl+p", *"crm")
        await pilot.pause(0.2)
        looks_sound(app)
        await pilot.press("escape", "escape")
        for shrunk in ((20, 5), size):
            await pilot.resize_terminal(*shrunk)
            await pilot.pause()
            looks_sound(app)


async def compose_hostile(app: InspectorApp, pilot: Pilot[None], text: str) -> None:
    """Composes the call of the tool of that name, and walks through what it shows."""
    chosen = next(tool for tool in app.host.tools() if tool.name == text)
    app.main.choose_tool(chosen, {"citations": [text, f"crm://{text[:200]}"]})
    await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is chosen)
    await pilot.pause(0.1)
    looks_sound(app)
    await pilot.press("f1")
    await pilot.pause()
    looks_sound(app)
    await pilot.press("escape")


async def test_a_name_in_the_question_which_server_to_reconnect_is_never_raw(tmp_path: Path) -> None:
    servers = {HOSTILE["escape"]: crm(tmp_path), HOSTILE["direction"]: crm(tmp_path, "other")}
    async with driving(setup_of(tmp_path, servers), NARROW) as (app, pilot):
        app.set_focus(None)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        looks_sound(app)
        assert "␛[2J" in screen_text(app) and "\\u202e" in screen_text(app)
