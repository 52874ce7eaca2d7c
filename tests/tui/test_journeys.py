"""The journeys that the screens were designed for, walked over real servers."""

from __future__ import annotations

from pathlib import Path

from inspector.tui.widgets.form_inputs import LineInput
from tests.host.playing import SIGNALS, crm, outbox
from tests.servers.workspace import rescript
from tests.tui.composing import composing


async def test_my_tool_says_not_found_and_the_row_says_why_and_takes_the_suggestion(tmp_path: Path) -> None:
    async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as person:
        await person.choose("outbox/send", {"citations": ["crm://signal/1"]})
        (fate,) = person.fates()
        assert "not_found" in fate and "R14" in fate
        assert f"nearest {SIGNALS} of crm: they part after crm://signal: '/' stands there, 's' would fit" in fate
        assert "F3 takes crm://signals/1" in fate
        person.pane.query_one(LineInput).focus()
        await person.press("f3")
        assert person.pane.arguments == {"citations": ["crm://signals/1"]}
        (fate,) = person.fates()
        assert "to be read" in fate


async def test_a_server_is_mended_and_the_row_changes_after_a_reconnect(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path, templates=["crm://signal/{id}"]), "outbox": outbox(tmp_path)}
    async with composing(tmp_path, servers) as person:
        await person.choose("outbox/send", {"citations": ["crm://signals/1"]})
        assert "not_found" in person.fates()[0]
        rescript(tmp_path, "crm", templates=[SIGNALS])
        await person.host.workspace.reconnect("crm")
        person.pane.host_changed()
        await person.settle()
        assert "to be read" in person.fates()[0]
        assert person.pane.arguments == {"citations": ["crm://signals/1"]}
