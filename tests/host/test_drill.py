"""The drill catches each known mistake of a citation tool, and lets one pass that makes none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from inspector.extension import Code
from inspector.host.drill import DrillRow, plan_drill, run_drill, tool_hints
from inspector.host.drill_judging import Answer, Mark
from inspector.host.forcing import ForcedCode
from inspector.host.host import Host
from inspector.host.profile import Profile
from tests.host.playing import crm, playing, resolve

CHECKING = Path(__file__).parents[1] / "servers" / "checking.py"
ONE, TWO = "crm://signals/1", "crm://signals/2"


def checking(mistake: str = "") -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-I", "-S", str(CHECKING), mistake]}


async def drilled(host: Host, *citations: str) -> list[DrillRow]:
    return [row async for row in run_drill(host, await resolve(host, *citations))]


async def drill(folder: Path, mistake: str, *citations: str) -> list[DrillRow]:
    async with playing(folder, {"crm": crm(folder), "outbox": checking(mistake)}) as host:
        return await drilled(host, *citations)


def marked(rows: list[DrillRow]) -> dict[str, tuple[Mark, ...]]:
    return {row.case.name: row.marks for row in rows if row.marks}


async def test_a_tool_without_a_mistake_passes_clean(tmp_path: Path) -> None:
    rows = await drill(tmp_path, "", ONE)
    assert marked(rows) == {}
    answers = {row.case.name: row.answer for row in rows}
    assert answers.pop("as resolved") is Answer.ACCEPTED
    assert {answer for name, answer in answers.items() if name.endswith(ONE)} == {Answer.REFUSED}


@pytest.mark.parametrize(
    ("mistake", "case", "mark"),
    [
        ("accepts-not-found", f"not_found on {ONE}", Mark.ACCEPTED_UNRESOLVED),
        ("ignores-the-key", f"not_found on {ONE}", Mark.SAME_ANSWER),
        ("ignores-the-key", f"ambiguous on {ONE}", Mark.ACCEPTED_UNRESOLVED),
        ("ignores-the-key", "plain host: no key, no capability", Mark.SAME_ANSWER),
        ("trusts-the-capability", "outside client: key, no capability", Mark.RELIED_ON_CAPABILITY),
        ("crashes-on-error", f"too_large on {ONE}", Mark.CRASHED),
        ("dies-on-error", f"not_text on {ONE}", Mark.CRASHED),
        ("retries-everything", f"scheme_not_declared on {ONE}", Mark.RETRIES_PERMANENT),
    ],
)
async def test_each_known_mistake_is_caught(tmp_path: Path, mistake: str, case: str, mark: Mark) -> None:
    rows = await drill(tmp_path, mistake, ONE)
    assert mark in marked(rows)[case]
    # A case that the mistake does not touch is not marked.
    assert "as resolved" not in marked(rows)


async def test_what_may_be_tried_again_is_not_marked(tmp_path: Path) -> None:
    rows = await drill(tmp_path, "retries-everything", ONE)
    assert f"rate_limited on {ONE}" not in marked(rows) and f"over_limit on {ONE}" not in marked(rows)


async def test_a_server_that_a_call_ended_is_started_again_for_the_next(tmp_path: Path) -> None:
    rows = await drill(tmp_path, "dies-on-error", ONE)
    answers = [row.answer for row in rows]
    assert answers[1:8] == [Answer.CLOSED] * 7
    assert rows[-1].answer is Answer.ACCEPTED


async def test_each_code_on_each_string_in_turn_and_on_all_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": checking()}) as host:
        cases = plan_drill(await resolve(host, ONE, TWO))
        for code in Code:
            uris = [case.uris for case in cases if case.code is code]
            assert uris == [(ONE,), (TWO,), (ONE, TWO)]
        assert len(cases) == 1 + 7 * 3 + 4
        hosts = [case.profile for case in cases[-2:]]
        assert hosts == [Profile.PLAIN, Profile.OUTSIDE_CLIENT]


async def test_what_the_call_forces_stays_forced(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": checking()}) as host:
        resolution = (await resolve(host, ONE, TWO)).with_forces({TWO: ForcedCode(Code.NOT_FOUND)})
        case = next(case for case in plan_drill(resolution) if case.name == f"ambiguous on {ONE}")
        assert case.forces == {ONE: ForcedCode(Code.AMBIGUOUS), TWO: ForcedCode(Code.NOT_FOUND)}


async def test_a_call_that_is_refused_as_it_is_proves_nothing(tmp_path: Path) -> None:
    rows = await drill(tmp_path, "", "crm://signals/77")
    assert marked(rows)["as resolved"] == (Mark.NOTHING_TO_COMPARE,)


async def test_the_host_is_as_it_was_where_the_drill_is_broken_off(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": checking()}, profile="restricted") as host:
        rows = run_drill(host, await resolve(host, ONE))
        async for row in rows:
            if row.case.profile is Profile.PLAIN:
                break
        await rows.aclose()
        assert host.settings.profile is Profile.RESTRICTED


async def test_the_resources_are_read_once_for_all_cases(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": checking()}) as host:
        rows = await drilled(host, ONE)
        assert all(row.resolution.real_outcomes[0].is_resolved for row in rows if row.resolution.present)
        assert tool_hints(host.find_tool("outbox/send")) == {
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": None,
        }
