"""R24 to R27, a test for each thing they say; what random templates do not show by themselves."""

from typing import Any

import pytest

from inspector.templates import InvalidTemplate, UriTemplate


def match(template: str, uri: str) -> Any:
    return UriTemplate.parse(template).match(uri)


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("crm://signals/{id}", "crm://signals/42", {"id": "42"}),
        ("crm://signals/{id}", "crm://signals/", {"id": ""}),
        ("crm://signals/{id}", "crm://signals/4/2", None),
        ("crm://signals/{+id}", "crm://signals/4/2", {"id": "4/2"}),
        ("crm://static", "crm://static", {}),
        ("", "", {}),
        ("", "a", None),
        ("{a,b}", "1", {"a": "1"}),
        ("{a,b}", "1,2", {"a": "1", "b": "2"}),
        ("{?a,b}", "?b=2", {"b": "2"}),
        ("{?a,b}", "?b=2&a=1", None),
        ("{?a,b}", "", {}),
        ("{?a}", "?a", None),
        ("{;a}", ";a", {"a": ""}),
        ("{;a}", ";a=", None),
        ("{;a*}", ";a=1;a;a=2", {"a": ["1", "", "2"]}),
        ("{;a*}", ";b=1;c", {"a": [("b", "1"), ("c", "")]}),
        ("{?a*}", "?a=1&a=2", {"a": ["1", "2"]}),
        ("{?a*}", "?a=1&b=2", {"a": [("a", "1"), ("b", "2")]}),
        ("{?a*}", "?a=1&a&a=2", None),
        ("{/a*}", "/x/y", {"a": ["x", "y"]}),
        ("{/a*}", "/x=1/y=2", {"a": [("x", "1"), ("y", "2")]}),
        ("{/a*}", "/x=1/y", None),
        ("{.a*}", ".x=1.y=2", {"a": [("x", "1"), ("y", "2")]}),
        ("{.a*}", ".x=1=2", None),
        ("{+p}{?q}", "f://a?q=1", {"p": "f://a", "q": "1"}),
        ("{+p}{?q}", "f://a?r=1", {"p": "f://a?r=1"}),
    ],
)
def test_r24_an_assignment_or_none(template: str, uri: str, values: Any) -> None:
    assert match(template, uri) == values


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("a{b}c{d}", "a1c2c3", {"b": "1", "d": "2c3"}),
        ("{a}{b}", "xy", {"a": "", "b": "xy"}),
        ("{/a}{/b}", "/x", {"a": "x"}),
        ("{a,b}", "1,2,3", {"a": "1", "b": ["2", "3"]}),
        ("{/a*}{/b}", "/1/2/3", {"a": ["1", "2"], "b": "3"}),
        ("{x}", "a,b", {"x": ["a", "b"]}),
        ("{+x}", "a,b", {"x": "a,b"}),
    ],
)
def test_of_several_assignments_the_documented_one_is_taken(template: str, uri: str, values: Any) -> None:
    parsed = UriTemplate.parse(template)
    for _ in range(8):
        assert parsed.match(uri) == values


def test_r25_literals_compare_exactly_and_values_in_either_spelling() -> None:
    assert match("crm://{x}", "CRM://a") is None
    assert match("a://é/{x}", "a://%C3%A9/1") == {"x": "1"}
    assert match("a://é/{x}", "a://%c3%a9/1") is None
    assert match("a://é/{x}", "a://é/1") is None
    assert match("a://{x}", "a://%c3%a9") == match("a://{x}", "a://%C3%A9") == {"x": "é"}
    assert match("a://{x}", "a://%41%2f") == {"x": "A/"}
    assert match("a://{x}", "a://%FF") == {"x": "\udcff"}


def test_r25_what_passes_through_stays_as_it_is() -> None:
    assert match("{+x}", "%2F%25%20%C3%A9%FF") == {"x": "%2F%25 é%FF"}


@pytest.mark.parametrize(
    ("template", "uri", "matches"),
    [
        ("{x:2}", "%C3%A9%E2%82%AC", True),
        ("{x:1}", "%F0%9D%84%9E", True),
        ("{x:1}", "%C3%A9a", False),
        ("{x:1}", "%C3", True),
        ("{x:1}", "%C3%C3", False),
        ("{+x:3}", "/%2Fa", True),
        ("{+x:2}", "/%2Fa", False),
        ("{x:2}%A9", "a%C3%A9", True),
        ("{;x:2}", ";x", True),
        ("{x:9999}", "a" * 9999, True),
        ("{x:9999}", "a" * 10_000, False),
    ],
)
def test_r25_a_character_is_a_sequence_or_an_octet_of_none(template: str, uri: str, matches: bool) -> None:
    assert (match(template, uri) is not None) == matches


