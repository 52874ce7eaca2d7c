"""What the outbox does with the records that a host delivers, and where none does: both eras, over stdio."""

from datetime import date, timedelta
from typing import Any

import pytest

from tests.demo.sessions import Session, contents, error, said

SIGNAL = "crm://signals/42"


def signal(days: int, **fields: Any) -> dict[str, Any]:
    observed = date.today() - timedelta(days=days)
    return {
        "id": 42,
        "kind": "funding",
        "observedAt": observed.isoformat(),
        "quote": "We have raised.",
        **fields,
    }


def send(outbox: Session, citations: list[str], delivered: Any = None, **arguments: Any) -> Any:
    return outbox.call("send_with_citations", {"body": "Hello", "citations": citations, **arguments}, delivered)


def test_a_fresh_record_is_verified_and_the_message_is_kept(outbox: Session) -> None:
    result = send(outbox, [SIGNAL], {SIGNAL: contents(SIGNAL, signal(12))})
    assert not result.is_error
    sent = result.structured_content
    assert sent["citations"] == [
        {"uri": SIGNAL, "verified": True, "record": "delivered", "observed": signal(12)["observedAt"]}
    ]
    assert f"Sent as {sent['uri']}." in said(result)
    assert '"body":"Hello"' in outbox.read(sent["uri"]).replace('": ', '":')
    assert result.content[1].uri == sent["uri"]


@pytest.mark.parametrize(("days", "refused"), [(180, False), (181, True)])
def test_an_event_counts_for_180_days(outbox: Session, days: int, refused: bool) -> None:
    result = send(outbox, [SIGNAL], {SIGNAL: contents(SIGNAL, signal(days))})
    assert result.is_error is refused
    if refused:
        assert f"{SIGNAL}: too old, observed {signal(days)['observedAt']}, 181 days ago" in said(result)


def test_every_citation_that_does_not_hold_is_named_with_its_code(outbox: Session) -> None:
    """The extension's own example: one good, one missing, one foreign."""
    citations = [SIGNAL, "crm://signals/7", "mail://inbox/1"]
    delivered = {
        SIGNAL: contents(SIGNAL, signal(12)),
        "crm://signals/7": error("not_found"),
        "mail://inbox/1": error("scheme_not_declared"),
    }
    result = send(outbox, citations, delivered)
    assert result.is_error
    heading, *reasons = said(result).splitlines()
    assert heading == "Not sent. These citations do not hold:"
    assert [reason.split(", ")[0] for reason in reasons] == [
        "- crm://signals/7: not_found",
        "- mail://inbox/1: scheme_not_declared",
    ]


CODES = (
    "scheme_not_declared",
    "not_found",
    "ambiguous",
    "not_text",
    "too_large",
    "over_limit",
    "rate_limited",
)


@pytest.mark.parametrize("code", CODES)
def test_codes_are_matched_on_and_messages_never(outbox: Session, code: str) -> None:
    plain = said(send(outbox, [SIGNAL], {SIGNAL: error(code)}))
    other = said(send(outbox, [SIGNAL], {SIGNAL: error(code, "not_found ambiguous")}))
    assert plain == other
    assert f"{SIGNAL}: {code}, " in plain


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (error("of_the_future"), "of_the_future, this tool does not know that code"),
        ({}, "neither contents nor an error"),
        ([], "neither contents nor an error"),
        ({"contents": []}, "neither contents nor an error"),
        ({"contents": [{"uri": SIGNAL, "blob": "AAAA"}]}, "neither contents nor an error"),
        ({"error": {"code": 7}}, "neither contents nor an error"),
        (contents(SIGNAL, "no JSON"), "no observedAt date"),
        (contents(SIGNAL, {"observedAt": 7}), "no observedAt date"),
        (contents(SIGNAL, []), "no observedAt date"),
    ],
)
def test_an_entry_of_another_shape_refuses_and_breaks_nothing(outbox: Session, entry: Any, reason: str) -> None:
    result = send(outbox, [SIGNAL], {SIGNAL: entry})
    assert result.is_error
    assert reason in said(result)


