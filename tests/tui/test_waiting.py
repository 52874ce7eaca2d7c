"""What a person sees while something is waited for, and what a server asks of them meanwhile."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.screens.elicitation import ElicitationScreen
from inspector.tui.screens.lines import LinesScreen
from inspector.tui.screens.prompt_form import PromptForm
from inspector.tui.widgets.asked_rows import Options
from tests.host.playing import crm, outbox
from tests.servers.workspace import is_running, log_of, process_ids, received
from tests.tui.driving import NARROW, driving, notices, screen_text, setup_of, until

FORM = {
    "method": "elicitation/create",
    "params": {
        "message": "Who should get [b]it[/b]?\x1b[31m",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "to": {"type": "string", "title": "Address", "format": "email", "description": "One person"},
                "copies": {"type": "integer", "minimum": 1, "maximum": 3},
                "urgent": {"type": "boolean", "default": False},
                "tone": {
                    "type": "string",
                    "oneOf": [{"const": "w", "title": "Warm"}, {"const": "c", "title": "Cool"}],
                },
                "parts": {"type": "array", "items": {"type": "string", "enum": ["head", "body", "foot"]}},
            },
            "required": ["to"],
        },
    },
}
LINK = {
    "method": "elicitation/create",
    "params": {"mode": "url", "message": "Sign in.", "url": "https://login.example.org/x?y=1"},
}
PROGRESS = {"method": "notifications/progress", "params": {"progress": 3, "total": 10, "message": "indexing"}}
SAID = {"method": "notifications/message", "params": {"level": "info", "data": "halfway"}}


def calling(folder: Path, answer: dict[str, Any], era: str = "2025") -> Setup:
    servers = {"crm": crm(folder), "outbox": outbox(folder, era=era, calls={"send": answer})}
    return setup_of(folder, servers, tool="outbox/send", arguments={"citations": ["crm://signals/1"]})


async def sending(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Resolves and sends the call that the program was started with."""
    await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
    await pilot.pause(0.1)
    await pilot.press("ctrl+r")
    await until(pilot, lambda: "Preview · " in screen_text(app))
    await pilot.pause(0.1)
    await pilot.press("ctrl+j")


async def asked(app: InspectorApp, pilot: Pilot[None]) -> ElicitationScreen:
    await sending(app, pilot)
    await until(pilot, lambda: isinstance(app.screen, ElicitationScreen))
    assert isinstance(app.screen, ElicitationScreen)
    await pilot.pause()
    return app.screen


def answers(app: InspectorApp) -> list[Any]:
    """What the tool's server got for an answer, as its result tells."""
    sent = app.screen_stack[0].query_one("ComposePane").call.sent  # type: ignore[attr-defined]
    found: list[Any] = json.loads(sent.reply.result["content"][0]["text"])["answers"]
    return found


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_what_a_server_asks_for_is_filled_in_checked_and_sent(tmp_path: Path, era: str) -> None:
    async with driving(calling(tmp_path, {"ask": [FORM]}, era), NARROW) as (app, pilot):
        screen = await asked(app, pilot)
        shown = screen_text(app)
        assert "outbox asks you" in shown and "Who should get [b]it[/b]?␛[31m" in shown
        assert "Address *" in shown and "○ yes   ● no" in shown and "○ Warm   ○ Cool" in shown
        await pilot.press("enter")
        assert "✗ Address: it is required" in screen_text(app)
        await pilot.press(*"ann", "enter")
        assert "an e-mail address is expected" in screen_text(app)
        await pilot.press(*"@x.org", "down", "9", "enter")
        await until(pilot, lambda: "✗ copies:" in screen_text(app))
        assert isinstance(app.focused, Input) and app.focused.value == "9"
        await pilot.press("backspace", "2", "down", "left", "space", "down", "right", "space")
        await pilot.press("down", "space", "right", "right", "space", "enter")
        await until(pilot, lambda: app.screen is app.main and "Result" in screen_text(app))
        content = {"to": "ann@x.org", "copies": 2, "urgent": True, "tone": "c", "parts": ["head", "foot"]}
        assert answers(app) == [{"action": "accept", "content": content}]
        assert screen is not app.screen


@pytest.mark.parametrize(("key", "action"), [("ctrl+d", "decline"), ("escape", "cancel")])
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_a_question_is_declined_or_cancelled_and_the_call_goes_on(
    tmp_path: Path, key: str, action: str, era: str
) -> None:
    async with driving(calling(tmp_path, {"ask": [FORM]}, era)) as (app, pilot):
        await asked(app, pilot)
        assert "waiting for you: outbox asks" in screen_text(app)
        await pilot.press(key)
        await until(pilot, lambda: app.screen is app.main and "Result" in screen_text(app))
        assert answers(app) == [{"action": action}]
        said = ["Cancelled what outbox asked; the call goes on."] if key == "escape" else []
        assert notices(app) == said


