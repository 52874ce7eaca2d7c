"""The host's panel, the palette, the log, and what is asked for."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, Static

from inspector.extension import Limits
from inspector.host.profile import Profile
from inspector.tui.screens.ask_input import InputScreen
from inspector.tui.screens.host_panel import HostPanel
from inspector.tui.screens.lines import LinesScreen
from inspector.tui.screens.themes import ThemeScreen
from inspector.tui.widgets.rows import RowList
from inspector.workspace.server import InputRequest, State
from tests.host.playing import crm, outbox
from tests.servers.workspace import log_of, received
from tests.tui.driving import NARROW, driving, notices, row_texts, screen_text, setup_of, static_text, until


@pytest.mark.parametrize("keys", [("down", "down"), ("down", "down", "enter")])
async def test_another_profile_is_played_and_the_servers_whose_claim_changes_are_named(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(setup_of(tmp_path, servers), NARROW) as (app, pilot):
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        assert "◉ workspace connector" in screen_text(app)
        await pilot.press(*keys, "ctrl+s")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["Playing: plain host; crm and outbox connected anew"]
        assert app.host.settings.profile is Profile.PLAIN
        assert "host ▸ plain host" in screen_text(app).splitlines()[0]


async def test_a_limit_that_is_no_number_is_refused_in_words_and_nothing_changes(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        field = app.screen.query_one("#host-maxUris", Input)
        field.value = "a few"
        field.focus()
        await pilot.press("enter")
        fault = app.screen.query_one("#host-fault", Static)
        assert static_text(fault) == "✗ maxUris must be a whole number, 0 or more"
        assert app.screen.focused is field
        field.value = "4"
        await pilot.press("enter")
        await until(pilot, lambda: notices(app))
        assert app.host.settings.limits == Limits(max_uris=4)


async def test_escape_leaves_the_panel_and_changes_nothing(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        before = app.host.settings
        await pilot.press("h", "down", "enter", "escape")
        assert app.screen is app.main and app.host.settings == before


async def test_the_palette_finds_commands_and_tools_and_shows_their_names_as_data(tmp_path: Path) -> None:
    from tests.servers.workspace import scripted, tool

    servers = {"outbox": scripted(tmp_path, "outbox", tools=[tool("[b +"), tool("[/")])}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press("colon")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"[b")
        await until(pilot, lambda: "outbox/[b +" in screen_text(app))
        await pilot.press("escape", "escape")
        await pilot.press("ctrl+p", *"logs", "enter")
        await until(pilot, lambda: isinstance(app.screen, LinesScreen))


async def test_what_a_server_logs_is_in_the_log(tmp_path: Path) -> None:
    note = {
        "method": "notifications/message",
        "params": {"level": "warning", "data": {"said": "\x1b[2Jlook"}},
    }
    reads = {"crm://signals/1": {"result": {"contents": []}, "notify": [note]}}
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, reads=reads, era="2025")})) as (app, pilot):
        await app.host.read("crm://signals/1", "crm")
        await until(pilot, lambda: app.feed.log)
        app.main.action_logs()
        await until(pilot, lambda: isinstance(app.screen, LinesScreen) and list(app.screen.query(RowList)))
        await until(pilot, lambda: app.screen.query_one(RowList).rows)
        (line,) = row_texts(app.screen.query_one(RowList))
        assert line.split(maxsplit=2) == ["warning", "crm", '{"said": "\\u001b[2Jlook"}']


async def test_an_input_is_asked_for_and_masked_and_goes_to_the_server_alone(tmp_path: Path) -> None:
    setup = setup_of(tmp_path, {"crm": crm(tmp_path)})
    request = InputRequest("crm", "token", "The CRM's token", password=True)
    (entry,) = setup.entries
    entry = dataclasses.replace(entry, env={"TOKEN": "${input:token}"}, inputs=(request,))
    async with driving_while_asked(dataclasses.replace(setup, entries=(entry,))) as (app, pilot):
        text = screen_text(app)
        assert "crm asks for token" in text and "The CRM's token" in text
        await pilot.press(*"secret")
        assert "secret" not in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.host.workspace.connections["crm"].state is State.CONNECTED)
        assert received(log_of(tmp_path, "crm"))


async def test_an_input_that_is_not_given_fails_that_server_by_its_name(tmp_path: Path) -> None:
    setup = setup_of(tmp_path, {"crm": crm(tmp_path)})
    (entry,) = setup.entries
    entry = dataclasses.replace(entry, env={"T": "${input:token}"}, inputs=(InputRequest("crm", "token"),))
    async with driving_while_asked(dataclasses.replace(setup, entries=(entry,))) as (app, pilot):
        await pilot.press("escape")
        await until(pilot, lambda: app.host.workspace.connections["crm"].state is State.FAILED)
        assert app.host.workspace.connections["crm"].error == "needs the input token, which was not given"


def driving_while_asked(setup):  # type: ignore[no-untyped-def]
    return driving(setup, ready=lambda app: isinstance(app.screen, InputScreen))


async def test_a_theme_is_picked_from_the_palette_and_kept(tmp_path: Path) -> None:
    settings = tmp_path / "config" / "ra-inspector" / "settings.json"
    async with driving(setup_of(tmp_path, {}), config=tmp_path / "config") as (app, pilot):
        assert app.theme == "harbour"
        await pilot.press("colon", *"theme")
        await until(pilot, lambda: "picks the colours" in screen_text(app))
        await pilot.pause(0.2)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ThemeScreen))
        await pilot.press("down", "escape")
        assert app.theme == "harbour" and not settings.exists(), "it was only looked at"
        app.action_change_theme()
        await until(pilot, lambda: isinstance(app.screen, ThemeScreen))
        await pilot.press("down")
        assert app.theme == "linen", "it is shown before it is kept"
        await pilot.press("enter")
        await until(pilot, lambda: app.theme == "linen" and settings.exists())
    async with driving(setup_of(tmp_path, {}), config=tmp_path / "config") as (app, _):
        assert app.theme == "linen"


async def test_a_broken_theme_file_is_a_notice(tmp_path: Path) -> None:
    themes = tmp_path / "config" / "ra-inspector" / "themes"
    themes.mkdir(parents=True)
    (themes / "mine.toml").write_text("name = [")
    async with driving(setup_of(tmp_path, {}), config=tmp_path / "config") as (app, _):
        assert app.theme == "harbour"
        assert notices(app)[0].startswith("theme mine.toml: is not TOML")
