"""The last table of the rules: what each row finds in a workspace's lists, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.extension import KEY, Limits, read_declaration
from inspector.host.problems import Published, find_problems, worst_first
from inspector.templates import OwnershipMap
from inspector.workspace.catalog import Catalog, Resource, Template, Tool
from inspector.workspace.problem import Problem, Severity

ARRAY = {"type": "array", "items": {"type": "string"}}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def declaring(**schemes: list[Any]) -> dict[str, Any]:
    return {KEY: {"arguments": {name: {"schemes": listed} for name, listed in schemes.items()}}}


def tool(name: str = "send", **fields: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": schema(citations=ARRAY), **fields}


def found(
    *tools: dict[str, Any],
    templates: dict[str, list[str]] | None = None,
    resources: tuple[str, ...] = (),
    absent: tuple[str, ...] = (),
) -> tuple[Problem, ...]:
    """The problems of `outbox` with these tools beside servers with these templates; `crm` lists the resources."""
    texts = templates if templates is not None else {"crm": ["crm://signals/{id}"]}
    catalogs = {
        server: Catalog(
            templates=tuple(Template(server, text, "t", {"uriTemplate": text}) for text in listed),
            resources=tuple(Resource(server, uri, "r", {"uri": uri}) for uri in resources if server == "crm"),
        )
        for server, listed in texts.items()
    }
    catalogs["outbox"] = Catalog(tools=tuple(Tool("outbox", raw["name"], raw) for raw in tools))
    return find_problems(
        Published(
            catalogs=catalogs,
            owners=frozenset(catalogs),
            absent=absent,
            declarations={
                server: tuple(read_declaration(tool.meta) for tool in catalog.tools)
                for server, catalog in catalogs.items()
            },
            ownership=OwnershipMap(texts),
            limits=Limits(),
        )
    )


def said(problems: tuple[Problem, ...]) -> list[tuple[str, str, str]]:
    return [(problem.severity.value, problem.rule, problem.subject) for problem in problems]


def test_a_sound_workspace_has_no_problem() -> None:
    assert found(tool(_meta=declaring(citations=["crm"]))) == ()


@pytest.mark.parametrize("word", ["type", "enum", "items", "anyOf", "$ref", "$schema", "maxItems", "required"])
@pytest.mark.parametrize("value", [None, 0, "x", [[]], [{}], {}, {"a": {}}])
def test_no_schema_however_wrong_stops_the_search(word: str, value: Any) -> None:
    odd = tool("odd", inputSchema=schema(citations={word: value}), _meta=declaring(citations=["crm"]))
    odder = tool("odder", inputSchema={"type": "object", word: value})
    overlong = tool("over long", _meta=declaring(citations=["crm"]))
    assert ("warning", "protocol", "tool over long") in said(found(odd, odder, overlong))


# Declaration


@pytest.mark.parametrize(
    ("meta", "rule", "words"),
    [
        ({KEY: ["citations"]}, "R4", "an array, not an object"),
        ({KEY: {"arguments": {"citations": ["crm"]}}}, "R4", "arguments.citations is an array"),
        (declaring(citations=[]), "R5", "is empty"),
    ],
)
def test_a_declaration_of_the_wrong_shape_is_an_error(meta: dict[str, Any], rule: str, words: str) -> None:
    (problem,) = found(tool(_meta=meta))
    assert (problem.severity, problem.rule) == (Severity.ERROR, rule)
    assert words in problem.message


def test_an_entry_without_a_valid_scheme_is_an_error_and_names_the_invalid_one() -> None:
    problems = found(tool(_meta=declaring(citations=["crm://"])))
    assert said(problems) == [("error", "R5", "tool send"), ("warning", "R5", "tool send")]
    assert problems[1].remedy == 'Write "crm".'


def test_an_invalid_scheme_beside_valid_ones_is_a_warning() -> None:
    assert said(found(tool(_meta=declaring(citations=["crm", "*"])))) == [("warning", "R5", "tool send")]


def test_the_key_inside_the_input_schema_is_an_error_with_the_snippet_to_paste() -> None:
    misplaced = schema(citations={**ARRAY, KEY: {"schemes": ["crm"]}})
    (problem,) = found(tool(inputSchema=misplaced))
    assert (problem.severity, problem.rule) == (Severity.ERROR, "R4")
    assert problem.snippet is not None
    assert KEY in problem.snippet


def test_an_argument_that_the_schema_lacks_is_a_warning() -> None:
    (problem,) = found(tool(_meta=declaring(sources=["crm"])))
    assert (problem.severity, problem.rule) == (Severity.WARNING, "R4")
    assert "sources" in problem.message
    assert "citations" in (problem.remedy or "")


@pytest.mark.parametrize(
    "admitting",
    [
        {"type": "string"},
        ARRAY,
        {"type": "array"},
        {},
        True,
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "null"}, ARRAY]},
        {"$ref": "#/$defs/uris"},
        {"$ref": "https://example.com/elsewhere"},
    ],
)
def test_an_argument_whose_schema_admits_a_string_or_strings_is_no_problem(admitting: Any) -> None:
    accepting = {**schema(citations=admitting), "$defs": {"uris": ARRAY}}
    problems = found(tool(inputSchema=accepting, _meta=declaring(citations=["crm"])))
    assert [problem for problem in problems if problem.rule == "R6"] == []


@pytest.mark.parametrize(
    "other",
    [
        {"type": "integer"},
        {"type": "object"},
        {"type": "array", "items": {"type": "object"}},
        False,
        {"oneOf": [{"type": "null"}, {"type": "number"}]},
        {"enum": [1, 2], "type": ["string", "integer"]},
    ],
)
def test_an_argument_whose_schema_admits_neither_is_a_warning(other: Any) -> None:
    problems = found(tool(inputSchema=schema(citations=other), _meta=declaring(citations=["crm"])))
    assert ("warning", "R6", "tool send") in said(problems)


def test_only_host_schemes_is_a_warning() -> None:
    assert said(found(tool(_meta=declaring(citations=["files", "UI"])))) == [("warning", "R13", "tool send")]


def test_a_scheme_that_no_template_serves_is_a_warning_that_names_who_is_not_connected() -> None:
    (problem,) = found(tool(_meta=declaring(citations=["crm", "mail"])), absent=("mail",))
    assert (problem.severity, problem.rule) == (Severity.WARNING, "R14")
    assert "Not connected: mail." in (problem.remedy or "")


def test_a_template_that_can_begin_with_any_scheme_serves_every_one() -> None:
    assert found(tool(_meta=declaring(citations=["mail"])), templates={"any": ["{+uri}"]}) == ()


def test_more_items_than_max_uris_is_a_warning() -> None:
    accepting = schema(citations={**ARRAY, "maxItems": 33})
    assert said(found(tool(inputSchema=accepting, _meta=declaring(citations=["crm"])))) == [
        ("warning", "R12", "tool send")
    ]


def test_a_string_described_as_a_uri_that_declares_nothing_is_a_note() -> None:
    described = schema(
        source={"type": "string", "description": "The resource, by its URI, such as crm://signals/1"}
    )
    (problem,) = found(tool(inputSchema=described))
    assert (problem.severity, problem.rule) == (Severity.NOTE, "R4")
    assert '"crm"' in (problem.snippet or "")


# Template


def test_a_broken_template_is_an_error_with_its_position_and_the_others_stand() -> None:
    (problem,) = found(templates={"crm": ["crm://signals/{id", "crm://signals/{id}"]})
    assert (problem.severity, problem.rule, problem.server) == (Severity.ERROR, "R27", "crm")
    assert problem.position is not None


@pytest.mark.parametrize("text", ["signals/{id}", "/signals/{id}", "1crm://{id}"])
def test_a_template_without_a_scheme_is_an_error(text: str) -> None:
    assert said(found(templates={"crm": [text]})) == [("error", "R10", f"template {text}")]


def test_a_host_scheme_is_a_warning() -> None:
    assert said(found(templates={"crm": ["Files://{id}"]})) == [("warning", "R13", "template Files://{id}")]


def test_an_exploded_variable_where_segments_seem_meant_is_a_warning() -> None:
    (problem,) = found(templates={"crm": ["crm://{path*}"]})
    assert (problem.severity, problem.rule, problem.position) == (Severity.WARNING, "R24", 6)
    assert "{/path*}" in (problem.remedy or "")
    assert found(templates={"crm": ["crm://x{/path*}{?query*}"]}) == ()


def test_an_overlap_is_one_warning_that_names_both_servers_and_a_uri_that_both_claim() -> None:
    texts = {"crm": ["crm://signals/{id}"], "mirror": ["crm://{kind}/42"]}
    (problem,) = found(templates=texts)
    assert said((problem,)) == [("warning", "R15", "template crm://signals/{id}")]
    assert problem.servers == ("crm", "mirror")
    assert problem.message == (
        "of crm overlaps crm://{kind}/42 of mirror: crm://signals/42 expands from both, and is ambiguous"
    )


def test_a_listed_resource_that_no_template_of_its_server_covers_is_a_warning() -> None:
    problems = found(tool(_meta=declaring(citations=["crm"])), resources=("crm://accounts/1", "crm://signals/1"))
    assert said(problems) == [("warning", "R14", "resource crm://accounts/1")]


def test_a_template_published_twice_is_a_note() -> None:
    twice = ["crm://signals/{id}", "crm://signals/{id}"]
    assert said(found(templates={"crm": twice})) == [("note", "R15", "template crm://signals/{id}")]


# Tool


@pytest.mark.parametrize(
    ("fields", "severity", "words"),
    [
        ({"inputSchema": None}, "error", "no JSON Schema object"),
        ({"inputSchema": {}}, "error", "no object schema"),
        ({"inputSchema": {"type": "array"}}, "error", "no object schema"),
        ({"inputSchema": schema(a={"type": "sting"})}, "error", "inputSchema.properties.a.type is not valid"),
        ({"outputSchema": {"type": 5}}, "error", "outputSchema.type is not valid"),
        ({"inputSchema": {**schema(), "$schema": "https://example.com/mine"}}, "warning", "dialect"),
        ({"inputSchema": schema(a={"$ref": "https://example.com/a.json"})}, "warning", "never fetched"),
        ({"name": "a tool"}, "warning", "has a name outside"),
        ({"name": "x" * 129}, "warning", "has a name outside"),
    ],
)
def test_what_is_wrong_with_a_tool(fields: dict[str, Any], severity: str, words: str) -> None:
    (problem,) = found({**tool(), **fields})
    assert (problem.severity.value, problem.rule) == (severity, "protocol")
    assert words in problem.message


@pytest.mark.parametrize(
    "dialect", ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"]
)
def test_a_known_dialect_is_no_problem(dialect: str) -> None:
    assert found(tool(inputSchema={**schema(citations=ARRAY), "$schema": dialect})) == ()


def test_two_tools_of_one_name_are_an_error() -> None:
    assert said(found(tool(), tool())) == [("error", "protocol", "tool send")]


def test_a_schema_nested_beyond_reason_is_an_answer_not_an_exception() -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(2000):
        deep = {"type": "object", "properties": {"a": deep}}
    assert all(problem.rule == "protocol" for problem in found(tool(inputSchema=deep)))


def test_the_worst_comes_first() -> None:
    note, error = (Problem(severity, "a", "x", "R4", "m") for severity in (Severity.NOTE, Severity.ERROR))
    assert worst_first([note, error, note]) == (error, note)
