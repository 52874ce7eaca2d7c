"""What the demo's servers publish and serve: child processes over stdio, both eras."""

import asyncio
import json
import signal
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import CallToolResult, ResourceTemplateReference

from inspector.demo.crm import build
from inspector.demo.delivery import KEY
from inspector.demo.signals import SignalStore
from inspector.demo.workspace import SERVERS, demo_workspace
from tests.demo.sessions import VERSIONS, Session, contents, said

SIGNAL = "crm://signals/42"
TEMPLATES = {
    "crm": ["crm://signals/{id}", "crm://digests/{kind}", "crm://accounts/{name}{?fields}"],
    "mail": ["mail://{folder}/{id}"],
    "outbox": ["outbox://sent/{id}"],
    "archive": ["crm://signals/{year}-{id}", "archive://boxes{/path*}"],
    "vault": ["vault://blobs/{name}", "vault://texts/{name}"],
}
DECLARED = {
    "send_with_citations": {"citations": {"schemes": ["crm"]}},
    "quote_record": {"source": {"schemes": ["crm"]}},
    "compile_report": {"sources": {"schemes": ["crm", "vault", "mail", "files"]}},
}


def parameters(folder: Path, server: str) -> StdioServerParameters:
    entry = demo_workspace(folder)["mcpServers"][server]
    return StdioServerParameters(command=entry["command"], args=entry["args"])


async def test_what_each_server_publishes(tmp_path: Path, mode: str) -> None:
    held: dict[str, Any] = {}

    async def published(server: str) -> tuple[list[str], dict[str, Any]]:
        async with Client(parameters(tmp_path, server), mode=mode, read_timeout_seconds=20) as client:
            templates = (await client.list_resource_templates()).resource_templates
            tools = (await client.list_tools()).tools
            for resource in (await client.list_resources()).resources:
                held[resource.uri] = (await client.read_resource(resource.uri)).contents[0]
            assert client.protocol_version == VERSIONS[mode]
            assert client.server_info is not None
            assert client.server_info.name == server
            assert all(tool.title and tool.description and tool.annotations for tool in tools)
            declared = {tool.name: tool.meta[KEY]["arguments"] for tool in tools if tool.meta}
            return [template.uri_template for template in templates], declared

    results = await asyncio.gather(*(published(server) for server in SERVERS))
    assert {server: templates for server, (templates, _) in zip(SERVERS, results, strict=True)} == TEMPLATES
    assert {name: declared for _, found in results for name, declared in found.items()} == DECLARED
    assert held["vault://blobs/logo"].blob.startswith("iVBORw0KGgo")
    assert len(held["vault://texts/handbook"].text) > 49600 > len(held["vault://texts/prices"].text)


def test_signal_42_is_fresh_and_17_is_stale(crm: Session) -> None:
    today = date.today()
    assert json.loads(crm.read("crm://signals/42")) == {
        "id": 42,
        "kind": "funding",
        "observedAt": (today - timedelta(days=12)).isoformat(),
        "account": "Aldermoor Robotics",
        "quote": "We have raised 30 million to bring the arm to small workshops.",
    }
    assert json.loads(crm.read("crm://signals/17"))["observedAt"] == (today - timedelta(days=400)).isoformat()


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("crm://signals/7", "no signal 7"),
        ("crm://signals/2024-17", "no signal 2024-17"),
        ("crm://signals/%D9%A4%D9%A2", "no signal"),
        ("crm://accounts/Nobody", "no account Nobody"),
        ("crm://digests/rumour", "no signals of the kind rumour"),
    ],
)
def test_what_does_not_exist_is_an_error_of_the_era(crm: Session, uri: str, reason: str) -> None:
    with pytest.raises(MCPError, match=reason) as missing:
        crm.read(uri)
    assert missing.value.code == (-32002 if crm.client.protocol_version == VERSIONS["legacy"] else -32602)
    assert missing.value.error.data == {"uri": uri}


def test_an_account_is_read_by_its_encoded_name_and_some_fields(crm: Session) -> None:
    uri = "crm://accounts/%C3%86r%C3%B8%20Shipping"
    assert json.loads(crm.read(uri)) == {"name": "Ærø Shipping", "city": "Marstal", "employees": 130}
    assert json.loads(crm.read(f"{uri}?fields=city,employees")) == {"city": "Marstal", "employees": 130}


def test_signals_are_found_by_words_and_kind(crm: Session) -> None:
    found = crm.call("find_signals", {"kind": "funding", "words": "aldermoor"}).structured_content
    assert found is not None
    assert [each["uri"] for each in found["signals"]] == ["crm://signals/42"]
    everything = crm.call("find_signals", {}).structured_content
    assert everything is not None
    assert [each["observed"] for each in everything["signals"]] == sorted(
        (each["observed"] for each in everything["signals"]), reverse=True
    )


