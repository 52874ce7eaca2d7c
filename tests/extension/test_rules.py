"""The extension, rule by rule. Each test is named by the rule it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.extension import (
    HOST_SCHEMES,
    KEY,
    MESSAGES,
    Admission,
    Budget,
    BudgetRate,
    Code,
    Limits,
    Outcome,
    Owners,
    admit,
    find_citations,
    judge_result,
    read_declaration,
    record,
    scheme_of,
    utf16_length,
)


def declaring(**arguments: list[Any]) -> dict[str, Any]:
    return {KEY: {"arguments": {name: {"schemes": schemes} for name, schemes in arguments.items()}}}


CRM = read_declaration(declaring(citations=["crm"]))


def owned_by_crm(uri: str) -> Owners:
    return Owners(("crm",)) if uri.startswith("crm://signals/") else Owners()


def judged(
    uris: list[str], *, meta: dict[str, Any] | None = None, limits: Limits | None = None, **options: Any
) -> list[Admission]:
    declaration = read_declaration(meta or declaring(citations=["crm"]))
    citations = find_citations(declaration, {"citations": uris})
    return list(admit(citations, limits or Limits(), options.pop("owners", owned_by_crm), **options))


def codes(admissions: list[Admission]) -> list[str]:
    return [admission.code or "read" for admission in admissions]


def result(*contents: Mapping[str, Any]) -> dict[str, Any]:
    return {"contents": list(contents)}


# Claim


def test_r1_the_claim_names_the_three_limits_with_the_defaults() -> None:
    assert Limits().claim() == {"maxChars": 49600, "maxSize": 10485760, "maxUris": 32}


# Declaration


def test_r4_arguments_are_keyed_by_name_with_their_schemes() -> None:
    declaration = read_declaration(declaring(citations=["crm", "mail"], source=["vault"]))
    assert declaration.as_json() == {
        "citations": {"schemes": ["crm", "mail"]},
        "source": {"schemes": ["vault"]},
    }
    assert declaration.faults == ()


def test_r4_a_tool_without_the_key_declares_nothing_and_that_is_no_fault() -> None:
    for meta in (None, {}, {"other": 1}, "text", 5, []):
        declaration = read_declaration(meta)
        assert not declaration
        assert not declaration.present
        assert declaration.faults == ()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (None, f"_meta[{KEY!r}]"),
        ([], f"_meta[{KEY!r}]"),
        ("crm", f"_meta[{KEY!r}]"),
        ({}, f"_meta[{KEY!r}]"),
        ({"arguments": None}, "arguments"),
        ({"arguments": ["citations"]}, "arguments"),
        ({"arguments": {"citations": ["crm"]}}, "arguments.citations"),
        ({"arguments": {"citations": None}}, "arguments.citations"),
        ({"arguments": {"citations": {}}}, "arguments.citations"),
        ({"arguments": {"citations": {"schemes": "crm"}}}, "arguments.citations.schemes"),
        ({"arguments": {"citations": {"schemes": None}}}, "arguments.citations.schemes"),
        ({"arguments": {"citations": {"schemes": []}}}, "arguments.citations.schemes"),
    ],
)
def test_r5_a_declaration_of_any_other_shape_declares_nothing_and_says_where(value: Any, place: str) -> None:
    declaration = read_declaration({KEY: value})
    assert not declaration
    assert declaration.present
    assert [fault.place for fault in declaration.faults] == [place]
    assert all(fault.fatal and fault.message and fault.remedy for fault in declaration.faults)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_r5_no_declaration_raises(value: Any) -> None:
    for meta in (value, {KEY: value}, {KEY: {"arguments": value}}, {KEY: {"arguments": {"a": value}}}):
        declaration = read_declaration(meta)
        assert all(argument.schemes for argument in declaration.arguments)


def test_r5_of_a_mixed_list_the_valid_schemes_count_and_the_others_are_faults() -> None:
    declaration = read_declaration(declaring(citations=["*", 5, "crm", "mail://", "2x", ""]))
    assert declaration.as_json() == {"citations": {"schemes": ["crm"]}}
    assert [fault.place for fault in declaration.faults] == [
        "arguments.citations.schemes[0]",
        "arguments.citations.schemes[1]",
        "arguments.citations.schemes[3]",
        "arguments.citations.schemes[4]",
        "arguments.citations.schemes[5]",
    ]
    assert not any(fault.fatal for fault in declaration.faults)
    assert declaration.faults[2].remedy == 'write "mail"'


@pytest.mark.parametrize("scheme", ["*", "crm://", "crm:", "a b", "1crm", "é", "", None, 5])
def test_r5_an_entry_without_a_valid_scheme_declares_nothing(scheme: Any) -> None:
    declaration = read_declaration(declaring(citations=[scheme], other=["crm"]))
    assert declaration.as_json() == {"other": {"schemes": ["crm"]}}
    assert declaration.faults[-1].fatal


@pytest.mark.parametrize("scheme", ["crm", "CRM", "x", "git+ssh", "a.b-c+1"])
def test_r5_a_scheme_is_rfc_3986s(scheme: str) -> None:
    assert read_declaration(declaring(citations=[scheme])).schemes == (scheme.lower(),)


def test_r5_schemes_compare_without_regard_to_case() -> None:
    admissions = judged(["CRM://signals/1", "crm://signals/1"], meta=declaring(citations=["CrM"]))
    assert [admission.citation.declared for admission in admissions] == [True, True]


# Strings


def test_r6_a_string_counts_and_so_do_the_direct_string_items_of_an_array() -> None:
    assert [c.uri for c in find_citations(CRM, {"citations": "crm://1"})] == ["crm://1"]
    mixed = ["crm://1", None, 5, True, {"uri": "crm://2"}, ["crm://3"], "crm://4"]
    assert [c.uri for c in find_citations(CRM, {"citations": mixed})] == ["crm://1", "crm://4"]


@pytest.mark.parametrize("value", [None, 5, True, {}, {"uri": "crm://1"}, [], [["crm://1"]]])
def test_r6_nothing_else_counts(value: Any) -> None:
    assert find_citations(CRM, {"citations": value}) == ()


def test_r7_one_entry_for_each_distinct_string_exactly_as_it_appeared_in_argument_order() -> None:
    declaration = read_declaration(declaring(first=["crm"], second=["crm"]))
    arguments = {"second": ["crm://b", "crm://a", "crm://b"], "body": "crm://no", "first": ["CRM://a", "crm://a "]}
    assert [c.uri for c in find_citations(declaration, arguments)] == ["crm://b", "crm://a", "CRM://a", "crm://a "]


def test_r8_a_string_in_two_arguments_is_declared_if_either_declares_its_scheme() -> None:
    declaration = read_declaration(declaring(first=["mail"], second=["crm"]))
    (citation,) = find_citations(declaration, {"first": "crm://1", "second": ["crm://1"]})
    assert citation.arguments == ("first", "second")
    assert citation.declared
    (alone,) = find_citations(declaration, {"first": "crm://1"})
    assert not alone.declared


def test_r9_no_string_in_a_declared_argument_means_no_entry_at_all() -> None:
    assert find_citations(CRM, {"body": "crm://1"}) == ()
    assert find_citations(read_declaration(None), {"citations": "crm://1"}) == ()


# Admission


@pytest.mark.parametrize("uri", ["", "no scheme", "/path", "://x", "1a://x", "é:x", "mail://1", "crm"])
def test_r10_a_string_without_a_declared_scheme_is_not_read(uri: str) -> None:
    (admission,) = judged([uri])
    assert (admission.code, admission.rule) == (Code.SCHEME_NOT_DECLARED, "R10")


def test_r10_comes_before_every_other_rule() -> None:
    limits = Limits(max_chars=1, max_size=0, max_uris=0)
    assert codes(judged(["mail://1"], limits=limits, may_read=False, tokens=0)) == ["scheme_not_declared"]


def test_r11_a_restricted_run_reads_nothing_whatever_the_limits_say() -> None:
    admissions = judged(
        ["crm://signals/1", "mail://1", "crm://signals/2"], limits=Limits(max_uris=1), may_read=False
    )
    assert codes(admissions) == ["not_found", "scheme_not_declared", "not_found"]
    assert admissions[0].rule == "R11"


def test_r12_only_strings_with_declared_schemes_take_a_place_owned_or_not() -> None:
    uris = ["mail://1", "crm://nobody/1", "crm://signals/1", "crm://signals/2"]
    admissions = judged(uris, limits=Limits(max_uris=2))
    assert codes(admissions) == ["scheme_not_declared", "not_found", "read", "over_limit"]
    assert admissions[-1].rule == "R12"


def test_r12_comes_before_the_host_scheme_and_the_owners() -> None:
    declared = declaring(citations=["crm", "files"])
    admissions = judged(
        ["crm://signals/1", "files://a", "crm://nobody/1"], meta=declared, limits=Limits(max_uris=1)
    )
    assert codes(admissions) == ["read", "over_limit", "over_limit"]


@pytest.mark.parametrize("scheme", [*sorted(HOST_SCHEMES), "Files", "UI"])
def test_r13_no_server_answers_for_a_host_scheme(scheme: str) -> None:
    declared = declaring(citations=[scheme])
    (admission,) = judged([f"{scheme}://x"], meta=declared, owners=lambda uri: Owners(("crm",)))
    assert (admission.code, admission.rule) == (Code.NOT_FOUND, "R13")
    assert admission.remedy is not None
    assert "host resources" in admission.remedy


def test_r13_a_host_scheme_takes_a_place_of_max_uris() -> None:
    declared = declaring(citations=["crm", "ui"])
    assert codes(judged(["ui://x", "crm://signals/1"], meta=declared, limits=Limits(max_uris=1))) == [
        "not_found",
        "over_limit",
    ]


def test_r14_a_string_without_an_owner_is_not_found_and_not_read() -> None:
    (admission,) = judged(["crm://nobody/1"])
    assert (admission.code, admission.rule, admission.server) == (Code.NOT_FOUND, "R14", None)


def test_r15_two_owners_are_ambiguous_and_named() -> None:
    (admission,) = judged(["crm://signals/1"], owners=lambda uri: Owners(("crm", "mirror")))
    assert (admission.code, admission.rule) == (Code.AMBIGUOUS, "R15")
    assert "crm and mirror" in admission.reason


def test_r16_each_read_counts_max_chars_times_three_and_a_later_string_is_judged_anew() -> None:
    limits = Limits(max_chars=100, max_size=650)
    uris = ["crm://signals/1", "crm://nobody/1", "crm://signals/2", "crm://signals/3", "crm://nobody/2"]
    admissions = judged(uris, limits=limits)
    assert codes(admissions) == ["read", "not_found", "read", "over_limit", "not_found"]
    assert admissions[3].rule == "R16"


def test_r16_exactly_max_size_still_fits() -> None:
    assert codes(judged(["crm://signals/1"], limits=Limits(max_chars=100, max_size=300))) == ["read"]
    assert codes(judged(["crm://signals/1"], limits=Limits(max_chars=100, max_size=299))) == ["over_limit"]


def test_r17_only_a_read_that_is_made_takes_a_token() -> None:
    uris = ["crm://nobody/1", "crm://signals/1", "mail://x", "crm://signals/2", "crm://signals/3"]
    admissions = judged(uris, tokens=2)
    assert codes(admissions) == ["not_found", "read", "scheme_not_declared", "read", "rate_limited"]
    assert admissions[-1].rule == "R17"


def test_r17_comes_after_max_size() -> None:
    assert codes(judged(["crm://signals/1"], limits=Limits(max_size=1), tokens=0)) == ["over_limit"]


def test_r17_part_of_a_token_buys_no_read() -> None:
    assert codes(judged(["crm://signals/1"], tokens=0.99)) == ["rate_limited"]


def test_r17_the_budget_is_a_bucket_that_fills_to_its_burst() -> None:
    budget = Budget(BudgetRate(per_second=10, burst=20), now=100.0)
    assert budget.level(100.0) == 20
    budget.take(20, 100.0)
    assert budget.level(100.0) == 0
    assert budget.level(100.5) == 5
    assert budget.level(1000.0) == 20
    with pytest.raises(ValueError, match="21 tokens"):
        budget.take(21, 1000.0)
    budget.drain(1000.0)
    assert budget.level(1000.0) == 0
    budget.refill(1000.0)
    assert budget.level(1000.0) == 20


def test_r17_a_rate_of_zero_never_fills() -> None:
    budget = Budget(BudgetRate(per_second=0, burst=2), now=0.0)
    budget.take(2, 0.0)
    assert budget.level(1e9) == 0


def test_r26_an_undecided_owner_is_not_found() -> None:
    (admission,) = judged(["crm://signals/1"], owners=lambda uri: Owners(("crm",), undecided=True))
    assert (admission.code, admission.rule) == (Code.NOT_FOUND, "R26")


# Reading


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        "text",
        {},
        {"contents": None},
        {"contents": "text"},
        {"contents": []},
        {"contents": [None]},
        {"contents": [{"uri": "a:1"}]},
        {"contents": [{"uri": "a:1", "text": None}]},
        {"contents": [{"uri": "a:1", "text": 5}]},
        {"contents": [{"text": "no uri"}]},
        {"contents": [{"uri": "a:1", "text": "fine"}, {"uri": "a:2"}]},
        {"contents": [{"uri": "a:1", "text": "fine", "mimeType": 5}]},
        {"contents": [{"uri": "a:1", "text": "\ud800"}]},
    ],
)
def test_r19_a_broken_or_empty_result_is_not_found(broken: Any) -> None:
    reading = judge_result(broken, Limits())
    assert (reading.code, reading.rule) == (Code.NOT_FOUND, "R19")
    assert reading.contents == ()


def test_r19_every_not_found_carries_the_same_message() -> None:
    outcomes = [
        Outcome("crm://1", ("citations",), Code.NOT_FOUND, rule, reason)
        for rule, reason in (("R11", "restricted"), ("R13", "host scheme"), ("R14", "no owner"), ("R19", "failed"))
    ]
    assert len({outcome.entry()["error"]["message"] for outcome in outcomes}) == 1


def test_r20_a_blob_anywhere_is_not_text_before_the_length_counts() -> None:
    text = {"uri": "a:1", "text": "x" * 200}
    blob = {"uri": "a:2", "blob": "AAAA", "mimeType": "image/png"}
    reading = judge_result(result(text, blob), Limits(max_chars=100))
    assert (reading.code, reading.rule) == (Code.NOT_TEXT, "R20")
    assert "image/png" in reading.reason


def test_r20_an_entry_with_both_is_a_blob() -> None:
    assert judge_result(result({"uri": "a:1", "text": "x", "blob": "AAAA"}), Limits()).code is Code.NOT_TEXT


def test_r21_exactly_max_chars_is_handed_on_and_one_more_is_too_large() -> None:
    limits = Limits(max_chars=100)
    assert judge_result(result({"uri": "a:1", "text": "x" * 100}), limits).code is None
    reading = judge_result(result({"uri": "a:1", "text": "x" * 101}), limits)
    assert (reading.code, reading.rule, reading.contents) == (Code.TOO_LARGE, "R21", ())


def test_r21_all_entries_of_a_resource_count_together() -> None:
    both = result({"uri": "a:1", "text": "x" * 60}, {"uri": "a:2", "text": "y" * 60})
    assert judge_result(both, Limits(max_chars=100)).code is Code.TOO_LARGE


def test_r21_a_character_is_a_utf_16_code_unit() -> None:
    limits = Limits(max_chars=100)
    assert judge_result(result({"uri": "a:1", "text": "😀" * 50}), limits).code is None
    assert judge_result(result({"uri": "a:1", "text": "😀" * 51}), limits).code is Code.TOO_LARGE


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_r21_a_text_takes_at_most_three_bytes_for_each_code_unit(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2
    assert len(text.encode("utf-8")) <= 3 * utf16_length(text)


def test_r22_contents_are_handed_on_as_they_came_and_nothing_from_around_them() -> None:
    contents = [
        {"text": "a", "uri": "a:1", "mimeType": "text/plain", "_meta": {"seen": 1}, "annotations": {"x": 1}},
        {"uri": "a:2", "text": "", "mimeType": None},
    ]
    reading = judge_result({"contents": contents, "ttlMs": 5, "_meta": {"x": 1}}, Limits())
    assert [dict(entry) for entry in reading.contents] == [
        {"text": "a", "uri": "a:1", "mimeType": "text/plain", "_meta": {"seen": 1}},
        {"uri": "a:2", "text": ""},
    ]
    assert [list(entry) for entry in reading.contents] == [["text", "uri", "mimeType", "_meta"], ["uri", "text"]]
    assert (reading.size, reading.chars) == (1, 1)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda i: (
            st.lists(i)
            | st.dictionaries(st.sampled_from(["contents", "text", "uri", "blob", "_meta"]) | st.text(), i)
        ),
    )
)
def test_r19_no_result_raises(value: Any) -> None:
    reading = judge_result(value, Limits())
    assert (reading.code is None) == bool(reading.contents)


def test_r23_an_error_entry_is_exactly_a_code_and_a_message() -> None:
    assert sorted(Code) == sorted(MESSAGES)
    for code in Code:
        entry = Outcome("crm://1", ("citations",), code, "R14", "why").entry()
        assert entry == {"error": {"code": code.value, "message": MESSAGES[code]}}
        assert entry["error"]["message"]


def test_r23_the_codes_are_the_seven_of_the_text() -> None:
    assert [code.value for code in Code] == [
        "scheme_not_declared",
        "not_found",
        "ambiguous",
        "not_text",
        "too_large",
        "over_limit",
        "rate_limited",
    ]


# Sending and record


def test_r28_one_event_for_each_uri_with_the_bytes_handed_on_and_never_the_contents() -> None:
    outcomes = (
        Outcome("crm://1", ("c",), None, "R22", "", "crm", ({"uri": "crm://1", "text": "sécret"},), 7, 6),
        Outcome("crm://2", ("c",), Code.TOO_LARGE, "R21", "", "crm", size=99, chars=99),
        Outcome("mail://1", ("c",), Code.SCHEME_NOT_DECLARED, "R10", ""),
    )
    events = record(outcomes)
    assert [(e.uri, e.server, e.outcome, e.size) for e in events] == [
        ("crm://1", "crm", "resolved", 7),
        ("crm://2", "crm", "too_large", 0),
        ("mail://1", None, "scheme_not_declared", 0),
    ]
    assert "sécret" not in repr(events)


def test_r30_refused_strings_keep_their_entries_so_the_call_can_be_sent() -> None:
    admissions = judged(["mail://1", "crm://nobody/1"])
    assert [admission.uri for admission in admissions] == ["mail://1", "crm://nobody/1"]


# The page's own example, whole


def test_the_pages_example() -> None:
    uris = ["crm://signals/42", "crm://signals/7", "mail://inbox/1"]
    assert codes(judged(uris)) == ["read", "read", "scheme_not_declared"]


@given(st.text(max_size=12))
def test_a_scheme_is_what_stands_before_the_first_colon(text: str) -> None:
    scheme = scheme_of(text)
    if scheme is not None:
        assert text.lower().startswith(f"{scheme}:")
        assert scheme.isascii()
