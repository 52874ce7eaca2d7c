"""The host over real servers: the claim, the profiles, who is read, and what is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector.extension import KEY, Limits
from inspector.host.naming import UnknownTool
from inspector.host.profile import HostSettings, Profile
from inspector.workspace.reply import Failure
from tests.host.playing import SIGNALS, codes, crm, outbox, playing, resolve
from tests.servers.workspace import log_of, reads, received, rescript, scripted, text, tool

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLAIM = Limits().claim()


def claims(folder: Path, server: str) -> list[Any]:
    """The claim in every message of a server's log that can carry one, None where it is absent."""
    found = []
    for message in received(log_of(folder, server)):
        params = message.get("params") or {}
        if message.get("method") == "initialize":
            capabilities = params.get("capabilities")
        elif CAPABILITIES in params.get("_meta", {}):
            capabilities = params["_meta"][CAPABILITIES]
        else:
            continue
        found.append(((capabilities or {}).get("extensions") or {}).get(KEY))
    return found


@pytest.mark.parametrize("era", ["2025", "2026", "both"])
async def test_r2_the_claim_is_on_every_workspace_connection_in_both_eras(tmp_path: Path, era: str) -> None:
    servers = {"crm": crm(tmp_path, era=era), "outbox": outbox(tmp_path, era=era)}
    async with playing(tmp_path, servers) as host:
        await host.send(await resolve(host, "crm://signals/1"))
    for server in servers:
        found = claims(tmp_path, server)
        assert found
        assert all(claim == CLAIM for claim in found)


async def test_r1_the_claim_names_the_limits_in_force(tmp_path: Path) -> None:
    async with playing(tmp_path, {"outbox": outbox(tmp_path)}, maxChars=7, maxSize=8, maxUris=9):
        pass
    assert claims(tmp_path, "outbox")[-1] == {"maxChars": 7, "maxSize": 8, "maxUris": 9}


@pytest.mark.parametrize(
    ("profile", "calling_claims", "others_claim", "expected"),
    [
        ("workspace", True, True, ["resolved"]),
        ("personal", False, True, []),
        ("plain", False, False, []),
        ("outside-client", False, True, ["resolved"]),
        ("restricted", True, True, ["not_found"]),
    ],
)
@pytest.mark.parametrize("era", ["2025", "2026"])
async def test_r3_r9_r11_what_each_profile_claims_and_resolves(
    tmp_path: Path, era: str, profile: str, calling_claims: bool, others_claim: bool, expected: list[str]
) -> None:
    servers = {"crm": crm(tmp_path, era=era), "outbox": outbox(tmp_path, era=era)}
    async with playing(tmp_path, servers, profile=profile) as host:
        resolution = await resolve(host, "crm://signals/1")
        sent = await host.send(resolution)
    assert codes(resolution) == expected
    assert (KEY in resolution.meta) == bool(expected)
    (call,) = received(log_of(tmp_path, "outbox"), "tools/call")
    assert (KEY in call["params"].get("_meta", {})) == bool(expected)
    assert sent.reply.failure is None
    assert set(map(str, claims(tmp_path, "outbox"))) == {str(CLAIM if calling_claims else None)}
    assert set(map(str, claims(tmp_path, "crm"))) == {str(CLAIM if others_claim else None)}
    assert reads(log_of(tmp_path, "crm")) == (["crm://signals/1"] if expected == ["resolved"] else [])


async def test_r3_r14_a_personal_connector_beside_the_workspace_claims_resolves_and_owns_nothing(
    tmp_path: Path,
) -> None:
    mine = {**crm(tmp_path, "mine", tools=[tool(schemes=["crm"])]), "connector": "personal"}
    async with playing(tmp_path, {"crm": crm(tmp_path), "mine": mine, "outbox": outbox(tmp_path)}) as host:
        assert codes(await resolve(host, "crm://signals/1")) == ["resolved"]
        assert (await resolve(host, "crm://signals/1", tool="mine/send")).meta == {}
    assert set(map(str, claims(tmp_path, "mine"))) == {"None"}