def test_a_signal_ages_and_is_deleted(crm: Session) -> None:
    before = date.fromisoformat(json.loads(crm.read("crm://signals/29"))["observedAt"])
    assert not crm.call("age_signal", {"id": 29, "days": 11}).is_error
    after = date.fromisoformat(json.loads(crm.read("crm://signals/29"))["observedAt"])
    assert (before - after).days == 11
    assert crm.call("age_signal", {"id": 7, "days": 1}).is_error
    crm.call("delete_signal", {"id": 36})
    with pytest.raises(MCPError, match="no signal 36"):
        crm.read("crm://signals/36")
    assert "There is no signal 36" in said(crm.call("delete_signal", {"id": 36}))


def test_variables_are_completed(crm: Session) -> None:
    def values(template: str, variable: str, start: str) -> list[str]:
        reference = ResourceTemplateReference(type="ref/resource", uri=template)
        argument = {"name": variable, "value": start}
        return crm.portal.call(crm.client.complete, reference, argument).completion.values

    assert values("crm://signals/{id}", "id", "4") == ["42"]
    assert values("crm://accounts/{name}{?fields}", "name", "Æ") == ["Ærø Shipping"]
    assert values("crm://accounts/{name}{?fields}", "fields", "") == ["name", "city", "employees"]
    assert values("crm://digests/{kind}", "other", "") == []


def test_a_record_that_crm_aged_is_refused_by_outbox(crm: Session, outbox: Session) -> None:
    """Two servers that never speak to each other: what one serves is handed to the other."""
    uri = "crm://signals/23"

    def send() -> CallToolResult:
        delivered = {uri: contents(uri, crm.read(uri))}
        return outbox.call("send_with_citations", {"body": "x", "citations": [uri]}, delivered)

    assert not send().is_error
    crm.call("age_signal", {"id": 23, "days": 106})
    refused = send()
    assert refused.is_error
    assert "too old" in said(refused)
    assert "181 days ago" in said(refused)


async def test_a_listener_hears_of_a_record_that_changed(tmp_path: Path) -> None:
    """Only 2026-07-28 has listeners; the connection is the in-process one of the SDK."""
    async with Client(build(tmp_path)) as client, client.listen(resource_subscriptions=[SIGNAL]) as events:
        await client.call_tool("age_signal", {"id": 42, "days": 1})
        event = await asyncio.wait_for(anext(events), 10)
    assert event == ResourceUpdated(uri=SIGNAL)


def test_records_are_seeded_once(tmp_path: Path) -> None:
    first = SignalStore(tmp_path / "new" / "folder")
    assert len(first.signals()) == 10
    first.delete(3)
    assert len(SignalStore(tmp_path / "new" / "folder").signals()) == 9


def test_a_server_goes_quietly(tmp_path: Path) -> None:
    # A folder with a package of the same name in it, which must not be taken for ours.
    (tmp_path / "inspector").mkdir()
    (tmp_path / "inspector" / "__init__.py").write_text("raise SystemExit('not this one')")
    entry = demo_workspace(tmp_path)["mcpServers"]["vault"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen([entry["command"], *entry["args"]], cwd=tmp_path, text=True, **pipes)

    with start() as at_end_of_stdin, start() as interrupted, start() as terminated:
        processes = (at_end_of_stdin, interrupted, terminated)
        for process in processes:
            assert process.stdin
            process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            process.stdin.flush()
        for process in processes:
            assert process.stdout
            assert '"id":1' in process.stdout.readline()
        assert at_end_of_stdin.stdin
        at_end_of_stdin.stdin.close()
        interrupted.send_signal(signal.SIGINT)
        terminated.terminate()
        assert [process.wait(10) for process in processes] == [0, -signal.SIGINT, -signal.SIGTERM]
        for process in processes:
            assert process.stdout and process.stderr
            assert (process.stdout.read(), process.stderr.read()) == ("", "")


def test_a_folder_that_holds_no_data_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    entry = demo_workspace(tmp_path / "file")["mcpServers"]["crm"]
    ended = subprocess.run(
        [entry["command"], *entry["args"]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"{tmp_path / 'file'} cannot hold the demo's data")


def test_the_workspace_imports_nothing_heavy_and_prints_itself(tmp_path: Path) -> None:
    code = "import sys, inspector.demo.workspace; print([m for m in ('mcp', 'pydantic') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
    command = [sys.executable, "-m", "inspector.demo"]
    printed = subprocess.check_output([*command, "workspace", str(tmp_path)], text=True)
    assert json.loads(printed) == demo_workspace(tmp_path)
    wrong = subprocess.run([*command, "nobody"], capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "crm, mail, outbox, archive or vault" in wrong.stderr


def test_only_mail_is_kept_on_the_2025_era(tmp_path: Path) -> None:
    servers = demo_workspace(tmp_path)["mcpServers"]
    assert {name: entry.get("protocolEra", "auto") for name, entry in servers.items()} == {
        name: "legacy" if name == "mail" else "auto" for name in SERVERS
    }
