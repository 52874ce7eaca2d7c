"""What is written in the template form, and the values that it stands for (RFC 6570, section 2.4)."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.templates import UriTemplate
from inspector.tui.widgets.template_values import item_at_end, read_value, variables_of, with_item, write_value


def variable(template: str) -> Any:
    return variables_of(UriTemplate.parse(template))[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a", ["a"]),
        ("a, b ,c", ["a", "b", "c"]),
        (r"a\, b, c", ["a, b", "c"]),
        ("k=v", [("k", "v")]),
        ("k=v, l=w=x", [("k", "v"), ("l", "w=x")]),
        ("k=", [("k", "")]),
        (r"k\=v", ["k=v"]),
        # An item without = makes a list of all of them.
        ("k=v, b", ["k=v", "b"]),
        (" , ", None),
    ],
)
def test_an_exploded_variable_takes_a_list_or_pairs(text: str, value: Any) -> None:
    assert read_value(variable("{x*}"), text) == value


@pytest.mark.parametrize("template", ["{x}", "{+x}", "{x:3}"])
def test_any_other_variable_takes_the_text_as_it_is(template: str) -> None:
    assert read_value(variable(template), r" a, k=v\,") == r" a, k=v\,"
    assert read_value(variable(template), "") is None


@pytest.mark.parametrize("value", [["a", "b"], [("k", "v"), ("l=", "w,")], ["a, b", "k=v"], "a,b", ["k=v", "b=c"]])
def test_a_value_is_written_so_that_it_is_read_again(value: Any) -> None:
    text = write_value(variable("{x*}"), value)
    assert text is not None
    assert read_value(variable("{x*}"), text) in (value, [value])


@pytest.mark.parametrize("value", [["a", "b"], [" a"], ["a", ""]])
def test_a_value_that_no_text_stands_for_is_not_written(value: Any) -> None:
    assert write_value(variable("{x*}" if value != ["a", "b"] else "{x}"), value) is None


def test_a_list_is_completed_item_by_item() -> None:
    exploded = variable("{x*}")
    assert item_at_end(exploded, "name, ci") == "ci"
    assert with_item(exploded, "name, ci", "city, state") == r"name, city\, state"
    assert item_at_end(variable("{x}"), "name, ci") == "name, ci"
    assert with_item(variable("{x}"), "name, ci", "other") == "other"


def test_each_variable_is_asked_for_once() -> None:
    named = variables_of(UriTemplate.parse("{a}/{b*}{?a,c:3}"))
    assert [(each.name, each.takes_many) for each in named] == [("a", False), ("b", True), ("c", False)]
