"""Values against schemas: what is said, in which dialect, and what no schema of a server can bring about."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from inspector.host.pattern_cost import pattern_cost
from inspector.host.validation import MOST_FAULTS, Fault, validate


def said(schema: Any, value: Any) -> list[str]:
    verdict = validate(schema, value)
    assert verdict.unsupported is None
    return [f"{fault.place}: {fault.message}" for fault in verdict.faults]


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        ({"type": "string"}, 7, "is a number, and a string is expected"),
        ({"type": ["integer", "null"]}, "x", "is a string, and a whole number or null is expected"),
        ({"enum": ["a", 7]}, "b", 'is none of the values allowed: "a", 7'),
        ({"const": "a"}, "b", 'is not "a", the one value allowed'),
        ({"pattern": "^a$"}, "b", "does not match the pattern ^a$"),
        ({"minLength": 2}, "b", "has 1 character, and at least 2 are expected"),
        ({"maxItems": 1}, [1, 2], "has 2 items, and at most 1 are expected"),
        ({"minProperties": 1}, {}, "has 0 names, and at least 1 are expected"),
        ({"minimum": 3}, 2, "is 2, and at least 3 is expected"),
        ({"exclusiveMaximum": 3}, 3, "is 3, and less than 3 is expected"),
        ({"multipleOf": 2}, 3, "is 3, and a multiple of 2 is expected"),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], "holds a value twice"),
        ({"not": {"type": "string"}}, "x", "is what the schema rules out"),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, "fits more than one of the 2 alternatives"),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, 3, "fits none of the 2 alternatives"),
        (False, 3, "the schema allows nothing"),
        ({"contains": {"const": 1}}, [2], "does not hold to contains: {…}"),
    ],
)
def test_a_fault_says_what_is_there_and_what_was_expected(schema: Any, value: Any, words: str) -> None:
    assert said(schema, value) == [f": {words}"]


def test_a_fault_stands_at_the_argument_that_it_is_about() -> None:
    schema = {
        "type": "object",
        "required": ["body"],
        "additionalProperties": False,
        "properties": {"tags": {"items": {"type": "string"}}},
    }
    assert sorted(said(schema, {"tags": ["a", 7], "other": 1})) == [
        "body: is required and left out",
        "other: is not in the schema, which allows no others",
        "tags[1]: is a number, and a string is expected",
    ]


def test_of_alternatives_the_one_of_the_values_type_is_explained() -> None:
    schema = {"properties": {"n": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}}}
    assert said(schema, {"n": 1}) == ["n: is 1, and at least 3 is expected"]


@pytest.mark.parametrize(
    ("dialect", "schema"),
    [
        ("http://json-schema.org/draft-03/schema#", {"properties": {"a": {"required": True}}}),
        ("http://json-schema.org/draft-04/schema#", {"required": ["a"]}),
        ("http://json-schema.org/draft-06/schema#", {"required": ["a"]}),
        ("http://json-schema.org/draft-07/schema#", {"required": ["a"]}),
        ("https://json-schema.org/draft/2019-09/schema", {"required": ["a"]}),
        ("https://json-schema.org/draft/2020-12/schema", {"required": ["a"]}),
    ],
)
def test_every_dialect_is_known(dialect: str, schema: dict[str, Any]) -> None:
    assert said({"$schema": dialect, **schema}, {}) == ["a: is required and left out"]


def test_a_bound_that_draft_4_excludes_is_excluded() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": True}
    assert said(schema, 3) == [": is 3, and more than 3 is expected"]


def test_without_a_dialect_it_is_2020_12() -> None:
    assert said({"prefixItems": [{"type": "string"}]}, [1]) == ["[0]: is a number, and a string is expected"]


@pytest.mark.parametrize("dialect", ["https://example.com/mine", 7, None])
def test_another_dialect_is_named_as_not_supported(dialect: Any) -> None:
    verdict = validate({"$schema": dialect, "type": "string"}, 7)
    assert verdict.faults == ()
    assert verdict.unsupported == f"its dialect is not known here: {dialect}"


@pytest.mark.parametrize("schema", [None, [], "x", 7])
def test_what_is_no_schema_is_said(schema: Any) -> None:
    assert validate(schema, {}).unsupported == "it is no JSON Schema object"


@pytest.mark.parametrize(
    "schema",
    [{"type": 7}, {"properties": 5}, {"required": 5}, {"$ref": 5}, {"patternProperties": {"(": {}}}],
)
def test_a_schema_that_is_not_valid_is_said_to_be(schema: Any) -> None:
    verdict = validate(schema, {"a": 1})
    assert verdict.unsupported is not None
    assert "not valid in its dialect" in verdict.unsupported


def test_a_reference_elsewhere_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr("socket.create_connection", refuse)
    schema = {
        "properties": {
            "a": {"$ref": "https://example.com/x.json"},
            "b": {"$ref": "#/$defs/none"},
            "c": {"type": "string"},
        }
    }
    verdict = validate(schema, {"a": 1, "b": 1, "c": 1})
    assert verdict.faults == (Fault(("c",), "is a number, and a string is expected"),)
    assert verdict.unchecked == (
        "what is behind https://example.com/x.json: it is elsewhere, never fetched",
        "what is behind #/$defs/none: the schema has no such place",
    )


def test_references_within_are_followed_and_a_dialect_within_changes_nothing() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"name": {"$schema": "https://json-schema.org/draft/2020-12/schema", "pattern": "^(a+)+$"}},
        "properties": {"name": {"$ref": "#/$defs/name"}, "next": {"$ref": "#"}},
    }
    verdict = validate(schema, {"next": {"next": {"name": "a" * 60 + "!"}}})
    assert verdict.unchecked == ("the pattern ^(a+)+$: it could take too long",)


def test_a_schema_that_explodes_ends_in_time() -> None:
    tree = {"properties": {"x": {"$ref": "#/$defs/t"}}, "required": ["q"]}
    schema = {"$defs": {"t": {"anyOf": [tree, dict(tree)]}}, "$ref": "#/$defs/t"}
    value: dict[str, Any] = {}
    for _ in range(40):
        value = {"x": value}
    assert validate(schema, value).unchecked == ("the rest: it took too long",)


def test_what_nests_ten_thousand_deep_and_what_refers_to_itself_is_left_out() -> None:
    deep: dict[str, Any] = {}
    value: dict[str, Any] = {}
    for _ in range(10_000):
        deep, value = {"properties": {"x": deep}}, {"x": value}
    for schema in (deep, {"$ref": "#"}):
        assert validate(schema, value).unchecked == ("the rest: it nests too deep",)


def test_the_number_of_faults_is_bounded() -> None:
    names = [f"p{number}" for number in range(10_000)]
    verdict = validate({"required": names}, {})
    assert len(verdict.faults) == MOST_FAULTS
    assert verdict.count == "more than 100"


@pytest.mark.parametrize(
    "pattern", [r"^(a+)+$", r"(a|aa)*b", r"(?:x*)*", r"([^/]+/?)+$", r".*.*.*.*x", r"(a{1,50}){1,50}", r"(a)*\1"]
)
def test_a_pattern_that_could_run_away_is_dear(pattern: str) -> None:
    assert pattern_cost(pattern, 2_000) > 2_000_000


@pytest.mark.parametrize(
    "pattern", [r"^[a-z0-9-]{1,64}$", r"^\d{4}-\d{2}-\d{2}$", r"^https?://", r"[(+*)]", r"\(\+"]
)
def test_a_pattern_of_every_day_is_cheap(pattern: str) -> None:
    assert pattern_cost(pattern, 1_000) <= 2_000_000


def test_the_schema_library_is_loaded_with_the_first_use() -> None:
    code = "import sys, inspector.host.validation; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
