"""`show`, `owners`, `read` and `check`, over real servers: the documents and the text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Run, Servers
from tests.servers.workspace import blob, reads, text, tool

UNOWNED = "no owner: no connected server of the workspace publishes a template it expands from"


@pytest.fixture
def many(workspace: Servers) -> Servers:
    """The workspace with a server that overlaps crm's, one that fails, one beside it, and a broken template."""
    workspace.add("archive", templates=["crm://signals/{year}-{id}", "crm://{broken"])
    workspace.add("billing", startup={"stderr": "no database\n", "exit": 3})
    workspace.add("mine", entry={"connector": "personal"}, templates=["note://{id}"])
    return workspace


def test_show_prints_each_server(run: Run, many: Servers) -> None:
    ended = run("show", "-w", many.file, "--json")
    assert (ended.code, ended.err) == (0, "")
    servers = {server["name"]: server for server in ended.document["servers"]}
    assert list(servers) == ["crm", "outbox", "archive", "billing", "mine"]
    outbox = servers["outbox"]
    assert isinstance(outbox.pop("ms"), float)
    assert outbox == {
        "name": "outbox",
        "state": "connected",
        "error": None,
        "transport": "stdio",
        "protocolVersion": "2026-07-28",
        "serverInfo": {"name": "outbox", "version": "1"},
        "tools": [{"name": "send", "declares": {"citations": {"schemes": ["crm"]}}}],
        "templates": [],
        "resources": 0,
        "prompts": 0,
        "problems": [],
    }
    assert servers["archive"]["templates"] == ["crm://signals/{year}-{id}", "crm://{broken"]
    assert {
        "severity": "error",
        "subject": "template crm://{broken",
        "rule": "R27",
    }.items() <= servers["archive"]["problems"][0].items()
    assert servers["billing"] == {
        "name": "billing",
        "state": "failed",
        "error": "exited 3: no database",
        "transport": "stdio",
        "protocolVersion": None,
        "serverInfo": None,
        "ms": None,
        "tools": [],
        "templates": [],
        "resources": 0,
        "prompts": 0,
        "problems": [
            {
                "severity": "error",
                "subject": "connection",
                "rule": "protocol",
                "message": "exited 3: no database",
                "remedy": 'If it only knows the 2025 handshake, set "protocolEra": "legacy".',
                "snippet": None,
            }
        ],
    }


def test_show_as_text(run: Run, many: Servers) -> None:
    ended = run("show", "-w", many.file)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].startswith("● crm  connected  2026-07-28  stdio  ")
    assert lines[1] == "    template     crm://signals/{id}"
    assert "    tool  ⧉  send  citations: crm" in lines
    assert "✗ billing  failed  exited 3: no database  stdio" in lines
    assert any(line.startswith("● mine  connected") and line.endswith("  personal connector") for line in lines)
    assert any(line.startswith("    ✗ error  template crm://{broken  is no RFC 6570 template") for line in lines)


def test_the_era_of_a_server_is_chosen_by_name(run: Run, workspace: Servers) -> None:
    ended = run("show", "-w", workspace.file, "--era", "crm=legacy", "--json")
    eras = {server["name"]: server["protocolVersion"] for server in ended.document["servers"]}
    assert eras == {"crm": "2025-11-25", "outbox": "2026-07-28"}


def test_owners_prints_the_map_and_its_overlaps(run: Run, many: Servers) -> None:
    ended = run("owners", "-w", many.file, "--json")
    assert ended.code == 0
    assert ended.error == "billing: exited 3: no database: it owns nothing here"
    document = ended.document
    broken = document["templates"].pop()
    assert document["templates"] == [
        {
            "server": "crm",
            "template": "crm://signals/{id}",
            "name": "template-0",
            "variables": ["id"],
            "problem": None,
        },
        {
            "server": "archive",
            "template": "crm://signals/{year}-{id}",
            "name": "template-0",
            "variables": ["year", "id"],
            "problem": None,
        },
    ]
    assert (broken["template"], broken["variables"]) == ("crm://{broken", [])
    assert broken["problem"].startswith("is no RFC 6570 template, so it owns nothing: ")
    (overlap,) = document["overlaps"]
    assert (overlap["servers"], overlap["templates"]) == (
        ["crm", "archive"],
        ["crm://signals/{id}", "crm://signals/{year}-{id}"],
    )
    verdicts = run("owners", overlap["witness"], "-w", many.file, "--json").document["uris"]
    assert verdicts[0]["verdict"] == "ambiguous"


