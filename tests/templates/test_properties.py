"""Whatever expands is matched, and what does not expand is not (R24, R25)."""

import re
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from inspector.templates import UriTemplate
from tests.templates import slow
from tests.templates.strategies import near, templates, values_for

SLOW = settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def with_prefix(template: str) -> frozenset[str]:
    return frozenset(re.findall(r"(\w+):\d", template))


@given(st.data())
@SLOW
def test_every_expansion_is_matched_by_values_that_expand_back(data: Any) -> None:
    template = UriTemplate.parse(data.draw(templates(repeats=False)))
    values = data.draw(values_for(template.variables, with_prefix(template.text)))
    uri = template.expand(values)
    found = template.match(uri)
    assert found is not None
    assert slow.fold(template.expand(found)) == slow.fold(uri)


@given(st.data())
@SLOW
def test_near_misses_are_decided_as_the_slow_procedure_does(data: Any) -> None:
    template = UriTemplate.parse(data.draw(templates(repeats=False)))
    values = data.draw(values_for(template.variables, with_prefix(template.text)))
    uri = data.draw(near(template.expand(values)))
    assume(len(uri) < 24)
    found = template.match(uri)
    assert (found is not None) == slow.expands(template.text, uri)
    if found is not None:
        assert slow.fold(template.expand(found)) == slow.fold(uri)


@given(st.data())
@SLOW
def test_a_name_that_repeats_has_one_value(data: Any) -> None:
    """R26: decided as the slow procedure does, or undecided; never wrong."""
    template = UriTemplate.parse(data.draw(templates(repeats=True)))
    values = data.draw(values_for(template.variables, with_prefix(template.text)))
    uri = data.draw(near(template.expand(values)))
    assume(len(uri) < 20)
    found = template.decide(uri)
    if not found.undecided:
        assert (found.variables is not None) == slow.expands(template.text, uri)
    if found.variables is not None:
        assert slow.fold(template.expand(found.variables)) == slow.fold(uri)
