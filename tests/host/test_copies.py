"""A call copied for elsewhere: run for real, it sends what was resolved; and no secret of a server is in it."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector.extension import KEY, Code, Limits, Outcome
from inspector.host.copies import CannotCopy, command_line, mcp_inspector_line, python_script, request_text
from inspector.host.host import Host
from inspector.host.profile import HostSettings, Profile
from inspector.host.resolution import Resolution
from inspector.host.setup import Setup
from inspector.workspace.catalog import Tool
from inspector.workspace.config import load_workspace
from inspector.workspace.server import ServerEntry, Transport
from tests.host.playing import crm, outbox, playing
from tests.servers.workspace import log_of, received, scripted, workspace_file

ARGUMENTS = {"citations": ["crm://signals/4", "crm://it's/é\u202e"], "body": 'say "it\'s"\n$HOME `x`', "n": 10**20}


def environment(folder: Path) -> dict[str, str]:
    beside = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}", "XDG_STATE_HOME": str(folder)}


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment(folder), cwd="/")


def calls(folder: Path) -> list[dict[str, Any]]:
    return [message["params"] for message in received(log_of(folder, "outbox"), "tools/call")]


async def resolved(folder: Path, host: Host) -> Resolution:
    return await host.resolve(host.find_tool("outbox/send"), ARGUMENTS)


def setup_of_file(path: Path, **fields: Any) -> Setup:
    entries = load_workspace(path).servers
    return Setup("test", entries, path=path, options=("-w", str(path)), **fields)


def made_up(**fields: Any) -> Resolution:
    """A resolution that no server was asked for."""
    outcome = Outcome("crm://x", ("citations",), Code.NOT_FOUND, "R14", "no owner")
    parts: dict[str, Any] = {
        "tool": Tool("outbox", "send", {}),
        "settings": HostSettings(),
        "arguments": {"citations": ["crm://x"]},
        "present": True,
        "outcomes": (outcome,),
        "claims": {},
        "resolved_at": 0.0,
        "generation": 1,
    }
    return Resolution(**{**parts, **fields})


async def test_the_copied_command_sends_the_same_call(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolved(tmp_path, host)
        await host.send(resolution)
    setup = setup_of_file(workspace_file(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}))
    line = command_line(setup, resolution)
    ended = await asyncio.to_thread(run, ["sh", "-c", line], tmp_path)
    assert ended.returncode == 0, ended.stderr
    first, second = calls(tmp_path)
    assert first["arguments"] == second["arguments"] == ARGUMENTS
    assert first["_meta"][KEY] == second["_meta"][KEY] == resolution.meta[KEY]


async def test_the_copied_script_sends_the_same_call(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": {**outbox(tmp_path), "env": {"TOKEN": "${SECRET:-hunter2}"}}}
    async with playing(tmp_path, servers) as host:
        resolution = await resolved(tmp_path, host)
        await host.send(resolution)
        entry = host.workspace.connections["outbox"].entry
    script = python_script(setup_of_file(workspace_file(tmp_path, servers)), resolution, entry)
    assert "hunter2" not in script
    ended = await asyncio.to_thread(run, [sys.executable, "-c", script], tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["content"]
    first, second = calls(tmp_path)
    assert second["arguments"] == ARGUMENTS
    assert first["_meta"][KEY] == second["_meta"][KEY]


@pytest.mark.parametrize("transport", [Transport.HTTP, Transport.SSE, Transport.STDIO])
def test_no_secret_of_a_server_is_in_any_copy(tmp_path: Path, transport: Transport) -> None:
    secret = "hunter2"
    url = f"https://me:{secret}@host/mcp?key={secret}"
    by_file = ServerEntry(
        "outbox", transport, "cmd", (secret,), {"A": secret}, None, url, {"Authorization": secret}
    )
    named = replace(by_file, args=("plain",))
    typed = url if transport is not Transport.STDIO else "cmd plain"
    path = tmp_path / "mcp.json"
    for setup, entry in (
        (Setup("x", (by_file,), path=path, options=("-w", str(path))), by_file),
        (Setup("x", (named,), options=("-s", f"outbox={typed}")), named),
    ):
        for text in (
            request_text(made_up()),
            command_line(setup, made_up()),
            mcp_inspector_line(setup, made_up(), entry),
            python_script(setup, made_up(), entry),
        ):
            assert secret not in text
    ast.parse(python_script(Setup("x", (by_file,), path=path), made_up(), by_file))


def test_a_command_names_the_options_it_takes_to_play_the_same_host() -> None:
    entry = ServerEntry("outbox", Transport.STDIO, "python", ("server.py",))
    settings = HostSettings(Profile.RESTRICTED, Limits(max_uris=3))
    setup = Setup("x", (entry,), options=("--timeout", "5", "--", "python", "server.py"))
    words = shlex.split(command_line(setup, made_up(settings=settings)))
    assert words == [
        *("ra-inspector", "call", "outbox/send", "--args", '{"citations": ["crm://x"]}', "--timeout", "5"),
        *("--profile", "restricted", "--max-uris", "3", "--", "python", "server.py"),
    ]


def test_arguments_too_long_for_a_command_line_go_by_standard_input() -> None:
    entry = ServerEntry("outbox", Transport.STDIO, "python", ())
    arguments = {"body": "it's " * 50_000}
    line = command_line(Setup("x", (entry,), options=("--demo",)), made_up(arguments=arguments))
    shell = line.replace("ra-inspector call outbox/send --args - --demo", "cat")
    printed = subprocess.run(["sh"], input=shell, capture_output=True, text=True, timeout=20)
    assert json.loads(printed.stdout) == arguments


def test_the_other_inspectors_line_carries_the_meta_as_json() -> None:
    entry = ServerEntry("outbox", Transport.STDIO, "python", ("server.py", "--flag"))
    line = mcp_inspector_line(Setup("x", (entry,)), made_up(), entry)
    comment, command = line.splitlines()
    assert comment.startswith("# For MCP Inspector 2.12")
    words = shlex.split(command)
    assert words[:2] == ["mcp-inspector", "--cli"]
    assert words[-4:] == ["--", "python", "server.py", "--flag"]
    key, _, value = words[words.index("--tool-metadata") + 1].partition("=")
    assert {key: json.loads(value)} == made_up().meta
    assert json.loads(words[words.index("--tool-args-json") + 1]) == {"citations": ["crm://x"]}
    absent = mcp_inspector_line(Setup("x", (entry,)), made_up(present=False, outcomes=()), entry)
    assert "--tool-metadata" not in absent


def test_a_value_too_deep_for_a_python_source_is_said_to_be() -> None:
    entry = ServerEntry("outbox", Transport.STDIO, "python", ())
    value: Any = 1
    for _ in range(5000):
        value = [value]
    with pytest.raises(CannotCopy, match="nests deeper than 60 levels"):
        python_script(Setup("x", (entry,)), made_up(arguments={"a": value}), entry)


def test_a_server_of_the_demo_is_started_as_the_demo_starts_it(tmp_path: Path) -> None:
    entry = ServerEntry(
        "crm", Transport.STDIO, **{k: v for k, v in scripted(tmp_path, "crm").items() if k == "command"}
    )
    assert repr(entry.command) in python_script(Setup("demo", (entry,), options=("--demo",)), made_up(), entry)
