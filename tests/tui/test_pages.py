"""Ownership and Problems: who owns a URI, what is wrong, and the way from the one to the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Static

from inspector.tui.messages import ProbeRequested
from inspector.tui.screens.choices import ChoicesScreen
from inspector.tui.screens.uri_form import UriForm
from inspector.tui.widgets.ownership import OwnershipPane
from inspector.tui.widgets.ownership_rows import TemplateSubject
from inspector.tui.widgets.problems import ProblemsPane
from inspector.tui.widgets.rows import RowList
from tests.host.playing import crm, outbox
from tests.servers.workspace import rescript, scripted, tool
from tests.tui.driving import driving, page_key, row_texts, screen_text, setup_of, static_text, until

BROKEN = "crm://signals/{id"


async def test_templates_stand_by_scheme_with_their_server_and_a_caret_under_a_fault(tmp_path: Path) -> None:
    servers = {
        "vault": scripted(tmp_path, "vault", templates=["vault://{name}", "no-scheme/{x}"]),
        "crm": crm(tmp_path, templates=["crm://signals/{id}", BROKEN, "ui://{x}"]),
    }
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press("2")
        rows = app.screen.query_one(OwnershipPane).query_one(RowList)
        texts = row_texts(rows, 60)
    heads = [text.split()[0] for text in texts if not text.startswith(" ")]
    assert heads == ["overlaps", "crm:", "ui:", "vault:", "no"]
    broken = next(n for n, text in enumerate(texts) if text.split()[:1] == [BROKEN])
    assert texts[broken].split()[-1] == "crm"
    assert texts[broken + 1].rstrip() == " " * (2 + BROKEN.index("{")) + "▲"
    assert texts[broken + 2].lstrip().startswith("✗ error: ")
    assert "no server can answer for it" in next(text for text in row_texts(rows) if text.startswith("ui:"))


async def test_the_probe_line_answers_as_it_is_typed(tmp_path: Path) -> None:
    servers = {
        "crm": crm(tmp_path, templates=["crm://signals/{id}", "crm://accounts/{name}{?fields*}"]),
        "archive": scripted(tmp_path, "archive", templates=["crm://signals/{year}-{id}"]),
    }
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press("2")
        answer = app.screen.query_one("#probe-answer", Static)

        async def ask(uri: str) -> list[str]:
            app.screen.query_one("#probe-uri", Input).value = ""
            await pilot.press(*uri)
            await until(pilot, lambda: static_text(answer))
            await pilot.pause(0.1)
            return static_text(answer).splitlines()

        assert await ask("crm://signals/7") == [
            "✓ owned by crm: it would be read from there  R14",
            "  crm  crm://signals/{id}  id=7",
        ]
        ambiguous = await ask("crm://signals/2024-7")
        assert ambiguous[0] == "✗ ambiguous: crm and archive each claim it, so neither is read  R15"
        assert ambiguous[1:3] == [
            "  crm  crm://signals/{id}  id=2024-7",
            "  archive  crm://signals/{year}-{id}  year=2024, id=7",
        ]
        assert ambiguous[3] == "→ A workspace admin resolves it by removing one of the servers."
        assert (await ask("crm://signal"))[0] == "✗ no owner  R14"
        assert (await ask("files://a"))[0] == "✗ the host's own scheme  R13"
        assert (await ask("plain"))[0] == "✗ no scheme  R10"
        assert (await ask("crm://accounts/x?a=1"))[1].endswith("name=x, fields={a: 1}")


async def test_overlaps_stand_on_top_each_with_a_uri_that_both_claim(tmp_path: Path) -> None:
    servers = {
        "crm": crm(tmp_path),
        "archive": scripted(tmp_path, "archive", templates=["crm://signals/{year}-{id}", "archive://{id}"]),
    }
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press("2")
        rows = app.screen.query_one(OwnershipPane).query_one(RowList)
        await until(pilot, lambda: "1 overlap" in row_texts(rows)[0])
        overlap = [text.split() for text in row_texts(rows)[1:4]]
        witness = overlap[0][1]
        assert overlap[0][2:] == ["both", "claim", "it"]
        assert overlap[1:] == [["crm", "crm://signals/{id}"], ["archive", "crm://signals/{year}-{id}"]]
        assert rows.move_to(rows.rows[1].key)
        rows.focus()
        await pilot.press("enter")
        assert app.screen.query_one("#probe-uri", Input).value == witness
        assert static_text(app.screen.query_one("#probe-answer", Static)).startswith("✗ ambiguous")


async def test_the_answer_follows_the_servers(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        app.main.post_message(ProbeRequested("crm://signals/1"))
        await until(pilot, lambda: app.main.pages.active == "ownership")
        answer = app.screen.query_one("#probe-answer", Static)
        assert static_text(answer).startswith("✓ owned by crm")
        rescript(tmp_path, "crm", templates=["crm://other/{id}"])
        app.main.reconnect("crm")
        await until(pilot, lambda: static_text(answer).startswith("✗ no owner"))


async def test_a_template_that_is_clicked_is_filled_in_and_its_uri_asked_about(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, templates=["crm://signals/{id}", BROKEN])})) as (
        app,
        pilot,
    ):
        await pilot.press("2")
        pane = app.screen.query_one(OwnershipPane)
        rows = pane.query_one(RowList)
        await until(pilot, lambda: rows.rows)
        place = next(n for n, row in enumerate(rows.rows) if row.subject == TemplateSubject("crm", BROKEN))
        await pilot.click(rows, offset=(4, place))
        # Its own row says what is wrong with it: there is no URI to make.
        assert app.screen is app.main
        assert pane.probed == ""
        await pilot.click(rows, offset=(4, place - 1))
        await until(pilot, lambda: isinstance(app.screen, UriForm) and app.screen.fill.fields)
        await pilot.press("7", "enter")
        await until(pilot, lambda: app.screen is app.main)
        assert pane.probed == "crm://signals/7"


async def test_problems_stand_worst_first_with_what_to_do(tmp_path: Path) -> None:
    servers = {
        "crm": crm(tmp_path, templates=[BROKEN]),
        "billing": scripted(tmp_path, "billing", startup={"exit": 3}),
    }
    setup = setup_of(tmp_path, servers, host={"colour": "blue"})
    async with driving(setup) as (app, pilot):
        await pilot.press(page_key(app, "problems"))
        pane = app.screen.query_one(ProblemsPane)
        rows = pane.query_one(RowList)
        words = [text.split()[1] for text in row_texts(rows)]
        assert words == sorted(words, key=["error", "warning", "note"].index)
        assert words[:2] == ["error", "error"]
        assert rows.move_to(next(row.key for row in rows.rows if row.subject.subject.startswith("template")))
        await pilot.pause()
        detail = static_text(pane.query_one("#problems-detail", Static)).splitlines()
        assert detail[0] == f"✗ error  crm  template {BROKEN}  R27"
        assert detail[2:4] == [f"  {BROKEN}", "  " + " " * BROKEN.index("{") + "▲"]
        assert f"Problems {len(words)}" in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.main.pages.active == "ownership")
        templates = app.screen.query_one(OwnershipPane).query_one(RowList)
        await until(
            pilot, lambda: templates.current and templates.current.subject == TemplateSubject("crm", BROKEN)
        )


async def test_a_problem_of_a_server_goes_to_that_servers_menu(tmp_path: Path) -> None:
    servers = {"billing": scripted(tmp_path, "billing", startup={"exit": 3})}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press(page_key(app, "problems"), "enter")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        assert "billing" in screen_text(app)


async def test_nothing_wrong_says_so(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press(page_key(app, "problems"))
        assert "✓ Nothing wrong in what the connected servers publish." in screen_text(app)
        assert "Looked for: declarations that declare nothing" in screen_text(app)


async def test_problems_are_narrowed_and_a_snippet_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []

    async def copy(app: object, text: str, what: str) -> str:
        copied.append(text)
        return f"Copied {what}."

    monkeypatch.setattr("inspector.tui.widgets.problems.copy_text", copy)
    servers = {
        "crm": crm(tmp_path, templates=[BROKEN, "crm://signals/{id}"]),
        "mirror": scripted(tmp_path, "mirror", templates=["crm://{kind}/42"]),
        "outbox": outbox(tmp_path, tools=[tool("over there"), tool("send", ["crm", "mail"])]),
    }
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        await pilot.press(page_key(app, "problems"))
        pane = app.screen.query_one(ProblemsPane)
        rows = pane.query_one(RowList)
        assert [row.subject.rule for row in rows.rows] == ["R27", "R14", "R15", "protocol"]
        assert "1 error · 3 warnings" in screen_text(app)
        await pilot.press("slash", *"WARN mirror")
        # The overlap is said once, and found by either server.
        assert [row.subject.servers for row in rows.rows] == [("crm", "mirror")]
        assert "1 of 4" in screen_text(app)
        await pilot.press("escape")
        assert len(rows.rows) == 4
        await pilot.press("slash", *"r27", "enter", "y")
        await until(pilot, lambda: copied)
        assert copied == ["crm://signals/{id}"]
        detail = static_text(pane.query_one("#problems-detail", Static))
        assert "R27: what is no RFC 6570 template owns nothing" in detail
        assert detail.endswith("to paste:\n  crm://signals/{id}")
        await pilot.press("slash", *"xyz")
        assert "No problem holds “xyz”." in screen_text(app)
