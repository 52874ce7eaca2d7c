"""`--force` and `--meta`, on `preview` and `call`."""

from __future__ import annotations

import json

import pytest

from inspector.extension import KEY, MESSAGES, Code
from tests.cli.conftest import Run, Servers
from tests.servers.workspace import received

ONE = "crm://signals/42"
CITED = json.dumps({"citations": [ONE]})


def test_a_forced_code_is_marked_and_sent(run: Run, workspace: Servers) -> None:
    words = ["call", "-w", workspace.file, "outbox/send", "--args", CITED, "--json"]
    ended = run(*words, "--force", f"{ONE}=ambiguous", "--meta", 'trace={"a": 1}')
    (outcome,) = ended.document["outcomes"]
    assert (outcome["outcome"], outcome["forced"]) == ("ambiguous", True)
    assert outcome["reason"] == "put in by hand; really resolved"
    entry = {"error": {"code": "ambiguous", "message": MESSAGES[Code.AMBIGUOUS]}}
    assert ended.document["meta"] == {KEY: {ONE: entry}, "trace": {"a": 1}}
    (call,) = received(workspace.log("outbox"), "tools/call")
    assert call["params"]["_meta"][KEY] == {ONE: entry} and call["params"]["_meta"]["trace"] == {"a": 1}


def test_a_file_gives_the_contents_and_the_last_equals_sign_parts(run: Run, workspace: Servers) -> None:
    (workspace.folder / "stale.json").write_text("märz", "utf-8")
    uri = "crm://signals/42?a=b"
    words = ["preview", "-w", workspace.file, "outbox/send", "--args", json.dumps({"citations": [uri]}), "--json"]
    ended = run(*words, "--force", f"{uri}=@{workspace.folder / 'stale.json'}")
    assert ended.document["meta"][KEY] == {uri: {"contents": [{"uri": uri, "text": "märz"}]}}
    assert ended.document["outcomes"][0]["bytes"] == 5


def test_an_entry_of_any_shape_or_none_at_all(run: Run, workspace: Servers) -> None:
    words = ["preview", "-w", workspace.file, "outbox/send", "--args", CITED, "--json"]
    raw = run(*words, "--force", ONE + '={"error": {"code": "a=b"}}').document
    assert raw["meta"][KEY] == {ONE: {"error": {"code": "a=b"}}} and raw["outcomes"][0]["outcome"] == "raw"
    none = run(*words, "--force", f"{ONE}=missing").document
    assert none["meta"] == {KEY: {}} and none["outcomes"][0]["outcome"] == "missing"


def test_as_text_a_forced_row_says_so(run: Run, workspace: Servers) -> None:
    ended = run("preview", "-w", workspace.file, "outbox/send", "--args", CITED, "--force", f"{ONE}=not_text")
    assert ended.out.splitlines()[1] == f"  ✗  not_text (forced)  {ONE}  crm  put in by hand; really resolved"


@pytest.mark.parametrize(
    ("option", "word", "error"),
    [
        ("--force", f"{ONE}=gone", f"--force {ONE}=gone: there is no code gone: scheme_not_declared, not_found, "),
        ("--force", "not_found", "--force not_found: write URI=CODE"),
        ("--force", f"{ONE}=@nowhere", "--force @nowhere: cannot be read: No such file or directory"),
        ("--force", ONE + "={", f"--force {ONE}: is not JSON: "),
        ("--force", "crm://signals/1=not_found", "--force: crm://signals/1 is no string of a declared argument"),
        ("--meta", f"{KEY}={{}}", f"--meta {KEY}: that key is the host's own"),
        ("--meta", "progressToken=1", "--meta progressToken: that key is the protocol's own"),
        ("--meta", "x", "--meta x: write KEY=JSON"),
        ("--meta", "x=[1", "--meta x: is not JSON: "),
    ],
)
def test_a_wrong_word_is_one_line(run: Run, workspace: Servers, option: str, word: str, error: str) -> None:
    ended = run("call", "-w", workspace.file, "outbox/send", "--args", CITED, "--json", option, word)
    assert (ended.code, ended.out) == (2, "") and ended.error.startswith(error)
    assert not received(workspace.log("outbox"), "tools/call")


def test_contents_that_are_no_text_or_too_large_are_one_line(run: Run, workspace: Servers) -> None:
    words = ["preview", "-w", workspace.file, "outbox/send", "--args", CITED]
    path = workspace.folder / "contents"
    path.write_bytes(b"\xff")
    assert (
        run(*words, "--force", f"{ONE}=@{path}").error
        == f"--force @{path}: is not UTF-8 at byte 1: save it as UTF-8"
    )
    path.write_text("x" * 49601)
    assert "are more than maxChars (49600)" in run(*words, "--force", f"{ONE}=@{path}").error
