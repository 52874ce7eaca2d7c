"""The fast way gives what the exact one gives: the same answer and the same values."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.templates import UriTemplate
from inspector.templates.matcher import matcher_of
from tests.templates.strategies import near, templates, values_for


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_a_pattern_agrees_with_the_exact_search(data: Any) -> None:
    template = UriTemplate.parse(data.draw(templates(repeats=False)))
    fast = matcher_of(template.parts, lambda uri: template.decide(uri).variables)
    for _ in range(3):
        values = data.draw(values_for(template.variables, frozenset(template.variables)))
        uri = data.draw(near(template.expand(values)))
        assert fast(uri) == template.decide(uri).variables
