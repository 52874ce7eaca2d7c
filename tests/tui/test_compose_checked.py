"""What the tool's schema says of the arguments: below each field, in a line, in the help; it forbids nothing."""

from __future__ import annotations

from typing import Any

import pytest
from textual.widgets import Static

from tests.tui.composing import Person
from tests.tui.filling import calls, field, fill

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["body"],
    "properties": {
        "body": {"type": "string", "minLength": 3},
        "count": {"type": "integer", "maximum": 9},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}},
        "far": {"$ref": "https://example.com/x.json"},
    },
    "additionalProperties": False,
}


def below(person: Person, name: str) -> str:
    said = field(person, name).query(".field--faults").results(Static)
    return "".join(str(each.render()) for each in said if each.display)


def line(person: Person) -> list[str]:
    said = person.pane.query_one("#compose-faults", Static)
    return str(said.render()).split("\n") if said.display else []


async def test_a_fault_stands_below_the_field_that_it_is_about_and_goes_when_it_is_mended(person: Person) -> None:
    await fill(person, SCHEMA, {"body": "ab", "count": 4, "tags": ["a", "B"]})
    assert below(person, "body") == "! has 2 characters, and at least 3 are expected"
    assert below(person, "tags") == "! [1]: does not match the pattern ^[a-z]+$"
    assert below(person, "count") == ""
    assert line(person) == ["! 2 faults by inputSchema: sent all the same"]
    field(person, "body").editor.focus()
    await person.press("end", "c")
    assert below(person, "body") == ""
    assert line(person) == ["! 1 fault by inputSchema: sent all the same"]
    field(person, "tags").lines[1].input.focus()
    await person.press("f8")
    assert line(person) == []


async def test_a_call_with_faults_is_sent_as_it_is(person: Person) -> None:
    await fill(person, SCHEMA, {"count": 10})
    await person.press("ctrl+r", "ctrl+j")
    assert [call["arguments"] for call in calls(person)] == [{"count": 10}]


async def test_what_is_required_and_left_out_is_marked_at_its_name(person: Person) -> None:
    await fill(person, SCHEMA)
    assert field(person, "body").has_class("-missing")
    assert below(person, "body") == ""
    assert line(person) == ["! 1 required left out: sent all the same"]
    await person.type("abc")
    assert not field(person, "body").has_class("-missing")
    assert line(person) == []


async def test_a_fault_of_an_argument_without_a_field_is_said_in_the_line(person: Person) -> None:
    await fill(person, {**SCHEMA, "minProperties": 3}, {"body": "abc"})
    assert line(person)[1:] == ["! has 1 name, and at least 3 are expected"]


async def test_the_json_names_the_faults(person: Person) -> None:
    await fill(person, SCHEMA, {"body": "abc", "count": 10, "other": 1})
    await person.press("ctrl+t")
    assert line(person) == [
        "! 2 faults by inputSchema: sent all the same",
        "! count is 10, and at most 9 is expected",
        "! other is not in the schema, which allows no others",
    ]
    await person.press("ctrl+t")


async def test_what_is_not_checked_is_said(person: Person) -> None:
    await fill(person, SCHEMA, {"body": "abc", "far": 1})
    assert line(person) == [
        "! not checked: what is behind https://example.com/x.json: it is elsewhere, never fetched"
    ]
    await fill(person, {**SCHEMA, "$schema": "https://example.com/[b]mine"}, {"body": ""})
    assert line(person) == [
        "! not checked against inputSchema: its dialect is not known here: https://example.com/[b]mine"
    ]
    await fill(person, [], {"body": ""})
    assert line(person) == ["! not checked against inputSchema: it is no JSON Schema object"]


async def test_the_help_has_the_whole_of_a_field(person: Person) -> None:
    about = {"type": "integer", "maximum": 9, "default": 3, "examples": [4], "description": "long [b] " * 200}
    await fill(person, {"properties": {"count": about}}, {"count": 10})
    said = "\n".join(str(each) for each in field(person, "count").help_lines())
    assert "long [b] " * 199 in said
    for words in ("at most 9", "default: 3", "example: 4", "! count is 10, and at most 9 is expected", "F2"):
        assert words in said