def test_owners_as_text(run: Run, many: Servers) -> None:
    ended = run("owners", "-w", many.file)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("! overlap  crm://signals/")
    assert lines[1:3] == ["    crm      crm://signals/{id}", "    archive  crm://signals/{year}-{id}"]
    assert lines[3] == "●  crm      crm://signals/{id}"
    assert lines[5].startswith("✗  archive  crm://{broken")


def test_owners_where_nothing_is_published(run: Run, servers: Servers) -> None:
    servers.add("outbox", tools=[tool("send", ["crm"])])
    ended = run("owners", "-w", servers.file)
    assert (ended.code, ended.out) == (
        0,
        "no server of this workspace publishes a template: nothing has an owner (R14)\n",
    )


VERDICTS = {
    "crm://signals/42": "owned",
    "crm://signals/2024-17": "ambiguous",
    "crm://accounts/1": "unowned",
    "files://a": "host_scheme",
    "no scheme": "no_scheme",
    "note://1": "unowned",
}


def test_owners_answers_for_each_uri(run: Run, many: Servers) -> None:
    ended = run("owners", *VERDICTS, "-w", many.file, "--json")
    assert ended.code == 0
    answers = ended.document["uris"]
    assert {answer["uri"]: answer["verdict"] for answer in answers} == VERDICTS
    assert answers[0]["claims"] == [{"server": "crm", "template": "crm://signals/{id}", "variables": {"id": "42"}}]
    assert [claim["server"] for claim in answers[1]["claims"]] == ["crm", "archive"]
    assert all(set(answer) == {"uri", "verdict", "claims", "nearest"} for answer in answers)


def test_owners_as_text_answers_for_each_uri(run: Run, many: Servers) -> None:
    ended = run("owners", "crm://signals/42", "crm://signals/2024-17", "-w", many.file)
    assert ended.out.splitlines() == [
        "✓ owned        crm://signals/42",
        "    crm  crm://signals/{id}  id=42",
        "✗ ambiguous    crm://signals/2024-17",
        "    crm      crm://signals/{id}         id=2024-17",
        "    archive  crm://signals/{year}-{id}  year=2024, id=17",
    ]


def test_owners_says_what_comes_near_a_uri_without_an_owner(run: Run, workspace: Servers) -> None:
    reason = "they part after crm://signal: '/' stands there, 's' would fit"
    ended = run("owners", "crm://signal/42", "-w", workspace.file, "--json")
    assert ended.document["uris"][0]["nearest"] == [
        {"server": "crm", "template": "crm://signals/{id}", "position": 12, "reason": reason}
    ]
    ended = run("owners", "crm://signal/42", "-w", workspace.file)
    assert ended.out.splitlines() == [
        "✗ unowned      crm://signal/42",
        f"    nearest crm://signals/{{id}} of crm: {reason}",
        "      → crm://signals/42",
    ]


def test_owners_reads_ten_thousand_uris_in_order(run: Run, workspace: Servers) -> None:
    asked = [f"crm://signals/{number}" for number in range(10_000)]
    stdin = "\r\n".join(asked).encode() + b"\n\ncrm://\xff\n"
    ended = run("owners", "-", "-w", workspace.file, "--json", stdin=stdin)
    assert ended.code == 0
    answers = ended.document["uris"]
    assert [answer["uri"] for answer in answers] == [*asked, "crm://\udcff"]
    assert {answer["verdict"] for answer in answers[:-1]} == {"owned"}


