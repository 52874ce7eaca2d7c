"""The frame: servers, pages, header and footer, and what the keys do there."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.tui.screens.choices import ChoicesScreen
from inspector.tui.screens.help import HelpScreen
from inspector.tui.screens.lines import LinesScreen
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.server_rows import ServerRow
from inspector.workspace.server import State
from tests.host.playing import crm, outbox
from tests.servers.workspace import rescript, scripted, tool
from tests.tui.driving import NARROW, WIDE, driving, notices, row_texts, screen_text, setup_of, until

TREE = "#servers-list"


def failing(folder: Path, name: str = "billing") -> dict[str, object]:
    return scripted(folder, name, startup={"stderr": "no database\n", "exit": 3})


async def test_the_tree_says_what_each_server_is_and_publishes(tmp_path: Path) -> None:
    tools = [tool("quiet"), tool("send", ["crm"])]
    servers = {"crm": crm(tmp_path, era="2026"), "outbox": scripted(tmp_path, "outbox", tools=tools, era="2025")}
    async with driving(setup_of(tmp_path, servers)) as (app, _):
        rows = row_texts(app.screen.query_one(TREE, RowList), 30)
    assert rows[0].split() == ["●", "crm", "2026-07-28"]
    assert rows[2] == "  1 template · 0 resources"
    assert rows[3] == "  0 tools"
    assert rows[4].split()[:2] == ["●", "outbox"] and rows[4].endswith("2025-11-25")
    assert rows[-2:] == ["  ⧉ send", "    quiet"], "the tool that declares comes first, and is marked"


async def test_a_failed_server_shows_its_reason_beside_it_and_the_others_work(tmp_path: Path) -> None:
    servers = {"billing": failing(tmp_path), "crm": crm(tmp_path)}
    async with driving(setup_of(tmp_path, servers)) as (app, _):
        rows = row_texts(app.screen.query_one(TREE, RowList), 30)
        assert rows[0].split() == ["✗", "billing", "failed"]
        assert rows[1] == "  exited 3: no database"
        assert "✗ 1 failed  ✓ 1 of 2 connected" in screen_text(app).splitlines()[-1]
        assert "Problems 1" in screen_text(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_header_names_the_workspace_and_the_host_with_the_limits_that_are_not_the_defaults(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    host = {"profile": "restricted", "maxUris": 4}
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}, host=host), size) as (app, _):
        line = screen_text(app).splitlines()[0]
    assert line.startswith(" ra-inspector  test")
    assert line.endswith("host ▸ restricted run · maxUris 4")


async def test_reconnecting_the_server_at_the_cursor_says_what_changed(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        rescript(tmp_path, "crm", templates=["crm://signals/{id}", "crm://accounts/{id}"])
        app.main.servers.focus_list()
        await pilot.press("home", "r")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["crm: +1 template crm://accounts/{id}"]
        await until(pilot, lambda: app.main.is_up_to_date)
        assert "  2 templates · 0 resources" in row_texts(app.screen.query_one(TREE, RowList), 30)


async def test_reconnecting_all_says_that_nothing_changed(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press("R")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["2 servers: connected anew, nothing changed"]


async def test_a_server_that_dies_by_itself_is_said(tmp_path: Path) -> None:
    dying = {"after": [{"method": "resources/read", "exit": 5}]}
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, **dying)})) as (app, pilot):
        await app.host.read("crm://signals/1", "crm")
        await until(pilot, lambda: notices(app))
        assert notices(app)[0].startswith("crm: exited 5")
        assert app.host.workspace.connections["crm"].state is State.FAILED


async def test_the_menu_of_a_server_tells_its_facts_and_stops_it(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        app.main.servers.focus_list()
        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        text = screen_text(app)
        assert "state" in text and "connected" in text and "2026-07-28 · auto: answered server/discover" in text
        assert "1 template, 0 resources, 0 tools, 0 prompts" in text
        await pilot.press("s")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["crm is stopped and owns nothing"]
        await until(pilot, lambda: app.main.is_up_to_date)
        assert row_texts(app.screen.query_one(TREE, RowList), 30)[0].split() == ["■", "crm", "stopped"]


async def test_another_era_can_be_asked_for(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        app.main.servers.focus_list()
        await pilot.press("home", "m")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        await pilot.press("l")
        await until(pilot, lambda: notices(app))
        assert notices(app)[0].startswith("crm: 2025-11-25 · legacy, as asked for")


async def test_what_a_server_said_can_be_read_and_is_shown_as_data(tmp_path: Path) -> None:
    said = {"startup": {"stderr": "first\n\x1b[31mred [bold]text\n"}}
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, **said)})) as (app, pilot):
        app.main.servers.focus_list()
        await pilot.press("home", "m")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, LinesScreen) and list(app.screen.query(RowList)))
        await until(pilot, lambda: app.screen.query_one(RowList).rows)
        assert row_texts(app.screen.query_one(RowList)) == ["first", "␛[31mred [bold]text"]
        await pilot.press("escape")
        assert app.screen is app.main


async def test_searching_narrows_the_tree_and_escape_shows_all_again(tmp_path: Path) -> None:
    tools = [tool("send_mail"), tool("send_note"), tool("[b +")]
    servers = {"crm": crm(tmp_path), "outbox": scripted(tmp_path, "outbox", tools=tools)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        rows = app.screen.query_one(TREE, RowList)
        every = len(rows.rows)
        await pilot.press("slash", *"note")
        await until(pilot, lambda: len(rows.rows) == 2)
        assert [text.split()[0] for text in row_texts(rows, 30)] == ["●", "send_note"]
        await pilot.press("enter")
        assert app.screen.focused is rows
        assert rows.current is not None and rows.current.subject.name == "send_note"
        await pilot.press("escape")
        assert len(rows.rows) == every


async def test_a_name_from_a_server_is_no_markup_wherever_it_stands(tmp_path: Path) -> None:
    servers = {"[b +": crm(tmp_path, "bold", tools=[tool("[/", ["crm"], title="[red]\x1b[2J")])}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        rows = app.screen.query_one(TREE, RowList)
        place = next(n for n, text in enumerate(row_texts(rows)) if text.endswith("⧉ [/"))
        await pilot.hover(rows, offset=(6, place))
        assert str(rows.tooltip) == "[red]␛[2J"
        app.main.servers.focus_list()
        await pilot.press("home", "m")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        assert " [b + " in screen_text(app)
        await pilot.press("escape", "R")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["[b +: connected anew, nothing changed"]


async def test_a_server_folds_and_unfolds(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        rows = app.screen.query_one(TREE, RowList)
        app.main.servers.focus_list()
        await pilot.press("home", "left")
        assert [row.subject for row in rows.rows] == [ServerRow("crm")]
        await pilot.press("right")
        assert len(rows.rows) == 4


async def test_at_80_columns_the_servers_are_a_strip_that_opens_over_the_page(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}), NARROW) as (app, pilot):
        rows = app.screen.query_one(TREE, RowList)
        assert row_texts(rows, 5) == ["●crm"] and not rows.can_focus
        await pilot.press("s")
        assert app.screen.focused is rows
        assert "2026-07-28" in row_texts(rows, 30)[0]
        await pilot.press("escape")
        assert row_texts(rows, 5) == ["●crm"]


async def test_zoom_shows_one_part_alone(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        await pilot.press("z")
        assert not app.main.servers.display and app.main.pages.display
        await pilot.press("escape")
        assert app.main.servers.display
        app.main.servers.focus_list()
        await pilot.press("z")
        assert app.main.servers.size.width == WIDE[0] and not app.main.pages.display


async def test_tabs_are_made_when_first_shown_and_picked_by_number_and_mouse(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        assert not app.screen.query("OwnershipPane")
        await pilot.press("2")
        assert app.main.pages.active == "ownership" and app.screen.query("OwnershipPane")
        strip = app.main.pages.strip
        await pilot.click(strip, offset=(strip.columns[-1] + 3, 0))
        await until(pilot, lambda: app.main.pages.active == "problems")


async def test_help_lists_the_keys_of_the_screen_at_hand(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        app.main.servers.focus_list()
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        text = screen_text(app)
        assert "Help · servers" in text and "server menu" in text and "^r, F5  resolve" in text
        await pilot.press("question_mark")
        assert app.screen is app.main


async def test_jump_goes_to_what_its_letter_stands_on(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        await pilot.press("g")
        await pilot.press("d")
        await until(pilot, lambda: app.main.pages.active == "ownership")


async def test_escape_leaves_the_field_and_enter_goes_back_to_it(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        await pilot.press("2")
        field = app.screen.focused
        assert field is not None and field.id == "probe-uri"
        await pilot.press("escape")
        assert app.screen.focused is None
        await pilot.press("enter")
        assert app.screen.focused is field
        await pilot.press("escape", "escape", "escape")
        assert app.is_running


async def test_control_c_leaves_only_when_pressed_twice(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        await pilot.press("ctrl+c")
        assert app.is_running and notices(app) == ["ctrl+c once more leaves"]
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.is_running)


async def test_a_workspace_without_servers_says_how_to_name_one(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {})) as (app, _):
        assert "No servers." in screen_text(app) and "ra-inspector demo" in screen_text(app)


async def test_a_workspace_in_which_all_failed_says_why_of_each(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"billing": failing(tmp_path)})) as (app, _):
        text = screen_text(app)
        assert "No server is connected." in text and "✗ billing  exited 3: no database" in text


async def test_a_workspace_in_which_no_tool_declares_says_what_a_declaration_is(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, tools=[tool()])})) as (app, _):
        assert "No tool of this workspace declares resource arguments." in screen_text(app)


async def test_a_terminal_that_shrinks_to_20_by_5_and_back_shows_all_again(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        for page in "123":
            app.set_focus(None)
            await pilot.press(page)
            await until(pilot, lambda: "being looked for" not in screen_text(app))
            before = screen_text(app)
            await pilot.resize_terminal(20, 5)
            await pilot.resize_terminal(1, 1)
            await pilot.resize_terminal(*WIDE)
            await until(pilot, lambda shown=before: screen_text(app) == shown)
