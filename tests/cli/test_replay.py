"""Saved cases: written from a call, readable, sent again, and what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.extension import Code, Limits, RawEntry
from inspector.host.cases import Case, CaseFault, load_case, save_case
from inspector.host.forcing import ForcedCode, ForcedEntry, ForcedText
from inspector.host.profile import Profile
from tests.cli.conftest import Run, Servers
from tests.servers.workspace import received

ONE = "crm://signals/42"
ARGUMENTS = {"citations": [ONE], "n": 12345678901234567890}


def saved(workspace: Servers, name: str = "case.json", **changes: Any) -> Path:
    """A case of `outbox/send` as it comes out when it is sent to the scripted server."""
    answer = {"content": [{"type": "text", "text": "done"}]}
    fields = {"outcomes": {ONE: "resolved"}, "result": answer}
    case = Case(**{"tool": "outbox/send", "arguments": ARGUMENTS, **fields, **changes})
    save_case(case, workspace.folder / name)
    return workspace.folder / name


@pytest.fixture
def answering(workspace: Servers) -> Servers:
    workspace.add(
        "outbox",
        tools=[{"name": "send", "inputSchema": {"type": "object"}, "_meta": _declared()}],
        calls={"send": {"result": {"content": [{"type": "text", "text": "done"}]}}},
        era="2025",
    )
    return workspace


def _declared() -> dict[str, Any]:
    return {"ai.nimblebrain/resource-arguments": {"arguments": {"citations": {"schemes": ["crm"]}}}}


def test_a_case_is_read_as_it_was_written(tmp_path: Path) -> None:
    forces = {
        "a": ForcedCode(Code.NOT_TEXT),
        "b": ForcedText("märz"),
        "c": ForcedEntry(RawEntry({"x": 1})),
        "d": ForcedEntry(RawEntry(present=False)),
    }
    case = Case(
        tool="outbox/send",
        arguments=ARGUMENTS,
        profile=Profile.RESTRICTED,
        limits=Limits(max_uris=2),
        forces=forces,
        added_meta={"k": [1]},
        outcomes={"a": "not_text"},
        error={"code": -1, "message": "m"},
        ignore=("/result/content/*/text",),
        name="restricted",
    )
    save_case(case, tmp_path / "case.json")
    assert load_case(tmp_path / "case.json") == case
    assert "märz" in (tmp_path / "case.json").read_text("utf-8")


def test_the_same_result_is_exit_code_0(run: Run, answering: Servers) -> None:
    ended = run("replay", "-w", answering.file, saved(answering), "--json")
    (case,) = ended.document["cases"]
    assert (ended.code, case["same"], case["differences"]) == (0, True, [])
    (call,) = received(answering.log("outbox"), "tools/call")
    assert call["params"]["arguments"] == ARGUMENTS


def test_what_differs_is_named_by_its_place_and_is_exit_code_1(run: Run, answering: Servers) -> None:
    result = {"content": [{"type": "text", "text": "Sent."}], "isError": True}
    ended = run("replay", "-w", answering.file, saved(answering, result=result))
    assert ended.code == 1
    assert [line.strip() for line in ended.out.splitlines()[1:]] == [
        *("/result/content/0/text", '- "Sent."', '+ "done"'),
        *("/result/isError", "- true"),
    ]


def test_parts_that_are_ignored_do_not_count(run: Run, answering: Servers) -> None:
    result = {"content": [{"type": "text", "text": "Sent as 7."}]}
    path = saved(answering, result=result, ignore=("/result/content/*/text",))
    assert run("replay", "-w", answering.file, path).code == 0


def test_a_force_an_added_key_and_the_profile_are_the_cases_own(run: Run, answering: Servers) -> None:
    forced = saved(answering, forces={ONE: ForcedCode(Code.AMBIGUOUS)}, outcomes={ONE: "ambiguous"})
    plain = saved(answering, "plain.json", profile=Profile.PLAIN, outcomes={}, added_meta={"mine": 1})
    ended = run("replay", "-w", answering.file, forced, plain, "--json")
    assert [case["same"] for case in ended.document["cases"]] == [True, True] and ended.code == 0
    first, second = (call["params"]["_meta"] for call in received(answering.log("outbox"), "tools/call"))
    assert first["ai.nimblebrain/resource-arguments"][ONE]["error"]["code"] == "ambiguous"
    assert "ai.nimblebrain/resource-arguments" not in second and second["mine"] == 1


def test_a_tool_that_is_gone_is_one_line_and_the_other_cases_are_sent(run: Run, answering: Servers) -> None:
    gone, there = saved(answering, "gone.json", tool="outbox/other"), saved(answering)
    ended = run("replay", "-w", answering.file, gone, there, "--json")
    assert ended.code == 3 and ended.error.startswith(f"{gone}: ")
    assert [case["same"] for case in ended.document["cases"]] == [False, True]
    assert "other" in ended.document["cases"][0]["error"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"resourceArgumentsCase": 2}, "is a case of version 2, and this program reads version 1"),
        ({"colour": "red"}, "has the unknown field colour"),
        ({"arguments": []}, "arguments is not an object"),
        ({"profile": "none"}, "there is no profile none: workspace"),
        ({"limits": {"maxUris": -1}}, "limits.maxUris is none of maxChars"),
        ({"forces": {ONE: {"code": "gone"}}}, f"forces {ONE} to gone, and there is no such code"),
        ({"forces": {ONE: 1}}, f"forces {ONE} to none of"),
        ({"ignore": ["result"]}, "ignore: 'result' is no JSON pointer"),
    ],
)
def test_a_file_that_is_no_case_is_one_line(
    run: Run, answering: Servers, change: dict[str, Any], words: str
) -> None:
    path = saved(answering)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **change}), "utf-8")
    ended = run("replay", "-w", answering.file, path)
    assert ended.code == 2 and ended.error.startswith(f"{path}: {words}")
    assert not received(answering.log("outbox"))


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"])
def test_a_file_that_is_not_json_is_one_line(run: Run, answering: Servers, content: bytes) -> None:
    path = answering.folder / "case.json"
    path.write_bytes(content)
    assert run("replay", "-w", answering.file, path).code == 2


def test_a_case_is_whole_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        save_case(Case("a/b", {}), tmp_path / "none" / "case.json")
    with pytest.raises(CaseFault):
        load_case(tmp_path / "none" / "case.json")
    assert list(tmp_path.iterdir()) == []
