"""JSON as text: what is written reads back as the same value, whatever its depth, and shows every character."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inspector.host.json_text import Number, json_pieces, write_json_text

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=20), inner, max_size=5),
    max_leaves=25,
)


@given(JSON, st.sampled_from([None, 2]))
def test_it_reads_back_as_the_same_value_with_every_character_seen(value: Any, indent: int | None) -> None:
    text = write_json_text(value, indent=indent)
    assert json.loads(text) == value
    assert text.replace("\n", "").isprintable()


@given(JSON)
def test_laid_out_it_is_as_people_know_it(value: Any) -> None:
    plain = json.dumps(value, ensure_ascii=False, indent=2)
    if plain.replace("\n", "").isprintable():
        assert write_json_text(value) == plain


def test_ten_thousand_levels_are_written() -> None:
    value: Any = 1
    for _ in range(10_000):
        value = [value]
    assert write_json_text(value, indent=None) == "[" * 10_000 + "1" + "]" * 10_000


def test_a_huge_string_comes_in_pieces_and_a_number_keeps_its_spelling() -> None:
    assert max(map(len, json_pieces({"text": "é" * 1_000_000}))) < 100_000
    assert write_json_text([Number("1.10"), 10**30]) == f"[\n  1.10,\n  {10**30}\n]"
