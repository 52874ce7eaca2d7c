"""OwnershipMap: the owners of a URI (R14, R15), whatever the index leaves out."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.templates import Claim, OwnershipMap, UriTemplate
from tests.templates.strategies import near, templates, values_for


def test_r15_claims_of_two_servers_in_the_order_of_the_workspace() -> None:
    ownership = OwnershipMap(
        {"crm": ["crm://signals/{id}", "crm://{kind}/{id}"], "archive": ["crm://{+path}"], "mail": []}
    )
    assert ownership.claims("crm://signals/42") == (
        Claim("crm", "crm://signals/{id}", {"id": "42"}),
        Claim("crm", "crm://{kind}/{id}", {"kind": "signals", "id": "42"}),
        Claim("archive", "crm://{+path}", {"path": "signals/42"}),
    )
    assert ownership.claims("mail://1") == ()


def test_r27_a_broken_template_owns_nothing_and_the_others_stand() -> None:
    published: Any = {"crm": ["crm://{id", "crm://{id}", None]}
    ownership = OwnershipMap(published)
    assert [claim.template for claim in ownership.claims("crm://1")] == ["crm://{id}"]
    assert [(entry.template, entry.position) for entry in ownership.invalid] == [("crm://{id", 6), ("None", 0)]


def test_r26_an_undecided_question_is_reported_beside_the_claims() -> None:
    ownership = OwnershipMap({"hard": ["{+a}{+b}{+a}{+b}"], "easy": ["ab{+x}"]})
    found = ownership.lookup("ab" * 30_000 + "c")
    assert [claim.server for claim in found.claims] == ["easy"]
    assert found.undecided == (("hard", "{+a}{+b}{+a}{+b}"),)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_index_leaves_out_nothing_that_matches(data: Any) -> None:
    texts = data.draw(st.lists(templates(repeats=False), min_size=1, max_size=12))
    ownership = OwnershipMap({"one": texts[::2], "two": texts[1::2]})
    origin = UriTemplate.parse(data.draw(st.sampled_from(texts)))
    uri = data.draw(near(origin.expand(data.draw(values_for(origin.variables, frozenset(origin.variables))))))
    expected = [
        (entry.server, entry.template.text)
        for entry in ownership.entries
        if UriTemplate.parse(entry.template.text).match(uri) is not None
    ]
    assert [(claim.server, claim.template) for claim in ownership.claims(uri)] == expected


def test_texts_that_contain_each_other_are_told_apart() -> None:
    ownership = OwnershipMap({"s": [f"f://{{+p}}.ext{number}" for number in range(300)]})
    assert [claim.template for claim in ownership.claims("f://a.ext1")] == ["f://{+p}.ext1"]
    assert [claim.template for claim in ownership.claims("f://a.ext123")] == ["f://{+p}.ext123"]
    assert ownership.claims("f://a.ext") == ()


def test_long_literals_are_filed_too() -> None:
    long = "x" * 200
    ownership = OwnershipMap({"s": [f"{long}/a{{i}}", f"{long}/b{{i}}/{long}/c", f"{{i}}/{long}{{j}}"]})
    assert [claim.template for claim in ownership.claims(f"{long}/a1")] == [f"{long}/a{{i}}"]
    assert [claim.template for claim in ownership.claims(f"{long}/b1/{long}/c")] == [f"{long}/b{{i}}/{long}/c"]
    assert [claim.template for claim in ownership.claims(f"1/{long}2")] == [f"{{i}}/{long}{{j}}"]