def test_owners_with_a_draft_answers_as_if_it_were_published(run: Run, many: Servers) -> None:
    words = (
        "-w",
        many.file,
        "--with",
        "outbox=crm://accounts/{id}",
        "--with",
        "archive=crm://signals/{year}/{id}",
    )
    ended = run("owners", "crm://accounts/1", "crm://signals/2024/1", "crm://signals/42", *words, "--json")
    assert ended.code == 0
    answers = ended.document["uris"]
    assert [answer["verdict"] for answer in answers] == ["owned", "owned", "owned"]
    assert answers[0]["claims"] == [
        {"server": "outbox", "template": "crm://accounts/{id}", "variables": {"id": "1"}}
    ]
    assert run("owners", "crm://accounts/1", "-w", many.file, "--json").document["uris"][0]["claims"] == []


def test_owners_with_a_draft_shows_what_it_would_overlap(run: Run, many: Servers) -> None:
    draft = "crm://signals/{+any}"
    ended = run("owners", "-w", many.file, "--with", f"outbox={draft}", "--json")
    document = ended.document
    assert document["templates"][-1] == {
        "server": "outbox",
        "template": draft,
        "name": None,
        "variables": ["any"],
        "problem": None,
    }
    assert [overlap["servers"] for overlap in document["overlaps"]] == [
        ["crm", "archive"],
        ["crm", "outbox"],
        ["outbox", "archive"],
    ]
    for overlap in document["overlaps"][1:]:
        asked = run("owners", overlap["witness"], "-w", many.file, "--with", f"outbox={draft}", "--json")
        assert asked.document["uris"][0]["verdict"] == "ambiguous"
    lines = run("owners", "-w", many.file, "--with", f"outbox={draft}").out.splitlines()
    assert lines[-1] == "+  outbox   crm://signals/{+any}"


def test_owners_with_a_draft_of_the_hosts_own_scheme_says_so(run: Run, workspace: Servers) -> None:
    ended = run("owners", "-w", workspace.file, "--with", "crm=ui://{x}", "--json")
    assert "host's own scheme" in ended.document["templates"][-1]["problem"]


@pytest.mark.parametrize(
    ("draft", "line"),
    [
        (
            "crm=crm://signals/{id",
            "--with crm: no RFC 6570 template, at character 15: crm://signals/▸{id: this { is never closed",
        ),
        (
            "crn=crm://{id}",
            "--with crn=crm://{id}: is not SERVER=TEMPLATE with a server of the workspace: there is "
            "crm, outbox, archive, billing, mine",
        ),
        (
            "mine=note://{id}",
            "--with mine=note://{id}: mine is a personal connector, and owns nothing that it publishes (R14)",
        ),
    ],
)
def test_owners_with_a_draft_that_cannot_be_says_where(run: Run, many: Servers, draft: str, line: str) -> None:
    ended = run("owners", "-w", many.file, "--with", draft)
    assert (ended.code, ended.out, ended.error) == (2, "", line)


def without(document: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in keys}


def test_read_reads_as_the_host_would(run: Run, workspace: Servers) -> None:
    ended = run("read", "crm://signals/42", "-w", workspace.file, "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.document
    contents = [{"uri": "crm://signals/42", "text": "fünf", "mimeType": "text/plain"}]
    assert document["result"]["contents"] == contents
    assert without(document, "result", "ms") == {
        "uri": "crm://signals/42",
        "outcome": "resolved",
        "server": "crm",
        "claims": [{"server": "crm", "template": "crm://signals/{id}", "variables": {"id": "42"}}],
        "bytes": 5,
        "chars": 4,
        "rule": "R22",
        "reason": "read and handed on",
        "remedy": None,
    }


def test_read_as_text(run: Run, workspace: Servers) -> None:
    ended = run("read", "crm://signals/42", "-w", workspace.file)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].startswith("  ✓  resolved  crm://signals/42  crm  id=42 · 5 B · ")
    assert lines[1:] == ["crm://signals/42 · text/plain", "  fünf"]


