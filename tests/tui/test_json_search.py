"""Searching a JSON view: as one types, with the hits counted, marked and unfolded, whatever the size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Input, Static

from inspector.tui.widgets.json_search import SearchLine
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_draw import draw
from inspector.tui.widgets.json_view_lines import Heading, Json, Lines, Prose
from inspector.tui.widgets.json_view_rows import Rows
from inspector.tui.widgets.json_view_search import MOST_HITS, Search
from tests.host.playing import crm, outbox
from tests.tui.composing import NARROW, WIDE, composing

VALUE: dict[str, Any] = {
    "needle": 1,
    "deep": {"in": ["a Needle", "hay"]},
    "long": "hay " * 100 + "needle" + " hay" * 100,
}


class Screen(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"outcome-resolved": "green", "outcome-refused": "yellow", "outcome-error": "red"}

    def compose(self) -> ComposeResult:
        yield JsonView()


def view_of(pilot: Pilot[None]) -> JsonView:
    return pilot.app.query_one(JsonView)


def count(pilot: Pilot[None]) -> str:
    return str(pilot.app.query_one(".search--found", Static).visual)


def at_cursor(view: JsonView) -> str:
    return view.text_row(view.cursor).strip()


def marked(view: JsonView, component: str) -> list[str]:
    """The texts that are drawn as hits in what is in view."""
    style = view.get_component_rich_style(f"json-view--{component}", partial=True)
    strips = [view.render_line(y) for y in range(view.size.height)]
    return [s.text for strip in strips for s in strip if s.style and s.style.bgcolor == style.bgcolor and s.text]


def search_of(sought: str, *blocks: Any) -> Search:
    lines = Lines(blocks)
    for _ in lines.build():
        pass
    search = Search(lines, sought)
    for _ in search.build():
        pass
    return search


async def test_it_searches_while_it_is_typed_counts_and_marks(tmp_path: Path) -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = view_of(pilot)
        view.show(VALUE)
        view.focus()
        await pilot.press("slash", *"needl")
        await pilot.pause()
        assert count(pilot) == "1 of 3"
        assert at_cursor(view) == '"needle": 1,'
        assert marked(view, "current") == ["needl"]
        assert marked(view, "hit") == ["Needl"]


async def test_next_and_before_go_round_and_unfold_what_hides_a_hit() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = view_of(pilot)
        view.show(VALUE)
        view.focus()
        await pilot.press("down", "down", "enter")
        assert at_cursor(view) == '▸ "deep": { 1 member },'
        await pilot.press("home", "slash", *"needle", "enter")
        assert (count(pilot), at_cursor(view)) == ("2 of 3", '"a Needle",')
        await pilot.press("enter")
        await pilot.pause()
        assert count(pilot) == "3 of 3"
        assert "needle" in at_cursor(view) and marked(view, "current") == ["needle"]
        await pilot.press("enter")
        assert (count(pilot), at_cursor(view)) == ("1 of 3", '"needle": 1,')
        await pilot.press("up")
        assert count(pilot) == "3 of 3"
        await pilot.press("tab", "N")
        assert (count(pilot), at_cursor(view)) == ("2 of 3", '"a Needle",')
        await pilot.press("n")
        assert count(pilot) == "3 of 3"


async def test_escape_ends_the_search_from_the_line_and_from_the_view() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = view_of(pilot)
        view.show(VALUE)
        view.focus()
        for leave in ((), ("tab",)):
            await pilot.press("slash", *"hay", *leave, "escape")
            await pilot.pause()
            assert not pilot.app.query(SearchLine)
            assert view.has_focus and view.found is None and not marked(view, "hit")


async def test_what_is_nowhere_is_said_to_be_and_a_capital_counts() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = view_of(pilot)
        view.show(VALUE)
        view.focus()
        await pilot.press("slash", *"Needle")
        assert count(pilot) == "1 of 1"
        await pilot.press("s")
        assert count(pilot) == "not found"
        pilot.app.query_one(Input).value = ""
        await pilot.pause()
        assert count(pilot) == ""


async def test_the_search_begins_where_the_cursor_is() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = view_of(pilot)
        view.show([{"id": number} for number in range(40)])
        view.focus()
        await pilot.press("end", "slash", *"id")
        assert count(pilot) == "1 of 40"
        await pilot.press("escape")
        view.cursor = 60
        await pilot.press("slash", *"id")
        assert count(pilot) == "21 of 40"


async def test_the_search_goes_on_in_what_is_shown_next() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = view_of(pilot)
        view.show({"a": "x"})
        view.focus()
        await pilot.press("slash", *"x")
        view.show({"b": ["x", "x"]})
        await pilot.pause()
        assert count(pilot) == "1 of 2"


def test_hits_are_found_in_names_values_prose_and_headings_in_order() -> None:
    search = search_of(
        "a", Heading("a heading"), Json({"a": "ba"}), Prose("pra", wrapped=False), Json([True, None])
    )
    hits = [search.hit(index) for index in range(search.count)]
    assert [(hit.line, hit.in_key, hit.start) for hit in hits] == [
        (0, False, 0),
        (0, False, 4),
        (2, True, 0),
        (2, False, 1),
        (4, False, 2),
    ]


def test_a_hit_across_two_slices_of_a_long_text_is_found_once() -> None:
    search = search_of("needle", Json("x" * 19_997 + "needle" + "x" * 50_000 + "needle"))
    assert [search.hit(index).start for index in range(search.count)] == [19_997, 70_003]


def test_hits_past_the_most_are_said_to_be_more() -> None:
    search = search_of("x", Json("x" * (MOST_HITS + 5)))
    assert (search.count, search.full) == (MOST_HITS, True)


@given(
    st.text(alphabet='ab"\\\n\tx', max_size=60),
    st.text(alphabet='ab"\n', min_size=1, max_size=2),
    st.integers(20, 60),
)
@example("\\aa" + "\\" * 11 + "aaaa", "a", 46)
def test_marks_stand_on_what_was_found_and_change_no_text(text: str, sought: str, width: int) -> None:
    lines = Lines((Json({text: text}),))
    for _ in lines.build():
        pass
    search = Search(lines, sought)
    for _ in search.build():
        pass
    assert search.count == 2 * text.count(sought)
    rows = Rows(lines)
    rows.rebuild()

    def found(*stretch: Any) -> list[tuple[int, int, bool]]:
        return [(first, last, False) for first, last, _ in search.spans(*stretch)]

    for row in range(rows.count):
        plain = "".join(piece for _, piece in draw(rows, rows.locate(row), width))
        assert "".join(piece for _, piece in draw(rows, rows.locate(row), width, found)) == plain


async def test_ctrl_f_searches_the_preview_from_the_form(tmp_path: Path) -> None:
    for size in (WIDE, NARROW):
        async with composing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}, size) as person:
            await person.choose("send", {"citations": ["crm://signals/4"]})
            await person.press("ctrl+r")
            person.pane.editor.focus_call()
            await person.press("ctrl+f")
            await person.type("contents")
            assert str(person.pane.query_one(".search--found", Static).visual) == "1 of 1"
            assert person.shows_preview
            await person.press("escape")
            assert not person.pane.query_one(SearchLine).display
