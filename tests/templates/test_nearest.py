"""Why a URI has no owner, in words that a developer can act on (R10, R13, R14, R25 to R27)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.templates import Near, OwnershipMap, UriTemplate, nearest
from tests.templates.strategies import near, templates, values_for
from tests.templates.test_overlap import QUICK
from tests.templates.test_properties import with_prefix

CRM = OwnershipMap(
    {
        "crm": ["crm://signals/{id}", "crm://contacts/{id}/notes", "crm://latest"],
        "mail": ["mail://{folder}/{id}", "mail://search{?q,limit}", "mail://sorted?a={a}&b={b}"],
    }
)


def first(uri: str, ownership: OwnershipMap = CRM, **given: Any) -> Near:
    return nearest(uri, ownership, **given)[0]


def of(template: str) -> OwnershipMap:
    return OwnershipMap({"crm": [template]})


def test_the_place_where_they_part_and_what_would_stand_there() -> None:
    assert first("crm://signal/42") == Near(
        server="crm",
        template="crm://signals/{id}",
        position=12,
        template_position=12,
        reason="they part after crm://signal: '/' stands there, 's' would fit",
        suggestion="crm://signals/42",
    )


@pytest.mark.parametrize(
    ("uri", "mended"),
    [
        ("crm://sginals/42", "crm://signals/42"),
        ("crm://signls/42", "crm://signals/42"),
        ("crm://signaals/42", "crm://signals/42"),
        ("crm://sigs/42", "crm://signals/42"),
        ("crm:signals/42", "crm://signals/42"),
        ("crm:/signals/42", "crm://signals/42"),
        ("crm://signals42", "crm://signals/42"),
        ("crm://signals/42/", "crm://signals/42"),
        ("crm://signals//42", "crm://signals/42"),
        ("crm://contacts/4/note", "crm://contacts/4/notes"),
        ("crm://contacts/4", "crm://contacts/4/notes"),
        ("crm://lat", "crm://latest"),
        ("crm://latests", "crm://latest"),
    ],
)
def test_one_slip_is_mended(uri: str, mended: str) -> None:
    assert first(uri).suggestion == mended


@pytest.mark.parametrize("uri", ["crm://signals", "crm://contacts/4/tasks", "crm://x"])
def test_what_no_one_change_mends_has_a_place_and_no_suggestion(uri: str) -> None:
    found = first(uri)
    assert found.suggestion is None
    assert found.reason.startswith("they part after crm://")


def test_a_uri_that_ends_too_early() -> None:
    found = first("crm://signals")
    assert (found.position, found.template_position) == (13, 13)
    assert found.reason == "they part after crm://signals: it ends there, '/' would go on"


@pytest.mark.parametrize(
    ("uri", "what", "mended"),
    [
        (
            "crm://signals/a b",
            "a space stands there, which must be percent-encoded as %20",
            "crm://signals/a%20b",
        ),
        (
            "crm://signals/é",
            "'é' stands there, which must be percent-encoded as %C3%A9",
            "crm://signals/%C3%A9",
        ),
        ("crm://signals/5%", "'%' stands there, which must be percent-encoded as %25", "crm://signals/5%25"),
        (
            "crm://signals/%zz",
            "'%' stands there, which must be percent-encoded as %25",
            "crm://signals/%25zz",
        ),
        (
            "crm://signals/a:b:c",
            "':' stands there, which must be percent-encoded as %3A",
            "crm://signals/a%3Ab%3Ac",
        ),
        (
            "crm://signals/\0",
            "U+0000 stands there, which must be percent-encoded as %00",
            "crm://signals/%00",
        ),
    ],
)
def test_a_character_that_must_be_percent_encoded(uri: str, what: str, mended: str) -> None:
    found = first(uri)
    assert found.reason.endswith(what)
    assert found.suggestion == mended


def test_a_literal_that_is_written_raw_or_encoded_needlessly() -> None:
    """R25."""
    assert first("crm://café/1", of("crm://café/{id}")).suggestion == "crm://caf%C3%A9/1"
    found = first("crm:%2F%2Fsignals/42")
    assert found.reason == "they part after crm:: %2F stands there, '/' itself would fit"
    assert found.suggestion == "crm://signals/42"


@pytest.mark.parametrize("uri", ["CRM://signals/42", "crm://Signals/42", "Crm://SIGNALS/42"])
def test_only_the_case_differs(uri: str) -> None:
    """R25: literals compare exactly, the scheme too."""
    found = first(uri)
    assert found.reason.endswith("would fit; only the case differs")
    assert found.suggestion == "crm://signals/42"


def test_only_the_case_of_hex_digits_differs() -> None:
    found = first("crm://caf%c3%a9/1", of("crm://café/{id}"))
    assert found.reason.endswith("only the case differs")
    assert found.suggestion == "crm://caf%C3%A9/1"


def test_query_parameters_in_another_order() -> None:
    """R24."""
    found = first("mail://search?limit=1&q=x")
    assert found.reason == "the template takes its query parameters in this order only: q, limit"
    assert found.suggestion == "mail://search?q=x&limit=1"
    assert first("mail://sorted?b=1&a=2").suggestion == "mail://sorted?a=2&b=1"


def test_query_parameters_unknown_to_the_template() -> None:
    found = first("mail://search?page=2&q=x")
    assert found.reason == "the template has no query parameter 'page'; it has q, limit"
    assert found.suggestion == "mail://search?q=x"
    found = first("mail://inbox/4?x=1")
    assert found.reason == "the template has no query parameters"
    assert found.suggestion == "mail://inbox/4"


def test_a_raw_slash_in_a_variable_of_one_segment() -> None:
    """R24."""
    found = first("crm://signals/a/b")
    assert (found.position, found.template_position) == (15, 15)
    assert found.reason == (
        "they part after crm://signals/a: '/' stands there, and {id} takes one segment; {+id} would take it"
    )
    assert found.suggestion == "crm://signals/a%2Fb"


def test_a_raw_slash_where_fastmcp_would_span_segments() -> None:
    found = first("doc:///a/b/c", of("doc:///{path*}"))
    assert found.reason == (
        "they part after doc:///a: '/' stands there, and {path*} spans no segments in RFC 6570, "
        "as it does in FastMCP's dialect; {+path} would take it"
    )
    assert found.suggestion == "doc:///a%2Fb%2Fc"


def test_a_wider_expression_is_named_only_if_it_would_do() -> None:
    assert "would take it" not in first("crm://signals/a/b!", of("crm://signals/{id}/c")).reason
    assert first("x:/a/b", of("x:{/p}")).reason.endswith("; {/p*} would take it")


def test_more_characters_than_a_prefix_takes() -> None:
    """R25."""
    found = first("crm://abcd", of("crm://{x:3}"))
    assert found.reason == "they part after crm://abc: {x:3} takes 3 characters at most"


def test_a_variable_that_occurs_twice() -> None:
    """R26."""
    found = first("crm://a/b", of("crm://{x}/{x}"))
    assert (found.position, found.reason) == (9, "a variable that occurs twice would need two values")


def test_a_resource_that_is_only_listed() -> None:
    """R14."""
    found = first("crm://report", listed={"mail": ["mail://x"], "crm": ["crm://report"]})
    assert (found.server, found.template, found.suggestion) == ("crm", None, None)
    assert found.reason == (
        "crm lists this resource but publishes no template for it, and only a template makes an owner"
    )


def test_a_broken_template_and_where() -> None:
    """R27."""
    ownership = OwnershipMap({"crm": ["crm://signals/{id", "crm://contacts/{id}"]})
    assert first("crm://signals/42", ownership) == Near(
        server="crm",
        template="crm://signals/{id",
        position=14,
        template_position=14,
        reason="the template is broken and owns nothing: this { is never closed",
        suggestion=None,
    )


def test_a_scheme_of_the_hosts_own() -> None:
    """R13: in any case, and whatever template a server publishes."""
    found = first("FILES://a", of("files://{id}"), host_schemes=("files", "ui"))
    assert found.reason == "files is a scheme of the host's own: no server is asked for it"
    (found,) = nearest("files://a", of("files://{id}"), host_schemes=("files", "ui"))
    assert (found.server, found.template) == ("crm", "files://{id}")
    assert found.reason.endswith("whatever template it publishes")


def test_no_suggestion_leads_to_the_hosts_own_scheme() -> None:
    """R13."""
    assert first("file://a/1", of("files://a/{id}")).suggestion == "files://a/1"
    assert first("file://a/1", of("files://a/{id}"), host_schemes=("files",)).suggestion is None


def test_a_template_too_intricate_to_follow() -> None:
    found = first("crm://a/", of("crm://" + "{a}" * 20_000 + "!"))
    assert found.reason == "the template is too long or too intricate to say where they part"


def test_a_server_that_is_not_connected() -> None:
    """R14."""
    found = nearest("billing://1", CRM, absent=["vault", "billing"])
    assert [each.server for each in found] == ["billing", None, "vault"]
    assert found[0].reason == "billing is not connected: a server owns nothing until it is"
    assert nearest("crm://signal/1", CRM, absent=["vault"])[-1].server == "vault"


def test_a_scheme_that_no_template_has() -> None:
    found = first("crn://signals/42")
    assert found.reason == "no connected server has a template with the scheme crn; there are: crm, mail"
    assert found.suggestion == "crm://signals/42"
    assert first("gopher://x").suggestion is None
    assert first("crm://x", OwnershipMap({})).reason == (
        "no connected server has a template with the scheme crm, or with any other"
    )


def test_no_scheme_at_all() -> None:
    """R10."""
    assert first("").reason == "the string is empty"
    found = first("signals/42")
    assert (found.position, found.reason) == (0, "it has no scheme: a URI begins with a name and a colon")
    assert found.suggestion == "crm://signals/42"
    assert first("crm//signals/42").suggestion == "crm://signals/42"
    assert first("hello").suggestion is None


def test_a_template_with_a_variable_scheme_is_looked_at_too() -> None:
    found = first("crm://a", of("{scheme}://{id}/x"))
    assert found.reason == "they part after crm://a: it ends there, '/' would go on"


def test_what_has_an_owner_needs_no_explanation() -> None:
    assert nearest("crm://signals/42", CRM) == ()


def test_the_limit_holds() -> None:
    assert len(nearest("crm://signal/42", CRM, absent=["a", "b", "c"], limit=2)) == 2
    assert nearest("crm://signal/42", CRM, limit=0) == ()


def test_the_closest_of_many_is_found() -> None:
    many = OwnershipMap({f"s{n}": [f"crm://{{kind}}/t{n * 20 + m}/{{id}}" for m in range(20)] for n in range(20)})
    assert first("crm://x/T217/1", many).template == "crm://{kind}/t217/{id}"
    assert first("crm://x/t217/1/", many).suggestion == "crm://x/t217/1"


@pytest.mark.parametrize(
    "uri",
    [
        "crm://" + "a" * 1_000_000 + "/!",
        "crm://signals/" + "a b/é" * 200_000,
        "crm://\0\ud800\u202e",
        "crm://signals/\ud800",
        "%",
        "crm:%",
        "é://x",
        "{}",
    ],
    ids=lambda uri: ascii(uri[:20]),
)
def test_bad_input_is_answered(uri: str) -> None:
    for ownership in (CRM, of("crm://{+a}{+b}x/{c:9999}/"), of("crm://" + "{a}" * 20_000 + "!"), of("")):
        assert all(each.position <= len(uri) for each in nearest(uri, ownership))


@given(st.data())
@QUICK
def test_a_suggestion_has_an_owner_and_a_place_is_real(data: Any) -> None:
    texts = data.draw(st.lists(templates(repeats=True).map("x:".__add__), min_size=1, max_size=4))
    template = UriTemplate.parse(texts[0])
    values = data.draw(values_for(template.variables, with_prefix(template.text)))
    uri = data.draw(near(template.expand(values)))
    ownership = OwnershipMap({"one": texts})
    for found in nearest(uri, ownership):
        assert found.suggestion is None or ownership.claims(found.suggestion)
        assert found.suggestion != uri
        assert 0 <= found.position <= len(uri)
        if found.template is not None and found.template_position is not None:
            assert 0 <= found.template_position <= len(found.template)


@given(st.data())
@QUICK
def test_up_to_the_place_the_template_agrees(data: Any) -> None:
    """What stands before the place is the start of some URI of the template."""
    text = "x:" + data.draw(templates(repeats=False))
    template = UriTemplate.parse(text)
    values = data.draw(values_for(template.variables, with_prefix(text)))
    uri = template.expand(values) + "\n"
    found = nearest(uri, OwnershipMap({"one": [text]}))
    assert found[0].position == len(uri) - 1


def test_a_letter_too_many_before_a_value_is_taken_out_not_swapped_into_it() -> None:
    assert first("pub://notes/1", of("pub://note/{id}")).suggestion == "pub://note/1"
