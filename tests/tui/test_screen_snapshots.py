"""One picture of each screen, with the times held still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from tests.host.playing import crm
from tests.servers.workspace import scripted, tool
from tests.tui.driving import NARROW, WIDE, all_shown, page_key, setup_of

Snap = Callable[..., bool]
Act = Callable[[InspectorApp, Pilot[None]], Any]


class Still(InspectorApp):
    """Ends its host with itself, and lets no cursor blink."""

    async def on_unmount(self) -> None:
        await self.close_host()


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("inspector.tui.widgets.server_rows.duration", lambda _: "9 ms")
    monkeypatch.setattr(Input, "cursor_blink", False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def workspace(folder: Path) -> Setup:
    tools = [tool("send_with_citations", ["crm"]), tool("list_sent"), tool("quote [b +", ["crm", "mail"])]
    templates = ["crm://signals/{id}", "crm://accounts/{name}{?fields*}", "crm://broken/{id", "ui://{panel}"]
    servers = {
        "crm": crm(folder, templates=templates, era="2026"),
        "outbox": scripted(folder, "outbox", tools=tools, era="2025"),
        "archive": scripted(folder, "archive", templates=["crm://signals/{year}-{id}"]),
        "billing": scripted(folder, "billing", startup={"stderr": "no database: refused\n", "exit": 3}),
    }
    return setup_of(folder, servers, host={"profile": "workspace", "maxUris": 8})


def pictured(snap: Snap, setup: Setup, size: tuple[int, int], *keys: str, theme: str = "harbour") -> None:
    async def act(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Still)
        app.theme = theme
        await all_shown(app, pilot)
        for key in keys:
            await pilot.press(page_key(app, key) if key in app.main.pages.ids else key)
        await pilot.pause(0.15)
        await app.workers.wait_for_complete()

    app = Still(setup)
    assert snap(app, run_before=act, terminal_size=size)


def test_welcome(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), WIDE)


def test_welcome_in_a_light_theme(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), WIDE, theme="linen")


def test_welcome_in_a_small_terminal(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), NARROW)


def test_servers_over_the_page(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), NARROW, "s", "down")


def test_ownership(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), WIDE, "2", *"crm://signals/2024-7")


def test_a_draft(snap_compare: Snap, tmp_path: Path) -> None:
    keys = ["escape", "d", *"archive=crm://accounts/{+any}"]
    pictured(snap_compare, workspace(tmp_path), NARROW, "2", *"crm://accounts/x", *keys)


def form_of(folder: Path) -> Setup:
    setup = workspace(folder)
    return replace(setup, tool="outbox/send_with_citations")


def test_a_template_is_chosen(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, form_of(tmp_path), NARROW, "escape", "t")


def test_a_template_is_filled_in(snap_compare: Snap, tmp_path: Path) -> None:
    keys = ["escape", "t", *"accounts", "enter", *"a b", "tab", *"x,y/z"]
    pictured(snap_compare, form_of(tmp_path), NARROW, *keys)


def browsed(folder: Path) -> Setup:
    resources = [
        {
            "uri": f"crm://signals/{n}",
            "name": f"signal-{n}",
            "title": f"Signal {n}",
            "mimeType": "application/json",
        }
        for n in range(1, 6)
    ]
    arguments = [{"name": "message", "required": True, "description": "its URI"}, {"name": "tone"}]
    prompt = {"name": "draft_reply", "title": "Draft a reply", "arguments": arguments}
    entry = {"uri": "crm://signals/2", "text": '{"id": 2, "kind": "funding"}', "mimeType": "application/json"}
    answer = {"result": {"contents": [entry], "ttlMs": 60000, "cacheScope": "private"}}
    servers = {
        "crm": crm(folder, era="2026", resources=resources, reads={"crm://signals/2": answer}),
        "mail": scripted(folder, "mail", era="2025", templates=["mail://{folder}/{id}"], prompts=[prompt]),
        "billing": scripted(folder, "billing", startup={"stderr": "no database: refused\n", "exit": 3}),
    }
    return setup_of(folder, servers)


@pytest.fixture
def _same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.tui.widgets.browse_answers.duration", lambda _: "9 ms")


def test_browse(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, browsed(tmp_path), NARROW, "browse")


@pytest.mark.usefixtures("_same_time")
@pytest.mark.parametrize(("size", "theme"), [(WIDE, "linen"), (NARROW, "harbour"), (NARROW, "linen")])
def test_a_resource_is_read(snap_compare: Snap, tmp_path: Path, size: tuple[int, int], theme: str) -> None:
    pictured(snap_compare, browsed(tmp_path), size, "browse", "down", "down", "enter", theme=theme)


def test_a_prompt_is_asked_for(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, browsed(tmp_path), WIDE, "browse", "right", "down", "enter")


def test_problems(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), NARROW, "problems", "down")


def test_problems_in_a_light_theme(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), WIDE, "problems", "down", theme="linen")


def test_the_host(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), NARROW, "h")


def test_a_servers_menu(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), WIDE, "tab", "tab", "home", "m")


def test_help(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), WIDE, "f1")


def test_jump(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, workspace(tmp_path), NARROW, "g")


def test_no_servers(snap_compare: Snap, tmp_path: Path) -> None:
    pictured(snap_compare, setup_of(tmp_path, {}), NARROW)
