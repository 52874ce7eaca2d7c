"""The scripted server does what its spec says, as a client of the SDK sees it."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters

from tests.servers import workspace
from tests.servers.workspace import scripted

ERAS = ["legacy", "2026-07-28", "auto"]


def client(entry: dict[str, Any], mode: str = "auto", **options: Any) -> Client:
    parameters = StdioServerParameters(command=entry["command"], args=entry["args"])
    return Client(parameters, mode=mode, read_timeout_seconds=5, **options)


@pytest.mark.parametrize("mode", ERAS)
async def test_lists_reads_and_calls_in_each_era(tmp_path: Path, mode: str) -> None:
    crm = scripted(
        tmp_path,
        "crm",
        tools=[workspace.tool("send", ["crm"])],
        templates=["crm://signals/{id}"],
        resources=[{"uri": "crm://signals/1", "name": "one"}],
        reads={"crm://signals/1": workspace.text("crm://signals/1", "first")},
    )
    async with client(crm, mode) as session:
        assert session.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
        (tool,) = (await session.list_tools()).tools
        (template,) = (await session.list_resource_templates()).resource_templates
        (resource,) = (await session.list_resources()).resources
        contents = (await session.read_resource("crm://signals/1")).contents
        with pytest.raises(MCPError) as missing:
            await session.read_resource("crm://signals/2")
        result = await session.call_tool("send", {"citations": ["crm://signals/1"]}, meta={"a/b": {"c": 1}})
    assert tool.meta == {"ai.nimblebrain/resource-arguments": {"arguments": {"citations": {"schemes": ["crm"]}}}}
    assert (template.uri_template, resource.name) == ("crm://signals/{id}", "one")
    assert [item.text for item in contents] == ["first"]
    assert missing.value.code == (-32002 if mode == "legacy" else -32602)
    echoed = json.loads(result.content[0].text)
    assert echoed["arguments"] == {"citations": ["crm://signals/1"]}
    assert echoed["meta"]["a/b"] == {"c": 1}
    log = workspace.log_of(tmp_path, "crm")
    assert workspace.reads(log) == ["crm://signals/1", "crm://signals/2"]
    assert workspace.received(log, "tools/call")[0]["params"]["arguments"] == echoed["arguments"]


@pytest.mark.parametrize(("era", "version"), [("2025", "2025-11-25"), ("2026", "2026-07-28")])
async def test_a_server_of_one_era(tmp_path: Path, era: str, version: str) -> None:
    async with client(scripted(tmp_path, "one", era=era, tools=[workspace.tool()])) as session:
        assert session.protocol_version == version
        assert [tool.name for tool in (await session.list_tools()).tools] == ["send"]


async def test_pages_and_a_cursor_that_comes_back(tmp_path: Path) -> None:
    tools = [workspace.tool(f"tool-{number}") for number in range(5)]
    async with client(scripted(tmp_path, "pages", tools=tools, page_size=2)) as session:
        first = await session.list_tools()
        second = await session.list_tools(cursor=first.next_cursor)
        third = await session.list_tools(cursor=second.next_cursor)
    assert [len(page.tools) for page in (first, second, third)] == [2, 2, 1]
    assert third.next_cursor is None
    async with client(scripted(tmp_path, "loop", tools=tools, loop_cursor=True)) as session:
        first = await session.list_tools()
        second = await session.list_tools(cursor=first.next_cursor)
    assert first.next_cursor == second.next_cursor == "0"


async def test_answers_that_are_late_broken_or_never_come(tmp_path: Path) -> None:
    reads = {
        "a:slow": {"delay": 0.05, **workspace.text("a:slow", "late")},
        "a:error": workspace.failure("the disk is gone"),
        "a:raw": {"raw": {"contents": "none"}},
        "a:list": {"raw": ["no", "object"]},
        "a:line": {"line": "this is no JSON"},
        "a:hang": {"hang": True},
        "a:noise": {"stdout": "debug: reading", "stderr": "reading\n", **workspace.text("a:noise", "x")},
        "*": workspace.text("a:any", "any"),
    }
    async with client(scripted(tmp_path, "odd", reads=reads)) as session:
        assert (await session.read_resource("a:slow")).contents[0].text == "late"
        assert (await session.read_resource("a:noise")).contents[0].text == "x"
        assert (await session.read_resource("a:other")).contents[0].text == "any"
        with pytest.raises(MCPError, match="the disk is gone"):
            await session.read_resource("a:error")
        with pytest.raises(Exception, match="validation error"):
            await session.read_resource("a:raw")
        # The SDK drops a line that is no JSON-RPC message, and a result that is no object.
        for silent in ("a:line", "a:list", "a:hang"):
            with pytest.raises((MCPError, TimeoutError)):
                await asyncio.wait_for(session.read_resource(silent), 0.2)


async def test_any_method_can_be_answered_otherwise(tmp_path: Path) -> None:
    answers = {"tools/list": workspace.failure("no tools today", -32000)}
    async with client(scripted(tmp_path, "odd", answers=answers)) as session:
        with pytest.raises(MCPError, match="no tools today"):
            await session.list_tools()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_change_after_a_call_is_announced_as_the_era_does(tmp_path: Path, mode: str) -> None:
    changed = asyncio.Event()
    method = "notifications/tools/list_changed"
    entry = scripted(
        tmp_path,
        "changing",
        tools=[workspace.tool("one")],
        after=[
            {
                "method": "tools/call",
                "tool": "one",
                "times": 2,
                "change": {"tools": [workspace.tool("two")]},
                "notify": [method],
            }
        ],
    )

    async def saw(message: Any) -> None:
        if getattr(message, "method", None) == method:
            changed.set()

    async with client(entry, mode, message_handler=saw) as session:
        if mode == "auto":
            async with session.listen(tools_list_changed=True) as events:
                await session.call_tool("one", {})
                await session.call_tool("one", {})
                await asyncio.wait_for(anext(events), 5)
        else:
            await session.call_tool("one", {})
            assert not changed.is_set()
            await session.call_tool("one", {})
            await asyncio.wait_for(changed.wait(), 5)
        tools = await session.list_tools(cache_mode="bypass")
    assert [tool.name for tool in tools.tools] == ["two"]


async def test_progress_carries_the_token_of_the_call(tmp_path: Path) -> None:
    progress = {"method": "notifications/progress", "params": {"progress": 1, "total": 2, "message": "half"}}
    calls = {"*": {"notify": [progress], "result": {"content": []}}}
    seen: list[tuple[float, float | None, str | None]] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    async with client(scripted(tmp_path, "steps", calls=calls, tools=[workspace.tool()])) as session:
        await session.call_tool("send", {}, progress_callback=on_progress)
    assert seen == [(1, 2, "half")]


async def test_starts_that_fail(tmp_path: Path) -> None:
    entry = scripted(tmp_path, "dead", startup={"stderr": "no database\n", "exit": 3})
    process = await asyncio.create_subprocess_exec(
        entry["command"], *entry["args"], stderr=asyncio.subprocess.PIPE
    )
    _, stderr = await asyncio.wait_for(process.communicate(), 10)
    assert (process.returncode, stderr) == (3, b"no database\n")
    workspace.rescript(tmp_path, "dead", startup={})
    async with client(entry) as session:
        assert (await session.list_tools()).tools == []
    assert len(workspace.process_ids(tmp_path, "dead")) == 2


async def test_a_stubborn_server_outlives_the_end_of_stdin_and_sigterm(tmp_path: Path) -> None:
    entry = scripted(tmp_path, "stubborn", stubborn=True, child=True)
    process = await asyncio.create_subprocess_exec(
        entry["command"], *entry["args"], stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin and process.stdout
    try:
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert await asyncio.wait_for(process.stdout.readline(), 10)
        process.stdin.close()
        process.terminate()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.wait(), 0.2)
        own, child = workspace.process_ids(tmp_path, "stubborn")
        assert own == process.pid
        assert workspace.is_running(child)
    finally:
        for process_id in workspace.process_ids(tmp_path, "stubborn"):
            os.kill(process_id, signal.SIGKILL)
        await process.wait()
