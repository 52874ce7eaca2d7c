"""The form: every kind of field, what each can say, and schemas of any shape."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from inspector.tui.widgets.form import ROWS_AT_ONCE, MoreRow
from inspector.tui.widgets.form_area import Area
from inspector.tui.widgets.form_choice import Choice
from inspector.tui.widgets.form_inputs import LineInput
from tests.tui.composing import Person
from tests.tui.filling import calls, field, fill, focused, new_tool, shown_error

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_what_is_optional_and_untouched_is_left_out(person: Person) -> None:
    await fill(person)
    assert focused(person) is field(person, "body").editor
    await person.type("Hi")
    assert person.arguments == {"body": "Hi"}


async def test_arguments_stand_in_the_order_of_the_schema_whatever_is_filled_in_first(person: Person) -> None:
    await fill(person)
    field(person, "citations").editor.focus()
    await person.type("crm://signals/1")
    field(person, "body").editor.focus()
    await person.type("Hi")
    assert list(person.arguments or {}) == ["body", "citations"]


async def test_numbers_flags_and_choices_are_what_json_has_for_them(person: Person) -> None:
    await fill(person)
    field(person, "count").editor.focus()
    await person.type("123456789012345678901234567890")
    field(person, "ratio").editor.focus()
    await person.type("1.50")
    field(person, "urgent").editor.focus()
    await person.press("right", "right")
    field(person, "tone").editor.focus()
    await person.press("left")
    field(person, "options").editor.focus()
    await person.type('{"b":1,"a":2}')
    assert person.arguments == {
        "count": 123456789012345678901234567890,
        "ratio": 1.5,
        "urgent": False,
        "tone": 7,
        "options": {"b": 1, "a": 2},
    }
    assert list((person.arguments or {})["options"]) == ["b", "a"]


async def test_a_default_is_shown_and_sent_only_where_it_is_taken(person: Person) -> None:
    await fill(person)
    count = field(person, "count").editor
    assert count.placeholder == "default: 3  (→ takes it)"
    assert person.arguments == {}
    count.focus()
    await person.press("right")
    assert person.arguments == {"count": 3}


async def test_a_flag_can_be_left_out_again(person: Person) -> None:
    await fill(person, arguments={"urgent": True})
    field(person, "urgent").editor.focus()
    await person.press("left")
    assert person.arguments == {}


async def test_a_number_that_is_none_is_marked_and_keeps_the_call_from_being_sent(person: Person) -> None:
    await fill(person, arguments={"body": "x", "count": 1})
    field(person, "count").editor.focus()
    await person.press("end")
    await person.type("x")
    assert shown_error(person) == "✗ a whole number is expected, such as 42"
    await person.press("ctrl+j", "ctrl+j")
    assert "count: a whole number is expected" in person.app.said[-1]
    assert calls(person) == []
    await person.press("backspace")
    assert shown_error(person) == ""
    assert person.arguments == {"body": "x", "count": 1}


async def test_json_that_is_none_is_marked_with_line_and_column_and_the_value_before_it_stands(
    person: Person,
) -> None:
    tool = await fill(person, arguments={"options": {"a": 1}})
    field(person, "options").editor.focus()
    area = field(person, "options").editor
    assert isinstance(area, Area)
    area.text = '{\n  "a": 1,\n  b\n}'
    await person.settle()
    assert shown_error(person).split("\n") == [
        "✗ line 3, column 3: a name in double quotes is expected",
        "  b",
        "  ▲",
    ]
    assert person.arguments == {"options": {"a": 1}}
    await fill(person)
    await person.pane.show_tool(tool)
    await person.settle()
    assert shown_error(person).split("\n") == [
        "✗ line 3, column 3: a name in double quotes is expected",
        "  b",
        "  ▲",
    ]
    assert field(person, "options").editor.text == '{\n  "a": 1,\n  b\n}'


async def test_json_that_would_lose_something_is_a_fault(person: Person) -> None:
    faults = {
        "NaN": "NaN is no JSON",
        "1e999": "the number 1e999 is beyond what a double holds",
        '{"a": 1, "a": 2}': 'the name "a" stands twice in one object',
        "[" * 200: "line 1, column 101: it nests deeper than 100 levels",
        "1" * 5000: "a whole number has more digits than can be read",
    }
    await fill(person)
    for text, fault in faults.items():
        field(person, "options").editor.text = text
        await person.settle()
        assert shown_error(person).split("\n")[0] == f"✗ {fault}"


async def test_the_empty_string_and_a_string_left_out_are_two_things(person: Person) -> None:
    await fill(person)
    await person.type("a")
    await person.press("backspace")
    assert person.arguments == {"body": ""}
    await person.press("backspace")
    assert person.arguments == {}


async def test_a_string_goes_on_over_lines_when_asked(person: Person) -> None:
    tool = await fill(person)
    await person.type("one")
    await person.press("ctrl+n")
    await person.type("two")
    assert person.arguments == {"body": "one\ntwo"}
    await fill(person)
    await person.pane.show_tool(tool)
    await person.settle()
    assert isinstance(field(person, "body").editor, Area)


async def test_a_string_with_unseen_characters_is_edited_as_json_and_stays_what_it_was(person: Person) -> None:
    text = "a\x1b[31m\u202eb\r\n"
    await fill(person, arguments={"body": text})
    editor = field(person, "body").editor
    assert isinstance(editor, LineInput)
    assert editor.value == '"a\\u001b[31m\\u202eb\\r\\n"'
    editor.focus()
    await person.press("end", "left")
    await person.type("c")
    assert person.arguments == {"body": text + "c"}


async def test_a_paste_with_an_escape_sequence_never_reaches_the_terminal_raw(person: Person) -> None:
    await fill(person)
    await person.type("x")
    await person.paste("\x1b]0;title\x07")
    assert person.arguments == {"body": "x\x1b]0;title\x07"}
    assert field(person, "body").editor.value == '"x\\u001b]0;title\\u0007"'


# Schemas of any shape


DEEP: dict[str, Any] = {"type": "object"}
for _ in range(50):
    DEEP = {"type": "object", "properties": {"inner": DEEP}}


ENDLESS: Any = {}
for _ in range(10_000):
    ENDLESS = {"type": "object", "properties": {"inner": ENDLESS}}


SCHEMAS: tuple[Any, ...] = (
    None,
    [],
    "schema",
    {},
    {"type": "object", "properties": None},
    {"properties": [1, 2]},
    {"properties": {"a": None, "b": True, "c": [], "d": {"type": 7}, "e": {"enum": []}, "f": {"enum": "x"}}},
    {"properties": {"a": {"$ref": "#"}}, "required": "a"},
    {"properties": {"a": {"anyOf": [None, {"type": "null"}]}, "b": {"type": [None]}}},
    {"properties": {"[b]": {"type": "string", "description": "[/"}, "\x1b[2J": {"default": {"x": "\u202e"}}}},
    {"properties": {"x" * 100_000: {"type": "string", "description": "y" * 100_000}}},
    {"properties": {"[/": {"type": "string", "default": "[/", "title": "[b +", "enum": ["[/", "[b]"]}}},
    {"properties": {"a": {"type": "string", "default": "[/"}, "b": {"default": "[/", "examples": ["[b +"]}}},
    {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}},
    {"properties": {"a": {"default": ENDLESS, "enum": [ENDLESS], "const": ENDLESS, "examples": [ENDLESS]}}},
    DEEP,
    ENDLESS,
)


async def test_a_schema_of_any_shape_gives_a_form_that_can_be_sent(person: Person) -> None:
    for schema in SCHEMAS:
        await person.pane.show_tool(new_tool(schema), {"a": 1})
        await person.pilot.press("tab", "down")
        assert person.arguments == {"a": 1}
        assert person.pane.editor.form.rows
    await person.press("ctrl+r", "ctrl+j")
    assert [call["arguments"] for call in calls(person)] == [{"a": 1}]


async def test_of_ten_thousand_arguments_those_that_matter_come_first_and_more_are_made(
    person: Person,
) -> None:
    properties: dict[str, Any] = {f"p{number}": {"type": "string"} for number in range(10_000)}
    schema = {
        "type": "object",
        "properties": {**properties, "citations": {"type": "array"}},
        "required": ["p9000"],
    }
    await fill(person, schema, {"p50": "x"})
    form = person.pane.editor.form
    names = [row.field.name for row in form.rows]
    assert len(names) == ROWS_AT_ONCE
    assert {"p0", "p50", "p9000", "citations"} <= set(names)
    assert str(form.query_one(MoreRow).render()) == f"+ {100 - ROWS_AT_ONCE} more arguments: enter shows the next"
    assert "9,901 more arguments" in str(form.query_one(".form--note").render())
    form.query_one(MoreRow).focus()
    await person.press("enter")
    more = [row.field.name for row in form.rows]
    assert len(more) == 2 * ROWS_AT_ONCE
    assert more == sorted(more, key=list(schema["properties"]).index)
    assert form.rows[more.index(next(name for name in more if name not in names))].editor.has_focus
    await person.type("abc")
    assert (person.arguments or {})["p50"] == "x"
    assert len(person.arguments or {}) == 2


async def test_a_choice_is_made_by_mouse(person: Person) -> None:
    await fill(person)
    choice = field(person, "urgent").editor
    assert isinstance(choice, Choice)
    await person.pilot.click(choice, offset=(16, 0))
    await person.settle()
    assert person.arguments == {"urgent": True}


async def test_forms_that_are_asked_for_at_once_are_made_one_after_the_other(person: Person) -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(15)}
    await fill(person, {"properties": properties})
    editor = person.pane.editor
    await asyncio.gather(editor.reload(), editor.reload(), editor.reload())
    assert [row.field.name for row in editor.form.rows] == [*properties, "citations"]
