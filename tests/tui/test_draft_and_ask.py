"""A draft as if a server published it, and a server that is asked whoever owns the URI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from inspector.tui.app import InspectorApp
from inspector.tui.screens.choices import ChoicesScreen
from inspector.tui.widgets.ownership import OwnershipPane
from tests.host.playing import crm, outbox
from tests.servers.workspace import blob, failure, log_of, reads, rescript, scripted, text
from tests.tui.driving import driving, notices, row_texts, setup_of, static_text, until

LISTED = [{"uri": f"crm://deals/{number}", "name": f"deal {number}"} for number in range(1, 6)]


def answer(app: InspectorApp, part: str = "draft-answer") -> list[str]:
    return static_text(app.screen.query_one(f"#{part}", Static)).splitlines()


async def draft(app: InspectorApp, pilot: Pilot[None], text: str) -> list[str]:
    line = app.main.query_one("#draft", Input)
    line.focus()
    line.value = text
    await pilot.pause()
    await app.workers.wait_for_complete()
    return answer(app)


def workspace(folder: Path) -> dict[str, Any]:
    return {
        "crm": crm(folder, resources=LISTED),
        "archive": scripted(folder, "archive", templates=["old://{year}/{id}"]),
        "outbox": outbox(folder),
        "billing": scripted(folder, "billing", startup={"exit": 3}),
        "mine": scripted(folder, "mine", templates=["note://{id}"]) | {"connector": "personal"},
    }


async def test_a_draft_says_what_it_would_own_of_the_uris_at_hand(tmp_path: Path) -> None:
    setup = setup_of(
        tmp_path, workspace(tmp_path), tool="outbox/send", arguments={"citations": ["crm://deals/cited"]}
    )
    async with driving(setup) as (app, pilot):
        await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
        await pilot.press("escape", "2", "escape", "d")
        assert app.main.query_one("#draft", Input).has_focus
        assert app.main.ownership is not None
        app.main.ownership.probe("crm://deals/probed")
        assert await draft(app, pilot, "archive=crm://deals/{id}") == [
            "if archive published it too",
            "✓ owns 7 of the 7 URIs at hand: crm://deals/cited  crm://deals/probed  crm://deals/1  … 4 more",
            "overlaps no other server's template",
        ]
        assert await draft(app, pilot, "archive=crm://other/{id}") == [
            "if archive published it too",
            "claims none of the 7 URIs at hand",
            "overlaps no other server's template",
        ]
        assert await draft(app, pilot, "") == []


async def test_a_draft_says_what_it_would_overlap_with_a_uri_that_both_claim(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, workspace(tmp_path))) as (app, pilot):
        await pilot.press("2")
        app.main.query_one("#probe-uri", Input).value = "crm://signals/1"
        lines = await draft(app, pilot, "archive=crm://signals/{+any}")
        assert lines[1] == "✗ makes ambiguous 1 of the 6 URIs at hand: crm://signals/1"
        assert lines[2].startswith("! overlaps crm  crm://signals/{id}  both claim crm://signals/")
        # The draft changes nothing by itself.
        assert app.host.verdict("crm://signals/1").verdict == "owned"


async def test_a_template_alone_is_meant_for_the_server_at_the_cursor_of_the_list(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, workspace(tmp_path))) as (app, pilot):
        await pilot.press("2")
        pane = app.main.query_one(OwnershipPane)
        pane.show_template("archive", "old://{year}/{id}")
        assert (await draft(app, pilot, "x://{id}"))[0] == "if archive published it too"
        pane.show_template("crm", "crm://signals/{id}")
        assert (await draft(app, pilot, "x://{id}/{id2}"))[0] == "if crm published it too"


async def test_a_broken_draft_has_a_caret_under_its_fault(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, workspace(tmp_path))) as (app, pilot):
        await pilot.press("2")
        shown = await draft(app, pilot, "crm=crm://deals/{id")
        assert shown[:2] == ["crm://deals/{id", " " * len("crm://deals/") + "▲"]
        assert shown[2].startswith("✗ error: is no RFC 6570 template")
        assert "host's own scheme" in (await draft(app, pilot, "crm=ui://{x}"))[1]


@pytest.mark.parametrize("server", ["billing", "mine"])
async def test_a_server_that_owns_nothing_owns_no_draft(tmp_path: Path, server: str) -> None:
    async with driving(setup_of(tmp_path, workspace(tmp_path))) as (app, pilot):
        await pilot.press("2")
        (line,) = await draft(app, pilot, f"{server}=crm://{{id}}")
        assert line == f"✗ {server} is not connected, or outside the workspace: it owns nothing (R14)"


async def test_a_draft_follows_the_servers(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, workspace(tmp_path))) as (app, pilot):
        await pilot.press("2")
        assert (await draft(app, pilot, "crm=old://{id}/{n}"))[-1].startswith("! overlaps archive")
        rescript(tmp_path, "archive", templates=[])
        app.main.reconnect("archive")
        await until(pilot, lambda: answer(app)[-1] == "overlaps no other server's template")


ASKED = {
    "crm://signals/1": text("crm://signals/1", "one\ntwo\nthree\nfour"),
    "crm://signals/2": failure("no signal 2", -32002),
    "crm://signals/3": blob("crm://signals/3"),
    "crm://hidden/1": text("crm://hidden/1", "found [b +"),
    "crm://signals/4": {"result": {"contents": []}},
}


@pytest.mark.parametrize(
    ("uri", "server", "lines"),
    [
        (
            "crm://signals/1",
            "crm",
            [
                "✓ crm answers: 18 B of text, text/plain",
                "│ one",
                "│ two",
                "│ three",
                "│ …",
                "Its template crm://signals/{id} claims the URI.  R14",
            ],
        ),
        (
            "crm://signals/2",
            "crm",
            [
                "✗ crm refuses: no signal 2 (error -32002)",
                "! Its template crm://signals/{id} claims the URI, and it refuses the read: not_found.  R19",
            ],
        ),
        (
            "crm://signals/3",
            "crm",
            ["✓ crm answers: a blob, image/png", "! A call would get not_text: "],
        ),
        (
            "crm://signals/4",
            "crm",
            ["✓ crm answers: no contents", "! A call would get not_found: "],
        ),
        (
            "crm://hidden/1",
            "crm",
            [
                "✓ crm answers: 10 B of text, text/plain",
                "│ found [b +",
                "! It publishes no template that the URI expands from, so no host reads it from there.  R14",
            ],
        ),
        (
            "crm://signals/1",
            "mine",
            [
                "✗ mine refuses: ",
                "It is outside the workspace, so it owns nothing that it publishes.  R14",
            ],
        ),
        (
            "crm://signals/1",
            "archive",
            ["✗ archive refuses: ", "It publishes no template for it either.  R14"],
        ),
    ],
)
async def test_a_server_is_asked_whoever_owns_the_uri(
    tmp_path: Path, uri: str, server: str, lines: list[str]
) -> None:
    servers = workspace(tmp_path) | {"crm": crm(tmp_path, reads=ASKED)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press("2")
        app.main.query_one("#probe-uri", Input).value = uri
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        names = [str(row.key) for row in app.screen.query_one("RowList").rows]  # type: ignore[attr-defined]
        await pilot.press(str(names.index(server) + 1))
        await until(pilot, lambda: app.screen is app.main and len(answer(app, "probe-asked")) > 1)
        shown = answer(app, "probe-asked")
    assert len(shown) == len(lines)
    assert all(line.startswith(start) for line, start in zip(shown, lines, strict=True))
    assert reads(log_of(tmp_path, server)) == [uri]


async def test_the_servers_that_claim_the_uri_stand_first_and_those_not_connected_are_left_out(
    tmp_path: Path,
) -> None:
    async with driving(setup_of(tmp_path, workspace(tmp_path))) as (app, pilot):
        await pilot.press("2")
        app.main.query_one("#probe-uri", Input).value = "old://2024/1"
        await pilot.press("escape", "a")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        rows = app.screen.query_one("RowList")
        assert [line.split("  ")[1:] for line in row_texts(rows)] == [  # type: ignore[arg-type]
            ["archive", "claims it: old://{year}/{id}"],
            ["crm", "publishes no template for it"],
            ["outbox", "publishes no template for it"],
            ["mine", "outside the workspace: owns nothing"],
        ]


async def test_waiting_for_an_answer_can_be_cancelled_and_another_uri_takes_the_answer_away(
    tmp_path: Path,
) -> None:
    hanging = {"crm://signals/1": {"hang": True}, "crm://signals/2": text("crm://signals/2", "two")}
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, reads=hanging)})) as (app, pilot):
        await pilot.press("2")
        line = app.main.query_one("#probe-uri", Input)
        asked = app.main.query_one("#probe-asked", Static)
        line.value = "crm://signals/1"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: answer(app, "probe-asked") == ["asking crm … · Esc cancels"])
        await pilot.press("escape")
        await until(pilot, lambda: not asked.display)
        line.value = "crm://signals/2"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: answer(app, "probe-asked")[0].startswith("✓ crm answers: 3 B of text"))
        line.value = "crm://signals/3"
        await until(pilot, lambda: not asked.display)


async def test_without_a_uri_there_is_nothing_to_ask(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        await pilot.press("2", "enter")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["Type a URI into the probe line first."]
