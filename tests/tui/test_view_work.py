"""What is done with what a view shows: it is copied, opened in an editor or a pager, saved, read, cited."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.tui import clipboard
from inspector.tui.app import InspectorApp
from inspector.tui.screens.choices import ChoicesScreen
from inspector.tui.screens.read_resource import ResourceScreen
from inspector.tui.screens.save_as import SaveScreen
from inspector.tui.widgets.compose import ComposePane
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.rows import RowList
from tests.host.playing import crm, outbox
from tests.servers.workspace import log_of, reads, text
from tests.tui.driving import driving, notices, row_texts, screen_text, setup_of, until

RESULT: dict[str, Any] = {
    "content": [
        {"type": "text", "text": "said \x1b[31mred"},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0="},
        {"type": "resource_link", "uri": "outbox://drafts/1", "name": "draft"},
        {"type": "audio", "mimeType": "audio/wav", "data": "no base64!"},
    ],
    "structuredContent": {"sent": True},
}


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What came to the clipboard."""
    taken: list[str] = []

    async def take(text: str) -> bool:
        taken.append(text)
        return True

    monkeypatch.setattr(clipboard, "_to_system", take)
    monkeypatch.setattr(clipboard, "_is_remote", lambda _: False)
    return taken


@asynccontextmanager
async def answered(
    folder: Path, *keys: str, size: tuple[int, int] = (140, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[None], JsonView]]:
    """The app with a call resolved, and sent where `keys` say so; the focus on the view that is shown."""
    answers = {"outbox://drafts/1": text("outbox://drafts/1", "the draft")}
    servers = {
        "crm": crm(folder),
        "outbox": outbox(folder, calls={"*": {"result": RESULT}}, reads=answers),
    }
    setup = setup_of(folder, servers, tool="outbox/send", arguments={"citations": ["crm://signals/4"]})
    async with driving(setup, size) as (app, pilot):
        await until(pilot, lambda: list(app.main.query(ComposePane)))
        pane = app.main.query_one(ComposePane)
        await until(pilot, lambda: pane.call is not None)
        await pilot.pause(0.1)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: pane.call is not None and pane.call.seen)
        for key in keys:
            await pilot.press(key)
            await until(pilot, lambda: pane.call is not None and pane.call.sent is not None)
            await until(pilot, lambda: "answered" in screen_text(app))
        pane.view.active.focus()
        await pilot.pause()
        yield app, pilot, pane.view.active


async def go_to(pilot: Pilot[None], view: JsonView, words: str) -> None:
    view.cursor = next(row for row in range(view.row_count) if words in view.text_row(row))
    await pilot.pause()


async def test_y_offers_what_can_be_copied_and_says_where_it_went(tmp_path: Path, copied: list[str]) -> None:
    async with answered(tmp_path, "ctrl+j") as (app, pilot, view):
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        assert [" ".join(row.split()) for row in row_texts(app.screen.query_one(RowList))] == [
            "v the value at the cursor",
            "r the result",
            "m the _meta",
            "j the call as JSON-RPC",
            "l the call as a ra-inspector line",
            "i the call as an mcp-inspector line",
            "p the call as Python",
        ]
        await pilot.press("m")
        await until(pilot, lambda: copied)
        await until(pilot, lambda: "Copied the _meta to the clipboard." in notices(app))
        call = app.main.query_one(ComposePane).call
        assert call is not None and call.sent is not None
        assert json.loads(copied[0]) == call.sent.resolution.meta
        await go_to(pilot, view, '"sent"')
        await pilot.press("y", "v")
        await until(pilot, lambda: len(copied) == 2)
        assert copied[1] == "true"


async def test_before_anything_is_sent_there_is_no_result_to_copy(tmp_path: Path, copied: list[str]) -> None:
    async with answered(tmp_path) as (app, pilot, _):
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        assert not any("result" in row for row in row_texts(app.screen.query_one(RowList)))


async def test_the_palette_copies_too(tmp_path: Path, copied: list[str]) -> None:
    async with answered(tmp_path) as (_, pilot, _view):
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press(*"copy python")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await until(pilot, lambda: copied)
        assert "call_tool('send', ARGUMENTS" in copied[0]


def program(folder: Path, body: str) -> str:
    """A program that is given a file's path and does that with it."""
    path = folder / "program.py"
    path.write_text(
        f"import os, pathlib, sys\npath = pathlib.Path(sys.argv[1])\nfolder = {str(folder)!r}\n{body}\n"
    )
    return f"{sys.executable} {path}"


