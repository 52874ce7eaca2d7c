"""The form: every kind of field, the JSON beside it, pastes, and schemas of any shape."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from textual.widget import Widget

from inspector.tui.widgets.form_inputs import Area, Choice, LineInput
from inspector.workspace.catalog import Tool
from tests.host.playing import crm, outbox
from tests.servers.workspace import log_of, received
from tests.tui.composing import Person, composing

KEY = "ai.nimblebrain/resource-arguments"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["body", "citations"],
    "properties": {
        "body": {"type": "string", "description": "What to [b]say[/b]"},
        "count": {"type": "integer", "default": 3},
        "ratio": {"anyOf": [{"type": "number"}, {"type": "null"}], "examples": [0.5]},
        "urgent": {"type": "boolean"},
        "tone": {"enum": ["warm", "cool", 7]},
        "citations": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object"},
    },
}


pytestmark = pytest.mark.asyncio(loop_scope="module")
_numbers = itertools.count()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def composer(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Person]:
    """One host and one screen for all: each test composes calls of tools of its own."""
    folder = tmp_path_factory.mktemp("form")
    async with composing(folder, {"crm": crm(folder), "outbox": outbox(folder)}) as person:
        yield person


@pytest.fixture
def person(composer: Person) -> Person:
    composer.app.said.clear()
    composer.app.probed.clear()
    return composer


def new_tool(schema: Any = SCHEMA, schemes: tuple[str, ...] = ("crm",), argument: str = "citations") -> Tool:
    """A tool as `outbox` might list it, of a name that no other test has."""
    declared = {KEY: {"arguments": {argument: {"schemes": list(schemes)}}}}
    return Tool("outbox", f"tool{next(_numbers)}", {"inputSchema": schema, "_meta": declared})


async def fill(person: Person, schema: Any = SCHEMA, arguments: dict[str, Any] | None = None) -> Tool:
    """Begins a call of a tool with that schema."""
    tool = new_tool(schema)
    await person.pane.show_tool(tool, arguments)
    await person.settle()
    return tool


def calls(person: Person) -> list[dict[str, Any]]:
    """The calls that the server received of the tool at hand."""
    tool = person.pane.tool
    assert tool is not None
    log = log_of(Path(person.host.workspace.connections["outbox"].entry.args[-1]).parent, "outbox")
    return [m["params"] for m in received(log, "tools/call") if m["params"]["name"] == tool.name]


def field(person: Person, name: str) -> Any:
    return next(row for row in person.pane.editor.form.rows if row.field.name == name)


def shown_error(person: Person) -> str:
    return " ".join(str(error.render()) for error in person.pane.query(".field--error.-shown"))


def focused(person: Person) -> Widget | None:
    return person.app.focused


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
    assert shown_error(person) == "✗ line 3, column 3: a name in double quotes is expected"
    assert person.arguments == {"options": {"a": 1}}
    await fill(person)
    await person.pane.show_tool(tool)
    await person.settle()
    assert shown_error(person) == "✗ line 3, column 3: a name in double quotes is expected"
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
        assert shown_error(person) == f"✗ {fault}"


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


# Rows of an array


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


# The JSON beside the form


async def test_between_form_and_json_nothing_is_lost(person: Person) -> None:
    arguments = {
        "zeta": {"b": 1, "a": [None, 1.0, 1]},
        "citations": ["crm://signals/1"],
        "body": "x\u202ey",
        "count": 10**40,
        "tone": None,
    }
    await fill(person, arguments=arguments)
    await person.press("ctrl+t")
    raw = person.pane.editor.raw.text
    assert "\u202e" not in raw
    assert json.dumps(json.loads(raw)) == json.dumps(arguments)
    await person.press("ctrl+t")
    assert json.dumps(person.arguments) == json.dumps(arguments)


async def test_the_json_is_taken_as_it_is_typed_and_its_spelling_is_kept(person: Person) -> None:
    await fill(person)
    await person.press("ctrl+t")
    typed = '{ "citations" : [ "crm://signals/1" ],  "other": 1 }'
    person.pane.editor.raw.query_one(Area).text = typed
    await person.settle()
    assert person.arguments == {"citations": ["crm://signals/1"], "other": 1}
    await person.press("ctrl+t")
    assert person.fates() == ["· to be read crm id=1 R18"]
    assert field(person, "other").field.known is False
    await person.press("ctrl+t")
    assert person.pane.editor.raw.text == typed


async def test_json_with_a_fault_keeps_the_form_as_it_was_and_sends_nothing(person: Person) -> None:
    await fill(person, arguments={"body": "x"})
    await person.press("ctrl+t")
    person.pane.editor.raw.query_one(Area).text = '{"body": "y",'
    await person.settle()
    assert "line 1, column 14" in str(person.pane.editor.raw.query_one("Static").render())
    await person.press("ctrl+j", "ctrl+j")
    assert "the JSON, line 1, column 14" in person.app.said[-1]
    assert calls(person) == []
    await person.press("escape")
    assert person.arguments == {"body": "x"}
    assert "the form has the call as it was before" in person.app.said[-1]
    await person.press("ctrl+t")
    assert person.pane.editor.raw.text == '{"body": "y",'


# A pasted call


async def test_a_pasted_call_fills_the_form_and_says_where_its_meta_differs(person: Person) -> None:
    tool = await fill(person)
    pasted = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": tool.name,
            "arguments": {"citations": ["crm://signals/1", "crm://signals/77"]},
            "_meta": {KEY: {"crm://signals/1": {"error": {"code": "not_found", "message": "No."}}}},
        },
    }
    await person.paste(json.dumps(pasted, indent=2))
    assert person.arguments == {"citations": ["crm://signals/1", "crm://signals/77"]}
    await person.press("ctrl+r")
    assert person.preview()[1:3] == [
        "≠ crm://signals/1: not_found in the pasted call, resolved here",
        "≠ crm://signals/77: not in the pasted call, here not_found",
    ]


async def test_a_pasted_call_of_a_tool_that_nobody_has_changes_nothing(person: Person) -> None:
    await fill(person, arguments={"body": "x"})
    field(person, "body").editor.focus()
    await person.paste(json.dumps({"method": "tools/call", "params": {"name": "nobody", "arguments": {}}}))
    assert "The pasted call is not taken: no tool nobody" in person.app.said[-1]
    assert person.arguments == {"body": "x"}


# Schemas of any shape


DEEP: dict[str, Any] = {"type": "object"}
for _ in range(50):
    DEEP = {"type": "object", "properties": {"inner": DEEP}}


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
    DEEP,
)


async def test_a_schema_of_any_shape_gives_a_form_that_can_be_sent(person: Person) -> None:
    for schema in SCHEMAS:
        await person.pane.show_tool(new_tool(schema), {"a": 1})
        await person.pilot.press("tab", "down")
        assert person.arguments == {"a": 1}
        assert person.pane.editor.form.rows
    await person.press("ctrl+r", "ctrl+j")
    assert [call["arguments"] for call in calls(person)] == [{"a": 1}]


async def test_of_ten_thousand_arguments_those_that_matter_have_fields(person: Person) -> None:
    properties: dict[str, Any] = {f"p{number}": {"type": "string"} for number in range(10_000)}
    schema = {
        "type": "object",
        "properties": {**properties, "citations": {"type": "array"}},
        "required": ["p9000"],
    }
    await fill(person, schema)
    names = [row.field.name for row in person.pane.editor.form.rows]
    assert len(names) == 100
    assert {"p9000", "citations", "p0"} <= set(names)
    assert "9,901 more arguments" in str(person.pane.editor.form.query_one(".form--note").render())


async def test_a_choice_is_made_by_mouse(person: Person) -> None:
    await fill(person)
    choice = field(person, "urgent").editor
    assert isinstance(choice, Choice)
    await person.pilot.click(choice, offset=(16, 0))
    await person.settle()
    assert person.arguments == {"urgent": True}
