"""`drill` on the command line: never unasked, a table or a document, exit code 1 where something is marked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Servers
from tests.servers.workspace import received

CHECKING = Path(__file__).parents[1] / "servers" / "checking.py"
CITED = json.dumps({"citations": ["crm://signals/42"]})


def with_mistake(workspace: Servers, mistake: str) -> Path:
    workspace.entries["outbox"] = {"command": sys.executable, "args": ["-I", "-S", str(CHECKING), mistake]}
    return workspace.file


def test_without_a_terminal_and_without_yes_nothing_is_called(run: Run, workspace: Servers) -> None:
    ended = run("drill", "-w", workspace.file, "outbox/send", "--args", CITED)
    assert ended.code == 2 and "--yes says that it may" in ended.error
    assert not received(workspace.log("outbox"), "tools/call")


def test_a_clean_tool_is_a_table_and_exit_code_0(run: Run, workspace: Servers) -> None:
    ended = run("drill", "--yes", "-w", with_mistake(workspace, ""), "outbox/send", "--args", CITED)
    assert (ended.code, ended.err) == (0, "")
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert lines[0] == "outbox/send 12 calls" and lines[-1] == "Nothing deserves a look."
    assert any(line.startswith("· not_found on crm://signals/42 refused") for line in lines)


@pytest.mark.parametrize("mistake", ["accepts-not-found", "ignores-the-key", "trusts-the-capability"])
def test_a_mistake_is_exit_code_1_and_is_in_the_document(run: Run, workspace: Servers, mistake: str) -> None:
    ended = run("drill", "--yes", "-w", with_mistake(workspace, mistake), "outbox/send", "--args", CITED, "--json")
    document = ended.document
    assert ended.code == 1 and document["calls"] == len(document["rows"]) == 12
    assert document["marked"] == sum(1 for row in document["rows"] if row["marks"]) > 0
    assert document["hints"] == {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": None}
    assert set(document["rows"][0]) == {
        *("case", "profile", "uris", "code", "meta", "answer", "text", "result", "ms", "marks")
    }


def test_a_force_for_no_string_of_the_call_calls_nothing(run: Run, workspace: Servers) -> None:
    words = ["drill", "--yes", "-w", workspace.file, "outbox/send", "--args", CITED]
    ended = run(*words, "--force", "crm://other=not_found")
    assert ended.code == 2 and "is no string of a declared argument" in ended.error
    assert not received(workspace.log("outbox"), "tools/call")
