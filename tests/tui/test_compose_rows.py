"""Arrays of strings as rows: added, deleted, pasted, each with its fate."""

from __future__ import annotations

import pytest

from inspector.tui.widgets.form_area import Area
from tests.tui.composing import Person
from tests.tui.filling import field, fill, focused, new_tool

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_enter_adds_a_row_and_backspace_in_an_empty_one_takes_it_away(person: Person) -> None:
    await fill(person)
    field(person, "citations").editor.focus()
    await person.type("crm://signals/1")
    await person.press("enter")
    assert person.arguments == {"citations": ["crm://signals/1"]}
    await person.type("crm://signals/2")
    assert person.arguments == {"citations": ["crm://signals/1", "crm://signals/2"]}
    assert len(person.fates()) == 2
    await person.press("enter", "backspace")
    assert len(field(person, "citations").lines) == 2
    assert focused(person) is field(person, "citations").lines[1].input


async def test_a_row_is_deleted_by_key_and_the_fates_of_the_others_stay(person: Person) -> None:
    arguments = {"citations": ["crm://signals/1", "mail://x", "crm://signals/3"]}
    await fill(person, arguments=arguments)
    field(person, "citations").lines[1].input.focus()
    await person.press("f8")
    assert person.arguments == {"citations": ["crm://signals/1", "crm://signals/3"]}
    assert [fate.split(" R")[0] for fate in person.fates()] == [
        "· to be read crm id=1",
        "· to be read crm id=3",
    ]


async def test_a_row_is_deleted_and_added_by_mouse(person: Person) -> None:
    await fill(person, arguments={"citations": ["crm://signals/1", "crm://signals/2"]})
    first = field(person, "citations").lines[0]
    await person.pilot.hover(first)
    await person.pilot.click(first.query_one("Mark"))
    await person.settle()
    assert person.arguments == {"citations": ["crm://signals/2"]}
    await person.pilot.click(".strings--add")
    await person.settle()
    await person.type("crm://signals/9")
    assert person.arguments == {"citations": ["crm://signals/2", "crm://signals/9"]}


async def test_a_paste_of_several_lines_becomes_several_rows(person: Person) -> None:
    await fill(person)
    field(person, "citations").editor.focus()
    await person.paste("crm://signals/1\r\ncrm://signals/2\n\n  crm://signals/3\n")
    assert person.arguments == {"citations": [f"crm://signals/{n}" for n in (1, 2, 3)]}
    assert len(person.fates()) == 3


async def test_the_last_row_taken_away_leaves_an_optional_array_out(person: Person) -> None:
    schema = {"type": "object", "properties": {"citations": {"type": "array", "items": {"type": "string"}}}}
    await fill(person, schema, {"citations": ["crm://signals/1"]})
    field(person, "citations").editor.focus()
    await person.press("f8")
    assert person.arguments == {}


async def test_a_row_asks_the_ownership_page_about_its_uri(person: Person) -> None:
    await fill(person, arguments={"citations": ["crm://signals/1"]})
    field(person, "citations").editor.focus()
    await person.press("ctrl+o")
    assert person.app.probed == ["crm://signals/1"]


async def test_a_declared_string_carries_its_fate_too(person: Person) -> None:
    schema = {"type": "object", "properties": {"source": {"type": "string"}}}
    await person.pane.show_tool(new_tool(schema, argument="source"))
    await person.type("crm://signals/3")
    assert person.fates() == ["· to be read crm id=3 R18"]


async def test_more_strings_than_there_are_rows_for_are_edited_as_json(person: Person) -> None:
    many = [f"crm://signals/{number}" for number in range(200)]
    await fill(person, arguments={"citations": many})
    assert isinstance(field(person, "citations").editor, Area)
    (shown,) = person.fates()
    assert shown.count("to be read") == 32
    assert shown.count("over_limit") == 32
    assert shown.endswith("… and 136 more strings")


async def test_a_declared_argument_of_another_shape_shows_the_fate_of_its_direct_strings(person: Person) -> None:
    await fill(person, arguments={"citations": ["crm://signals/1", 7, ["crm://signals/2"]]})
    assert person.fates() == ["crm://signals/1 · to be read crm id=1 R18"]


async def test_a_declared_array_says_empty_and_null_too(person: Person) -> None:
    await fill(person, arguments={"citations": ["crm://signals/1"]})
    for said in ({}, {"citations": []}, {"citations": None}, {"citations": ["crm://signals/1"]}):
        field(person, "citations").editor.focus()
        await person.press("f9")
        assert person.arguments == said
    assert person.fates() == ["· to be read crm id=1 R18"]