def test_an_octet_of_no_sequence_comes_back() -> None:
    for template in ("{x}", "{?x}", "{;x*}", "{+x}"):
        parsed = UriTemplate.parse(template)
        assert parsed.match(parsed.expand({"x": "a\udcffz_zz_"})) is not None
    assert UriTemplate.parse("{x}").expand({"x": "a\udcffz_zz_"}) == "a%FFz_zz_"


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("{x}/{x}", "a/a", {"x": "a"}),
        ("{x}/{x}", "a/b", None),
        ("{x}{x}", "%c3%C3", {"x": "\udcc3"}),
        ("/{x:1}/{x}", "/v/value", {"x": "value"}),
        ("/{x:1}/{x}", "/w/value", None),
        ("{x}{?x*}", "a,b?x=a&x=b", {"x": ["a", "b"]}),
        ("{x}{?x*}", "a,b?a=b", {"x": [("a", "b")]}),
        ("{+x}{x}", "/%2F", {"x": "/"}),
        ("{#b,a*}{;b:2,a}", "#%25,;b=%25;a", {"b": "%", "a": ""}),
    ],
)
def test_r26_one_value_wherever_it_stands(template: str, uri: str, values: Any) -> None:
    assert match(template, uri) == values


def test_r26_too_hard_is_undecided() -> None:
    decided = UriTemplate.parse("{+a}{+b}{+a}{+b}").decide("ab" * 30_000 + "c")
    assert decided.variables is None
    assert decided.undecided


@pytest.mark.parametrize(
    ("template", "position"),
    [
        ("crm://signals/{id", 14),
        ("crm://signals/{}", 15),
        ("id}", 2),
        ("a b", 1),
        ("a\tb", 1),
        ('a"', 1),
        ("a<b", 1),
        ("a>b", 1),
        ("a\\b", 1),
        ("a^b", 1),
        ("a`b", 1),
        ("a|b", 1),
        ("50%", 2),
        ("a%2", 1),
        ("\x00", 0),
        ("\x85", 0),
        ("a\ud800", 1),
        ("\ufdd0", 0),
        ("{!x}", 1),
        ("{x:0}", 3),
        ("{x:10000}", 3),
        ("{x*:1}", 3),
        ("{x,}", 3),
        ("{x.}", 2),
        ("{+}", 2),
        ("{a-b}", 2),
        ("{{x}}", 1),
        ("{é}", 1),
    ],
)
def test_r27_a_fault_has_a_position(template: str, position: int) -> None:
    with pytest.raises(InvalidTemplate) as caught:
        UriTemplate.parse(template)
    assert caught.value.position == position
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("template", ["'{x}'", "é", "\ue000", "%41", "[::1]", "a.b_c~!$&()*+,;=:@#?", "{a.b_%20}"])
def test_r27_what_section_2_allows_is_a_template(template: str) -> None:
    assert UriTemplate.parse(template).text == template


@pytest.mark.parametrize("template", [None, 5, b"a", ["a"]])
def test_what_is_no_string_is_no_template(template: Any) -> None:
    with pytest.raises(InvalidTemplate):
        UriTemplate.parse(template)


BAD_URIS = {
    "empty": "",
    "nul": "\x00" * 1000,
    "lone surrogate": "a\ud800b",
    "raw": "é" * 1000,
    "bare percent": "%",
    "half an octet": "%4",
    "no octet": "%zz",
    "very long": "a" * 1_000_000,
    "line break": "a\n",
    "braces": "{x}",
}


@pytest.mark.parametrize("uri", BAD_URIS.values(), ids=BAD_URIS)
def test_a_bad_uri_gets_an_answer(uri: str) -> None:
    for text in ("a{x}", "{+x}{?y*}{;z:3}", "{x}{x}", "static"):
        parsed = UriTemplate.parse(text)
        values = parsed.match(uri)
        assert values is None or parsed.expand(values) == uri


def test_a_very_long_template_gets_an_answer() -> None:
    long = UriTemplate.parse("crm://" + "a" * 1_000_000 + "{id}")
    assert long.match("crm://" + "a" * 1_000_000 + "1") == {"id": "1"}
    assert UriTemplate.parse("{x}" * 20_000).decide("ab").undecided
    for braces in ("{" * 100_000, "}" * 100_000, "{}" * 50_000):
        with pytest.raises(InvalidTemplate):
            UriTemplate.parse(braces)


def test_expand_takes_what_json_gives_and_refuses_what_no_uri_holds() -> None:
    parsed = UriTemplate.parse("{x}{?y*,z}")
    assert parsed.expand({"x": 1, "y": {"a": True, "b": None}, "z": [None]}) == "1?a=true"
    with pytest.raises(ValueError, match="lone surrogate at 1"):
        parsed.expand({"x": "a\ud800"})
    with pytest.raises(ValueError, match="not of a list"):
        UriTemplate.parse("{x:1}").expand({"x": ["a"]})


@pytest.mark.parametrize(
    ("template", "scheme"),
    [("crm://{x}", "crm"), ("CRM:{x}", "crm"), ("{s}://x", None), ("a/b:c", None), ("1a:b", None), ("", None)],
)
def test_scheme(template: str, scheme: str | None) -> None:
    assert UriTemplate.parse(template).scheme == scheme


def test_variables_in_order_of_first_occurrence() -> None:
    assert UriTemplate.parse("{b}{?a,b}{&c*}").variables == ("b", "a", "c")