async def test_questions_come_one_after_the_other_and_an_address_is_shown_never_opened(tmp_path: Path) -> None:
    async with driving(calling(tmp_path, {"ask": [FORM, LINK]}, "2026"), NARROW) as (app, pilot):
        await asked(app, pilot)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "Sign in." in screen_text(app))
        shown = screen_text(app)
        assert "https://login.example.org/x?y=1" in shown and "It leads to login.example.org" in shown
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main and "Result" in screen_text(app))
        assert answers(app) == [{"action": "decline"}, {"action": "accept"}]


async def test_whoever_leaves_declines_and_leaves_no_child(tmp_path: Path) -> None:
    async with driving(calling(tmp_path, {"ask": [FORM]})) as (app, pilot):
        await asked(app, pilot)
        app.exit()
    log = log_of(tmp_path, "outbox")
    (answer,) = [message for message in received(log) if "method" not in message]
    assert answer["result"] == {"action": "decline"}
    pids = process_ids(tmp_path, "outbox") + process_ids(tmp_path, "crm")
    assert pids and not any(is_running(pid) for pid in pids)


async def test_log_notifications_of_a_call_are_counted_and_a_key_shows_them(tmp_path: Path) -> None:
    async with driving(calling(tmp_path, {"notify": [SAID], "ask": [FORM]})) as (app, pilot):
        await asked(app, pilot)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "1 log line: L" in screen_text(app))
        await pilot.press("escape", "L")
        await until(pilot, lambda: isinstance(app.screen, LinesScreen) and "halfway" in screen_text(app))


async def test_progress_is_shown_and_escape_cancels_the_call_at_the_server(tmp_path: Path) -> None:
    async with driving(calling(tmp_path, {"notify": [PROGRESS], "silent": True})) as (app, pilot):
        await sending(app, pilot)
        await until(pilot, lambda: "3 of 10 · indexing" in screen_text(app))
        assert "━━━───────" in screen_text(app)
        await pilot.press("escape")
        log = log_of(tmp_path, "outbox")
        await until(pilot, lambda: received(log, "notifications/cancelled"))
        (request,), (cancelled,) = received(log, "tools/call"), received(log, "notifications/cancelled")
        assert cancelled["params"]["requestId"] == request["id"]
        await until(pilot, lambda: "Cancelled." in notices(app))


async def test_a_slow_read_names_the_server_that_is_waited_for_and_escape_cancels_it_there(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path, reads={"crm://signals/1": {"silent": True}}), "outbox": outbox(tmp_path)}
    setup = setup_of(tmp_path, servers, tool="outbox/send", arguments={"citations": ["crm://signals/1"]})
    async with driving(setup) as (app, pilot):
        await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
        await pilot.pause(0.1)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "reading 1 URI: crm 1." in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: received(log_of(tmp_path, "crm"), "notifications/cancelled"))


async def test_a_server_that_takes_long_to_connect_says_for_how_long(tmp_path: Path) -> None:
    hanging = {"initialize": {"hang": True}, "server/discover": {"hang": True}}
    setup = setup_of(tmp_path, {"crm": crm(tmp_path, answers=hanging)})
    async with driving(setup, ready=lambda app: app.main.is_ready) as (app, pilot):
        await until(pilot, lambda: re.search(r"connecting \d+ s", screen_text(app)))


async def test_options_stand_below_each_other_where_they_are_long() -> None:
    options = Options([("a" * 30, 1), ("b" * 30, 2)], [1], many=False)
    assert options.picked == [2]
    assert options.render().plain == f"○ {'a' * 30}\n● {'b' * 30}"


async def test_a_slow_completion_names_the_server_and_leaving_cancels_it_there(tmp_path: Path) -> None:
    hello = {"name": "hello", "arguments": [{"name": "who", "required": True}]}
    spec = {"prompts": [hello], "answers": {"completion/complete": {"silent": True}}}
    log = log_of(tmp_path, "crm")
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, **spec)})) as (app, pilot):
        prompt = app.host.workspace.connections["crm"].catalog.prompts[0]
        app.push_screen(PromptForm(app.host, prompt, {}))
        await until(pilot, lambda: "asking crm how it may go on …" in screen_text(app))
        assert isinstance(app.focused, Input)
        await pilot.press("down")
        assert isinstance(app.focused, Input)
        await pilot.press("escape")
        await until(pilot, lambda: received(log, "notifications/cancelled"))
