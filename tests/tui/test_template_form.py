"""Building a URI from a template: choose, fill in, see what was encoded and who owns it, put it into the call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, Static

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.screens.template_form import TemplateForm
from inspector.tui.widgets.template_fill import TemplateFill
from tests.host.playing import crm
from tests.servers.workspace import failure, log_of, received, scripted, tool
from tests.tui.driving import NARROW, driving, notices, row_texts, screen_text, setup_of, static_text, until

ACCOUNTS = "crm://accounts/{name}{?fields*}"


def workspace(folder: Path, *, tools: list[dict[str, Any]] | None = None, **crm_spec: Any) -> Setup:
    servers = {
        "mail": scripted(folder, "mail", templates=["mail://{folder}/{id}"]),
        "crm": crm(folder, **{"templates": ["crm://signals/{id}", ACCOUNTS, "crm://broken/{id"], **crm_spec}),
        "outbox": scripted(folder, "outbox", tools=tools or [tool(schemes=["CRM"])]),
    }
    return setup_of(folder, servers, tool="outbox/send")


def completes(*values: str) -> dict[str, Any]:
    return {"completion/complete": {"result": {"completion": {"values": list(values)}}}}


async def composed(app: InspectorApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
    await until(pilot, lambda: app.main.focused is not None)


async def open_form(app: InspectorApp, pilot: Pilot[None], key: str = "ctrl+g") -> TemplateForm:
    await composed(app, pilot)
    if key == "t":
        await pilot.press("escape")
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, TemplateForm))
    assert isinstance(app.screen, TemplateForm)
    return app.screen


async def choose(app: InspectorApp, pilot: Pilot[None], sought: str) -> TemplateFill:
    form = app.screen
    assert isinstance(form, TemplateForm)
    await pilot.press(*sought, "enter")
    await until(pilot, lambda: form.filling and form.fill.choice is not None)
    return form.fill


def shown(fill: TemplateFill, part: str) -> list[str]:
    return static_text(fill.query_one(f"#template-{part}", Static)).splitlines()


def arguments(app: InspectorApp) -> Any:
    assert app.main.composer is not None
    return app.main.composer.arguments


async def test_every_valid_template_is_offered_those_with_a_declared_scheme_first(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        form = await open_form(app, pilot)
        assert row_texts(form.templates, 60) == [
            "declared here: CRM",
            "crm://signals/{id}".ljust(57) + "crm",
            ACCOUNTS.ljust(57) + "crm",
            "other schemes: refused here (R10)",
            "mail://{folder}/{id}".ljust(56) + "mail",
        ]
        await pilot.press(*"acc")
        assert [row.split()[0] for row in row_texts(form.templates)] == ["declared", ACCOUNTS]
        await pilot.press(*"zz")
        await pilot.pause()
        assert "No template is found by that." in screen_text(app)


async def test_the_expansion_is_shown_as_it_is_typed_with_what_was_encoded_and_its_owner(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path), NARROW) as (app, pilot):
        await open_form(app, pilot)
        fill = await choose(app, pilot, "accounts")
        assert shown(fill, "uri") == ["crm://accounts/"]
        await pilot.press(*"A", "space", "b", "tab", *"k=v/w", "comma", *"l=1")
        await pilot.pause()
        assert shown(fill, "uri") == ["crm://accounts/A%20b?k=v%2Fw&l=1", "underlined: percent-encoded"]
        assert shown(fill, "owner")[0] == "✓ owned by crm: it would be read from there  R14"
        content = fill.query_one("#template-uri", Static).visual
        marked = [str(content)[span.start : span.end] for span in content.spans if "underline" in str(span.style)]
        assert marked == ["%20", "%2F", "underlined"]
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main)
        assert arguments(app) == {"citations": ["crm://accounts/A%20b?k=v%2Fw&l=1"]}


async def test_a_row_that_has_a_uri_is_taken_apart_and_put_back_into_the_same_row(tmp_path: Path) -> None:
    setup = workspace(tmp_path)
    async with driving(setup) as (app, pilot):
        await composed(app, pilot)
        await pilot.press(*"crm://signals/7", "enter", *"crm://signals/8", "up")
        form = await open_form(app, pilot)
        await until(pilot, lambda: form.filling and form.fill.fields)
        (field,) = form.fill.fields
        assert (field.variable.name, field.input.value) == ("id", "7")
        field.input.focus()
        await pilot.press("end", "9", "enter")
        await until(pilot, lambda: app.screen is app.main)
        assert arguments(app) == {"citations": ["crm://signals/79", "crm://signals/8"]}


async def test_t_puts_the_uri_into_a_new_row(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await composed(app, pilot)
        await pilot.press(*"crm://signals/7")
        await open_form(app, pilot, "t")
        await choose(app, pilot, "signals")
        await pilot.press("8", "enter")
        await until(pilot, lambda: app.screen is app.main)
        assert arguments(app) == {"citations": ["crm://signals/7", "crm://signals/8"]}
        assert isinstance(app.main.focused, Input)
        assert app.main.focused.value == "crm://signals/8"


async def test_a_single_string_takes_the_uri_in_its_place(tmp_path: Path) -> None:
    one = tool(schemes=["crm"])
    one["inputSchema"]["properties"]["citations"] = {"type": "string"}
    async with driving(workspace(tmp_path, tools=[one])) as (app, pilot):
        await composed(app, pilot)
        await pilot.press(*"before")
        await open_form(app, pilot)
        await choose(app, pilot, "signals")
        await pilot.press("8", "enter")
        await until(pilot, lambda: app.screen is app.main)
        assert arguments(app) == {"citations": "crm://signals/8"}


async def test_escape_leaves_and_changes_nothing(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await composed(app, pilot)
        await pilot.press(*"crm://x")
        await open_form(app, pilot)
        await choose(app, pilot, "signals")
        await pilot.press("8", "escape")
        await until(pilot, lambda: app.screen is app.main)
        assert arguments(app) == {"citations": ["crm://x"]}


async def test_up_from_the_first_field_chooses_another_template(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        form = await open_form(app, pilot)
        fill = await choose(app, pilot, "accounts")
        await pilot.press("x", "up")
        await until(pilot, lambda: not form.filling)
        # The same template again has what was written.
        await pilot.press("enter")
        await until(pilot, lambda: form.filling)
        assert [field.input.value for field in fill.fields] == ["x", ""]


async def test_a_uri_that_the_argument_refuses_says_so(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await open_form(app, pilot)
        fill = await choose(app, pilot, "mail")
        assert shown(fill, "owner")[0] == "! scheme_not_declared here: declared is CRM  R10"


async def test_the_servers_completions_are_offered_with_what_is_filled_in_already(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path, answers=completes("name", "city"))) as (app, pilot):
        await open_form(app, pilot)
        fill = await choose(app, pilot, "accounts")
        await pilot.press("A", "tab", *"name, ")
        await until(pilot, lambda: [row.key[1] for row in fill.offers.rows] == ["name", "city"])
        asked = received(log_of(tmp_path, "crm"), "completion/complete")[-1]["params"]
        assert asked["ref"] == {"type": "ref/resource", "uri": ACCOUNTS}
        assert asked["argument"] == {"name": "fields", "value": ""}
        assert asked["context"] == {"arguments": {"name": "A"}}
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: fill.fields[1].input.value == "name, city")
        assert fill.fields[1].input.has_focus
        assert fill.uri == "crm://accounts/A?fields=name&fields=city"
        await until(pilot, lambda: not fill.offers.rows)


async def test_a_server_without_the_capability_is_never_asked(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await open_form(app, pilot)
        fill = await choose(app, pilot, "signals")
        await pilot.press("8")
        await app.workers.wait_for_complete()
        assert not fill.offers.rows
        assert received(log_of(tmp_path, "crm"), "completion/complete") == []


async def test_completions_that_fail_are_noted_and_in_nobodys_way(tmp_path: Path) -> None:
    answers = {"completion/complete": failure("index is [b +building")}
    async with driving(workspace(tmp_path, answers=answers)) as (app, pilot):
        await open_form(app, pilot)
        fill = await choose(app, pilot, "signals")
        await pilot.press("8")
        await until(pilot, lambda: "index is [b +building" in "".join(shown(fill, "note")))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main)
        assert arguments(app) == {"citations": ["crm://signals/8"]}


async def test_a_tool_that_declares_nothing_has_no_place_for_a_uri(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path, tools=[tool()])) as (app, pilot):
        await composed(app, pilot)
        await pilot.press("escape", "t")
        await until(pilot, lambda: notices(app))
        assert notices(app) == ["This tool declares no argument, so no URI of it is resolved."]
        assert app.screen is app.main


async def test_no_template_at_all_says_so(tmp_path: Path) -> None:
    setup = setup_of(
        tmp_path, {"outbox": scripted(tmp_path, "outbox", tools=[tool(schemes=["crm"])])}, tool="send"
    )
    async with driving(setup, NARROW) as (app, pilot):
        await open_form(app, pilot)
        assert "No connected server of the workspace publishes a template" in screen_text(app)
        await pilot.press("enter")
        assert isinstance(app.screen, TemplateForm)
