"""Browse: what the servers offer beside tools, found, read, filled in and cited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.screens.prompt_form import PromptForm
from inspector.tui.screens.save_as import SaveScreen
from inspector.tui.screens.uri_form import UriForm
from inspector.tui.widgets.browse import BrowsePane
from tests.host.playing import crm
from tests.servers.workspace import blob, failure, log_of, reads, received, rescript, scripted, text, tool
from tests.tui.driving import NARROW, driving, notices, page_key, row_texts, screen_text, setup_of, until

SIGNAL = {
    "uri": "crm://signals/7",
    "name": "signal-7",
    "title": "Funding",
    "description": "Seven",
    "mimeType": "application/json",
    "size": 53,
}


def workspace(folder: Path, **spec: Any) -> Setup:
    return setup_of(folder, {"crm": crm(folder, **{"era": "2026", "resources": [SIGNAL], **spec})})


def whole_workspace(folder: Path) -> Setup:
    prompt = {"name": "draft", "arguments": [{"name": "message", "required": True}, {"name": "tone"}]}
    servers = {
        "crm": crm(folder, era="2026", resources=[SIGNAL]),
        "mail": scripted(folder, "mail", era="2025", templates=["mail://{id}"], prompts=[prompt]),
        "quiet": scripted(folder, "quiet"),
        "billing": scripted(folder, "billing", startup={"stderr": "no database\n", "exit": 3}),
    }
    return setup_of(folder, servers)


async def browse(app: InspectorApp, pilot: Pilot[None]) -> BrowsePane:
    await pilot.press("escape", page_key(app, "browse"))
    await until(pilot, lambda: app.main.made.browse is not None and app.main.made.browse.rows.has_focus)
    assert app.main.made.browse is not None
    return app.main.made.browse


def detail(pane: BrowsePane) -> list[str]:
    view = pane.detail
    return [view.text_row(row).strip() for row in range(view.row_count)]


async def test_all_that_servers_offer_stands_by_server_and_kind_with_counts(tmp_path: Path) -> None:
    async with driving(whole_workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        texts = [" ".join(text.split()) for text in row_texts(pane.rows)]
        assert texts[:8] == [
            "crm 1 template · 1 resource",
            "templates 1",
            "crm://signals/{id} template-0",
            "resources 1",
            "crm://signals/7 Funding application/json · 53 B",
            "mail 1 template · 1 prompt",
            "templates 1",
            "mail://{id} template-0",
        ]
        assert texts[9] == "draft(message, tone?)"
        assert texts[10] == "quiet offers no template, resource or prompt"
        assert texts[11].startswith("billing ✗ failed: ")
        assert "2 templates · 1 resource · 1 prompt" in screen_text(app)


async def test_the_cursor_stays_when_lists_change(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("down")
        await until(pilot, lambda: "size: 53 B" in "".join(detail(pane)))
        more = [{"uri": f"crm://signals/{n}", "name": f"signal-{n}"} for n in range(1, 7)]
        rescript(tmp_path, "crm", resources=[*more, SIGNAL], templates=["crm://a/{b}", "crm://signals/{id}"])
        app.main.reconnect("crm")
        await until(pilot, lambda: "crm://signals/6" in "".join(row_texts(pane.rows)))
        assert pane.item is not None
        assert pane.item.text == "crm://signals/7"


@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_what_a_server_says_has_changed_shows_around_the_cursor(tmp_path: Path, era: str) -> None:
    first = {"uri": "crm://signals/1", "name": "signal-1"}
    change = {"resources": [first, SIGNAL]}
    after = [{"method": "tools/call", "change": change, "notify": ["notifications/resources/list_changed"]}]
    spec = {"era": era, "resources": [SIGNAL], "tools": [tool("poke")], "after": after}
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path, **spec)})) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("down")
        await app.host.workspace.connections["crm"].request_call("poke", {}, {})
        await until(pilot, lambda: any("crm://signals/1" in line for line in row_texts(pane.rows)))
        assert pane.item is not None
        assert pane.item.text == "crm://signals/7"


async def test_each_word_that_is_typed_narrows_the_list(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("slash", *"FUND s")
        await until(pilot, lambda: len(pane.rows.rows) == 3)
        assert [" ".join(text.split()) for text in row_texts(pane.rows)][2].startswith("crm://signals/7")
        assert "1 of 2 · 1 resource" in screen_text(app)
        await pilot.press("down")
        assert pane.rows.has_focus
        assert pane.item is not None
        # In the list, Esc ends the search, and the cursor stays where it is.
        await pilot.press("escape")
        await until(pilot, lambda: len(pane.rows.rows) == 5)
        assert pane.item.text == "crm://signals/7"
        await pilot.press("slash", *"zzz")
        await until(pilot, lambda: "Nothing holds “zzz”." in screen_text(app))


async def read_first(app: InspectorApp, pilot: Pilot[None], sought: str) -> BrowsePane:
    pane = await browse(app, pilot)
    await pilot.press("slash", *sought, "enter", "enter")
    return pane


async def answered(pilot: Pilot[None], pane: BrowsePane, words: str) -> list[str]:
    await until(pilot, lambda: pane.detail.indexed and any(words in line for line in detail(pane)))
    return detail(pane)


async def test_a_resource_is_read_from_the_server_that_lists_it_with_ttl_and_scope(tmp_path: Path) -> None:
    entry = {"uri": SIGNAL["uri"], "text": '{"id": 7}', "mimeType": "application/json", "_meta": {"seen": 1}}
    answer = {"result": {"contents": [entry], "ttlMs": 60000, "cacheScope": "public", "_meta": {"by": "crm"}}}
    setup = workspace(tmp_path, reads={SIGNAL["uri"]: answer})
    async with driving(setup) as (app, pilot):
        pane = await read_first(app, pilot, "funding")
        lines = await answered(pilot, pane, "✓ crm answers · ")
        assert lines[1] == "crm://signals/7"
        assert lines[2].startswith("Its template crm://signals/{id} claims the URI.")
        assert "text · application/json · 9 B · laid out" in lines
        assert any(line.startswith("ttlMs 60000 (60 s) · cacheScope public") for line in lines)
        assert '"id": 7' in lines
        assert '"seen": 1' in lines
        assert '"by": "crm"' in lines
        await pilot.press("i")
        await answered(pilot, pane, "size: 53 B")
        await pilot.press("i")
        await answered(pilot, pane, "✓ crm answers")
    assert reads(log_of(tmp_path, "crm")) == ["crm://signals/7"]


async def test_a_listed_resource_without_a_template_is_read_and_said_to_have_no_owner(tmp_path: Path) -> None:
    old = {"uri": "mail://a/b", "name": "old"}
    answers = {"mail://a/b": text("mail://a/b", "hello [b +\x1b[31m")}
    servers = {"mail": scripted(tmp_path, "mail", era="2025", resources=[old], reads=answers)}
    async with driving(setup_of(tmp_path, servers)) as (app, pilot):
        pane = await browse(app, pilot)
        assert any(line.startswith("✗ no owner: no template of the workspace") for line in detail(pane))
        await pilot.press("enter")
        lines = await answered(pilot, pane, "✓ mail answers")
        assert any(line.startswith("! It publishes no template") for line in lines)
        assert "hello [b +␛[31m" in lines
        assert not any("ttlMs" in line for line in lines)
        assert "\x1b[31m" not in screen_text(app)


async def test_an_error_is_shown_as_it_is_and_a_timeout_names_its_limit(tmp_path: Path) -> None:
    answers = {"crm://signals/7": failure("gone [/", -32002), "crm://signals/8": {"hang": True}}
    second = {"uri": "crm://signals/8", "name": "slow"}
    entry = crm(tmp_path, era="2026", resources=[SIGNAL, second], reads=answers)
    setup = setup_of(tmp_path, {"crm": {**entry, "requestTimeout": 2000}})
    async with driving(setup) as (app, pilot):
        pane = await read_first(app, pilot, "signal-7")
        lines = await answered(pilot, pane, "✗ crm refuses")
        assert "gone [/ (error -32002)" in lines
        await pilot.press("escape", "down", "enter")
        await until(pilot, lambda: "reading from crm" in screen_text(app))
        assert "Esc cancels" in screen_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: not app.main.servers_work.is_running)
        assert "reading" not in screen_text(app)
        assert pane.item is not None
        assert pane.item.text == "crm://signals/8"
        await pilot.press("enter")
        lines = await answered(pilot, pane, "✗ crm does not answer")
        assert "no answer within 2 s" in lines


async def test_a_blob_shows_its_type_and_size_and_is_saved(tmp_path: Path) -> None:
    logo = {"uri": "crm://logo", "name": "logo", "mimeType": "image/png"}
    setup = workspace(tmp_path, resources=[logo], reads={"crm://logo": blob("crm://logo", "AAEC")})
    async with driving(setup) as (app, pilot):
        pane = await read_first(app, pilot, "logo")
        await answered(pilot, pane, "blob · image/png · about 3 B")
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        assert "logo.png" in screen_text(app)
        target = tmp_path / "logo.png"
        app.screen.query_one(Input).value = str(target)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main)
        assert target.read_bytes() == b"\x00\x01\x02"
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        app.screen.query_one(Input).value = str(target)
        await pilot.press("enter")
        await until(pilot, lambda: "Enter again replaces it" in screen_text(app))


async def test_a_template_is_filled_in_with_what_its_server_offers_and_read(tmp_path: Path) -> None:
    answers = {"completion/complete": {"result": {"completion": {"values": ["7"]}}}}
    async with driving(workspace(tmp_path, resources=[], answers=answers)) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, UriForm) and app.screen.fill.offers.rows)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, UriForm) and app.screen.fill.uri == "crm://signals/7")
        await pilot.press("enter")
        lines = await answered(pilot, pane, "✓ crm answers")
        assert lines[1] == "crm://signals/7"
        # The same template begins with what was read.
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, UriForm) and app.screen.fill.uri == "crm://signals/7")


async def test_a_uri_is_cited_in_the_composed_call(tmp_path: Path) -> None:
    servers = {
        "crm": crm(tmp_path, resources=[SIGNAL]),
        "outbox": scripted(tmp_path, "outbox", tools=[tool(schemes=["crm"])]),
    }
    async with driving(setup_of(tmp_path, servers, tool="outbox/send")) as (app, pilot):
        await until(pilot, lambda: app.main.composer is not None and app.main.composer.tool is not None)
        composer = app.main.composer
        assert composer is not None
        await browse(app, pilot)
        await pilot.press("down", "c")
        await until(pilot, lambda: app.main.pages.active == "compose")
        await until(pilot, lambda: composer.arguments == {"citations": ["crm://signals/7"]})
        # Of a template, one is made first.
        await browse(app, pilot)
        await pilot.press("up", "c")
        await until(pilot, lambda: isinstance(app.screen, UriForm) and app.screen.fill.fields)
        await pilot.press("8", "enter")
        await until(pilot, lambda: composer.arguments == {"citations": ["crm://signals/7", "crm://signals/8"]})


async def test_o_asks_who_owns_the_uri(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await browse(app, pilot)
        await pilot.press("down", "o")
        await until(pilot, lambda: app.main.pages.active == "ownership")
        assert app.main.ownership is not None
        assert app.main.ownership.probed == "crm://signals/7"


async def test_a_prompt_asks_for_its_arguments_and_shows_its_messages_by_role(tmp_path: Path) -> None:
    arguments = [{"name": "message", "required": True, "description": "its URI"}, {"name": "tone"}]
    messages = [
        {"role": "user", "content": {"type": "text", "text": "Reply to it."}},
        {"role": "assistant", "content": {"type": "image", "data": "AAEC", "mimeType": "image/png"}},
        {"role": "user", "content": {"type": "resource_link", "uri": "mail://9", "name": "nine"}},
    ]
    answers = {
        "prompts/get": {"result": {"description": "A reply", "messages": messages}},
        "completion/complete": {"result": {"completion": {"values": ["mail://1", "mail://2"]}}},
    }
    prompts = [{"name": "draft", "arguments": arguments}]
    mail = scripted(tmp_path, "mail", era="2025", prompts=prompts, answers=answers)
    async with driving(setup_of(tmp_path, {"mail": mail})) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PromptForm) and app.screen.offers.rows)
        assert "message *" in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: "Required and empty: message. Enter again asks without." in screen_text(app))
        await pilot.press("down", "enter", "down", *"warm")
        await until(pilot, lambda: isinstance(app.screen, PromptForm) and len(app.screen.values) == 2)
        await pilot.press("enter")
        lines = await answered(pilot, pane, "✓ mail answers: 3 messages")
        assert lines[lines.index("user") :][:3] == ["user", "text · 12 characters", "Reply to it."]
        assert lines[lines.index("assistant") + 1] == "image · image/png · about 3 B"
        # What the cursor of the answer is in is what is saved, asked about and cited.
        await pilot.press("tab")
        await until(pilot, lambda: pane.detail.has_focus)
        assert pane.uri is None
        await pilot.press("end")
        await until(pilot, lambda: pane.uri == "mail://9")
        await pilot.press("o")
        await until(pilot, lambda: app.main.ownership is not None and app.main.ownership.probed == "mail://9")
    log = log_of(tmp_path, "mail")
    asked = received(log, "completion/complete")[0]["params"]
    assert asked["ref"] == {"type": "ref/prompt", "name": "draft"}
    got = received(log, "prompts/get")[-1]["params"]
    assert got["arguments"] == {"message": "mail://1", "tone": "warm"}


async def test_a_result_that_asks_for_input_is_shown_as_it_came(tmp_path: Path) -> None:
    asks = {"raw": {"resultType": "input_required", "inputRequests": {"who": {"method": "elicitation/create"}}}}
    setup = workspace(tmp_path, reads={SIGNAL["uri"]: asks})
    async with driving(setup) as (app, pilot):
        pane = await read_first(app, pilot, "funding")
        lines = await answered(pilot, pane, "resultType input_required: the result as it came")
        assert '"method": "elicitation/create"' in lines


async def test_nothing_to_show_says_what_would_stand_here(tmp_path: Path) -> None:
    async with driving(setup_of(tmp_path, {}), NARROW) as (app, pilot):
        await pilot.press("escape", page_key(app, "browse"))
        await until(pilot, lambda: "No connected server offers a resource template" in screen_text(app))


async def test_a_small_terminal_gives_the_answer_the_room_and_esc_goes_back(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path), NARROW) as (app, pilot):
        pane = await read_first(app, pilot, "funding")
        await answered(pilot, pane, "✓ crm answers")
        assert not pane.rows.display or pane.rows.size.height == 0
        assert pane.detail.has_focus
        await pilot.press("escape")
        await until(pilot, lambda: pane.rows.has_focus and pane.rows.size.height > 0)
        assert "crm://signals/7" in screen_text(app)


async def test_a_click_looks_at_a_row_and_a_second_one_asks(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        place = next(
            n for n, row in enumerate(pane.rows.rows) if row.subject and row.subject.text == SIGNAL["uri"]
        )
        await pilot.click(pane.rows, offset=(6, place))
        await answered(pilot, pane, "size: 53 B")
        assert reads(log_of(tmp_path, "crm")) == []
        await pilot.click(pane.rows, offset=(6, place))
        await answered(pilot, pane, "✓ crm answers")
        await pilot.click("#browse-actions", offset=(2, 0))
        await until(pilot, lambda: len(reads(log_of(tmp_path, "crm"))) == 2)


async def test_bad_names_and_texts_are_shown_or_cut_and_never_obeyed(tmp_path: Path) -> None:
    bad = "\x1b[31m[/red][b +‮" + "x" * 100_000
    resources = [
        {"uri": f"crm://{bad}", "name": bad, "title": bad, "description": bad, "mimeType": bad, "size": -1},
        {"uri": "crm://no-name"},
        {"uri": "crm://deep", "name": "deep", "annotations": {"priority": "high", "audience": 7}},
    ]
    prompts = [{"name": bad, "description": bad, "arguments": [{"name": bad, "required": True}, 7, {}]}]
    servers = {"crm": crm(tmp_path, resources=resources, prompts=prompts, templates=[f"crm://{bad}/{{id}}"])}
    async with driving(setup_of(tmp_path, servers), NARROW) as (app, pilot):
        pane = await browse(app, pilot)
        assert any("in its lists: see Problems" in line for line in row_texts(pane.rows))
        for _ in range(5):
            shown = screen_text(app)
            assert "\x1b" not in shown
            assert "‮" not in shown
            await pilot.press("down")
        await pilot.press("end", "enter")
        await pilot.pause()
        assert "\x1b" not in screen_text(app)
        await pilot.press("escape")
        await pilot.resize_terminal(20, 5)
        await pilot.resize_terminal(80, 24)
        assert pane.rows.rows


async def test_left_and_right_go_from_server_to_server(tmp_path: Path) -> None:
    async with driving(whole_workspace(tmp_path)) as (app, pilot):
        pane = await browse(app, pilot)
        await pilot.press("down", "right")
        assert pane.item is not None
        assert (pane.item.server, pane.item.text) == ("mail", "mail://{id}")
        await pilot.press("left")
        assert (pane.item.server, pane.item.text) == ("crm", "crm://signals/{id}")


async def test_slash_searches_the_list_of_the_page_and_the_palette_leads_there(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await app.main.browse()
        await until(pilot, lambda: app.main.made.browse is not None and app.main.made.browse.line.has_focus)
        assert app.main.made.browse is not None
        await pilot.press("escape", "escape")
        assert app.main.focused is None
        await pilot.press("slash")
        await pilot.pause()
        assert app.main.made.browse.line.has_focus


async def test_text_that_is_no_json_whatever_its_type_is_shown_as_it_came(tmp_path: Path) -> None:
    entries = [
        {"uri": SIGNAL["uri"], "text": "{no", "mimeType": "application/json"},
        {"uri": "crm://other", "text": "[" * 5_000, "mimeType": "application/json"},
        {"uri": SIGNAL["uri"], "text": "", "mimeType": "text/plain"},
        {"uri": SIGNAL["uri"]},
    ]
    async with driving(workspace(tmp_path, reads={SIGNAL["uri"]: {"raw": {"contents": entries}}})) as (app, pilot):
        pane = await read_first(app, pilot, "funding")
        lines = await answered(pilot, pane, "crm answers: 4 entries")
        assert "{no" in lines
        assert "(empty)" in lines
        shown = " ".join(lines)
        assert "no JSON, whatever its type says" in shown
        assert "crm://other" in shown
        assert "an entry with neither text nor blob" in shown
        # What 2026-07-28 requires and is not there is said.
        assert "the result has no ttlMs" in shown


async def test_a_prompt_without_arguments_is_got_at_once_and_no_template_is_no_form(tmp_path: Path) -> None:
    prompts = [{"name": "hello"}]
    answers = {"prompts/get": {"result": {"messages": []}}}
    templates = ["crm://broken/{id"]
    spec = {"prompts": prompts, "answers": answers, "templates": templates, "resources": []}
    async with driving(workspace(tmp_path, **spec)) as (app, pilot):
        pane = await browse(app, pilot)
        assert any(line.startswith("✗ no RFC 6570 template") for line in detail(pane))
        await pilot.press("enter")
        await until(pilot, lambda: notices(app))
        assert notices(app)[0].startswith("It is no RFC 6570 template, so there is no URI to make of it")
        await pilot.press("down", "enter")
        await answered(pilot, pane, "✓ crm answers: 0 messages")
    assert received(log_of(tmp_path, "crm"), "prompts/get")[0]["params"]["name"] == "hello"
