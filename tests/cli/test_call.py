"""`preview` and `call`, over real servers: the documents, the text, what was sent, and each way to fail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.extension import FAILED_READ_REMEDY, KEY, MESSAGES, REMEDIES, Code
from tests.cli.conftest import Run, Servers
from tests.servers.workspace import reads, received, text, tool

CITED = '{"body": "b", "citations": ["crm://signals/42", "crm://signals/7", "mail://inbox/1"]}'
ENTRIES = {
    "crm://signals/42": {"contents": [{"uri": "crm://signals/42", "mimeType": "text/plain", "text": "fünf"}]},
    "crm://signals/7": {"error": {"code": "not_found", "message": MESSAGES[Code.NOT_FOUND]}},
    "mail://inbox/1": {"error": {"code": "scheme_not_declared", "message": MESSAGES[Code.SCHEME_NOT_DECLARED]}},
}


def timeless(document: Any) -> Any:
    """The document with every time in it replaced by whether it is one."""
    if isinstance(document, dict):
        return {
            key: value if key != "ms" else isinstance(value, float) or value
            for key, value in ((key, timeless(value)) for key, value in document.items())
        }
    return [timeless(item) for item in document] if isinstance(document, list) else document


def test_preview_prints_the_meta_and_sends_nothing(run: Run, workspace: Servers) -> None:
    ended = run("preview", "-w", workspace.file, "outbox/send", "--args", CITED, "--json")
    assert (ended.code, ended.err) == (0, "")
    claim = {"server": "crm", "template": "crm://signals/{id}"}
    assert timeless(ended.document) == {
        "tool": "outbox/send",
        "profile": "workspace",
        "limits": {"maxChars": 49600, "maxSize": 10485760, "maxUris": 32},
        "arguments": json.loads(CITED),
        "meta": {KEY: ENTRIES},
        "outcomes": [
            {
                "uri": "crm://signals/42",
                "arguments": ["citations"],
                "outcome": "resolved",
                "server": "crm",
                "claims": [claim | {"variables": {"id": "42"}}],
                "bytes": 5,
                "chars": 4,
                "ms": True,
                "forced": False,
                "rule": "R22",
                "reason": "read and handed on",
                "remedy": None,
            },
            {
                "uri": "crm://signals/7",
                "arguments": ["citations"],
                "outcome": "not_found",
                "server": "crm",
                "claims": [claim | {"variables": {"id": "7"}}],
                "bytes": 0,
                "chars": 0,
                "ms": True,
                "forced": False,
                "rule": "R19",
                "reason": "the server said: Resource not found: crm://signals/7 (error -32602)",
                "remedy": FAILED_READ_REMEDY,
            },
            {
                "uri": "mail://inbox/1",
                "arguments": ["citations"],
                "outcome": "scheme_not_declared",
                "server": None,
                "claims": [],
                "bytes": 0,
                "chars": 0,
                "ms": None,
                "forced": False,
                "rule": "R10",
                "reason": "citations does not declare mail",
                "remedy": REMEDIES[Code.SCHEME_NOT_DECLARED],
            },
        ],
    }
    assert list(ended.document["meta"][KEY]) == list(ENTRIES)
    assert received(workspace.log("outbox"), "tools/call") == []
    assert sorted(reads(workspace.log("crm"))) == ["crm://signals/42", "crm://signals/7"]


def test_call_sends_exactly_what_it_prints(run: Run, workspace: Servers) -> None:
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", CITED, "--json")
    assert (ended.code, ended.err) == (0, "")
    (sent,) = received(workspace.log("outbox"), "tools/call")
    assert sent["params"]["arguments"] == json.loads(CITED)
    assert json.dumps(sent["params"]["_meta"][KEY]) == json.dumps(ended.document["meta"][KEY])
    assert ended.document["result"]["content"][0]["type"] == "text"
    assert timeless(ended.document)["ms"] is True


def test_preview_as_text(run: Run, workspace: Servers) -> None:
    ended = run("preview", "-w", workspace.file, "outbox/send", "--args", CITED)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "outbox/send  host: workspace, claims the capability and resolves: the usual case"
    assert lines[1].startswith("  ✓  resolved             crm://signals/42  crm  id=42 · 5 B · ")
    assert lines[2] == (
        "  ✗  not_found            crm://signals/7   crm  "
        "the server said: Resource not found: crm://signals/7 (error -32602) (R19)"
    )
    assert lines[3] == f"    → {FAILED_READ_REMEDY}"
    assert lines[4] == "  ✗  scheme_not_declared  mail://inbox/1    –    citations does not declare mail (R10)"
    assert lines[5] == f"    → {REMEDIES[Code.SCHEME_NOT_DECLARED]}"
    assert lines[6:8] == ["", "_meta"]
    assert json.loads("\n".join(lines[8:])) == {KEY: ENTRIES}


def test_call_as_text_ends_with_the_result(run: Run, workspace: Servers) -> None:
    content = [
        {"type": "text", "text": "first\nsecond"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "crm://signals/42", "name": "a signal"},
        {"type": "resource", "resource": {"uri": "crm://signals/1", "text": "one"}},
    ]
    result = {"content": content, "structuredContent": {"sent": False}, "isError": True}
    workspace.add("outbox", tools=[tool("send", ["crm"])], calls={"send": {"result": result}})
    ended = run("call", "-w", workspace.file, "outbox/send")
    assert (ended.code, ended.err) == (1, "")
    lines = ended.out.splitlines()
    assert lines[1] == "  no string of a declared argument is resolved: the key is absent from _meta (R9)"
    assert lines[2:5] == ["", "_meta", "  {}"]
    assert lines[6].startswith("✗ the tool says isError, after ")
    assert lines[7:] == [
        "  first",
        "  second",
        "  [image: image/png, 4 characters of base64]",
        "  [link: crm://signals/42]",
        "  [resource: crm://signals/1]",
        "  one",
        "  structuredContent",
        "  {",
        '    "sent": false',
        "  }",
    ]


@pytest.mark.parametrize("profile", ["plain", "personal"])
def test_a_host_that_resolves_nothing_sends_no_key(run: Run, workspace: Servers, profile: str) -> None:
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", CITED, "--json", "--profile", profile)
    assert (ended.code, ended.document["meta"], ended.document["outcomes"]) == (0, {}, [])
    (sent,) = received(workspace.log("outbox"), "tools/call")
    assert KEY not in sent["params"].get("_meta", {})


def test_limits_are_set_in_the_file_and_on_the_command_line(run: Run, workspace: Servers) -> None:
    workspace.beside["host"] = {"maxUris": 1, "maxChars": 3}
    words = ("preview", "-w", workspace.file, "outbox/send", "--args", CITED, "--json")
    ended = run(*words)
    assert [outcome["outcome"] for outcome in ended.document["outcomes"]] == [
        "too_large",
        "over_limit",
        "scheme_not_declared",
    ]
    ended = run(*words, "--max-uris", "2", "--max-chars", "4")
    assert ended.document["limits"] == {"maxChars": 4, "maxSize": 10485760, "maxUris": 2}
    assert [outcome["outcome"] for outcome in ended.document["outcomes"]] == [
        "resolved",
        "not_found",
        "scheme_not_declared",
    ]


@pytest.mark.parametrize("profile", ["workspace", "outside-client"])
def test_a_bare_tool_name_serves_where_it_is_unique(run: Run, workspace: Servers, profile: str) -> None:
    """The claim is the same as with the whole name, although the calling server is known only later (R3)."""
    ended = run("call", "-w", workspace.file, "send", "--json", "--profile", profile)
    assert (ended.code, ended.document["tool"]) == (0, "outbox/send")
    (sent,) = received(workspace.log("outbox"), "tools/call")
    assert claims(sent) is (profile == "workspace")


def claims(message: Any) -> bool:
    """Whether a message of the 2026 era claims the capability."""
    capabilities = message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]
    return KEY in capabilities.get("extensions", {})


@pytest.mark.parametrize(("profile", "claiming"), [("outside-client", {"crm"}), ("restricted", {"crm", "outbox"})])
def test_the_claim_is_what_the_profile_makes_from_the_first_message_on(
    run: Run, workspace: Servers, profile: str, claiming: set[str]
) -> None:
    ended = run("call", "-w", workspace.file, "outbox/send", "--json", "--profile", profile)
    assert ended.code == 0
    for server in ("crm", "outbox"):
        asked = [message for message in received(workspace.log(server)) if "id" in message]
        assert asked[0]["method"] == "server/discover"
        assert {claims(message) for message in asked} == {server in claiming}


def test_whole_numbers_and_the_order_of_arguments_arrive_unharmed(run: Run, workspace: Servers) -> None:
    given = '{"z": 123456789012345678901234567890, "a": [1.5, {"c": null, "b": true}]}'
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", "-", "--json", stdin=given.encode())
    assert ended.code == 0
    (sent,) = received(workspace.log("outbox"), "tools/call")
    assert json.dumps(sent["params"]["arguments"]) == given


def test_arguments_nested_as_deep_as_is_allowed_arrive(run: Run, workspace: Servers) -> None:
    given = '{"a": ' + "[" * 199 + "]" * 199 + "}"
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", given, "--json")
    assert (ended.code, ended.err) == (0, "")
    (sent,) = received(workspace.log("outbox"), "tools/call")
    assert json.dumps(sent["params"]["arguments"]) == given


def test_an_error_for_an_answer_ends_with_the_document_and_exit_code_3(run: Run, workspace: Servers) -> None:
    error = {"code": -32603, "message": "out of \x1b[31mpaper"}
    workspace.add("outbox", tools=[tool("send", ["crm"])], calls={"send": {"error": error}})
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", CITED, "--json")
    assert ended.code == 3
    assert ended.document["result"] is None
    assert ended.document["error"] == error
    assert ended.error == "outbox/send: no result: out of ␛[31mpaper (error -32603)"


def test_a_tool_that_never_answers_is_given_up_on(run: Run, workspace: Servers) -> None:
    workspace.add("outbox", tools=[tool("send", ["crm"])], calls={"send": {"hang": True}})
    ended = run("call", "-w", workspace.file, "outbox/send", "--timeout", "0.5", "--json")
    assert ended.code == 3
    assert ended.document["error"]["code"] is None
    assert ended.error.startswith("outbox/send: no result: no answer within 0.5 s")


def test_a_server_that_exits_in_the_call_is_named_with_its_last_words(run: Run, workspace: Servers) -> None:
    workspace.add("outbox", tools=[tool("send", ["crm"])], calls={"send": {"stderr": "no paper\n", "exit": 7}})
    ended = run("call", "-w", workspace.file, "outbox/send")
    assert ended.code == 3
    assert ended.error == "outbox/send: no result: exited 7: no paper"
    assert ended.out.splitlines()[-1].startswith("✗ no result after ")


def test_the_tools_own_server_must_connect(run: Run, workspace: Servers) -> None:
    workspace.add("outbox", startup={"stderr": "starting\nno database\n", "exit": 3})
    ended = run("call", "-w", workspace.file, "outbox/send", "--json")
    assert (ended.code, ended.out) == (3, "")
    assert ended.error == "outbox, the tool's server: exited 3: no database"


def test_another_server_that_fails_is_said_and_changes_no_exit_code(run: Run, workspace: Servers) -> None:
    workspace.add("billing", startup={"stderr": "no database\n", "exit": 3})
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", CITED, "--json")
    assert ended.code == 0
    assert ended.error == "billing: exited 3: no database: it owns nothing here"
    assert ended.document["meta"] == {KEY: ENTRIES}


@pytest.mark.parametrize(
    ("reference", "line"),
    [
        ("outbox/post", "outbox has no tool post: there is send"),
        ("post", "no tool post: there is outbox/send"),
        ("inbox/send", "inbox/send names no server of the workspace: there is crm, outbox"),
    ],
)
def test_an_unknown_tool_is_answered_with_those_there_are(
    run: Run, workspace: Servers, reference: str, line: str
) -> None:
    ended = run("preview", "-w", workspace.file, reference)
    assert (ended.code, ended.out, ended.error) == (2, "", line)


def test_a_list_of_tools_that_failed_is_said_instead_of_an_unknown_tool(run: Run, workspace: Servers) -> None:
    error = {"error": {"code": -32603, "message": "no disk"}}
    workspace.add("outbox", answers={"tools/list": error})
    ended = run("call", "-w", workspace.file, "outbox/send")
    assert (ended.code, ended.out) == (3, "")
    assert ended.error == (
        "outbox has no tool send: there is none; tools/list: page 1 failed: no disk (error -32603)"
    )


def test_a_tool_too_broken_to_list_is_said_instead_of_an_unknown_tool(run: Run, workspace: Servers) -> None:
    workspace.add("outbox", tools=[tool("post"), tool("send") | {"inputSchema": 1}])
    ended = run("call", "-w", workspace.file, "outbox/send")
    assert (ended.code, ended.out) == (3, "")
    assert ended.error.startswith("outbox has no tool send: there is post; tool send: ")


def test_a_bare_name_on_two_servers_is_answered_with_both(run: Run, workspace: Servers) -> None:
    workspace.add("inbox", tools=[tool("send")])
    ended = run("preview", "-w", workspace.file, "send")
    assert ended.code == 2
    assert ended.error == "the tool send is on several servers: name one of outbox/send, inbox/send"


def test_text_from_a_server_never_reaches_the_terminal_raw(run: Run, workspace: Servers) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J\u202edrow\x9b31m\x7f"
    uri = "crm://signals/1"
    workspace.add("crm", templates=["crm://signals/{id}"], reads={uri: text(uri, hostile)})
    result = {"content": [{"type": "text", "text": hostile}, {"type": hostile}], "structuredContent": [hostile]}
    workspace.add("outbox", tools=[tool("send", ["crm"])], calls={"send": {"result": result}})
    given = json.dumps({"citations": [uri, hostile]})
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", given)
    assert ended.code == 0
    assert all(character.isprintable() or character == "\n" for character in ended.out + ended.err)
    assert "␛]0;owned␇" in ended.out
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", given, "--json")
    assert ended.document["meta"][KEY][uri]["contents"][0]["text"] == hostile


def test_a_result_that_breaks_the_protocol_is_shown_as_it_came(run: Run, workspace: Servers) -> None:
    workspace.add("outbox", tools=[tool("send", ["crm"])], calls={"send": {"result": {"content": "no list"}}})
    ended = run("call", "-w", workspace.file, "outbox/send", "--json")
    assert ended.document["result"]["content"] == "no list"
    assert ended.code == 0
    assert "outbox: the result breaks the protocol: " in ended.err


SCHEMA = {
    "type": "object",
    "required": ["body"],
    "properties": {"count": {"type": "integer"}, "citations": {"$ref": "https://example.com/uris.json"}},
}


@pytest.mark.parametrize("command", ["preview", "call"])
def test_arguments_that_the_schema_does_not_allow_are_said_and_sent_all_the_same(
    run: Run, workspace: Servers, command: str
) -> None:
    workspace.add("typed", tools=[tool("send", ["crm"], inputSchema=SCHEMA)])
    words = ("-w", workspace.file, "typed/send", "--args", '{"count": "3", "citations": []}', "--json")
    ended = run(command, *words)
    assert ended.code == 0
    assert ended.document["arguments"] == {"count": "3", "citations": []}
    assert ended.err.splitlines() == [
        "ra-inspector: typed/send: the arguments, by inputSchema: body is required and left out",
        "ra-inspector: typed/send: the arguments, by inputSchema: "
        "count is a string, and a whole number is expected",
        "ra-inspector: typed/send: the arguments are not checked by inputSchema against what is behind "
        "https://example.com/uris.json: it is elsewhere, never fetched",
    ]
