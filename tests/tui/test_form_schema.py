"""Which fields a schema asks for: kinds, choices and their titles, references, alternatives, what is offered."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.extension import read_declaration
from inspector.tui.widgets.form_model import ABSENT, MOST_FIELDS, Field, FieldKind
from inspector.tui.widgets.form_schema import count_properties, read_fields

KEY = "ai.nimblebrain/resource-arguments"


def read(schema: Any, name: str = "a", **root: Any) -> Field:
    """The field of one argument `a` of that schema; `root` stands beside `properties`."""
    fields = read_fields({"type": "object", "properties": {"a": schema}, **root}, read_declaration(None))
    return next(field for field in fields if field.name == name)


@pytest.mark.parametrize(
    ("schema", "kind", "empty"),
    [
        ({"type": "string"}, FieldKind.TEXT, ""),
        ({"type": "integer"}, FieldKind.INTEGER, ABSENT),
        ({"type": "number"}, FieldKind.NUMBER, ABSENT),
        ({"type": "boolean"}, FieldKind.CHOICE, ABSENT),
        ({"enum": [1, "x"]}, FieldKind.CHOICE, ABSENT),
        ({"const": 1}, FieldKind.CHOICE, ABSENT),
        ({"type": "array", "items": {"type": "string"}}, FieldKind.STRINGS, []),
        ({"type": "array", "items": {"enum": ["a", "b"], "type": "string"}}, FieldKind.STRINGS, []),
        ({"type": "array", "items": {"type": "number"}}, FieldKind.JSON, []),
        ({"type": "array", "prefixItems": [{"type": "string"}]}, FieldKind.JSON, []),
        ({"type": "object"}, FieldKind.JSON, {}),
        ({}, FieldKind.JSON, ABSENT),
        (True, FieldKind.JSON, ABSENT),
        (None, FieldKind.JSON, ABSENT),
        # Null beside it
        ({"type": ["string", "null"]}, FieldKind.TEXT, ""),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, FieldKind.INTEGER, ABSENT),
        ({"oneOf": [{"type": "null"}, {"type": "array", "items": {"type": "string"}}]}, FieldKind.STRINGS, []),
        # Alternatives
        ({"type": ["integer", "number"]}, FieldKind.NUMBER, ABSENT),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]}, FieldKind.TEXT, ""),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, FieldKind.TEXT, ""),
        ({"anyOf": [{"type": "object"}, {"type": "string"}]}, FieldKind.TEXT, ""),
        ({"type": "string", "anyOf": [{"minLength": 1}, {"maxLength": 5}]}, FieldKind.TEXT, ""),
        # allOf
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, FieldKind.TEXT, ""),
        ({"allOf": [{"type": ["string", "null"]}, {"type": "string"}]}, FieldKind.TEXT, ""),
        ({"allOf": [{"type": "number"}, {"type": "integer"}]}, FieldKind.INTEGER, ABSENT),
        ({"allOf": [{"type": "string"}, {"type": "number"}]}, FieldKind.JSON, ABSENT),
        ({"allOf": [{"enum": [1]}, {"enum": [2]}]}, FieldKind.JSON, ABSENT),
    ],
)
def test_a_schema_gives_a_kind_of_field(schema: Any, kind: FieldKind, empty: Any) -> None:
    found = read(schema)
    assert (found.kind, found.empty) == (kind, empty)


def test_null_beside_a_type_can_be_said() -> None:
    assert read({"type": ["boolean", "null"]}).nullable
    assert read({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}).nullable
    assert not read({"type": "boolean"}).nullable


def test_what_else_an_argument_may_be_is_said() -> None:
    assert read({"type": ["string", "integer", "null"]}).note == "or integer: in the JSON (^t)"
    assert read({"anyOf": [{"type": "object"}, {"type": "string"}]}).note == "or object: in the JSON (^t)"


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"const": "w", "title": "Warm"}, {"const": 7, "title": "[b]Cool[/b]"}]},
        {"anyOf": [{"const": "w", "title": "Warm"}, {"enum": [7], "enumNames": ["[b]Cool[/b]"]}]},
        {"enum": ["w", 7], "enumNames": ["Warm", "[b]Cool[/b]"]},
    ],
)
def test_choices_have_their_titles(schema: Any) -> None:
    found = read(schema)
    assert (found.kind, found.choices, found.titles) == (FieldKind.CHOICE, ("w", 7), ("Warm", "[b]Cool[/b]"))


def test_names_of_another_number_name_nothing() -> None:
    assert read({"enum": ["w", 7], "enumNames": ["Warm"]}).titles == ("", "")


# References


@pytest.mark.parametrize("place", ["$defs", "definitions"])
def test_a_reference_within_is_followed_and_the_words_beside_it_count(place: str) -> None:
    definitions = {"name": {"$ref": f"#/{place}/a~1b%20c", "description": "far"}, "a/b c": {"type": "string"}}
    found = read({"$ref": f"#/{place}/name", "description": "near"}, **{place: definitions})
    assert (found.kind, found.description) == (FieldKind.TEXT, "near")


def test_a_reference_by_anchor_is_followed() -> None:
    assert read({"$ref": "#n"}, **{"$defs": {"x": {"$anchor": "n", "type": "integer"}}}).kind is FieldKind.INTEGER


def test_a_reference_that_comes_round_ends() -> None:
    definitions = {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}
    found = read({"$ref": "#/$defs/a", "description": "x"}, **{"$defs": definitions})
    assert (found.kind, found.note, found.description) == (FieldKind.JSON, "its schema refers to itself", "x")


def test_a_tree_is_a_field_for_json() -> None:
    tree = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}
    assert read({"$ref": "#/$defs/tree"}, **{"$defs": {"tree": tree}}).kind is FieldKind.JSON
    endless = {"anyOf": [{"$ref": "#/$defs/endless"}, {"type": "string"}]}
    assert read({"$ref": "#/$defs/endless"}, **{"$defs": {"endless": endless}}).kind in FieldKind


def test_a_reference_elsewhere_is_never_fetched_and_said() -> None:
    found = read({"$ref": "https://example.com/x.json"})
    assert found.kind is FieldKind.JSON
    assert found.note == "it refers to https://example.com/x.json, which is never fetched"
    assert read({"$ref": "#/$defs/none"}).note == "it refers to #/$defs/none, which is not in the schema"


def test_the_schema_itself_may_be_a_reference_or_joined() -> None:
    one = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    two = {"properties": {"b": {"type": "integer"}, "a": {"minLength": 2}}}
    schema = {"allOf": [{"$ref": "#/$defs/one"}, two], "$defs": {"one": one}}
    fields = read_fields(schema, read_declaration(None))
    assert [(field.name, field.kind, field.required) for field in fields] == [
        ("a", FieldKind.TEXT, True),
        ("b", FieldKind.INTEGER, False),
    ]
    assert count_properties(schema) == 2


def test_draft_3_says_at_the_argument_that_it_is_required() -> None:
    assert read({"type": "string", "required": True}).required


# What is offered and said


def test_the_default_comes_before_the_examples() -> None:
    found = read({"type": "integer", "default": 3, "examples": [4, 5]})
    assert (found.offers, found.offer, found.hint) == ((3, 4, 5), "3", "default: 3")
    assert read({"type": "array", "examples": [[1]]}).hint == "e.g. [1]"
    assert read({"type": "string", "default": None}).offers == (None,)


def test_what_else_the_schema_asks_for_is_known() -> None:
    found = read({"type": "string", "minLength": 2, "pattern": "^a\x1b", "format": "date"})
    assert found.facts == ("format date", "pattern ^a␛", "at least 2 characters")


# Bad input


def nested(levels: int, value: Any, wrap: Any) -> Any:
    for _ in range(levels):
        value = wrap(value)
    return value


def test_ten_thousand_levels_of_anything_end() -> None:
    schemas = (
        nested(10_000, {"type": "string"}, lambda inner: {"allOf": [inner]}),
        nested(10_000, {"type": "string"}, lambda inner: {"anyOf": [inner, {"type": "null"}]}),
        nested(10_000, {"type": "string"}, lambda inner: {"type": "array", "items": inner}),
        nested(10_000, {}, lambda inner: {"type": "object", "properties": {"x": inner}}),
        {"default": nested(10_000, 1, lambda inner: [inner]), "enum": [nested(10_000, 1, lambda inner: [inner])]},
        {"examples": [nested(10_000, 1, lambda inner: {"x": inner})], "title": 7},
    )
    for schema in schemas:
        found = read(schema)
        assert found.kind in FieldKind
        assert found.offers == ()
        assert found.hint


def test_parts_that_multiply_end() -> None:
    definitions: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 3} for n in range(20)}
    assert read({"$ref": "#/$defs/d0"}, **{"$defs": definitions}).note == "its schema is too involved for a field"


def test_of_ten_thousand_arguments_those_that_matter_have_fields() -> None:
    properties = {f"p{number}": {"$ref": "#/$defs/s"} for number in range(10_000)}
    schema = {"properties": properties, "required": ["p9000"], "$defs": {"s": {"type": "string"}}}
    declaration = read_declaration({KEY: {"arguments": {"p8000": {"schemes": ["crm"]}}}})
    fields = read_fields(schema, declaration)
    assert len(fields) == MOST_FIELDS
    assert {"p0", "p8000", "p9000"} <= {field.name for field in fields}
