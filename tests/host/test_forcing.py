"""Forced outcomes: what a person puts in the place of the real one is exactly what the tool gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.extension import KEY, MESSAGES, Code, RawEntry
from inspector.host.forcing import Forced, ForcedCode, ForcedEntry, ForcedText, ForceFault
from tests.host.playing import crm, outbox, playing, resolve
from tests.servers.workspace import log_of, reads, received

ONE, TWO = "crm://signals/1", "crm://signals/2"


@pytest.mark.parametrize("code", list(Code))
async def test_any_code_takes_the_place_of_an_outcome_and_says_so(tmp_path: Path, code: Code) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        forced = (await resolve(host, ONE, TWO)).with_forces({ONE: ForcedCode(code)})
        first, second = forced.outcomes
        assert (first.name, first.forced, first.rule) == (code.value, True, "forced")
        assert first.reason == "put in by hand; really resolved"
        assert not second.forced and second.is_resolved
        assert forced.meta[KEY][ONE] == {"error": {"code": code.value, "message": MESSAGES[code]}}


async def test_the_real_outcome_comes_back_without_another_read(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolve(host, ONE)
        once = resolution.with_forces({ONE: ForcedCode(Code.AMBIGUOUS)})
        assert once.with_forces({}).outcomes == resolution.outcomes
        # A second force is put in the place of the real outcome, not of the first force.
        twice = once.with_forces({ONE: ForcedCode(Code.TOO_LARGE)})
        assert twice.outcomes[0].reason == "put in by hand; really resolved"
        assert reads(log_of(tmp_path, "crm")) == [ONE]


async def test_edited_contents_keep_what_the_server_said_of_the_record(tmp_path: Path) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        forced = (await resolve(host, ONE, "crm://signals/77")).with_forces(
            {ONE: ForcedText("fünf"), "crm://signals/77": ForcedText("there after all")}
        )
        first, second = forced.outcomes
        assert first.entry() == {"contents": [{"uri": ONE, "mimeType": "text/plain", "text": "fünf"}]}
        assert (first.size, first.chars) == (5, 4)
        assert second.entry() == {"contents": [{"uri": "crm://signals/77", "text": "there after all"}]}
        assert second.reason.startswith("put in by hand; really not_found: the server said")


@pytest.mark.parametrize("era", ["2025", "2026"])
@pytest.mark.parametrize(
    ("forced", "entries"),
    [
        (
            ForcedCode(Code.RATE_LIMITED),
            {ONE: {"error": {"code": "rate_limited", "message": MESSAGES[Code.RATE_LIMITED]}}},
        ),
        (
            ForcedText("a stale date"),
            {ONE: {"contents": [{"uri": ONE, "mimeType": "text/plain", "text": "a stale date"}]}},
        ),
        (
            ForcedEntry(RawEntry({"contents": [], "error": {"code": "of tomorrow", "extra": [1, None]}})),
            {ONE: {"contents": [], "error": {"code": "of tomorrow", "extra": [1, None]}}},
        ),
        (ForcedEntry(RawEntry(present=False)), {}),
    ],
)
async def test_what_is_shown_arrives_byte_for_byte(
    tmp_path: Path, era: str, forced: Forced, entries: dict[str, object]
) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path, era=era)}) as host:
        resolution = (await resolve(host, ONE, TWO)).with_forces({ONE: forced}).with_meta({"mine/key": [2, 1]})
        await host.send(resolution)
        (call,) = received(log_of(tmp_path, "outbox"), "tools/call")
        meta = call["params"]["_meta"]
        assert json.dumps(meta[KEY]) == json.dumps(resolution.meta[KEY])
        assert {uri: entry for uri, entry in meta[KEY].items() if uri == ONE} == entries
        assert meta["mine/key"] == [2, 1]


@pytest.mark.parametrize("key", [KEY, "progressToken", "io.modelcontextprotocol/protocolVersion"])
async def test_a_key_of_the_hosts_or_the_protocols_is_not_a_persons_to_add(tmp_path: Path, key: str) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolve(host, ONE)
        with pytest.raises(ForceFault, match="that key is the"):
            resolution.with_meta({"mine": 1, key: {}})


@pytest.mark.parametrize(
    ("uri", "forced", "words"),
    [
        ("crm://signals/9", ForcedCode(Code.NOT_FOUND), "is no string of a declared argument of this call"),
        (ONE, ForcedText("x" * 49601), "49601 characters .* more than maxChars"),
        (ONE, ForcedText("\ud800"), "lone surrogate"),
    ],
)
async def test_what_no_call_can_carry_is_refused_in_words(
    tmp_path: Path, uri: str, forced: Forced, words: str
) -> None:
    async with playing(tmp_path, {"crm": crm(tmp_path), "outbox": outbox(tmp_path)}) as host:
        resolution = await resolve(host, ONE)
        with pytest.raises(ForceFault, match=words):
            resolution.with_forces({uri: forced})
