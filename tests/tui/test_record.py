"""Record: what a call did, what went over the wire, and the calls of runs before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.screens.choices import ChoicesScreen
from inspector.tui.screens.export import ExportScreen
from inspector.tui.screens.pair import BlocksScreen
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.record import RecordPane
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.traffic_rows import message_row, read_filter
from inspector.workspace.traffic import Direction, Kind, Traffic
from tests.host.playing import crm, outbox
from tests.servers.workspace import rescript
from tests.tui.driving import NARROW, WIDE, driving, notices, page_key, row_texts, setup_of, until
from tests.tui.test_calls import composed, sent

CALL = {"citations": ["crm://signals/1", "crm://signals/77"]}
LOG = {"method": "notifications/message", "params": {"level": "info", "data": "looked [b it up"}}
ANSWER = {"notify": [LOG], "result": {"content": [{"type": "text", "text": "done"}]}}


def workspace(folder: Path, era: str = "2026", **fields: Any) -> Setup:
    servers = {"crm": crm(folder, era=era), "outbox": outbox(folder, era=era, calls={"send": ANSWER})}
    return setup_of(folder, servers, **{"tool": "outbox/send", "arguments": CALL, **fields})


async def call(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Sends the call that the program was started with, and waits until it is kept."""
    await composed(app, pilot)
    await send(app, pilot)


