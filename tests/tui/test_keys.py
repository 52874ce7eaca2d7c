"""What the keys and the mouse do on every screen: Esc in its order, help, jump, and where the focus goes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual.widgets import Button, Input

from inspector.extension import Budget
from inspector.extension.budget import BudgetRate
from inspector.tui.app import InspectorApp
from inspector.tui.keymap import classes_with_bindings
from inspector.tui.screens.choices import ChoicesScreen
from inspector.tui.screens.dialog import Dialog
from inspector.tui.screens.help import HelpScreen
from inspector.tui.screens.help_words import HELP
from inspector.tui.screens.host_panel import HostPanel
from inspector.tui.screens.jump import JumpScreen
from inspector.tui.widgets.footer import FooterLine
from inspector.tui.widgets.header import HeaderLine
from inspector.tui.widgets.rows import RowList
from inspector.workspace.server import State
from tests.host.playing import crm, outbox
from tests.servers.workspace import rescript
from tests.tui.driving import NARROW, WIDE, driving, notices, page_key, screen_text, setup_of, until

TREE = "#servers-list"


def two(folder: Path) -> dict[str, object]:
    return {"crm": crm(folder), "outbox": outbox(folder)}


def footer(app: InspectorApp) -> str:
    return screen_text(app).splitlines()[-1]


async def test_escape_cancels_what_runs_then_closes_what_is_open_then_leaves_the_field(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}), NARROW) as (app, pilot):
        await pilot.press("2")
        await pilot.press(*"crm://x")
        field = app.screen.focused
        assert isinstance(field, Input)
        await pilot.press("escape", "s", "slash", *"cr")
        rescript(tmp_path, "crm", startup={"hang": True})
        app.main.reconnect("crm")
        await until(pilot, lambda: app.host.workspace.connections["crm"].state is State.CONNECTING)
        await pilot.press("escape")
        await until(pilot, lambda: any("No longer waiting" in notice for notice in notices(app)))
        assert app.main.servers.is_searching, "only what ran was cancelled"
        await pilot.press("escape")
        assert not app.main.servers.is_searching and app.main.body.is_open
        await pilot.press("escape")
        assert not app.main.body.is_open
        await pilot.press("escape", "escape", "escape")
        assert app.screen.focused is None and app.is_running
        assert field.value == "crm://x", "nothing is discarded"


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_s_goes_to_the_servers_and_back_to_the_field(tmp_path: Path, size: tuple[int, int]) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path)), size) as (app, pilot):
        await pilot.press("5")
        before = app.screen.focused
        await pilot.press("s")
        assert app.screen.focused is app.screen.query_one(TREE)
        await pilot.press("s")
        assert app.screen.focused is before is not None


async def test_r_asks_which_server_unless_a_person_put_the_cursor_on_one(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path))) as (app, pilot):
        app.set_focus(None)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        await pilot.press("2")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["outbox: connected anew, nothing changed"]
        await pilot.press("s", "home", "s")
        app.set_focus(None)
        await pilot.press("r")
        await until(pilot, lambda: len(notices(app)) == 2)
        assert notices(app)[1] == "crm: connected anew, nothing changed"


async def test_a_page_shown_again_has_its_focus_again(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path))) as (app, pilot):
        await pilot.press("2", "tab")
        second = app.screen.focused
        await pilot.press("escape", "1", "escape", "2")
        assert app.screen.focused is second is not None


async def test_the_focus_is_back_where_it_was_after_a_dialog(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path))) as (app, pilot):
        await pilot.press("2")
        field = app.screen.focused
        await pilot.press("f1", "escape")
        assert app.screen.focused is field is not None


def test_every_page_and_dialog_has_words_in_its_help() -> None:
    for owner in classes_with_bindings():
        assert not issubclass(owner, Dialog) or owner is Dialog or owner.__name__ in HELP, owner.__name__


async def test_every_page_is_explained(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}), NARROW) as (app, _):
        assert set(app.main.pages.ids) <= set(HELP)


async def test_a_dialog_has_help_jump_and_its_own_keys_on_the_bottom_line(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path)), NARROW) as (app, pilot):
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        assert footer(app).split("  ")[:3] == [" ⏎ choose", "esc close", "g jump"] and "resolve" not in footer(app)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert "Help · host" in screen_text(app) and "^s  apply" in screen_text(app)
        await pilot.press("f1", "g")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        await until(pilot, lambda: isinstance(app.screen.focused, Input))
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


@pytest.mark.parametrize("columns", [20, 30, 60, 80, 140])
async def test_no_key_of_the_bottom_line_is_cut(tmp_path: Path, columns: int) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path)), (columns, 24)) as (app, pilot):
        for page in app.main.pages.ids:
            app.set_focus(None)
            await pilot.press(page_key(app, page))
            await pilot.pause()
            assert "F1 help" in footer(app) and "…" not in footer(app)


async def test_draining_and_refilling_act_at_once_on_the_server_at_the_cursor(tmp_path: Path) -> None:
    host = {"budget": {"ratePerSecond": 0.001, "burst": 10}}
    async with driving(setup_of(tmp_path, two(tmp_path), host=host), NARROW) as (app, pilot):
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        assert "crm" in screen_text(app) and screen_text(app).count("10 of 10 reads") == 2
        rows = app.screen.query_one("#host-servers", RowList)
        rows.focus()
        await pilot.press("down", "d")
        await until(pilot, lambda: "0 of 10 reads" in screen_text(app).replace("10 of 10", ""))
        assert notices(app)[0].startswith("outbox is drained")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.screen is app.main)
        assert app.host.budget("outbox").level(time.monotonic()) < 1, "applying changes no budget"
        assert app.host.budget("crm").level(time.monotonic()) == 10


def test_a_budget_that_fills_at_another_rate_keeps_what_it_holds() -> None:
    budget = Budget(BudgetRate(1, 10), 0)
    budget.drain(0)
    budget.change_rate(BudgetRate(2, 20), 0)
    assert (budget.level(0), budget.level(5)) == (0, 10)
    full = Budget(BudgetRate(1, 10), 0)
    full.change_rate(BudgetRate(1, 20), 0)
    assert full.level(0) == 20


async def test_the_mouse_does_what_the_keys_do(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, two(tmp_path))) as (app, pilot):
        header = app.screen.query_one(HeaderLine)
        await pilot.click(header, offset=(header.host_column + 2, 0))
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        await pilot.click("#host-profiles", offset=(4, 2))
        assert "◉ plain host" in screen_text(app)
        await pilot.click("#host-drain")
        await until(pilot, lambda: notices(app))
        line = app.screen.query_one(FooterLine)
        await pilot.click(line, offset=(footer(app).index("esc close") + 1, 0))
        await until(pilot, lambda: app.screen is app.main)
        assert app.host.settings.profile.value == "workspace"
        line = app.screen.query_one(FooterLine)
        await pilot.click(line, offset=(footer(app).index("help") + 1, 0))
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.press("escape")
        tree = app.screen.query_one(TREE, RowList)
        place = next(n for n, row in enumerate(tree.rows) if "send" in row.draw(30).plain)
        await pilot.click(tree, offset=(6, place))
        await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
        app.main.action_jump()
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        strip = app.main.pages.strip
        await pilot.click(offset=(strip.region.x + strip.columns[1], strip.region.y))
        await until(pilot, lambda: app.main.pages.active == "ownership")
        assert not app.screen.query(Button)
