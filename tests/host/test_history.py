"""The history kept between runs: whole or not at all, bounded, shared, and never in the way."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from inspector.extension import Code, Limits, Outcome
from inspector.host import files, history
from inspector.host.call import SentCall
from inspector.host.history import Damaged, History
from inspector.host.profile import HostSettings, Profile
from inspector.host.resolution import Resolution
from inspector.workspace.catalog import Tool
from inspector.workspace.reply import Failure, Reply

SETTINGS = HostSettings(Profile.RESTRICTED, Limits(max_uris=3))


def call(arguments: dict[str, Any] | None = None, result: Any = None, **reply: Any) -> SentCall:
    """A call of `outbox/send` that cites two URIs, and its answer."""
    outcomes = (
        Outcome(
            "crm://1", ("citations",), None, "R22", "read", "crm", ({"uri": "crm://1", "text": "Ü"},), 2, 1, 9.0
        ),
        Outcome("crm://2", ("citations",), Code.NOT_FOUND, "R19", "no signal 2", "crm", milliseconds=8.0),
    )
    tool = Tool("outbox", "send", {"name": "send"})
    given = {"citations": ["crm://1", "crm://2"]} if arguments is None else arguments
    resolution = Resolution(tool, SETTINGS, given, True, outcomes, {}, 0.0, 1)
    answer = result if result is not None or reply else {"content": []}
    return SentCall(resolution, Reply("tools/call", answer, 12.5, **reply), 0.0)


def test_a_call_is_kept_whole_for_its_owner_alone(tmp_path: Path) -> None:
    kept = History(tmp_path / "deep" / "history")
    big = 12345678901234567890123
    kept.add(call({"n": big, "text": "a\u2028b\n\ud800", "list": []}), "demo", 1_000.5)
    (one,) = History(kept.folder).calls().calls
    assert (one.at, one.workspace, one.server, one.tool) == (1_000.5, "demo", "outbox", "send")
    assert (one.settings, one.present, one.outcomes) == (SETTINGS, True, {"resolved": 1, "not_found": 1})
    assert (one.result, one.milliseconds) == ("answered", 12.5)
    parts = kept.read(one.key)
    assert parts["arguments"].value == {"n": big, "text": "a\u2028b\n\ud800", "list": []}
    assert parts["_meta"].value == call().resolution.meta
    assert parts["result"].value == {"content": []}
    assert parts["outcomes"].value[1]["reason"] == "no signal 2"
    (path,) = kept.folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.folder.stat().st_mode) == 0o700


def test_how_a_call_ended_is_kept(tmp_path: Path) -> None:
    kept = History(tmp_path)
    kept.add(call(result={"content": [], "isError": True}), "demo", 2.0)
    kept.add(call(failure=Failure.TIMEOUT, message="no answer within 30 s"), "demo", 1.0)
    refused, silent = kept.calls().calls
    assert (refused.result, silent.result, silent.message) == ("tool error", "timeout", "no answer within 30 s")
    assert kept.read(silent.key)["result"].value["failure"] == "timeout"


def test_the_oldest_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "CALLS_LIMIT", 3)
    kept = History(tmp_path)
    for at in (3.0, 1.0, 4.0, 2.0, 5.0):
        kept.add(call(), "demo", at)
    assert [each.at for each in kept.calls().calls] == [5.0, 4.0, 3.0]
    monkeypatch.setattr(history, "BYTES_LIMIT", 1)
    kept.add(call(), "demo", 6.0)
    assert [each.at for each in kept.calls().calls] == [6.0]


def test_a_long_part_is_cut_with_a_mark_and_a_deep_one_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = History(tmp_path)
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    kept.add(call({"deep": deep}), "demo", 1.0)
    monkeypatch.setattr(history, "PART_LIMIT", 1_000)
    kept.add(call(result={"content": "x" * 5_000}), "demo", 2.0)
    long, nested = kept.calls().calls
    part = kept.read(long.key)["result"]
    assert part.value is None and part.text is not None and len(part.text) == 1_000
    assert kept.read(long.key)["arguments"].value == {"citations": ["crm://1", "crm://2"]}
    assert "[" * 100 in (kept.read(nested.key)["arguments"].text or "")


def test_a_crash_in_the_middle_of_a_write_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = History(tmp_path)
    kept.add(call(), "demo", 1.0)

    def crash(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", crash)
        with pytest.raises(KeyboardInterrupt):
            kept.add(call(), "demo", 2.0)
    # A process that is killed leaves its half behind: it is no call, and goes once it is old.
    stray = tmp_path / ".writing-abc"
    stray.write_text('{"at": 3')
    assert [each.at for each in kept.calls().calls] == [1.0]
    assert stray.exists()
    os.utime(stray, (0, 0))
    assert not kept.calls().damaged and not stray.exists()


@pytest.mark.parametrize("damage", [b"", b"{", b"\0" * 9, b'{"at": 1}\n', b'{"at": "x"}\n{}\n', b"[]\n"])
def test_a_damaged_file_is_put_aside_with_its_name_said(tmp_path: Path, damage: bytes) -> None:
    kept = History(tmp_path)
    kept.add(call(), "demo", 1.0)
    kept.add(call(), "demo", 2.0)
    (bad,) = tmp_path.glob("000000000001000-*")
    bad.write_bytes(damage)
    listing = History(tmp_path).calls()
    assert [each.at for each in listing.calls] == [2.0]
    aside = tmp_path / f".damaged-{bad.name}"
    assert aside.read_bytes() == damage
    assert len(listing.damaged) == 1 and str(aside) in listing.damaged[0]
    assert History(tmp_path).calls().damaged == ()


def test_damage_behind_the_first_line_shows_when_the_call_is_opened(tmp_path: Path) -> None:
    kept = History(tmp_path)
    kept.add(call(), "demo", 1.0)
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text().replace('"value"', "value", 1))
    (one,) = kept.calls().calls
    with pytest.raises(Damaged, match="put aside"):
        kept.read(one.key)
    assert kept.calls().calls == ()


def test_two_programs_at_once_keep_each_others_calls(tmp_path: Path) -> None:
    programs = [History(tmp_path), History(tmp_path)]
    threads = [
        threading.Thread(target=lambda kept=kept: [kept.add(call(), "demo", 7.0) for _ in range(20)])
        for kept in programs
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one, other = programs
    assert len(one.calls().calls) == len(other.calls().calls) == 40
    key = one.calls().calls[0].key
    other.remove(key)
    one.remove(key)
    assert len(one.calls().calls) == 39
    with pytest.raises(FileNotFoundError):
        one.read(key)
    other.clear()
    assert one.calls() == history.Listing(())


def test_an_absent_folder_holds_no_call_and_one_that_is_a_file_is_said(tmp_path: Path) -> None:
    assert History(tmp_path / "none").calls().calls == ()
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("")
    kept = History(tmp_path / "file" / "history")
    with pytest.raises(OSError):
        kept.add(call(), "demo", 1.0)
    assert "file" in (kept.calls().fault or "")


def test_a_file_is_never_written_over_unasked(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert files.write_whole(path, ["a", "ü"]) == 3
    with pytest.raises(FileExistsError):
        files.write_whole(path, ["b"])
    assert path.read_text("utf-8") == "aü"
    files.write_whole(path, ["b"], replace=True)
    assert path.read_text("utf-8") == "b"
    assert list(tmp_path.iterdir()) == [path]
