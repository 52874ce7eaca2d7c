"""The last table of the rules, read row by row: a real server with just that fault, and what is said of it.

Each entry says how bad it is, what it is about, by which rule, what to do, and holds a snippet where one helps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from inspector.extension import KEY
from inspector.host.host import Host
from inspector.templates import UriTemplate
from inspector.workspace.problem import Problem
from tests.host.playing import SIGNALS, playing, resolve
from tests.servers.workspace import scripted, text, tool

STRINGS = {"type": "array", "items": {"type": "string"}}
SOUND = tool(schemes=["crm"])


def declaring(**declared: Any) -> dict[str, Any]:
    """A tool with the argument `citations` whose `_meta` declares that."""
    return tool(_meta={KEY: {"arguments": declared}})


def taking(schema: Any, schemes: list[str] | None = None) -> dict[str, Any]:
    """A tool whose one argument, `citations`, has that schema."""
    accepting = {"type": "object", "properties": {"citations": schema}}
    return {**tool(schemes=schemes), "inputSchema": accepting}


@dataclass(frozen=True)
class Entry:
    """One entry of the table: the servers that have the fault, and what is to be said of it.

    `words` stand in the message, `remedy` in what to do, `snippet` in what to paste. A server is `crm`, sound but
    for what is given here; `outbox`, with one sound tool; `beside`, where a second one is needed.
    """

    severity: str
    subject: str
    rule: str
    words: str
    remedy: str
    snippet: str | None = None
    crm: Mapping[str, Any] = field(default_factory=dict)
    outbox: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] | None = None


DECLARATION = {
    "error: wrong shape": Entry(
        "error",
        "tool send",
        "R4",
        "is an array, not an object",
        'Give it {"arguments": {…}}.',
        '"citations": {',
        outbox={"tools": [tool(_meta={KEY: ["citations"]})]},
    ),
    "error: entry without a valid scheme": Entry(
        "error",
        "tool send",
        "R5",
        "arguments.citations.schemes is empty",
        'Write {"schemes": ["SCHEME"]}.',
        '"SCHEME"',
        outbox={"tools": [declaring(citations={"schemes": []})]},
    ),
    "error: KEY inside inputSchema": Entry(
        "error",
        "tool send",
        "R4",
        "stands inside inputSchema",
        "Move it into the tool's _meta.",
        '"crm"',
        outbox={"tools": [taking({**STRINGS, KEY: {"schemes": ["crm"]}})]},
    ),
    "warning: a scheme with ://": Entry(
        "warning",
        "tool send",
        "R5",
        'is named without "://"',
        'Write "crm".',
        '"crm"',
        outbox={"tools": [tool(schemes=["crm", "crm://"])]},
    ),
    "warning: a wildcard": Entry(
        "warning",
        "tool send",
        "R5",
        "there is no wildcard",
        "Name each scheme that the argument takes.",
        '"crm"',
        outbox={"tools": [tool(schemes=["crm", "*"])]},
    ),
    "warning: an invalid character": Entry(
        "warning",
        "tool send",
        "R5",
        '"c_m" is no scheme name',
        "A scheme is a letter, then letters",
        '"crm"',
        outbox={"tools": [tool(schemes=["crm", "c_m"])]},
    ),
    "warning: an argument that inputSchema lacks": Entry(
        "warning",
        "tool send",
        "R4",
        "declares the argument citation, which inputSchema lacks",
        "Declare one of the tool's own arguments: citations.",
        '"citations"',
        outbox={"tools": [declaring(citation={"schemes": ["crm"]})]},
    ),
    "warning: neither a string nor an array of strings": Entry(
        "warning",
        "tool send",
        "R6",
        "admits neither a string nor an array of strings",
        "Let it take a string or an array of strings",
        '"type": "array"',
        outbox={"tools": [taking({"type": "object"}, ["crm"])]},
    ),
    "warning: only host schemes": Entry(
        "warning",
        "tool send",
        "R13",
        "only host schemes (files)",
        "Declare the scheme of a server's own resources",
        '"crm"',
        outbox={"tools": [tool(schemes=["files"])]},
    ),
    "warning: a scheme that no template serves": Entry(
        "warning",
        "tool send",
        "R14",
        "declares mail, and no template of the workspace serves it",
        "Publish a template that begins with mail:",
        "mail://RECORDS/{id}",
        outbox={"tools": [tool(schemes=["crm", "mail"])]},
    ),
    "warning: maxItems over maxUris": Entry(
        "warning",
        "tool send",
        "R12",
        "takes up to 40 items, and a host resolves 32",
        "Set maxItems to 32 or fewer.",
        '"maxItems": 32',
        outbox={"tools": [taking({**STRINGS, "maxItems": 40}, ["crm"])]},
    ),
    "note: described as a URI, declares nothing": Entry(
        "note",
        "tool send",
        "R4",
        "citations is described as a URI",
        "Declare it",
        '"crm"',
        outbox={"tools": [taking({"type": "string", "description": "A resource's URI, as crm://signals/1"})]},
    ),
}

TEMPLATE = {
    "error: not RFC 6570": Entry(
        "error",
        "template crm://signals/{id",
        "R27",
        "is no RFC 6570 template",
        "Mend it at character 15.",
        "crm://signals/{id}",
        crm={"templates": [SIGNALS, "crm://signals/{id"]},
    ),
    "error: no RFC 3986 scheme": Entry(
        "error",
        "template 1crm://{id}",
        "R10",
        "begins with no RFC 3986 scheme",
        "A URI begins with a scheme",
        "scheme://{id}",
        crm={"templates": [SIGNALS, "1crm://{id}"]},
    ),
    "error: no scheme at all": Entry(
        "error",
        "template signals/{id}",
        "R10",
        "begins with no RFC 3986 scheme",
        "A URI begins with a scheme",
        "scheme://signals/{id}",
        crm={"templates": [SIGNALS, "signals/{id}"]},
    ),
    "warning: overlaps another server's": Entry(
        "warning",
        f"template {SIGNALS}",
        "R15",
        "of crm overlaps crm://{kind}/42 of beside: crm://signals/42 expands from both",
        "Narrow one of the two, or take crm or beside out",
        beside={"templates": ["crm://{kind}/42"]},
    ),
    "warning: host scheme": Entry(
        "warning",
        "template files://{id}",
        "R13",
        "files is the host's own scheme",
        "under a scheme of your own",
        "scheme://{id}",
        crm={"templates": [SIGNALS, "files://{id}"]},
    ),
    "warning: {name*} where segments seem meant": Entry(
        "warning",
        "template crm://tree/{path*}",
        "R24",
        "joins its items with commas",
        "write {/path*} or {+path}",
        "crm://tree{/path*}",
        crm={"templates": [SIGNALS, "crm://tree/{path*}"]},
    ),
    "warning: a listed URI that no template covers": Entry(
        "warning",
        "resource crm://accounts/1",
        "R14",
        "no template of this server covers it",
        "Publish a resource template that it expands from.",
        "crm://accounts/{id}",
        crm={"resources": [{"uri": "crm://accounts/1", "name": "one"}]},
    ),
    "note: duplicates another of its server": Entry(
        "note",
        f"template {SIGNALS}",
        "R15",
        "duplicates another template",
        "Publish it once.",
        crm={"templates": [SIGNALS, SIGNALS]},
    ),
}


def tools(*listed: dict[str, Any]) -> dict[str, Any]:
    return {"tools": [SOUND, *listed]}


def other(**fields: Any) -> dict[str, Any]:
    """A second tool, `list`, sound but for these fields."""
    return tools({**tool("list"), **fields})


TOOL = {
    "error: inputSchema missing": Entry(
        "error",
        "tool list",
        "protocol",
        "inputSchema is missing",
        "Send what the protocol's schema asks for",
        outbox=tools({"name": "list"}),
    ),
    "error: inputSchema null": Entry(
        "error",
        "tool list",
        "protocol",
        "inputSchema is null",
        "Send what the protocol's schema asks for",
        outbox=other(inputSchema=None),
    ),
    "error: no object schema": Entry(
        "error",
        "tool list",
        "protocol",
        "inputSchema",
        "",
        outbox=other(inputSchema={"type": "array"}),
    ),
    "error: not valid in its dialect": Entry(
        "error",
        "tool list",
        "protocol",
        "inputSchema.properties.a.type is not valid in its dialect",
        "Write string there.",
        '"string"',
        outbox=other(inputSchema={"type": "object", "properties": {"a": {"type": "strin"}}}),
    ),
    "error: two tools of one name": Entry(
        "error",
        "tool list",
        "protocol",
        "2 tools of this server have this name",
        "Give each tool a name of its own.",
        outbox=tools(tool("list"), tool("list")),
    ),
    "warning: name": Entry(
        "warning",
        "tool list all!",
        "protocol",
        "has a name outside",
        "Rename it",
        '"list_all"',
        outbox=other(name="list all!"),
    ),
    "warning: name too long": Entry(
        "warning",
        f"tool {'x' * 129}",
        "protocol",
        "of 1 to 128 characters",
        "Rename it",
        f'"{"x" * 128}"',
        outbox=other(name="x" * 129),
    ),
    "warning: $schema of a dialect we do not know": Entry(
        "warning",
        "tool list",
        "protocol",
        "of a dialect that is not known here: https://example.com/mine",
        "Leave $schema out",
        "2020-12",
        outbox=other(inputSchema={"type": "object", "$schema": "https://example.com/mine"}),
    ),
    "warning: $ref to elsewhere": Entry(
        "warning",
        "tool list",
        "protocol",
        "refers to https://example.com/a.json, which is never fetched",
        "Put what it refers to in $defs",
        '"#/$defs/a"',
        outbox=other(inputSchema={"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}),
    ),
}

NO_TYPE = {"ttlMs": 0, "cacheScope": "private"}
LISTED = {"tools": [SOUND]}

LIST_AND_RESULT = {
    "error: a malformed item": Entry(
        "error",
        "tools/list, item 2",
        "protocol",
        "left out",
        "Send what the protocol's schema asks for",
        outbox={"tools": [SOUND, 5]},
    ),
    "error: a cursor that comes back": Entry(
        "error",
        "tools/list",
        "protocol",
        "a cursor that comes back",
        "Leave nextCursor out on the last page.",
        outbox={"loop_cursor": True},
    ),
    "error: without resultType": Entry(
        "error",
        "tools/list",
        "protocol",
        "the result has no resultType",
        "Add it",
        '"resultType": "complete"',
        outbox={"era": "2026", "answers": {"tools/list": {"raw": LISTED | NO_TYPE}}},
    ),
    "error: a list without ttlMs": Entry(
        "error",
        "tools/list",
        "protocol",
        "the result has no ttlMs",
        "Add it",
        '"ttlMs": 0',
        outbox={
            "era": "2026",
            "answers": {"tools/list": {"raw": LISTED | {"resultType": "complete", "cacheScope": "private"}}},
        },
    ),
    "error: a list without cacheScope": Entry(
        "error",
        "tools/list",
        "protocol",
        "the result has no cacheScope",
        "Add it",
        '"cacheScope": "private"',
        outbox={
            "era": "2026",
            "answers": {"tools/list": {"raw": LISTED | {"resultType": "complete", "ttlMs": 0}}},
        },
    ),
    "warning: resultType other than complete": Entry(
        "warning",
        "tools/list",
        "protocol",
        'resultType is "partial", not complete',
        "Send complete",
        outbox={"era": "2026", "answers": {"tools/list": {"raw": LISTED | NO_TYPE | {"resultType": "partial"}}}},
    ),
    **{
        f"note: leans on {feature}": Entry(
            "note",
            method,
            "protocol",
            f"the server uses {feature}, which 2026-07-28 deprecates",
            remedy,
            outbox={
                "era": "2025",
                "answers": {"tools/list": {"result": LISTED, "notify": [{"method": method, **message}]}},
            },
        )
        for feature, method, remedy, message in (
            ("roots", "roots/list", "Take the folders as arguments", {"id": "r1"}),
            ("sampling", "sampling/createMessage", "Ask a model provider", {"id": "s1", "params": {}}),
            (
                "logging",
                "notifications/message",
                "Write to standard error",
                {"params": {"level": "info", "data": "x"}},
            ),
        )
    },
}

TABLE = {
    f"{row}: {name}": entry
    for row, entries in (
        ("declaration", DECLARATION),
        ("template", TEMPLATE),
        ("tool", TOOL),
        ("list, result", LIST_AND_RESULT),
    )
    for name, entry in entries.items()
}


def servers(folder: Path, entry: Entry) -> dict[str, Any]:
    made = {
        "crm": scripted(folder, "crm", **{"templates": [SIGNALS], **entry.crm}),
        "outbox": scripted(folder, "outbox", **{"tools": [SOUND], **entry.outbox}),
    }
    return made if entry.beside is None else {**made, "beside": scripted(folder, "beside", **entry.beside)}


def about(problems: tuple[Problem, ...], entry: Entry) -> Problem:
    """The one problem with those words."""
    (problem,) = (p for p in problems if p.subject == entry.subject and entry.words in p.message)
    return problem


@pytest.mark.parametrize("entry", TABLE.values(), ids=TABLE.keys())
async def test_the_table(tmp_path: Path, entry: Entry) -> None:
    async with playing(tmp_path, servers(tmp_path, entry)) as host:
        problem = about(await host.find_problems(), entry)
    assert (problem.severity.value, problem.rule) == (entry.severity, entry.rule)
    assert problem.remedy
    assert entry.remedy in problem.remedy
    if entry.snippet is None:
        return
    assert problem.snippet is not None
    assert entry.snippet in problem.snippet
    if problem.snippet.startswith("{"):
        assert isinstance(json.loads(problem.snippet), dict)
    else:
        assert UriTemplate.parse(problem.snippet)


# What only a call or a second listing shows


async def answers(host: Host) -> None:
    await host.send(await resolve(host))


async def test_tool_warning_output_that_breaks_its_output_schema(tmp_path: Path) -> None:
    counting = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
    answer = {"result": {"content": [], "structuredContent": {"count": "three"}}}
    mended = {"result": {"content": [], "structuredContent": {"count": 3}}}
    outbox = scripted(
        tmp_path,
        "outbox",
        tools=[{**tool(), "outputSchema": counting}],
        calls={"send": answer},
        after=[{"method": "tools/call", "change": {"calls": {"send": mended}}}],
    )
    async with playing(tmp_path, {"outbox": outbox}) as host:
        assert await host.find_problems() == ()
        await answers(host)
        (problem,) = await host.find_problems()
        assert (problem.severity.value, problem.subject, problem.rule) == ("warning", "tool send", "protocol")
        assert "output that breaks its outputSchema: count" in problem.message
        assert "let the schema say what is sent" in (problem.remedy or "")
        # It is a problem until the tool answers otherwise.
        await answers(host)
        assert await host.find_problems() == ()


async def test_tool_note_the_order_differs_between_two_listings(tmp_path: Path) -> None:
    first, second = [tool("a"), tool("b")], [tool("b"), tool("a")]
    turned = {"method": "tools/list", "change": {"tools": second}}
    outbox = scripted(tmp_path, "outbox", tools=first, after=[turned])
    async with playing(tmp_path, {"outbox": outbox}) as host:
        assert await host.find_problems() == ()
        await host.workspace.connections["outbox"].read_again()
        (problem,) = await host.find_problems()
    assert (problem.severity.value, problem.subject, problem.rule) == ("note", "tools/list", "protocol")
    assert "the order of the list differs" in problem.message
    assert "Keep one order" in (problem.remedy or "")


async def test_result_error_a_read_without_what_2026_07_28_requires(tmp_path: Path) -> None:
    raw = {"raw": text("crm://signals/1", "{}")["result"]}
    crm = scripted(tmp_path, "crm", era="2026", templates=[SIGNALS], reads={"crm://signals/1": raw})
    async with playing(tmp_path, {"crm": crm}, calling=None) as host:
        await host.read_uri("crm://signals/1")
        problems = await host.find_problems()
    said = {problem.message: problem for problem in problems}
    assert set(said) == {f"the result has no {name}" for name in ("resultType", "ttlMs", "cacheScope")}
    assert {problem.severity.value for problem in problems} == {"error"}
    assert all(problem.subject == "resources/read" and problem.snippet for problem in problems)
