"""What a field says without being typed into: left out, empty, null, its default, one of its choices."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.tui.screens.pick import PickScreen
from inspector.tui.widgets.form_area import JsonArea
from inspector.tui.widgets.form_choice import Choice
from tests.tui.composing import Person
from tests.tui.filling import field, fill

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "default": "hi [/", "examples": ["two\nlines"]},
        "count": {"type": ["integer", "null"], "examples": [4, 5]},
        "flag": {"type": "boolean", "default": False},
        "tags": {"type": "array", "items": {"type": "string"}, "default": ["a", "b"]},
        "options": {"type": "object", "default": {"[/": "[b]"}},
        "tone": {"oneOf": [{"const": "w", "title": "Warm"}, {"const": "c", "title": "[b]Cool[/b]"}]},
    },
}


async def said_by(person: Person, name: str, key: str, times: int) -> list[Any]:
    """What the argument is after each press of the key, `...` where it is left out."""
    field(person, name).editor.focus()
    said: list[Any] = []
    for _ in range(times):
        await person.press(key)
        said.append((person.arguments or {}).get(name, ...))
    return said


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("text", "x", [..., "", None, "x"]),
        ("text", "two\nlines", [..., "", None, "two\nlines"]),
        ("count", 7, [..., None, 7]),
        ("flag", True, [..., None, True]),
        ("tags", ["x", "y"], [..., [], None, ["x", "y"]]),
        ("options", {"a": 1}, [..., {}, None, {"a": 1}]),
        ("text", None, [..., "", None]),
        ("tags", [], [None, ..., []]),
    ],
)
async def test_a_key_goes_from_left_out_to_empty_to_null_and_back(
    person: Person, name: str, value: Any, said: list[Any]
) -> None:
    await fill(person, SCHEMA, {name: value})
    assert await said_by(person, name, "f9", len(said)) == said


async def test_the_field_shows_which_of_them_it_says_and_backspace_leaves_it_out(person: Person) -> None:
    await fill(person, SCHEMA, {"text": None, "tags": [], "count": None})
    assert field(person, "text").editor.placeholder == "null; backspace leaves it out"
    assert field(person, "count").editor.placeholder == "null; backspace leaves it out"
    assert field(person, "tags").editor.placeholder == "[] – empty; backspace leaves it out"
    for name in ("text", "tags", "count"):
        field(person, name).editor.focus()
        await person.press("backspace")
    assert person.arguments == {}


async def test_what_is_typed_takes_the_place_of_null(person: Person) -> None:
    await fill(person, SCHEMA, {"text": None, "tags": None, "count": None})
    for name in ("text", "tags", "count"):
        field(person, name).editor.focus()
        await person.press("7")
    assert person.arguments == {"text": "7", "tags": ["7"], "count": 7}


@pytest.mark.parametrize(
    ("name", "offers"),
    [
        ("text", ["hi [/", "two\nlines", "hi [/"]),
        ("count", [4, 5, 4]),
        ("flag", [False, False]),
        ("tags", [["a", "b"]]),
        ("options", [{"[/": "[b]"}]),
    ],
)
async def test_a_key_takes_the_default_then_the_examples(person: Person, name: str, offers: list[Any]) -> None:
    await fill(person, SCHEMA)
    assert person.arguments == {}
    assert await said_by(person, name, "f2", len(offers)) == offers


async def test_the_default_never_takes_the_place_of_what_a_person_said(person: Person) -> None:
    await fill(person, SCHEMA, {"text": "mine"})
    assert await said_by(person, "text", "f2", 1) == ["mine"]
    assert "F9 leaves it out" in person.app.said[-1]


async def test_a_choice_is_named_by_its_title_and_says_its_value(person: Person) -> None:
    await fill(person, SCHEMA)
    choice = field(person, "tone").editor
    assert isinstance(choice, Choice)
    assert str(choice.render()) == "● left out   ○ Warm   ○ [b]Cool[/b]"
    choice.focus()
    await person.press("left")
    assert person.arguments == {"tone": "c"}
    assert str(choice.render()) == '○ left out   ○ Warm   ● [b]Cool[/b] = "c"'
    assert str(field(person, "flag").editor.render()) == "● left out   ○ true   ○ false (default)"


async def test_one_of_many_choices_is_found_by_typing(person: Person) -> None:
    await fill(person, {"properties": {"place": {"enum": [f"place {number}" for number in range(10_000)]}}})
    field(person, "place").editor.focus()
    await person.press("enter")
    assert isinstance(person.app.screen, PickScreen)
    await person.press(*"9876", "enter")
    assert person.arguments == {"place": "place 9876"}
    assert "9,878 of 10,001" in str(field(person, "place").editor.render())


async def test_json_has_its_colours_and_its_fault_a_mark(person: Person) -> None:
    await fill(person, SCHEMA, {"options": {"a": 1}})
    area = field(person, "options").editor
    assert isinstance(area, JsonArea)
    assert {str(span.style) for span in area.get_line(1).spans} != set()
    area.text = '{"a": 1,\n  b}'
    await person.settle()
    assert area.mark == (2, 3)
    area.text = '{"a": 1}'
    await person.settle()
    assert area.mark is None
