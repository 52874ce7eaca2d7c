"""Edit, restart, retry: a server's files change, or the workspace file does, and the composed call stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from inspector.host.profile import HostSettings, Profile
from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.form_inputs import LineInput
from inspector.workspace.config import WorkspaceError, load_workspace
from inspector.workspace.server import Era
from tests.host.playing import SIGNALS, crm, outbox
from tests.servers.workspace import rescript, scripted
from tests.tui.driving import driving, notices, screen_text, setup_of, until
from tests.tui.test_calls import composed

CALL = {"citations": ["crm://signals/1"]}


def reading(folder: Path, servers: dict[str, Any], **fields: Any) -> Setup:
    """A setup whose workspace file can be read anew."""

    def reload() -> Setup:
        workspace = load_workspace(folder / "mcp.json")
        return Setup("test", workspace.servers, path=folder / "mcp.json", reload=reload)

    setup = setup_of(folder, servers, tool="outbox/send", arguments=CALL, **fields)
    return Setup(
        setup.name,
        setup.entries,
        tool="outbox/send",
        arguments=CALL,
        path=folder / "mcp.json",
        reload=reload,
        **fields,
    )


async def in_the_row(app: InspectorApp, pilot: Pilot[None]) -> LineInput:
    """The composed citation's field, with the focus in it."""
    pane = await composed(app, pilot)
    row = pane.query(LineInput).last()
    row.focus()
    await pilot.pause()
    return row


def says(app: InspectorApp, words: str) -> Callable[[], bool]:
    return lambda: any(words in notice for notice in notices(app))


async def test_a_server_whose_file_changes_is_connected_anew_and_the_call_stays(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path, templates=["crm://signal/{id}"]), "outbox": outbox(tmp_path)}
    async with driving(reading(tmp_path, servers, watch=True)) as (app, pilot):
        row = await in_the_row(app, pilot)
        await until(pilot, lambda: "◉ watching" in screen_text(app) and "not_found" in screen_text(app))
        await pilot.pause(0.5)
        rescript(tmp_path, "crm", templates=[SIGNALS])
        await until(pilot, says(app, "+1 template crm://signals/{id}"))
        assert app.host.workspace.connections["outbox"].starts == 1
        assert says(app, "; 1 of your URIs changed owner")()
        await until(pilot, lambda: "to be read" in screen_text(app))
        assert app.focused is row and row.value == "crm://signals/1"
        assert len([notice for notice in notices(app) if "+1 template" in notice]) == 1
        # An edit that breaks the server is told, and the next one that mends it is seen.
        rescript(tmp_path, "crm", startup={"exit": 3})
        await until(pilot, says(app, "not connected: exited 3"))
        rescript(tmp_path, "crm", startup={})
        await until(pilot, lambda: "to be read" in screen_text(app))


async def test_the_workspace_file_is_read_anew_broken_and_mended(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(reading(tmp_path, servers, watch=True)) as (app, pilot):
        row = await in_the_row(app, pilot)
        file = tmp_path / "mcp.json"
        await pilot.pause(0.5)
        more = {**servers, "archive": scripted(tmp_path, "archive", templates=["crm://signals/{+any}"])}
        file.write_text(json.dumps({"mcpServers": more}), "utf-8")
        await until(pilot, says(app, "read anew: + archive; 1 of your URIs changed owner"))
        await until(pilot, lambda: "ambiguous" in screen_text(app) and "● archive" in screen_text(app))
        file.write_text('{"mcpServers": {', "utf-8")
        await until(pilot, says(app, "The workspace file is not taken, all stays as it is"))
        assert "● archive" in screen_text(app)
        file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
        await until(pilot, says(app, "read anew: − archive; 1 of your URIs changed owner"))
        await until(pilot, lambda: "archive" not in screen_text(app).split("read anew")[0])
        assert app.focused is row and row.value == "crm://signals/1"


async def test_watching_is_begun_and_ended_by_a_command(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(reading(tmp_path, servers)) as (app, pilot):
        assert "watching" not in screen_text(app)
        app.main.servers_work.watching.toggle()
        await until(pilot, lambda: "◉ watching" in screen_text(app))
        app.main.servers_work.watching.toggle()
        await until(pilot, lambda: "◉ watching" not in screen_text(app))
        assert not [worker for worker in app.workers if worker.group == "watch" and worker.is_running]


async def test_a_workspace_that_is_no_file_says_so(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        app.main.servers_work.read_anew()
        await until(pilot, says(app, "This workspace is no file"))


def test_a_broken_file_is_told_with_its_place(tmp_path: Path) -> None:
    setup = reading(tmp_path, {"crm": crm(tmp_path)})
    (tmp_path / "mcp.json").write_text('{"mcpServers": {', "utf-8")
    assert setup.reload is not None
    try:
        setup.reload()
    except WorkspaceError as error:
        assert "mcp.json:1:17" in str(error)
    else:
        raise AssertionError("a broken file was taken")


async def test_a_call_whose_server_is_taken_from_the_file_stays_and_says_so(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(reading(tmp_path, servers)) as (app, pilot):
        row = await in_the_row(app, pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "Preview · " in screen_text(app))
        (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"crm": servers["crm"]}}), "utf-8")
        app.main.servers_work.read_anew()
        await until(pilot, says(app, "read anew: − outbox"))
        assert row.value == "crm://signals/1"
        for key in ("ctrl+r", "ctrl+j"):
            await pilot.press(key)
            await until(pilot, says(app, "outbox is not in the workspace any more."))
        (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
        app.main.servers_work.read_anew()
        await until(pilot, says(app, "read anew: + outbox"))
        await until(pilot, lambda: "to be read" in screen_text(app) or "resolved" in screen_text(app))
        assert row.value == "crm://signals/1"


async def test_what_was_asked_for_in_the_run_stays_when_the_file_is_read_anew(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(reading(tmp_path, servers)) as (app, pilot):
        await app.main.servers_work._ask_era("crm", Era.LEGACY)
        await app.main.servers_work.change_host(HostSettings(Profile.RESTRICTED))
        beside = {"outbox": servers["outbox"], "crm": servers["crm"], "other": crm(tmp_path)}
        (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": beside}), "utf-8")
        app.main.servers_work.read_anew()
        await until(pilot, says(app, "read anew: + other"))
        assert app.host.workspace.connections["crm"].entry.era is Era.LEGACY
        assert app.host.settings.profile is Profile.RESTRICTED
        assert list(app.host.workspace.connections) == ["outbox", "crm", "other"]