KEEP = (
    "kept = pathlib.Path(folder, 'kept')\n"
    "kept.write_bytes(path.read_bytes())\n"
    "pathlib.Path(folder, 'mode').write_text(f'{path} {path.stat().st_mode & 0o777:o}')"
)


async def test_e_opens_what_is_at_the_cursor_in_the_editor_to_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InspectorApp, "suspend", nullcontext)
    monkeypatch.setenv("VISUAL", program(tmp_path, KEEP))
    async with answered(tmp_path, "ctrl+j") as (_, pilot, view):
        await go_to(pilot, view, "▾ {")
        await pilot.press("e")
        await until(pilot, (tmp_path / "mode").exists)
        path, mode = (tmp_path / "mode").read_text().split()
        assert json.loads((tmp_path / "kept").read_text()) == RESULT["structuredContent"]
        assert (mode, Path(path).suffix) == ("400", ".json")
        await until(pilot, lambda: not Path(path).exists())


async def test_on_a_line_of_words_the_whole_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InspectorApp, "suspend", nullcontext)
    monkeypatch.setenv("VISUAL", program(tmp_path, KEEP))
    async with answered(tmp_path, size=(80, 24)) as (_, pilot, view):
        assert "resolved" in view.text_row(view.cursor)
        await pilot.press("e")
        await until(pilot, (tmp_path / "mode").exists)
        assert list(json.loads((tmp_path / "kept").read_text())) == ["ai.nimblebrain/resource-arguments"]


async def test_p_opens_it_in_the_pager_with_every_control_character_as_a_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InspectorApp, "suspend", nullcontext)
    monkeypatch.setenv("PAGER", program(tmp_path, KEEP))
    async with answered(tmp_path, "ctrl+j") as (_, pilot, view):
        await go_to(pilot, view, "said")
        await pilot.press("p")
        await until(pilot, (tmp_path / "mode").exists)
        assert (tmp_path / "kept").read_text() == "said ␛[31mred"


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("", "No editor is set: set $VISUAL or $EDITOR, as in EDITOR=nano."),
        ("no-such-editor", "no-such-editor cannot be opened: No such file or directory."),
        ("false", "false ended with 1: nothing was taken over."),
        ("'open", "The command 'open is not well formed: No closing quotation."),
    ],
)
async def test_an_editor_that_is_not_there_or_fails_is_one_clear_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str, said: str
) -> None:
    monkeypatch.setattr(InspectorApp, "suspend", nullcontext)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    async with answered(tmp_path) as (app, pilot, _):
        await pilot.press("e")
        await until(pilot, lambda: said in notices(app))


async def test_what_a_block_holds_is_saved_and_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    target = tmp_path / "picture.png"
    target.write_bytes(b"mine")
    async with answered(tmp_path, "ctrl+j") as (app, pilot, view):
        await go_to(pilot, view, "image · image/png")
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        line = app.screen.query_one(Input)
        assert line.value == "image.png"
        line.value = str(target)
        await pilot.press("enter")
        await until(pilot, lambda: "Enter again replaces it" in screen_text(app))
        assert target.read_bytes() == b"mine"
        await pilot.press("enter")
        await until(pilot, lambda: target.read_bytes() == b"\x89PNG\r")


async def test_a_linked_resource_is_read_from_the_server_that_answered_and_cited(tmp_path: Path) -> None:
    async with answered(tmp_path, "ctrl+j") as (app, pilot, view):
        await go_to(pilot, view, "resource link")
        assert "read it" in screen_text(app) and "cite this" in screen_text(app)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, ResourceScreen) and "the draft" in screen_text(app))
        assert reads(log_of(tmp_path, "outbox")) == ["outbox://drafts/1"]
        await pilot.press("c")
        composer = app.main.composer
        assert composer is not None
        await until(pilot, lambda: composer.arguments == {"citations": ["crm://signals/4", "outbox://drafts/1"]})
        await until(pilot, lambda: any("cites outbox://drafts/1" in said for said in notices(app)))


async def test_keys_that_can_do_nothing_with_a_block_are_not_shown(tmp_path: Path) -> None:
    async with answered(tmp_path, "ctrl+j", size=(200, 40)) as (app, pilot, view):
        await go_to(pilot, view, "said")
        assert "save as" in screen_text(app) and "cite this" not in screen_text(app)
        await go_to(pilot, view, "resource link")
        assert "save as" not in screen_text(app) and "cite this" in screen_text(app)
        await go_to(pilot, view, "structuredContent")
        assert "save as" not in screen_text(app) and "cite this" not in screen_text(app)
