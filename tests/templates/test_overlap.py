"""Do two templates share a URI? With a witness for people, and all overlaps of a workspace (R15, R26)."""

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.templates import Overlap, OwnershipMap, UriTemplate, find_overlap, find_overlaps
from tests.templates import slow
from tests.templates.strategies import templates
from tests.templates.test_properties import with_prefix

QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def overlap(one: str, other: str) -> str | None:
    return find_overlap(UriTemplate.parse(one), UriTemplate.parse(other))


@pytest.mark.parametrize(
    ("one", "other", "witness"),
    [
        ("crm://signals/{id}", "crm://{+path}", "crm://signals/42"),
        ("crm://signals/{id}", "crm://{kind}/{id}", "crm://signals/42"),
        ("crm://signals/{id}", "crm://signals/{year}-{n}", "crm://signals/2024-17"),
        ("crm://signals/{id}", "crm://signals/latest", "crm://signals/latest"),
        ("x://{date}", "x://{year}-{month}-{day}", "x://2024-06-15"),
        ("x://{year}/{month}/{day}", "x://{+rest}", "x://2024/06/15"),
        ("mail://{userId}/inbox{?page,limit}", "mail://{user}/{folder}{?limit}", "mail://42/inbox?limit=10"),
        ("{scheme}://{+rest}", "crm://signals/{id}", "crm://signals/42"),
        ("f://{+p}.md", "f://{name}.md", "f://p.md"),
        ("file://{/path*}", "file:///{name}", "file:///name"),
    ],
)
def test_a_witness_is_one_that_a_person_might_have_written(one: str, other: str, witness: str) -> None:
    assert overlap(one, other) == witness
    assert overlap(other, one) == witness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("crm://signals/{id}", "mail://signals/{id}"),
        ("crm://signals/{id}", "crm://Signals/{id}"),
        ("crm://signals/{id}", "crm://signals/{id}/notes"),
        ("crm://signals/{id}", "crm://signals/{a}/{b}"),
        ("f://{+p}.md", "f://{+p}.txt"),
        ("x{?a,b}", "x?b={b}&a={a}"),
        ("x{;a}", "x;a={b:1}{c}="),
        ("{x:1}", "ab"),
        ("%c3%A9{x}", "%C3%A9{x}"),
        ("{x*}", "a=b=c{y}"),
    ],
)
def test_templates_that_share_no_uri(one: str, other: str) -> None:
    assert overlap(one, other) is None
    assert overlap(other, one) is None


@pytest.mark.parametrize(
    ("one", "other", "witness"),
    [
        ("caf{x:1}", "café", "caf%C3%A9"),
        ("{x:2}", "%FF%FE", "%FF%FE"),
        ("{x:9999}", "{y}-z", None),
        ("x{;a*}", "x;b;c=1;b", "x;b;c=1;b"),
        ("x{?a*}", "x{?b}", None),
        ("{a,b}", "{c},z", None),
        ("{+x}", "%41", "%41"),
        ("", "{x}", ""),
        ("", "", ""),
    ],
)
def test_every_level_of_the_rfc_takes_part(one: str, other: str, witness: str | None) -> None:
    found = overlap(one, other)
    assert found is not None
    assert slow.expands(one, found) and slow.expands(other, found)
    assert witness is None or found == witness


@pytest.mark.parametrize(
    ("one", "other", "witness"),
    [
        ("x://{a}/{a}", "x://foo/{b}", "x://foo/foo"),
        ("x://{a}/{a:1}", "x://foo/{b}", "x://foo/f"),
        ("x://{a}{?a}", "x://{b}{?a}", "x://a?a=a"),
        ("x://{a}/{b}/{a}/{b}", "x://{c}/foo/bar/{d}", "x://bar/foo/bar/foo"),
        ("x://{a}/{a}", "x://foo/bar", None),
    ],
)
def test_a_variable_that_occurs_twice_has_one_value(one: str, other: str, witness: str | None) -> None:
    """R26."""
    assert overlap(one, other) == witness


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "{+a}" * 50, "{a}" * 50, "{?x*}{&y*}{&z*}", "{a:9999}{b:9999}"],
    ids=lambda text: text[:8],
)
@pytest.mark.parametrize("end", ["", "Y"])
def test_templates_made_to_hurt_are_answered(text: str, end: str) -> None:
    one, other = UriTemplate.parse(text), UriTemplate.parse(text + end)
    witness = find_overlap(one, other)
    assert witness is None or (one.match(witness) is not None and other.match(witness) is not None)


