"""`--args`: a JSON object exactly as given, or the one line that says where it is none."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from inspector.cli.arguments import read_arguments
from inspector.cli.errors import WrongWords


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "--args: is not JSON: expecting value at line 1, column 1"),
        ("{", "--args: is not JSON: expecting property name enclosed in double quotes at line 1, column 2"),
        ('{"a": 1,\n "b" 2}', "--args: is not JSON: expecting ':' delimiter at line 2, column 6"),
        ("{} {}", "--args: is not JSON: extra data at line 1, column 4"),
        ("[]", '--args: is an array, not a JSON object: write {"NAME": VALUE, …}'),
        ("null", '--args: is null, not a JSON object: write {"NAME": VALUE, …}'),
        ('"a"', '--args: is a string, not a JSON object: write {"NAME": VALUE, …}'),
        ("true", '--args: is true, not a JSON object: write {"NAME": VALUE, …}'),
        ("1", '--args: is a number, not a JSON object: write {"NAME": VALUE, …}'),
        ('{"a": {"b": 1, "b": 2}}', '--args: holds the key "b" twice in one object: leave one'),
        ('{"a": NaN}', "--args: NaN is no JSON: write a number, or null"),
        ('{"a": -Infinity}', "--args: -Infinity is no JSON: write a number, or null"),
        ('{"a": 1e400}', "--args: the number 1e400 is too large for JSON's doubles: write a smaller one"),
        ('{"a": ' + "9" * 5000 + "}", "--args: holds a number of 5000 digits: write a shorter one"),
        (
            '{"citations": ["x", "crm://\\ud800"]}',
            "--args: holds a lone surrogate at citations[1], character 7, and no call can carry half a character",
        ),
        ('{"a": ' + "[" * 100000 + "]" * 100000 + "}", "--args: is nested too deep: write it flatter"),
        ('{"a": ' + "[" * 300 + "]" * 300 + "}", "--args: is nested too deep: write it flatter"),
        ("@missing.json", "--args @missing.json: cannot be read: No such file or directory"),
        ("@.", "--args @.: cannot be read: Is a directory"),
        ("@latin.json", "--args @latin.json: is not UTF-8 at byte 8: save it as UTF-8"),
        ("@list.json", '--args @list.json: is an array, not a JSON object: write {"NAME": VALUE, …}'),
    ],
)
def test_what_is_no_object_is_said_in_one_line(
    text: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.json").write_bytes(b'{"a": "\xe9"}')
    Path("list.json").write_text("[]")
    with pytest.raises(WrongWords) as caught:
        read_arguments(text)
    assert str(caught.value) == line


def test_order_and_whole_numbers_are_kept() -> None:
    arguments = read_arguments('{"b": 123456789012345678901234567890, "a": 1.5, "B": null}')
    assert list(arguments.items()) == [("b", 123456789012345678901234567890), ("a", 1.5), ("B", None)]


def test_no_arguments_are_an_empty_object() -> None:
    assert read_arguments(None) == {}


def test_they_come_from_a_file_or_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"body": "\xc3\xa9"}')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"body": "stdin"}')))
    assert read_arguments(f"@{tmp_path / 'a.json'}") == {"body": "é"}
    assert read_arguments("-") == {"body": "stdin"}