async def test_r9_the_key_is_absent_not_empty_where_no_string_is_declared(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        send = host.find_tool("outbox/send")
        for arguments in ({}, {"citations": []}, {"citations": [None, 5]}, {"body": "crm://signals/1"}):
            assert (await host.resolve(send, arguments)).meta == {}


async def test_r14_a_server_that_is_not_connected_owns_nothing_and_takes_nothing_down(tmp_path: Path) -> None:
    dead = scripted(tmp_path, "dead", templates=[SIGNALS], startup={"stderr": "no database\n", "exit": 3})
    async with playing(tmp_path, {"dead": dead, "crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        assert codes(await resolve(host, "crm://signals/1")) == ["resolved"]
        assert "no database" in (host.workspace.connections["dead"].error or "")


async def test_r14_a_resource_that_is_only_listed_has_no_owner(tmp_path: Path) -> None:
    listing = crm(tmp_path, templates=[], resources=[{"uri": "crm://signals/1", "name": "one"}])
    async with playing(tmp_path, {"crm": listing, "outbox": outbox(tmp_path)}) as host:
        (outcome,) = (await resolve(host, "crm://signals/1")).outcomes
        assert (outcome.name, outcome.rule) == ("not_found", "R14")
    assert reads(log_of(tmp_path, "crm")) == []


async def test_r15_two_owners_are_ambiguous_and_neither_is_read(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "mirror": crm(tmp_path, "mirror"), "outbox": outbox(tmp_path)}
    async with playing(tmp_path, servers) as host:
        resolution = await resolve(host, "crm://signals/1")
        assert codes(resolution) == ["ambiguous"]
        assert [claim.server for claim in resolution.claims["crm://signals/1"]] == ["crm", "mirror"]
    assert reads(log_of(tmp_path, "crm")) == reads(log_of(tmp_path, "mirror")) == []


async def test_r17_the_budget_is_the_calling_servers_and_is_kept_between_calls(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path), "outbox": outbox(tmp_path), "other": outbox(tmp_path, "other")}
    budget = {"burst": 3, "ratePerSecond": 0}
    async with playing(tmp_path, servers, budget=budget) as host:
        assert codes(await resolve(host, "crm://signals/1", "crm://signals/2")) == ["resolved"] * 2
        assert codes(await resolve(host, "crm://signals/1", "crm://signals/2")) == ["resolved", "rate_limited"]
        assert codes(await resolve(host, "crm://signals/1", tool="other/send")) == ["resolved"]


async def test_r18_a_read_is_fresh_each_time(tmp_path: Path) -> None:
    kept = text("crm://signals/1", "{}")
    kept["result"] |= {"ttlMs": 60000, "cacheScope": "public"}
    async with playing(tmp_path, {"crm": crm(tmp_path, reads={"*": kept}), "outbox": outbox(tmp_path)}) as host:
        for _ in range(2):
            assert codes(await resolve(host, "crm://signals/1")) == ["resolved"]
    assert reads(log_of(tmp_path, "crm")) == ["crm://signals/1"] * 2


async def test_r18_results_come_in_argument_order_whatever_answers_first(tmp_path: Path) -> None:
    answers = {
        "crm://signals/1": {**text("crm://signals/1", "slow"), "delay": 0.3},
        "crm://signals/2": text("crm://signals/2", "quick"),
    }
    async with playing(tmp_path, {"crm": crm(tmp_path, reads=answers), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolve(host, "crm://signals/1", "crm://signals/2")
    assert list(resolution.meta[KEY]) == ["crm://signals/1", "crm://signals/2"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"error": {"code": -32603, "message": "boom"}}, "boom"),
        ({"hang": True}, "did not answer"),
        ({"result": {"contents": []}}, "no contents"),
        ({"raw": "nonsense"}, "broken"),
        ({"raw": {"contents": [{"uri": "crm://signals/1"}]}}, "breaks the protocol"),
        ({"exit": 4, "stderr": "out of memory\n"}, "out of memory"),
    ],
)
async def test_r19_whatever_goes_wrong_is_not_found_and_the_person_is_told_what(
    tmp_path: Path, answer: dict[str, Any], reason: str
) -> None:
    server = {**crm(tmp_path, reads={"*": answer}), "requestTimeout": 500}
    async with playing(tmp_path, {"crm": server, "outbox": outbox(tmp_path)}) as host:
        (outcome,) = (await resolve(host, "crm://signals/1")).outcomes
    assert (outcome.name, outcome.rule) == ("not_found", "R19")
    assert reason in outcome.reason
    assert outcome.entry()["error"]["message"] == "No connector in this workspace returned this resource."


async def test_r29_what_is_sent_is_what_was_previewed(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        send = host.find_tool("outbox/send")
        arguments = {"z": 2**70, "citations": ["crm://signals/1", "mail://1"], "a": {"deep": [1.5, None]}}
        resolution = await host.resolve(send, arguments)
        arguments["citations"] = ["changed"]
        sent = await host.send(resolution)
        assert not sent.tool_error
    (call,) = received(log_of(tmp_path, "outbox"), "tools/call")
    assert call["params"]["arguments"] == {**arguments, "citations": ["crm://signals/1", "mail://1"]}
    assert list(call["params"]["arguments"]) == ["z", "citations", "a"]
    assert call["params"]["_meta"][KEY] == resolution.meta[KEY]
    assert list(call["params"]["_meta"][KEY]) == ["crm://signals/1", "mail://1"]


async def test_r29_a_change_makes_a_preview_stale_and_says_which(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        send = host.find_tool("outbox/send")
        arguments: dict[str, Any] = {"citations": ["crm://signals/1"], "count": 1}
        resolution = await host.resolve(send, arguments)
        assert host.staleness(resolution, send, dict(arguments)) is None
        assert host.staleness(resolution, send, {**arguments, "count": True}) == "an argument changed"
        assert host.staleness(resolution, send, dict(reversed(arguments.items()))) == "an argument changed"
        await host.workspace.reconnect("crm")
        assert host.staleness(resolution, send, arguments) == "a server changed"
        resolution = await host.resolve(send, arguments)
        await host.change(HostSettings(limits=Limits(max_uris=5)))
        assert host.staleness(resolution, send, arguments) == "the host changed"


async def test_r30_the_call_is_sent_whatever_the_outcomes(tmp_path: Path) -> None:
    refusing = outbox(tmp_path, calls={"send": {"result": {"content": [], "isError": True}}})
    async with playing(tmp_path, {"outbox": refusing}) as host:
        resolution = await resolve(host, "crm://nobody/1", "no scheme")
        sent = await host.send(resolution)
    assert codes(resolution) == ["not_found", "scheme_not_declared"]
    assert sent.tool_error


async def test_a_change_of_host_reconnects_only_those_whose_claim_changes(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        assert await host.change(HostSettings(Profile.RESTRICTED)) == ()
        assert await host.change(HostSettings(Profile.OUTSIDE_CLIENT)) == ("outbox",)
        assert await host.set_calling("crm") == ("crm", "outbox")
        assert await host.change(HostSettings(Profile.PLAIN)) == ("outbox",)
        assert await host.change(HostSettings(limits=Limits(max_uris=3))) == ("crm", "outbox")
        await host.settled()
        assert codes(await resolve(host, "crm://signals/1")) == ["resolved"]
    assert claims(tmp_path, "outbox")[-1] == {**CLAIM, "maxUris": 3}


async def test_a_server_edited_and_reconnected_says_what_changed(tmp_path: Path) -> None:
    servers = {"crm": crm(tmp_path, templates=["crm://signal/{id}"]), "outbox": outbox(tmp_path)}
    async with playing(tmp_path, servers) as host:
        assert codes(await resolve(host, "crm://signals/1")) == ["not_found"]
        rescript(tmp_path, "crm", templates=[SIGNALS])
        change = await host.workspace.reconnect("crm")
        assert change.describe() == "+1 template crm://signals/{id}, −1 template crm://signal/{id}"
        assert codes(await resolve(host, "crm://signals/1")) == ["resolved"]


async def test_a_call_that_is_never_answered_ends_by_its_timeout(tmp_path: Path) -> None:
    async with playing(tmp_path, {"outbox": outbox(tmp_path, calls={"send": {"hang": True}})}) as host:
        sent = await host.send(await resolve(host), timeout=0.3)
    assert sent.reply.failure is Failure.TIMEOUT


async def test_a_tool_is_named_by_its_server_or_alone_where_it_is_unique(tmp_path: Path) -> None:
    servers = {
        "a": scripted(tmp_path, "a", tools=[tool("b/send"), tool("only")]),
        "a/b": scripted(tmp_path, "a/b".replace("/", "-"), tools=[tool("send"), tool("twice")]),
        "c": scripted(tmp_path, "c", tools=[tool("twice")]),
    }
    async with playing(tmp_path, servers) as host:
        assert host.find_tool("a/b/send").server == "a/b"
        assert host.find_tool("only").reference == "a/only"
        for reference, said in {
            "twice": "several servers: name one of a/b/twice, c/twice",
            "c/none": "c has no tool none: there is twice",
            "d/x": "names no server of the workspace: there is a, a/b, c",
            "none": "no tool none: there is a/b/send, a/only",
        }.items():
            with pytest.raises(UnknownTool, match=said.replace("/", "/")):
                host.find_tool(reference)


async def test_a_server_that_is_no_longer_in_the_workspace_owns_and_is_sent_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolve(host, "crm://signals/1")
        tool, arguments = resolution.tool, resolution.arguments
        await host.set_entries([host.workspace.connections["crm"].entry])
        assert not host.resolves(tool) and host.admissions(tool, arguments) == ()
        assert host.staleness(resolution, tool, arguments) == "a server changed"
        sent = await host.send(resolution)
        assert sent.reply.message == "outbox is no longer in the workspace"
    assert not received(log_of(tmp_path, "outbox"), "tools/call")
