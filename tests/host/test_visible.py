"""Text from a server is data: nothing in it reaches a terminal as anything but a character to look at."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from inspector.host.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, café, 東京, 👍", "plain text, café, 東京, 👍"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\x00b", "a␀b"),
        ("one\r\ntwo\tthree", "one␍␊two␉three"),
        ("del\x7f", "del␡"),
        ("\x9b31m", "\\u009b31m"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("\u2066isolate\u2069", "\\u2066isolate\\u2069"),
        ("crm://\u200bsignals/42", "crm://\\u200bsignals/42"),
        ("\ufeffbom", "\\ufeffbom"),
        ("line\u2028separator", "line\\u2028separator"),
        ("half\ud800", "half\\ud800"),
        ("\U000e0041tag", "\\U000e0041tag"),
        ("[bold]markup[/bold]", "[bold]markup[/bold]"),
    ],
)
def test_what_cannot_be_seen_stands_as_a_mark(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_line_feeds_and_tabs_stay_where_many_lines_are_meant() -> None:
    assert visible("a\n\tb\x1b[2J\r\n", multiline=True) == "a\n\tb␛[2J␍\n"


def test_no_character_of_unicode_passes_unseen() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    left = {unicodedata.category(character) for character in visible(everything)}
    assert not left & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert set(visible(everything, multiline=True)) - set(visible(everything)) == {"\n", "\t"}


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("abcd", 1, "…"),
        ("a\u202eb", 8, "a\\u202eb"),
        ("a\u202ebc", 8, "a\\u202e…"),
        ("a\u202eb", 7, "a…"),
        ("", 1, ""),
    ],
)
def test_a_longer_text_is_cut_between_whole_marks(text: str, limit: int, shown: str) -> None:
    assert visible(text, limit) == shown
    assert len(shown) <= limit
