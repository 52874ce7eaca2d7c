"""The JSON view as a person uses it: moving, folding, long text, and sizes that would hold up other views."""

from typing import Any

from textual.app import App, ComposeResult

from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_lines import Heading, Prose

META: dict[str, Any] = {
    "key": {
        "crm://signals/42": {"contents": [{"uri": "crm://signals/42", "text": "word " * 60}]},
        "crm://signals/7": {"error": {"code": "not_found", "message": "[b]no[/b]"}},
    }
}


class Screen(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"outcome-resolved": "green", "outcome-refused": "yellow", "outcome-error": "red"}

    def compose(self) -> ComposeResult:
        yield JsonView()


def rows(view: JsonView) -> list[str]:
    return [view.text_row(row).strip() for row in range(view.row_count)]


async def test_enter_folds_what_the_cursor_is_on_and_unfolds_it() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show(META)
        view.focus()
        before = rows(view)
        await pilot.press("down", "down", "enter")
        assert rows(view)[2] == '▸ "crm://signals/42": { 1 member },'
        assert view.cursor == 2
        await pilot.press("space")
        assert rows(view) == before


async def test_enter_on_a_closing_bracket_folds_what_it_closes() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show(META)
        view.focus()
        await pilot.press("end", "enter")
        assert rows(view) == ["▸ { 1 member }"]
        assert view.cursor == 0


async def test_a_long_text_is_cut_with_a_mark_and_unfolds_over_rows() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show(META)
        view.focus()
        line = next(row for row in range(view.row_count) if "word" in view.text_row(row))
        assert view.text_row(line).endswith("…")
        view.cursor = line
        await pilot.press("enter")
        assert view.text_row(line).strip() == '▾ "text": 300 characters'
        assert view.text_row(line + 1).strip().startswith("word word")


async def test_a_click_on_a_fold_mark_folds_and_elsewhere_only_moves() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show(META)
        await pilot.click(JsonView, offset=(10, 1))
        assert view.cursor == 1
        count = view.row_count
        await pilot.click(JsonView, offset=(2, 1))
        assert view.row_count < count


async def test_headings_and_prose_stand_between_json_and_nothing_is_markup() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show_blocks((Heading("text"), Prose("[b]one[/b]\ntwo")))
        await pilot.pause()
        assert rows(view) == ["text", "[b]one[/b]", "two"]


async def test_half_a_million_lines_fill_in_while_keys_are_taken() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show([{"id": number} for number in range(100_000)])
        view.focus()
        assert not view.indexed
        await pilot.press("down", "down")
        assert view.cursor == 2
        await view.workers.wait_for_complete()
        assert view.indexed
        assert view.row_count == 300_002
        await pilot.press("end")
        assert view.text_row(view.cursor) == "  ]"
        assert view.scroll_offset.y == 300_002 - 20


async def test_long_text_is_broken_anew_when_the_view_gets_narrower() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show_blocks((Prose("x" * 118),))
        await pilot.pause()
        assert view.row_count == 2
        await pilot.resize_terminal(30, 20)
        await pilot.pause()
        assert view.row_count == 5


async def test_a_terminal_of_hardly_any_size_is_no_crash() -> None:
    async with Screen().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(JsonView)
        view.show(META)
        view.focus()
        await pilot.resize_terminal(3, 2)
        await pilot.press("end", "home", "pagedown")
        await pilot.resize_terminal(60, 20)
        assert view.text_row(0).strip() == "▾ {"