@pytest.mark.parametrize(
    ("uri", "outcome", "rule"),
    [
        ("crm://signals/7", "not_found", "R19"),
        ("crm://signals/2024-17", "ambiguous", "R15"),
        ("crm://accounts/1", "not_found", "R14"),
        ("files://a", "not_found", "R13"),
        ("no scheme", "scheme_not_declared", "R10"),
    ],
)
def test_read_says_why_it_does_not_hand_on(run: Run, many: Servers, uri: str, outcome: str, rule: str) -> None:
    ended = run("read", uri, "-w", many.file, "--json")
    assert (ended.code, ended.document["outcome"], ended.document["rule"]) == (1, outcome, rule)
    assert ended.document["result"] is None


def test_read_from_a_named_server_asks_it_whoever_owns_the_uri(run: Run, workspace: Servers) -> None:
    workspace.add(
        "other",
        reads={"crm://signals/42": text("crm://signals/42", "other's"), "x://1": blob("x://1")},
    )
    ended = run("read", "crm://signals/42", "--from", "other", "-w", workspace.file, "--json")
    assert (ended.code, ended.document["server"]) == (0, "other")
    assert ended.document["result"]["contents"][0]["text"] == "other's"
    assert [claim["server"] for claim in ended.document["claims"]] == ["crm"]
    ended = run("read", "x://1", "--from", "other", "-w", workspace.file, "--json")
    assert (ended.code, ended.document["outcome"]) == (1, "not_text")
    assert ended.document["result"]["contents"][0]["blob"] == "AAAA"
    assert reads(workspace.log("crm")) == []


def test_read_from_a_server_that_is_not_there(run: Run, many: Servers) -> None:
    ended = run("read", "crm://signals/42", "--from", "nobody", "-w", many.file)
    assert ended.code == 2
    assert ended.error == ("--from: no server is named nobody: there is crm, outbox, archive, billing, mine")
    ended = run("read", "crm://signals/42", "--from", "billing", "-w", many.file)
    assert (ended.code, ended.error) == (3, "billing: exited 3: no database")


def test_check_prints_everything_wrong_worst_first(run: Run, many: Servers) -> None:
    ended = run("check", "-w", many.file, "--json")
    assert (ended.code, ended.err) == (1, "")
    problems = ended.document["problems"]
    assert problems[0] == {
        "server": "billing",
        "severity": "error",
        "subject": "connection",
        "rule": "protocol",
        "message": "exited 3: no database",
        "remedy": 'If it only knows the 2025 handshake, set "protocolEra": "legacy".',
        "snippet": None,
    }
    assert (problems[1]["server"], problems[1]["subject"]) == ("archive", "template crm://{broken")
    order = [problem["severity"] for problem in problems]
    assert order == sorted(order, key=["error", "warning", "note"].index)
    assert "warning" in order


def test_check_as_text(run: Run, many: Servers) -> None:
    ended = run("check", "-w", many.file)
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert lines[0] == "✗ error  billing: connection  exited 3: no database (protocol)"
    assert lines[-1].startswith("2 errors, ")


def test_check_of_a_workspace_in_order(run: Run, workspace: Servers) -> None:
    ended = run("check", "-w", workspace.file)
    assert (ended.code, ended.out) == (0, "0 errors, 0 warnings, 0 notes\n")
    assert run("check", "-w", workspace.file, "--json").document == {"problems": []}


def test_what_the_workspace_file_holds_in_vain_is_a_note(run: Run, workspace: Servers) -> None:
    workspace.beside["host"] = {"colour": "blue"}
    problems = run("check", "-w", workspace.file, "--json").document["problems"]
    assert [(problem["severity"], problem["message"]) for problem in problems] == [
        ("note", "host.colour is not known here and passed over")
    ]
    assert "host.colour" in run("show", "-w", workspace.file).out
