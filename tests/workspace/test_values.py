"""Places in JSON values and texts, and changes in words."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.workspace.catalog import Catalog, Tool
from inspector.workspace.change import Change, ListChange, compare_catalogs
from inspector.workspace.http_client import public_url
from inspector.workspace.json_values import find_lone_surrogate, find_unsendable, may_hold_surrogates
from inspector.workspace.positions import find_positions, show_path


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("plain", None),
        ("𝄞 é", None),
        ({"a": [1, None, True, {"b": "x"}]}, None),
        ("ab\ud800", "character 3"),
        ({"citations": ["ok", "crm://\udfff"]}, "citations[1], character 7"),
        ({"a b": {"c": "\ud800"}}, '["a b"].c, character 1'),
        ({"a": {"\ud800": 1}}, "the key of a, character 1"),
        ({"\ud800": 1}, "a key, character 1"),
    ],
)
def test_a_lone_surrogate_is_found_with_its_place(value: Any, place: str | None) -> None:
    assert find_lone_surrogate(value) == place


def test_the_search_does_not_mind_depth() -> None:
    value: Any = "\ud800"
    for _ in range(50_000):
        value = [value]
    assert find_lone_surrogate(value) is not None


def test_numbers_that_json_does_not_have_cannot_be_sent() -> None:
    assert find_unsendable({"n": [1, 1.5, 10**400]}) is None
    assert find_unsendable({"n": [float("inf")]}) == "n[0]: inf is no JSON number"


def test_only_an_escape_can_make_a_surrogate() -> None:
    assert may_hold_surrogates(r'"\uD83D\uDE00"')
    assert not may_hold_surrogates('"\\u00e9 𝄞"')


def test_positions_of_values_and_keys_that_stand_twice() -> None:
    text = '{\n  "a": [1, {"b": "x,]}", "b": -2}],\n  "c\\"d": {}, "e": [[], null]\n}'
    positions = find_positions(text)
    assert positions.line_and_column(("a", 1, "b")) == (2, 31)
    assert positions.line_and_column(('c"d',)) == (3, 11)
    assert positions.line_and_column(("e", 1)) == (3, 25)
    assert positions.line_and_column(("e", 7, "x")) == (3, 20)
    assert positions.duplicates == [("a", 1, "b")]
    assert show_path(("a", 1, "b c")) == 'a[1]["b c"]'


def test_a_change_in_words() -> None:
    def catalog(*names: str, description: str = "") -> Catalog:
        return Catalog(
            tools=tuple(Tool("crm", name, {"name": name, "description": description}) for name in names)
        )

    assert compare_catalogs("crm", catalog("a", "b"), catalog("a", "b")).describe() == "nothing changed"
    change = compare_catalogs("crm", catalog("a", "b", "b"), catalog("b", "c", "c"))
    assert change.tools == ListChange(added=("c", "c"), removed=("a", "b"))
    assert change.describe() == "+2 tools c and c, −2 tools a and b"
    assert (
        compare_catalogs("crm", catalog("a"), catalog("a", description="x")).describe()
        == "tool a: description changed"
    )
    assert Change("crm", error="exited 3").describe() == "not connected: exited 3"
    assert not Change("crm")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:pw@x.example:8/mcp?token=s#f", "https://x.example:8/mcp"),
        ("http://[::1]:80/mcp", "http://[::1]:80/mcp"),
        ("http://[bad", "the given address"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(url: str, shown: str) -> None:
    assert public_url(url) == shown
