"""Every page of every list; one bad item hides no other; lists are read anew when they change (R14)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from inspector.workspace.change import Change
from inspector.workspace.events import CatalogChanged, Event
from inspector.workspace.problem import Severity
from inspector.workspace.server import Era, State
from tests.workspace.support import TEMPLATE, TOOL, messages, running, scripted, until

ERAS = pytest.mark.parametrize("era", [Era.LEGACY, Era.MODERN])
SCHEMA = {"type": "object"}


def tools(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "inputSchema": SCHEMA} for name in names]


@ERAS
async def test_all_pages_count_in_order(era: Era) -> None:
    names = [f"tool{number}" for number in range(7)]
    templates = [{"name": f"t{number}", "uriTemplate": f"t{number}://{{id}}"} for number in range(5)]
    resources = [{"name": f"r{number}", "uri": f"r://{number}"} for number in range(4)]
    prompts = [{"name": f"p{number}"} for number in range(3)]
    entry = scripted(
        asked=era, page_size=2, tools=tools(*names), templates=templates, resources=resources, prompts=prompts
    )
    async with running(entry) as workspace:
        catalog = workspace.connections["crm"].catalog
        assert [tool.name for tool in catalog.tools] == names
        assert [template.raw for template in catalog.templates] == templates
        assert [resource.uri for resource in catalog.resources] == [resource["uri"] for resource in resources]
        assert [prompt.name for prompt in catalog.prompts] == ["p0", "p1", "p2"]
        assert catalog.problems == ()


async def test_a_cursor_that_comes_back_ends_the_list_with_a_problem() -> None:
    async with running(scripted(tools=tools("a", "b"), loop=True, capabilities={"tools": {}})) as workspace:
        crm = workspace.connections["crm"]
        assert [tool.name for tool in crm.catalog.tools] == ["a", "b", "a", "b"]
        (problem,) = crm.problems
        assert (problem.severity, problem.subject) == (Severity.ERROR, "tools/list")
        assert problem.message == "a cursor that comes back: page 2 names '0' again, so the list ends here"


async def test_a_list_that_the_server_does_not_offer_is_empty_and_not_asked_for() -> None:
    entry = scripted(capabilities={"tools": {}, "resources": {}}, prompts=[{"name": "p"}])
    missing = {"resources/list": [{"error": {"code": -32601, "message": "Method not found"}}]}
    async with running(entry, scripted("other", lists=missing)) as workspace:
        assert workspace.connections["crm"].catalog.prompts == ()
        asked = {message.method for message in workspace.traffic.messages if message.server == "crm"}
        assert "prompts/list" not in asked
        assert workspace.connections["other"].problems == ()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ([{"hang": True}], "no answer within 0.4 s"),
        ([{"error": {"code": -32603, "message": "oops"}}], "oops (error -32603)"),
        ([{"raw": "nonsense $ID"}], "no answer within 0.4 s"),
        ([{"raw": '{"id":$ID, nonsense}'}], "it is not JSON"),
    ],
)
async def test_of_a_list_that_breaks_off_the_pages_that_came_count(how: list[Any], message: str) -> None:
    first = [
        {"set": {"lists": {_TEMPLATES: how}}},
        {"result": {"resourceTemplates": [TEMPLATE], "nextCursor": "x"}},
    ]
    entry = scripted(tools=[TOOL], lists={_TEMPLATES: first}, request_timeout=0.4)
    async with running(entry) as workspace:
        crm = workspace.connections["crm"]
        assert crm.state is State.CONNECTED
        assert [template.text for template in crm.catalog.templates] == [TEMPLATE["uriTemplate"]]
        assert len(crm.catalog.tools) == 1
        found = next(problem for problem in crm.catalog.problems if problem.subject == _TEMPLATES)
        assert found.message.startswith(f"page 2 failed: {message}")
        assert found.message.endswith("; what came before counts (1 item)")


_TEMPLATES = "resources/templates/list"


@ERAS
async def test_one_bad_item_hides_no_other(era: Era) -> None:
    bad: list[Any] = [
        {"name": "null schema", "inputSchema": None},
        {"inputSchema": SCHEMA},
        "no object",
        {"name": 5, "inputSchema": SCHEMA},
        {"name": "array schema", "inputSchema": {"type": "array"}},
    ]
    odd = [
        {"name": "odd description", "inputSchema": SCHEMA, "description": 5},
        {"name": "odd output", "inputSchema": SCHEMA, "outputSchema": [], "annotations": "x", "_meta": 7},
    ]
    resources = [{"uri": 5, "name": "x"}, {"uri": "r://1", "name": "r"}]
    entry = scripted(asked=era, tools=[*bad, *odd, TOOL], templates=[{"name": "t"}, TEMPLATE], resources=resources)
    async with running(entry) as workspace:
        crm = workspace.connections["crm"]
        assert [tool.name for tool in crm.catalog.tools] == ["odd description", "odd output", "send"]
        assert [tool.raw for tool in crm.catalog.tools[:2]] == odd
        assert crm.catalog.tools[1].meta == 7
        assert [template.text for template in crm.catalog.templates] == [TEMPLATE["uriTemplate"]]
        assert [resource.uri for resource in crm.catalog.resources] == ["r://1"]
        assert sorted(messages(crm.problems)) == sorted(
            [
                "tool null schema: left out: inputSchema is null, not an object",
                "tools/list, item 2: left out: name is missing",
                'tools/list, item 3: left out: it is no object but "no object"',
                "tools/list, item 4: left out: name is 5, not a string",
                "tool array schema: left out: inputSchema.type: should be 'object'",
                "tool odd description: description is left out: description is 5, not a string",
                "tool odd output: _meta is left out: _meta is 7, not an object",
                'tool odd output: annotations is left out: annotations is "x", not an object',
                "tool odd output: outputSchema is left out: outputSchema is an array, not an object",
                "resources/templates/list, item 1: left out: uriTemplate is missing",
                "resources/list, item 1: left out: uri is 5, not a string",
            ]
        )


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"tools": None}, "page 1 holds no list of items"),
        ({}, "page 1 holds no list of items"),
        ({"tools": [TOOL], "nextCursor": 5}, "the list ends here: nextCursor is 5, not a string"),
        ({"tools": [TOOL], "_meta": 5}, "_meta of the page is left out: it is no object"),
    ],
)
async def test_a_page_of_another_shape(result: dict[str, Any], message: str) -> None:
    async with running(scripted(lists={"tools/list": [{"result": result}]})) as workspace:
        crm = workspace.connections["crm"]
        assert len(crm.catalog.tools) == len(result.get("tools") or [])
        assert messages(crm.problems) == [f"tools/list: {message}"]


async def test_a_lone_surrogate_in_an_item_costs_no_more_than_its_field() -> None:
    page = (
        '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":['
        '{"name":"a","inputSchema":{"type":"object"},"description":"x\\udc00"},'
        '{"name":"b","inputSchema":{"type":"object","title":"\\ud800"}},'
        '{"name":"c","inputSchema":{"type":"object"}}]}}'
    )
    async with running(scripted(lists={"tools/list": [{"raw": page}]})) as workspace:
        crm = workspace.connections["crm"]
        assert [tool.name for tool in crm.catalog.tools] == ["a", "c"]
        assert [problem.subject for problem in crm.problems] == ["tool a", "tool b"]
        assert "lone surrogate" in crm.problems[1].message


async def test_a_tool_whose_headers_are_invalid_is_left_out_as_2026_asks() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "x-mcp-header": "X"}}}
    async with running(scripted(tools=[{"name": "bad", "inputSchema": schema}, TOOL])) as workspace:
        crm = workspace.connections["crm"]
        assert [tool.name for tool in crm.catalog.tools] == ["send"]
        assert crm.problems[0].message.startswith("left out: invalid x-mcp-header: ")


@ERAS
async def test_lists_are_read_anew_when_the_server_says_they_changed(era: Era) -> None:
    method = "notifications/tools/list_changed"
    notification: dict[str, Any] = {"method": method}
    if era is Era.MODERN:
        # The first listen stream of this process is not known here: the scripted server fills its id in.
        notification["params"] = {"_meta": {"io.modelcontextprotocol/subscriptionId": "$SUBSCRIPTION"}}
    change = [
        {"set": {"tools": tools("a", "b", "c")}},
        *[{"notify": notification}] * 5,
        {"result": {"content": []}},
    ]
    capabilities = {"tools": {"listChanged": True}}
    entry = scripted(asked=era, tools=tools("a"), calls={"a": change}, capabilities=capabilities, listen=True)
    async with running(entry) as workspace:
        crm = workspace.connections["crm"]
        changes: list[Change] = []
        changed = asyncio.Event()

        def listen(event: Event) -> None:
            if isinstance(event, CatalogChanged):
                changes.append(event.change)
                changed.set()

        workspace.subscribe(listen)
        assert (await crm.request_call("a", {}, {})).failure is None
        await asyncio.wait_for(changed.wait(), 3)
        assert [tool.name for tool in crm.catalog.tools] == ["a", "b", "c"]
        assert [change.describe() for change in changes] == ["+2 tools b and c"]


async def test_a_server_that_refuses_to_tell_of_changes_is_noted_and_works() -> None:
    async with running(scripted(tools=[TOOL], capabilities={"tools": {"listChanged": True}})) as workspace:
        crm = workspace.connections["crm"]
        await until(lambda: crm.problems)
        assert (await crm.request_call("send", {}, {})).failure is None
        assert messages(crm.problems) == [
            "subscriptions/listen: it says that lists change, but refuses to tell: "
            "Method not found: subscriptions/listen"
        ]
        assert crm.problems[0].severity is Severity.NOTE


async def test_reconnecting_says_what_changed() -> None:
    entry = scripted(tools=tools("a", "b"), templates=[TEMPLATE])
    async with running(entry, scripted("other")) as workspace:
        crm = workspace.connections["crm"]
        assert (await workspace.reconnect("crm")).describe() == "nothing changed"
        altered = [{"name": "b", "inputSchema": SCHEMA, "description": "new"}, *tools("c", "d")]
        await workspace.set_entries([scripted(tools=altered, templates=[]), workspace.connections["other"].entry])
        await workspace.settled()
        assert workspace.connections["crm"] is crm
        assert [tool.name for tool in crm.catalog.tools] == ["b", "c", "d"]
        crm.entry = entry
        change = await workspace.reconnect("crm")
        assert change.describe() == (
            "+1 tool a, −2 tools c and d, tool b: description changed, +1 template crm://signals/{id}"
        )
        assert (change.tools.added, change.tools.removed) == (("a",), ("c", "d"))
        crm.entry = scripted(start=[{"exit": 2}])
        assert [change.describe() for change in await workspace.reconnect_all()] == [
            "not connected: exited 2",
            "nothing changed",
        ]


async def test_a_list_in_another_order_is_a_note() -> None:
    swap = [{"set": {"tools": tools("b", "a")}}, {"result": {"content": []}}]
    async with running(scripted(tools=tools("a", "b"), calls={"a": swap})) as workspace:
        crm = workspace.connections["crm"]
        await crm.request_call("a", {}, {})
        assert not await crm.read_again()
        assert messages(crm.problems) == [
            "tools/list: the order of the list differs from the last time it was read"
        ]
