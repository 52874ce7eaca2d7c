"""The index of a JSON view: every value on its lines, whatever its depth; rows and lines map both ways."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from inspector.tui.text import visible
from inspector.tui.widgets.json_view_draw import draw, unfold
from inspector.tui.widgets.json_view_lines import Heading, Json, Kind, Lines, Number, Prose
from inspector.tui.widgets.json_view_rows import Place, Rows
from inspector.tui.widgets.json_view_wrap import Wrapped

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=70), inner, max_size=5),
    max_leaves=25,
)


def laid_out(*blocks: Any) -> Rows:
    lines = Lines(blocks)
    for _ in lines.build():
        pass
    rows = Rows(lines)
    rows.rebuild()
    return rows


def shown(rows: Rows, width: int = 400) -> list[str]:
    return ["".join(text for _, text in draw(rows, rows.locate(row), width)) for row in range(rows.count)]


@given(JSON)
def test_what_is_shown_unfolded_is_the_value(value: Any) -> None:
    rows = laid_out(Json(value))
    text = "\n".join(re.sub("^ *▾", "", row) for row in shown(rows, 9000))
    assert json.loads(text) == json.loads(json.dumps(value))


@given(JSON, st.integers(20, 60))
def test_no_row_is_wider_than_the_view_or_holds_what_a_terminal_obeys(value: Any, width: int) -> None:
    for row in shown(laid_out(Json(value), Prose("\x1b]0;x\x07" * 20), Heading("h\u202e" * 40)), width):
        assert cell_len(row) <= width
        assert visible(row) == row


@given(JSON, st.data())
def test_rows_and_lines_map_both_ways_whatever_is_folded(value: Any, data: st.DataObject) -> None:
    rows = laid_out(Json(value))
    lines = rows.lines
    openers = [line for line in range(len(lines)) if lines.end(line) is not None]
    texts = [line for line in range(len(lines)) if lines.kind(line) is Kind.LEAF]
    rows.folded = set(data.draw(st.lists(st.sampled_from(openers), max_size=6))) if openers else set()
    for line in data.draw(st.lists(st.sampled_from(texts), max_size=4)) if texts else ():
        rows.unfolded[line] = unfold(lines, line, 30)
        for _ in rows.unfolded[line].build():
            pass
    rows.rebuild()
    hidden = {inner for opener in rows.folded for inner in range(opener + 1, (lines.end(opener) or 0) + 1)}
    expected = []
    for line in range(len(lines)):
        if line not in hidden:
            expected.append(Place(line))
            wrapped = rows.unfolded.get(line)
            expected += [Place(line, part) for part in range(wrapped.rows)] if wrapped else []
    assert [rows.locate(row) for row in range(rows.count)] == expected
    for line in range(len(lines)):
        if line not in hidden:
            assert rows.locate(rows.row_of(line)) == Place(line)


@given(st.text(alphabet=st.characters() | st.sampled_from(' \n"\\\t漢é'), max_size=300), st.integers(8, 40))
def test_unfolded_text_loses_nothing_and_fits(text: str, width: int) -> None:
    for is_quoted in (False, True):
        wrapped = Wrapped(text, width, quoted=is_quoted)
        for _ in wrapped.build():
            pass
        parts = [wrapped.row(row) for row in range(wrapped.rows)]
        assert all(visible(part) == part for part in parts)
        assert all(cell_len(part.rstrip()) <= max(width, 12) for part in parts)
        if is_quoted and text.isascii():
            assert json.loads('"' + "".join(parts) + '"') == text


def test_a_line_feed_in_text_is_a_row_of_its_own() -> None:
    wrapped = Wrapped("one\ntwo words\n\nfour", 40, quoted=False)
    for _ in wrapped.build():
        pass
    assert [wrapped.row(row) for row in range(wrapped.rows)] == ["one", "two words", "", "four"]


def test_nesting_past_any_stack_is_laid_out() -> None:
    value: Any = "end"
    for _ in range(10_000):
        value = [value]
    rows = laid_out(Json(value))
    assert rows.count == 20_001
    assert "10000" in shown(rows, 80)[10_000]


def test_a_long_key_stands_on_its_own_line_so_that_it_can_be_read() -> None:
    rows = laid_out(Json({"k" * 100: 1}))
    assert shown(rows, 50)[1].strip() == '"' + "k" * 44 + "…"
    assert shown(rows, 50)[2].strip() == "1"


def test_numbers_are_shown_as_they_are() -> None:
    assert [row.strip() for row in shown(laid_out(Json([10**30, 1.5, Number("1.10"), True, None])))][1:-1] == [
        f"{10**30},",
        "1.5,",
        "1.10,",
        "true,",
        "null",
    ]


def test_a_number_of_more_digits_than_the_interpreter_writes_is_no_crash() -> None:
    assert "a whole number of" in shown(laid_out(Json(1 << 50_000)))[0]
