"""What an expansion percent-encoded, told from what was encoded before (RFC 6570, sections 3.1 and 3.2)."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.templates import UriTemplate, expand_marked
from tests.templates.strategies import templates, values_for
from tests.templates.test_properties import with_prefix


@pytest.mark.parametrize(
    ("template", "values", "shown"),
    [
        ("crm://a/{x}", {"x": "plain"}, "crm://a/plain"),
        ("crm://a/{x}", {"x": "a b/c"}, "crm://a/a[%20]b[%2F]c"),
        ("crm://a/{x}", {"x": "a%20b"}, "crm://a/a[%25]20b"),
        # {+x} lets what is encoded already pass through, and encodes the rest.
        ("crm://a/{+x}", {"x": "a%20b c/d"}, "crm://a/a%20b[%20]c/d"),
        ("é%20{x}", {"x": "é€"}, "[%C3%A9]%20[%C3%A9%E2%82%AC]"),
        ("{?a%20b,c}", {"a%20b": " ", "c": "d"}, "?a%20b=[%20]&c=d"),
        ("{?a%20b*}", {"a%20b": ["x y", "z"]}, "?a%20b=x[%20]y&a%20b=z"),
        ("{?k*}", {"k": [("a b", "c d")]}, "?a[%20]b=c[%20]d"),
        ("{/p*}", {"p": ["a/b", "c"]}, "/a[%2F]b/c"),
        ("{+x:2}", {"x": "%2Fab"}, "%2Fa"),
        ("{x:2}", {"x": "%2Fab"}, "[%25]2"),
        ("{x}{y}", {"x": "é", "y": "é"}, "[%C3%A9%C3%A9]"),
    ],
)
def test_only_what_expansion_encoded_is_marked(template: str, values: dict[str, Any], shown: str) -> None:
    expanded = expand_marked(UriTemplate.parse(template), values)
    marked, at = "", 0
    for start, end in expanded.encoded:
        marked += f"{expanded.uri[at:start]}[{expanded.uri[start:end]}]"
        at = end
    assert marked + expanded.uri[at:] == shown


@given(st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_uri_is_the_expansion_and_the_marks_are_whole_octets(data: Any) -> None:
    template = UriTemplate.parse(data.draw(templates(repeats=True)))
    values = data.draw(values_for(template.variables, with_prefix(template.text)))
    expanded = expand_marked(template, values)
    assert expanded.uri == template.expand(values)
    for start, end in expanded.encoded:
        octets = expanded.uri[start:end].split("%")
        assert octets[0] == "" and all(len(octet) == 2 for octet in octets[1:])


def test_a_value_that_cannot_be_expanded_is_said() -> None:
    with pytest.raises(ValueError, match="takes the start of a string"):
        expand_marked(UriTemplate.parse("{x:3}"), {"x": ["a", "b"]})
