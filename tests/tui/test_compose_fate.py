"""A fate in words: what is said of a string, and how it fits the room there is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from inspector.extension import Admission, Citation, Code, Outcome, read_declaration
from inspector.host.visible import visible
from inspector.templates import Claim
from inspector.tui.widgets.fate import Fate, describe_size, fate_lines, fate_of_admission, fate_of_outcome

DECLARATION = read_declaration(
    {"ai.nimblebrain/resource-arguments": {"arguments": {"citations": {"schemes": ["crm", "mail"]}}}}
)
CLAIM = Claim("crm", "crm://signals{/path*}{?q}", {"path": ["a", "b"], "q": "", "k": [("x", "1")]})


def lines(fate: Fate, width: int) -> list[str]:
    return [line.plain.rstrip() for line in fate_lines(fate, width)]


def test_a_string_that_is_to_be_read_shows_its_owner_and_variables() -> None:
    admission = Admission(Citation("crm://x", ("citations",), "crm", True), None, "R18", "to be read", "crm")
    fate = fate_of_admission(admission, (CLAIM,), DECLARATION)
    assert lines(fate, 90) == ['· to be read          crm      path=[a, b] q="" k=[x: 1]  R18']


def test_a_scheme_that_is_not_declared_names_those_that_are_before_and_after_resolving() -> None:
    citation = Citation("file://x", ("citations",), "file", False)
    refused = Admission(citation, Code.SCHEME_NOT_DECLARED, "R10", "no", None)
    outcome = Outcome("file://x", ("citations",), Code.SCHEME_NOT_DECLARED, "R10", "no")
    for fate in (fate_of_admission(refused, (), DECLARATION), fate_of_outcome(outcome, (), DECLARATION)):
        assert fate.detail == "never read; declared here: crm, mail"


def test_an_outcome_has_one_tone_whatever_decided_it_and_the_rule_tells_them_apart() -> None:
    failed = Outcome("crm://x", (), Code.NOT_FOUND, "R19", "the server said: no", "crm", milliseconds=9)
    unowned = Outcome("crm://x", (), Code.NOT_FOUND, "R14", "no owner")
    fates = [fate_of_outcome(outcome, (), DECLARATION) for outcome in (failed, unowned)]
    assert [(fate.word, fate.tone, fate.rule) for fate in fates] == [
        ("not_found", "refused", "R19"),
        ("not_found", "refused", "R14"),
    ]


def test_what_to_do_is_said_where_there_is_room() -> None:
    fate = Fate("refused", "over_limit", None, "too many", "R12", "Split the call.")
    assert lines(fate, 60) == ["✗ over_limit          –        too many  R12"]
    assert lines(fate, 100)[1].strip() == "→ Split the call."


def test_what_comes_close_is_said_in_any_room() -> None:
    fate = Fate("refused", "not_found", None, "no owner", "R14", nearest="nearest crm://signals/{id} of crm")
    assert "→ nearest crm://signals/{id} of crm" in [line.strip() for line in lines(fate, 80)]


def test_a_fate_of_before_a_change_says_so_in_words() -> None:
    fate = Fate("resolved", "resolved", "crm", "id=4", "R22", stale=True)
    assert lines(fate, 80) == ["✓ resolved            crm      id=4  R22 · before the change"]


@pytest.mark.parametrize("width", [8, 20, 40, 60, 90, 200])
def test_no_line_is_wider_than_the_room_or_raw(width: int) -> None:
    detail = "the server said: \x1b[31m[b]" + "long" * 200 + " 漢字" * 40
    for line in lines(Fate("refused", "not_found", "s\u202e" * 30, detail, "R19", "Do " * 60), width):
        assert cell_len(line) <= max(width, 56)
        assert visible(line) == line


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (148_800, "148.8 kB"),
        (999_960, "1.0 MB"),
        (5_000_000, "5.0 MB"),
    ],
)
def test_sizes_are_in_a_persons_units(size: int, words: str) -> None:
    assert describe_size(size) == words