def test_a_citation_without_an_entry_is_refused(outbox: Session) -> None:
    assert "the host delivered no entry for it" in said(send(outbox, [SIGNAL], {}))


def test_where_the_key_is_absent_the_uri_is_kept_as_a_reference(outbox: Session) -> None:
    result = send(outbox, [SIGNAL, "crm://signals/7"])
    assert not result.is_error
    assert [each["verified"] for each in result.structured_content["citations"]] == [False, False]
    assert "The host delivered no records, so nothing was verified." in said(result)


def test_where_the_key_is_absent_records_may_be_given_inline(outbox: Session) -> None:
    fresh, old = (
        contents("", signal(12))["contents"][0]["text"],
        contents("", signal(400))["contents"][0]["text"],
    )
    result = send(outbox, [SIGNAL], records=[fresh])
    (checked,) = result.structured_content["citations"]
    assert (checked["verified"], checked["record"]) == (False, "inline")
    assert "too old" in said(send(outbox, [SIGNAL], records=[old]))
    assert "2 records for 1 citations" in said(send(outbox, [SIGNAL], records=[fresh, fresh]))


def test_where_the_key_is_there_inline_records_do_not_count(outbox: Session) -> None:
    fresh = contents("", signal(12))["contents"][0]["text"]
    assert send(outbox, [SIGNAL], {SIGNAL: error("not_found")}, records=[fresh]).is_error
    result = send(outbox, [SIGNAL], {SIGNAL: contents(SIGNAL, signal(1))}, records=[fresh])
    assert "passed over" in said(result)


def test_a_message_without_citations_has_nothing_to_verify(outbox: Session) -> None:
    result = send(outbox, [])
    assert said(result) == f"Sent as {result.structured_content['uri']}."


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("We have raised.", True),
        ("We have “raised”", False),
        ("we have raised.", False),
        ('say "yes"', True),
        ("deep down", True),
        ("observedAt", True),
    ],
)
def test_a_quote_has_to_be_in_the_record_word_for_word(outbox: Session, quote: str, exact: bool) -> None:
    record = signal(12, note='They say "yes".', more=[{"inner": "deep down"}])
    result = outbox.call("quote_record", {"source": SIGNAL, "quote": quote}, {SIGNAL: contents(SIGNAL, record)})
    assert result.is_error is not exact
    if exact:
        assert result.structured_content == {"source": SIGNAL, "quote": quote, "verified": True}
    else:
        assert "does not contain exactly these words" in said(result)


def test_a_quote_without_a_record(outbox: Session) -> None:
    arguments = {"source": SIGNAL, "quote": "We have raised."}
    refused = outbox.call("quote_record", arguments, {SIGNAL: error("ambiguous")})
    assert refused.is_error
    assert "ambiguous, more than one server" in said(refused)
    opaque = outbox.call("quote_record", arguments)
    assert opaque.structured_content == {**arguments, "verified": False}
    assert "not verified" in said(opaque)
    inline = outbox.call("quote_record", {**arguments, "record": "We have raised. Much."})
    assert (inline.is_error, inline.structured_content) == (False, {**arguments, "verified": False})
    assert outbox.call("quote_record", {**arguments, "record": "We have not."}).is_error


def test_a_report_leaves_out_what_it_was_not_given(outbox: Session) -> None:
    sources = ["vault://texts/prices", "vault://texts/handbook"]
    delivered = {sources[0]: contents(sources[0], "Plan"), sources[1]: error("too_large")}
    result = outbox.call("compile_report", {"title": "Spring", "sources": sources}, delivered)
    assert not result.is_error
    assert result.structured_content is not None
    assert result.structured_content["included"] == [{"uri": sources[0], "characters": 4}]
    assert [(each["uri"], each["code"]) for each in result.structured_content["missing"]] == [
        (sources[1], "too_large")
    ]
    alone = outbox.call("compile_report", {"title": "Spring", "sources": sources})
    assert "0 of 2 sources" in said(alone)
