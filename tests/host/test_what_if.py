"""What would follow if a server published a template more (R14, R15, R27)."""

from __future__ import annotations

from pathlib import Path

from inspector.host.verdict import Verdict
from inspector.host.what_if import split_draft
from tests.host.playing import crm, outbox, playing
from tests.servers.workspace import scripted


def test_a_draft_names_its_server_by_the_longest_name_that_fits() -> None:
    assert split_draft("crm=crm://{id}", ["crm", "outbox"]) == ("crm", "crm://{id}")
    assert split_draft("a=b=x://{id}", ["a", "a=b"]) == ("a=b", "x://{id}")
    # A template may hold an = of its own.
    assert split_draft("crm://a?x={x}", ["crm", "outbox"]) == (None, "crm://a?x={x}")


async def test_a_draft_owns_beside_what_is_published_and_changes_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        what_if = host.what_if([("outbox", "crm://{kind}/{id}"), ("crm", "crm://accounts/{name}")])
        assert what_if.claims("crm://signals/1")
        assert what_if.verdict("crm://signals/1").verdict is Verdict.AMBIGUOUS
        assert [claim.server for claim in what_if.verdict("crm://accounts/x").claims] == ["crm", "outbox"]
        assert what_if.verdict("crm://deals/1").verdict is Verdict.OWNED
        assert not what_if.claims("mail://1")
        assert host.verdict("crm://signals/1").verdict is Verdict.OWNED
        overlaps = [overlap for overlap in what_if.overlaps() if overlap is not None]
        assert sorted((o.servers, o.templates) for o in overlaps) == [
            (("crm", "outbox"), ("crm://accounts/{name}", "crm://{kind}/{id}")),
            (("crm", "outbox"), ("crm://signals/{id}", "crm://{kind}/{id}")),
        ]
        for overlap in overlaps:
            assert what_if.verdict(overlap.witness).verdict is Verdict.AMBIGUOUS


async def test_a_broken_draft_owns_nothing_and_says_where(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path)}, None) as host:
        what_if = host.what_if([("crm", "crm://accounts/{id")])
        (fault,) = what_if.faults
        assert (fault.server, fault.position) == ("crm", len("crm://accounts/"))
        (problem,) = what_if.problems
        assert (problem.rule, problem.position) == ("R27", fault.position)
        assert what_if.verdict("crm://accounts/1").verdict is Verdict.UNOWNED


async def test_a_server_outside_the_workspace_owns_nothing_whatever_it_would_publish(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "mine": scripted(tmp_path, "mine") | {"connector": "personal"}}
    async with playing(tmp_path, servers, None) as host:
        assert host.what_if([("mine", "note://{id}")]).verdict("note://1").verdict is Verdict.UNOWNED


async def test_what_comes_nearest_is_looked_for_among_drafts_too(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path)}, None) as host:
        uri = "crm://accounts"
        what_if = host.what_if([("crm", "crm://accounts/{name}")])
        assert host.nearest(uri, what_if)[0].template == "crm://accounts/{name}"
        assert host.nearest(uri)[0].template != "crm://accounts/{name}"