async def send(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Resolves what is composed, sends it, and waits until it is kept."""
    keeper = app.main.made._keeper
    before = keeper.changed
    await pilot.press("ctrl+r")
    composer = app.main.composer
    assert composer is not None
    await until(pilot, lambda: app.main._composing is False and composer._pane and composer._pane._call.seen)
    await pilot.press("ctrl+j")
    await until(pilot, lambda: keeper.changed > before)


async def record(app: InspectorApp, pilot: Pilot[None], part: str = "l") -> RecordPane:
    await pilot.press("escape", "escape", page_key(app, "record"))
    await until(pilot, lambda: app.main.made.record is not None and app.main.pages.active == "record")
    assert app.main.made.record is not None
    await pilot.press(part)
    return app.main.made.record


async def dialog(app: InspectorApp, pilot: Pilot[None]) -> str:
    """The text of the dialog with a JSON view, once it is filled."""
    await until(pilot, lambda: isinstance(app.screen, BlocksScreen))
    view = app.screen.query_one(JsonView)
    await until(pilot, lambda: view.row_count and view.indexed)
    return "\n".join(view.text_row(row) for row in range(view.row_count))


def texts(rows: RowList) -> list[str]:
    return [" ".join(text.split()) for text in row_texts(rows)]


@pytest.mark.parametrize(("era", "size"), [("2025", WIDE), ("2026", NARROW)])
async def test_a_call_has_a_timeline_whose_lines_open_their_pairs(
    tmp_path: Path, era: str, size: tuple[int, int]
) -> None:
    async with driving(workspace(tmp_path, era), size) as (app, pilot):
        await call(app, pilot)
        pane = await record(app, pilot)
        await until(pilot, lambda: len(pane.calls.calls.rows) == 1)
        (line,) = texts(pane.calls.calls)
        assert "outbox / send 1 resolved (2 B), 1 not_found" in line and line.endswith("✓ answered")
        lines = texts(pane.calls.timeline)
        known = [line.split(" ms ", 1)[1] for line in lines if line.startswith("+")]
        assert [words.split(" ✓")[0].split(" ✗")[0] for words in known] == [
            "→ read crm crm://signals/1",
            "→ read crm crm://signals/77",
            "→ call outbox send",
        ]
        assert "✗ error" in known[1]
        assert any("≈" in line and "← log outbox info: looked [b it up" in line for line in lines)
        await pilot.press("enter", "down", "enter")
        text = await dialog(app, pilot)
        assert "→ request" in text and '"uri": "crm://signals/77"' in text and "← error" in text
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)


@pytest.mark.parametrize(("era", "handshake"), [("2025", "initialize"), ("2026", "server/discover")])
async def test_the_traffic_holds_the_handshake_and_is_narrowed_by_what_is_typed(
    tmp_path: Path, era: str, handshake: str
) -> None:
    async with driving(workspace(tmp_path, era), NARROW) as (app, pilot):
        pane = await record(app, pilot, "m")
        rows = pane.traffic.rows
        await until(pilot, lambda: rows.has_focus and len(rows.rows) > 10)
        assert pane.traffic.follows and rows.cursor == len(rows.rows) - 1
        await pilot.press("slash", *"server:crm", "space", *f"method:{handshake.replace('/', '')[:6]}")
        await until(pilot, lambda: 2 <= len(rows.rows) < 6)
        assert all(handshake in text or "initialized" in text for text in texts(rows))
        await pilot.press("space", *"sent", "space", *"request")
        await until(pilot, lambda: len(rows.rows) == 1)
        await pilot.press("enter", "enter")
        text = await dialog(app, pilot)
        assert "→ request" in text and "← result" in text and '"capabilities"' in text
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(rows.rows) > 10)


async def test_the_traffic_follows_the_newest_until_somebody_goes_up(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await record(app, pilot, "m")
        rows = pane.traffic.rows
        await until(pilot, lambda: len(rows.rows) > 10)
        await pilot.press("home")
        await until(pilot, lambda: not pane.traffic.follows)
        count, first = len(rows.rows), rows.current
        await app.host.read("crm://signals/1", "crm")
        await until(pilot, lambda: len(rows.rows) == count + 2)
        assert rows.current is not None and first is not None and rows.current.key == first.key
        await pilot.press("f")
        await until(pilot, lambda: rows.cursor == len(rows.rows) - 1)
        await app.host.read("crm://signals/2", "crm")
        await until(pilot, lambda: len(rows.rows) == count + 4)
        assert rows.cursor == count + 3


async def test_the_messages_shown_are_exported_and_no_file_is_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "out.ndjson"
    path.write_text("mine")
    async with driving(workspace(tmp_path)) as (app, pilot):
        pane = await record(app, pilot, "m")
        await until(pilot, lambda: len(pane.traffic.rows.rows) > 10)
        await pilot.press("slash", *"initialize", "enter")
        pane.traffic.line.value = "server:crm"
        await until(pilot, lambda: len({m.server for m in pane.traffic.shown}) == 1)
        shown = pane.traffic.shown
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportScreen))
        app.screen.query_one("Input").value = str(path)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: "is there already" in str(app.screen.query_one("#export-fault").visual))  # type: ignore[attr-defined]
        assert path.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert [line["number"] for line in lines] == [message.number for message in shown]
        assert [line["message"] for line in lines] == [json.loads(message.text) for message in shown]
        assert {line["server"] for line in lines} == {"crm"}
        await until(pilot, lambda: any("written to" in notice for notice in notices(app)))


async def test_calls_are_kept_between_runs_and_composed_again_as_the_host_they_were_made_as(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    async with driving(workspace(tmp_path, host={"maxUris": 1}), state=state) as (app, pilot):
        await call(app, pilot)
    async with driving(workspace(tmp_path, arguments=None, tool=None), state=state) as (app, pilot):
        pane = await record(app, pilot, "y")
        await until(pilot, lambda: len(pane.history.rows.rows) == 1)
        (line,) = texts(pane.history.rows)
        assert "outbox / send 1 resolved, 1 over_limit test" in line and "✓ answered" in line
        await pilot.press("enter")
        text = await dialog(app, pilot)
        assert '"crm://signals/77"' in text and "ai.nimblebrain/resource-arguments" in text and '"done"' in text
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, ChoicesScreen))
        await pilot.press("p")
        await until(pilot, lambda: app.host.settings.limits.max_uris == 1)
        await until(pilot, lambda: app.main.composer is not None and app.main.composer.arguments == CALL)
        assert len(sent(tmp_path)) == 1


async def test_send_again_shows_first_what_is_sent(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path), NARROW) as (app, pilot):
        await call(app, pilot)
        pane = await record(app, pilot, "y")
        await until(pilot, lambda: len(pane.history.rows.rows) == 1)
        await pilot.press("ctrl+j")
        await until(pilot, lambda: any("^j sends exactly" in notice for notice in notices(app)))
        await until(pilot, lambda: app.main._composing is False)
        assert app.main.pages.active == "compose" and len(sent(tmp_path)) == 1
        await pilot.pause(0.1)
        await pilot.press("ctrl+j")
        await until(pilot, lambda: len(sent(tmp_path)) == 2)
        assert sent(tmp_path)[0]["arguments"] == sent(tmp_path)[1]["arguments"] == CALL


async def test_a_tool_that_is_gone_is_said_and_the_call_stays(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path)) as (app, pilot):
        await call(app, pilot)
        rescript(tmp_path, "outbox", tools=[])
        app.main.reconnect("outbox")
        await until(pilot, lambda: not app.host.workspace.connections["outbox"].catalog.tools)
        pane = await record(app, pilot, "y")
        await until(pilot, lambda: len(pane.history.rows.rows) == 1)
        await pilot.press("w")
        await until(pilot, lambda: any("lists no tool send now" in notice for notice in notices(app)))
        assert app.main.pages.active == "record" and len(pane.history.rows.rows) == 1


async def test_two_calls_are_compared_and_deleted_when_asked(tmp_path: Path) -> None:
    async with driving(workspace(tmp_path), NARROW) as (app, pilot):
        await call(app, pilot)
        app.main.choose_tool(app.host.find_tool("outbox/send"), {"citations": ["crm://signals/2"]})
        await pilot.pause(0.2)
        await send(app, pilot)
        pane = await record(app, pilot, "y")
        rows = pane.history.rows
        await until(pilot, lambda: len(rows.rows) == 2)
        await pilot.press("c", "down", "c")
        text = await dialog(app, pilot)
        assert '-     "crm://signals/1",' in text and '+     "crm://signals/2"' in text
        assert "The same as the result of the one before." in text
        await pilot.press("escape", "x", "k")
        assert len(rows.rows) == 2
        await pilot.press("x", "d")
        await until(pilot, lambda: len(rows.rows) == 1)
        await pilot.press("X", "d")
        await until(pilot, lambda: not rows.rows)
        assert not list(pane.history._history.folder.iterdir())


async def test_a_damaged_file_and_a_folder_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "ra-inspector" / "history"
    folder.mkdir(parents=True)
    (folder / "000000000001000-1-aa.jsonl").write_text("{")
    async with driving(workspace(tmp_path), state=tmp_path / "state") as (app, pilot):
        await record(app, pilot, "y")
        await until(pilot, lambda: any(".damaged-000000000001000" in notice for notice in notices(app)))
    (tmp_path / "file").write_text("")
    async with driving(workspace(tmp_path), state=tmp_path / "file") as (app, pilot):
        await composed(app, pilot)
        await pilot.press("ctrl+j")
        await until(pilot, lambda: any("press ^j again" in notice for notice in notices(app)))
        await pilot.pause(0.1)
        await pilot.press("ctrl+j")
        await until(pilot, lambda: any("not kept between runs" in notice for notice in notices(app)))


def test_names_of_100_kb_and_large_messages_are_cut_in_their_line() -> None:
    traffic = Traffic()
    name = "[b +\x1b[31m" + "n" * 100_000
    text = json.dumps({"method": name, "params": "x" * 5_000_000})
    message = traffic.add(name, Direction.SENT, Kind.REQUEST, text, size=len(text), id=name, method=name)
    assert not message.cut
    row = message_row(message)
    for width in (40, 80, 140):
        drawn = row.draw(width).plain
        assert len(drawn) < 500 and "\x1b" not in drawn and "…" in drawn


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("", [1, 2, 3]),
        ("server:CRM", [1, 2]),
        ("method:read received", [2]),
        ("error", [2]),
        ("signals/7", [1]),
        ("sent SIGNALS", [1]),
        ("server: nothing", []),
        ("noise", [3]),
    ],
)
def test_the_filter(typed: str, numbers: list[int]) -> None:
    traffic = Traffic()
    asked = '{"uri": "crm://signals/7"}'
    traffic.add("crm", Direction.SENT, Kind.REQUEST, asked, size=1, id=1, method="resources/read")
    traffic.add("crm", Direction.RECEIVED, Kind.ERROR, "{}", size=1, id=1, method="resources/read")
    traffic.add("mail", Direction.RECEIVED, Kind.NOISE, "hello", size=1)
    test = read_filter(typed)
    assert [m.number for m in traffic.messages if test is None or test(m)] == numbers
