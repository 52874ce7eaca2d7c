"""The main job through the whole screen: a tool is chosen, a call composed, resolved, and sent as it was shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.extension import KEY
from inspector.tui.app import InspectorApp
from inspector.tui.screens.host_panel import HostPanel
from inspector.tui.widgets.compose import ComposePane
from tests.host.playing import crm, outbox
from tests.servers.workspace import log_of, received, rescript
from tests.tui.driving import NARROW, WIDE, driving, notices, screen_text, setup_of, until

CALL = {"citations": ["crm://signals/1", "crm://signals/77", "mail://1"]}


def both(folder: Path, **spec: Any) -> dict[str, Any]:
    return {"crm": crm(folder, **spec), "outbox": outbox(folder)}


def sent(folder: Path) -> list[dict[str, Any]]:
    """The parameters of each call that the tool's server received."""
    return [message["params"] for message in received(log_of(folder, "outbox"), "tools/call")]


async def composed(app: InspectorApp, pilot: Pilot[None]) -> ComposePane:
    """The composer, once the call that the program was started with stands in it."""
    await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
    await until(pilot, lambda: list(app.screen.query(ComposePane)))
    await pilot.pause(0.1)
    return app.screen.query_one(ComposePane)


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(("resolve", "send"), [("ctrl+r", "ctrl+j"), ("f5", "f6")])
async def test_a_call_is_resolved_and_sent_as_it_was_shown(
    tmp_path: Path, size: tuple[int, int], resolve: str, send: str
) -> None:
    setup = setup_of(tmp_path, both(tmp_path), tool="outbox/send", arguments=CALL)
    async with driving(setup, size) as (app, pilot):
        pane = await composed(app, pilot)
        await pilot.press(resolve)
        await until(pilot, lambda: "Preview · " in screen_text(app) and "resolved" in screen_text(app))
        assert "scheme_not_declared" in screen_text(app) and not sent(tmp_path)
        await pilot.press(send)
        await until(pilot, lambda: "Result" in screen_text(app) and sent(tmp_path))
        (params,) = sent(tmp_path)
        assert params["arguments"] == CALL
        entries = params["_meta"][KEY]
        assert list(entries) == CALL["citations"]
        assert [entry.get("error", {}).get("code") for entry in entries.values()] == [
            None,
            "not_found",
            "scheme_not_declared",
        ]
        assert pane.arguments == CALL, "the form stays as it is"


async def test_what_was_not_seen_is_not_sent(tmp_path: Path) -> None:
    setup = setup_of(tmp_path, both(tmp_path), tool="outbox/send", arguments=CALL)
    async with driving(setup, NARROW) as (app, pilot):
        await composed(app, pilot)
        await pilot.press("ctrl+j")
        await until(pilot, lambda: notices(app))
        assert "press ^j again" in notices(app)[0] and not sent(tmp_path)
        await pilot.press("escape", "escape", "2", "ctrl+j", "ctrl+j")
        assert app.main.pages.active == "ownership"
        assert not sent(tmp_path), "another page is shown: the preview is not in sight"


async def test_choosing_a_tool_by_mouse_composes_a_call_of_it(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, both(tmp_path))) as (app, pilot):
        await pilot.click("#welcome-tools", offset=(4, 0))
        pane = await composed(app, pilot)
        assert pane.tool is not None and pane.tool.reference == "outbox/send"


@pytest.mark.parametrize(
    ("reference", "notice"),
    [
        ("outbox/sned", "outbox has no tool sned: there is send"),
        ("nowhere/send", "nowhere/send names no server of the workspace: there is crm, outbox"),
        ("crm/x", "crm has no tool x: there is none"),
    ],
)
async def test_a_tool_that_is_not_there_is_said_with_those_that_are(
    tmp_path: Path, reference: str, notice: str
) -> None:
    async with driving(setup_of(tmp_path, both(tmp_path), tool=reference)) as (app, pilot):
        await until(pilot, lambda: notices(app))
        assert notices(app) == [notice]
        assert "Choose a tool to compose a call of." in screen_text(app)


async def test_a_tool_whose_server_failed_is_said_with_the_reason(tmp_path: Path) -> None:
    servers = {**both(tmp_path), "outbox": outbox(tmp_path, startup={"exit": 3, "stderr": "no database\n"})}
    async with driving(setup_of(tmp_path, servers, tool="outbox/send")) as (app, pilot):
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["outbox: exited 3: no database"]


