"""The JSON of all arguments beside the form, and a pasted call: nothing is lost between them."""

from __future__ import annotations

import json

import pytest

from inspector.tui.widgets.form_area import Area
from inspector.tui.widgets.form_inputs import LineInput
from tests.tui.composing import Person
from tests.tui.filling import KEY, calls, field, fill

pytestmark = pytest.mark.asyncio(loop_scope="module")


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


async def test_what_is_no_value_of_its_field_yet_is_named_where_the_json_leaves_it_out(person: Person) -> None:
    await fill(person, arguments={"body": "x"})
    field(person, "count").query_one(LineInput).value = "many"
    await person.settle()
    await person.press("ctrl+t")
    assert person.app.said[-1] == "Not in the JSON, since it is no value of its field yet: count."
    await person.press("escape")
    assert field(person, "count").query_one(LineInput).value == "many"


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