SMALL_VALUES: list[Any] = [None, "", "a", "x=", "é", ["a", "b"], [("a", "b")]]


def small_expansions(template: UriTemplate) -> set[str]:
    strings = with_prefix(template.text)
    choices = [
        [value for value in SMALL_VALUES if name not in strings or not isinstance(value, list)]
        for name in template.variables[:4]
    ]
    combinations = itertools.islice(itertools.product(*choices), 0, 2500, 7)
    return {template.expand(dict(zip(template.variables, values, strict=False))) for values in combinations}


@given(templates(repeats=False), templates(repeats=False))
@QUICK
def test_overlaps_agree_with_a_trial_of_many_values(one: str, other: str) -> None:
    first, second = UriTemplate.parse(one), UriTemplate.parse(other)
    witness = find_overlap(first, second)
    if witness is not None:
        assert first.match(witness) is not None and second.match(witness) is not None
    else:
        assert not any(second.match(uri) is not None for uri in small_expansions(first))
        assert not any(first.match(uri) is not None for uri in small_expansions(second))


@given(templates(repeats=True), templates(repeats=True))
@QUICK
def test_a_witness_is_never_wrong(one: str, other: str) -> None:
    first, second = UriTemplate.parse(one), UriTemplate.parse(other)
    witness = find_overlap(first, second)
    assert witness is None or (first.match(witness) is not None and second.match(witness) is not None)


@given(templates(repeats=False))
@QUICK
def test_a_template_shares_with_itself(text: str) -> None:
    template = UriTemplate.parse(text)
    assert find_overlap(template, template) is not None


def overlaps(servers: dict[str, list[str]]) -> list[Overlap]:
    return [found for found in find_overlaps(OwnershipMap(servers)) if found is not None]


def test_the_overlaps_of_a_workspace_are_those_between_servers() -> None:
    """R15: two templates of one server are one owner."""
    found = overlaps(
        {
            "crm": ["crm://signals/{id}", "crm://signals/{year}-{n}", "crm://{+any"],
            "archive": ["crm://{+path}", "crm://{+path}", "archive://{+path}"],
            "mail": ["mail://{folder}/{id}"],
        }
    )
    assert found == [
        Overlap(("crm", "archive"), ("crm://signals/{id}", "crm://{+path}"), "crm://signals/42"),
        Overlap(("crm", "archive"), ("crm://signals/{year}-{n}", "crm://{+path}"), "crm://signals/2024-17"),
    ]


def test_a_variable_scheme_meets_them_all() -> None:
    found = overlaps({"any": ["{+uri}"], "crm": ["crm://{id}"], "mail": ["mail:{id}"], "odd": ["{x}"]})
    assert {overlap.templates for overlap in found} == {
        ("{+uri}", "crm://{id}"),
        ("{+uri}", "mail:{id}"),
        ("{+uri}", "{x}"),
    }


def test_work_comes_in_slices() -> None:
    servers = {
        f"s{server}": [f"x{server}://{{a}}/t{number}/{{b}}" for number in range(100)] for server in range(5)
    }
    steps = list(find_overlaps(OwnershipMap(servers)))
    assert steps.count(None) >= 10
    assert set(steps) == {None}


@given(st.lists(templates(repeats=False), min_size=2, max_size=5))
@QUICK
def test_no_overlap_is_missed_for_want_of_a_comparison(texts: list[str]) -> None:
    servers = {f"s{number}": [text] for number, text in enumerate(texts)}
    expected = {
        (f"s{one}", f"s{other}")
        for one, other in itertools.combinations(range(len(texts)), 2)
        if overlap(texts[one], texts[other]) is not None
    }
    assert {found.servers for found in overlaps(servers)} == expected