async def test_a_reconnect_keeps_the_call_and_says_how_many_of_its_uris_changed_owner(tmp_path: Path) -> None:
    setup = setup_of(tmp_path, both(tmp_path), tool="outbox/send", arguments=CALL)
    async with driving(setup) as (app, pilot):
        pane = await composed(app, pilot)
        rescript(tmp_path, "crm", templates=["crm://accounts/{id}"])
        app.main.reconnect("crm")
        await until(pilot, lambda: notices(app))
        changed = "+1 template crm://accounts/{id}, −1 template crm://signals/{id}"
        assert notices(app) == [f"crm: {changed}; 2 of your URIs changed owner"]
        assert pane.arguments == CALL
        assert app.main.composer is not None and app.main.composer.tool is not None


async def test_escape_cancels_a_read_that_hangs_and_leaves_the_call(tmp_path: Path) -> None:
    hanging = {"crm://signals/1": {"hang": True}}
    setup = setup_of(tmp_path, both(tmp_path, reads=hanging), tool="outbox/send", arguments=CALL)
    async with driving(setup) as (app, pilot):
        pane = await composed(app, pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "esc cancel" in screen_text(app).splitlines()[-1])
        await pilot.press("escape")
        await until(pilot, lambda: notices(app) == ["Cancelled."])
        assert pane.arguments == CALL
        await until(pilot, lambda: "cancel" not in screen_text(app).splitlines()[-1])


async def test_escape_stops_waiting_for_a_reconnect(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, both(tmp_path))) as (app, pilot):
        rescript(tmp_path, "crm", answers={"initialize": {"hang": True}, "server/discover": {"hang": True}})
        app.main.reconnect("crm")
        await until(pilot, lambda: "esc cancel" in screen_text(app).splitlines()[-1])
        await pilot.press("escape")
        await until(pilot, lambda: notices(app))
        assert notices(app)[0].startswith("No longer waiting.")


async def test_a_drained_budget_refuses_and_a_refilled_one_reads(tmp_path: Path) -> None:
    host = {"budget": {"ratePerSecond": 0, "burst": 5}}
    setup = setup_of(tmp_path, both(tmp_path), host=host, tool="outbox/send", arguments=CALL)
    async with driving(setup) as (app, pilot):
        await composed(app, pilot)

        async def press_button(button: str) -> None:
            app.main.action_host()
            await until(pilot, lambda: isinstance(app.screen, HostPanel) and app.screen.query(button))
            assert "of 5 reads" in screen_text(app)
            await pilot.click(button)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.main)

        await press_button("#host-drain")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "rate_limited" in screen_text(app))
        await press_button("#host-refill")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "rate_limited" not in screen_text(app))


async def test_under_personal_the_server_that_is_called_is_connected_anew_without_the_claim(
    tmp_path: Path,
) -> None:
    setup = setup_of(tmp_path, both(tmp_path), host={"profile": "personal"})
    async with driving(setup) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["outbox connected anew: its claim depends on which server is called"]
        assert app.host.workspace.connections["outbox"].claims == {}


async def test_the_owner_of_a_row_is_asked_for_on_the_ownership_page(tmp_path: Path) -> None:
    setup = setup_of(tmp_path, both(tmp_path), tool="outbox/send", arguments={"citations": ["crm://signals/1"]})
    async with driving(setup) as (app, pilot):
        await composed(app, pilot)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: app.main.pages.active == "ownership")
        assert "✓ owned by crm" in screen_text(app)


async def test_what_may_still_be_owned_is_not_called_not_found_while_a_server_connects(tmp_path: Path) -> None:
    servers = {"outbox": outbox(tmp_path), "crm": crm(tmp_path, startup={"delay": 2.5})}
    call = {"citations": ["crm://signals/1"]}
    setup = setup_of(tmp_path, servers, tool="outbox/send", arguments=call)
    async with driving(setup, ready=lambda app: app.main.is_ready) as (app, pilot):
        await composed(app, pilot)
        await until(pilot, lambda: "crm is still connecting" in screen_text(app))
        assert "not_found" not in screen_text(app)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "waiting for crm to connect" in screen_text(app))
        await until(pilot, lambda: "✓ resolved" in screen_text(app))


async def test_waiting_for_a_server_to_connect_is_cancelled_by_escape(tmp_path: Path) -> None:
    servers = {"outbox": outbox(tmp_path), "crm": crm(tmp_path, startup={"hang": True})}
    setup = setup_of(tmp_path, servers, tool="outbox/send", arguments={"citations": ["crm://signals/1"]})
    async with driving(setup, ready=lambda app: app.main.is_ready) as (app, pilot):
        await composed(app, pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "waiting for crm to connect" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Cancelled." in notices(app))
        assert "waiting for crm" not in screen_text(app)


async def test_without_a_call_the_keys_say_what_is_missing(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, both(tmp_path))) as (app, pilot):
        await pilot.press("ctrl+r")
        await until(pilot, lambda: notices(app) == ["Choose a tool first: there is no call yet."])
