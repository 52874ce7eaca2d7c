"""A URI that is cited from elsewhere: it comes into a declared argument, and the person is told which."""

from __future__ import annotations

from pathlib import Path

from inspector.tui.messages import CiteRequested
from tests.host.playing import crm, outbox
from tests.servers.workspace import log_of, tool
from tests.tui.composing import composing
from tests.tui.driving import driving, notices, setup_of, until

TWO = {
    "type": "object",
    "properties": {
        "first": {"type": "array", "items": {"type": "string"}},
        "second": {"type": "array", "items": {"type": "string"}},
        "note": {"type": "string"},
    },
}


def declaring(**schemes: list[str]) -> dict[str, object]:
    declared = {name: {"schemes": each} for name, each in schemes.items()}
    return tool("send", inputSchema=TWO, _meta={"ai.nimblebrain/resource-arguments": {"arguments": declared}})


async def test_a_uri_is_cited_in_the_composer_from_any_page(tmp_path: Path) -> None:
    setup = setup_of(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}, tool="outbox/send")
    async with driving(setup) as (app, pilot):
        await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
        composer = app.main.composer
        assert composer is not None
        await pilot.press("escape", "2")
        app.main.pages.post_message(CiteRequested("crm://signals/4"))
        await until(pilot, lambda: composer.arguments == {"citations": ["crm://signals/4"]})
        assert app.main.pages.active == "compose"
        assert "citations cites crm://signals/4." in notices(app)


async def test_without_a_call_it_is_said_that_there_is_none(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)})) as (app, pilot):
        app.main.pages.post_message(CiteRequested("crm://signals/4"))
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["There is no call to cite it in: choose a tool first."]


async def test_it_goes_into_the_argument_that_had_the_focus_last_else_into_one_of_its_scheme(
    tmp_path: Path,
) -> None:
    spec = {"log": log_of(tmp_path, "outbox"), "tools": [declaring(first=["mail"], second=["CRM"])]}
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path, **{"tools": spec["tools"]})}
    async with composing(tmp_path, servers) as person:
        await person.choose("send")
        person.pane.screen.set_focus(None)
        person.pane.editor._last_declared = None
        await person.pane.cite("crm://signals/1")
        await person.settle()
        assert person.arguments == {"second": ["crm://signals/1"]}
        person.pane.editor.form.focus_field("first")
        await person.settle()
        person.pane.editor.form.focus_field("note")
        await person.settle()
        await person.pane.cite("crm://signals/2")
        await person.settle()
        assert person.arguments == {"first": ["crm://signals/2"], "second": ["crm://signals/1"]}


async def test_what_is_cited_already_is_not_cited_twice(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/1"]})
        await person.pane.cite("crm://signals/1")
        await person.settle()
        assert person.arguments == {"citations": ["crm://signals/1"]}
        assert person.app.said[-1] == "citations cites crm://signals/1 already."
