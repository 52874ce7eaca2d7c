"""The composer: fates while typing, the preview, and the rule that nothing unseen is ever sent (R29)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspector.tui.widgets.compose_view import ViewTitle
from tests.host.playing import crm, outbox
from tests.servers.workspace import log_of, reads, received, rescript, text, tool
from tests.tui.composing import NARROW, WIDE, composing

CITING = {"citations": ["crm://signals/4", "crm://signals/77", "mail://inbox/1"]}


def calls(folder: Path) -> list[dict[str, Any]]:
    """The params of every call that `outbox` received."""
    return [message["params"] for message in received(log_of(folder, "outbox"), "tools/call")]


async def test_while_a_person_types_admission_alone_says_what_becomes_of_a_string(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send")
        await person.type("crm://signals/4")
        assert person.fates() == ["· to be read crm id=4 R18"]
        await person.type("/5")
        assert "✗ not_found –" in person.fates()[0]
        assert "R14" in person.fates()[0]
        assert reads(log_of(tmp_path, "crm")) == []


async def test_a_scheme_that_is_not_declared_says_which_are(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["mail://inbox/1"]})
        assert "✗ scheme_not_declared – never read; declared here: crm R10" in person.fates()[0]


async def test_resolve_shows_each_outcome_and_the_exact_meta(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", CITING)
        await person.press("ctrl+r")
        resolved, missing, foreign = person.fates()
        assert resolved.startswith("✓ resolved crm id=4 · 2 B · ")
        assert "✗ not_found crm the server said:" in missing
        assert "R19" in missing
        assert "✗ scheme_not_declared" in foreign
        assert '▾ "ai.nimblebrain/resource-arguments": {' in person.preview()
        assert "Preview · just now" in person.title
        assert calls(tmp_path) == []


async def test_send_sends_what_was_shown_to_the_letter(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", CITING)
        await person.press("ctrl+r")
        shown = person.pane._the_call.resolution
        assert shown is not None
        await person.press("ctrl+j")
        (call,) = calls(tmp_path)
        assert call["arguments"] == CITING
        assert {key: value for key, value in call["_meta"].items() if "nimblebrain" in key} == shown.meta
        assert person.result()[0].startswith("✓ answered")
        assert "delivered: 1 resolved (2 B), 1 not_found, 1 scheme_not_declared" in person.result()


async def test_send_without_a_preview_resolves_shows_and_asks_for_the_key_again(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", CITING)
        await person.press("ctrl+j")
        assert calls(tmp_path) == []
        assert person.shows_preview
        assert "press ^j again" in person.app.said[-1]
        await person.press("ctrl+j")
        assert len(calls(tmp_path)) == 1


async def test_a_change_of_an_argument_makes_the_preview_stale_and_unsendable(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r")
        await person.type("2")
        assert "! stale: an argument changed" in person.title
        await person.press("ctrl+j")
        assert calls(tmp_path) == []
        await person.press("ctrl+j")
        (call,) = calls(tmp_path)
        assert call["arguments"] == {"citations": ["crm://signals/42"]}


async def test_an_outcome_from_before_a_change_is_marked_as_such(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4", "crm://signals/5"]})
        await person.press("ctrl+r", "backspace", "6")
        first, second = person.fates()
        assert "· to be read crm id=6" in first
        assert "✓ resolved crm id=5" in second
        assert "before the change" in second


async def test_a_server_that_changes_makes_the_preview_stale(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r")
        await person.host.workspace.reconnect("crm")
        person.pane.host_changed()
        assert "! stale: a server changed" in person.title
        await person.press("ctrl+j")
        assert calls(tmp_path) == []


async def test_a_fixed_server_changes_the_row_after_a_reconnect_and_the_form_stays(tmp_path: Path) -> None:
    broken = crm(tmp_path, templates=["crm://signal/{id}"])
    async with composing(tmp_path, {"crm": broken, "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        assert "✗ not_found" in person.fates()[0]
        rescript(tmp_path, "crm", templates=["crm://signals/{id}"])
        await person.host.workspace.reconnect("crm")
        person.pane.host_changed()
        await person.settle()
        assert person.fates() == ["· to be read crm id=4 R18"]
        assert person.arguments == {"citations": ["crm://signals/4"]}


async def test_a_second_press_while_it_runs_does_no_harm_and_escape_cancels(tmp_path: Path) -> None:
    slow = crm(tmp_path, reads={"*": {**text("crm://signals/4", "{}"), "delay": 5}})
    async with composing(tmp_path, {"crm": slow, "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.pilot.press("ctrl+r")
        await person.pilot.pause(0.25)
        assert "reading 1 URI from crm" in person.title
        assert "Esc cancels" in person.title
        await person.pilot.press("ctrl+j", "ctrl+j", "ctrl+r")
        assert person.pane.action_cancel()
        await person.settle()
        assert person.app.said == ["Cancelled."]
        assert calls(tmp_path) == []
        assert "Esc cancels" not in person.title
        assert not person.pane.action_cancel()


async def test_a_call_that_runs_is_cancelled_and_can_be_sent_again(tmp_path: Path) -> None:
    slow = outbox(tmp_path, calls={"*": {"result": {"content": []}, "delay": 5}})
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": slow}) as person:
        await person.choose("send", {})
        await person.press("ctrl+r")
        await person.pilot.press("ctrl+j")
        await person.pilot.pause(0.25)
        assert "waiting for outbox / send" in person.title
        assert person.pane.action_cancel()
        await person.settle()
        assert person.app.states[-1].can_send


async def test_what_was_resolved_out_of_sight_is_shown_before_it_is_sent(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        person.pane.action_resolve()
        person.pane.display = False
        await person.settle()
        await person.press("ctrl+j")
        assert "not on the screen" in person.app.said[-1]
        person.pane.display = True
        await person.settle()
        await person.press("ctrl+j")
        assert calls(tmp_path) == []
        await person.press("ctrl+j")
        assert len(calls(tmp_path)) == 1


async def test_where_the_key_is_absent_the_preview_says_why(tmp_path: Path) -> None:
    plain = outbox(tmp_path, tools=[tool("plain"), tool("send", ["crm"])])
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": plain}) as person:
        await person.choose("plain", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r")
        assert person.preview() == ["The key is absent: this tool declares no resource arguments (R9).", "{}"]
        await person.choose("send", {})
        await person.press("ctrl+r")
        assert (
            person.preview()[0] == "The key is absent: no string stands in a declared argument (citations) (R9)."
        )


async def test_a_host_without_the_extension_delivers_no_key_and_says_so(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with composing(tmp_path, servers, profile="plain") as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r")
        assert "plain host, resolves nothing" in person.preview()[0]
        await person.press("ctrl+j")
        assert "ai.nimblebrain/resource-arguments" not in (calls(tmp_path)[0].get("_meta") or {})


async def test_an_argument_that_no_message_can_carry_is_refused_with_its_place(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/\ud800"]})
        await person.press("ctrl+j", "ctrl+j")
        assert "citations[0], character 15: a lone surrogate" in person.app.said[-1]
        assert received(log_of(tmp_path, "outbox"), "tools/call") == []
        assert reads(log_of(tmp_path, "crm")) == []


async def test_arguments_are_kept_for_each_tool(tmp_path: Path) -> None:
    both = outbox(tmp_path, tools=[tool("send", ["crm"]), tool("quote", ["crm"])])
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": both}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r")
        await person.choose("quote")
        assert person.arguments == {}
        await person.choose("send")
        assert person.arguments == {"citations": ["crm://signals/4"]}
        assert person.fates()[0].startswith("✓ resolved")


async def test_in_a_small_terminal_form_and_preview_take_turns(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with composing(tmp_path, servers, NARROW) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        assert not person.shows_preview
        await person.press("ctrl+r")
        assert person.shows_preview
        assert not person.pane.editor.is_on_screen
        assert person.preview()[0].startswith("✓ resolved · crm://signals/4 · crm · id=4 · 2 B")
        await person.press("escape")
        assert person.pane.editor.is_on_screen
        await person.press("ctrl+l")
        assert person.shows_preview
        await person.press("ctrl+j")
        assert len(calls(tmp_path)) == 1
        assert person.pane.view.view == "result"
        await person.press("ctrl+l")
        assert person.pane.editor.is_on_screen


async def test_a_click_on_a_name_in_the_title_line_shows_that_view(tmp_path: Path) -> None:
    for size in (WIDE, NARROW):
        async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}, size) as person:
            await person.choose("send", {"citations": ["crm://signals/4"]})
            await person.press("ctrl+r", "ctrl+j")
            for view in ("preview", "result", *(["form", "preview"] if size == NARROW else [])):
                column = 2
                for name, shown in person.pane.view.title.names:
                    if name == view:
                        break
                    column += shown.cell_length + 3
                await person.pilot.click(ViewTitle, offset=(column, 0))
                await person.settle()
                assert person.pane.view.title.active == view
                assert person.pane.view.active.is_on_screen == (view != "form")


async def test_send_again_is_one_key_and_shows_what_differs(tmp_path: Path) -> None:
    twice = outbox(tmp_path, calls={"*": {"result": {"content": [{"type": "text", "text": "sent 1\nsame"}]}}})
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": twice}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r", "ctrl+j", "ctrl+j")
        assert len(calls(tmp_path)) == 2
        assert person.result()[-1] == "The same as the last result of this tool."
        rescript(tmp_path, "outbox", calls={"*": {"result": {"content": [], "isError": True}}})
        await person.host.workspace.reconnect("outbox")
        person.pane.host_changed()
        # The tool's own server owns nothing of what is cited: what was resolved still stands.
        await person.press("ctrl+j")
        assert person.result()[0].startswith("✗ isError")
        assert "- sent 1" in person.result()
        assert person.arguments == {"citations": ["crm://signals/4"]}


async def test_a_server_that_went_away_is_said_and_the_call_ends_in_words(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.host.workspace.stop("outbox")
        person.pane.host_changed()
        assert "outbox stopped" in str(person.pane.query_one("#compose-declares").render())
        await person.press("ctrl+r")
        await person.press("ctrl+j")
        assert person.result()[0].startswith("✗ the connection ended before an answer")


async def test_a_terminal_of_hardly_any_size_is_no_crash(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("send", CITING)
        await person.pilot.resize_terminal(20, 5)
        await person.press("ctrl+r", "ctrl+l", "ctrl+t")
        await person.pilot.resize_terminal(*WIDE)
        await person.settle()
        assert person.arguments == CITING
        assert person.preview()[0] == "▾ {"


async def test_in_a_small_terminal_the_form_says_what_is_waited_for(tmp_path: Path) -> None:
    slow = crm(tmp_path, reads={"*": {**text("crm://signals/4", "{}"), "delay": 5}})
    async with composing(tmp_path, {"crm": slow, "outbox": outbox(tmp_path)}, NARROW) as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.pilot.press("ctrl+r")
        await person.pilot.pause(0.25)
        assert "reading 1 URI from crm" in str(person.pane.view.title.render())
        person.pane.action_cancel()
        await person.settle()


async def test_for_an_outside_client_the_call_goes_over_a_connection_without_the_claim(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}
    async with composing(tmp_path, servers, calling=None, profile="outside-client") as person:
        await person.choose("send", {"citations": ["crm://signals/4"]})
        await person.press("ctrl+r")
        assert person.fates()[0].startswith("✓ resolved")
        assert "stale" not in person.title
        await person.press("ctrl+j")
        (call,) = calls(tmp_path)
        assert "crm://signals/4" in call["_meta"]["ai.nimblebrain/resource-arguments"]
