"""A template as an automaton over the tokens of a URI, with a price on every move.

It accepts what the template expands to (R24, R25), except that a name that occurs twice may differ (R26).
The cheapest way through two automata at once is a URI that both templates expand to. The prices make it one
that a person might have written: a value that suits its variable's name is cheap, any other is dearer, and
an empty one the dearest.

States and moves are made when they are asked for: a template can be a megabyte long.
"""

from collections.abc import Mapping
from typing import Final

from inspector.templates.alphabet import bit_of, token_at
from inspector.templates.expansion import Value
from inspector.templates.fragment import Fragment, Move, Silent
from inspector.templates.matching import Step, VariableStep, steps_of
from inspector.templates.template import UriTemplate

_WIDTH: Final = 32
_LOCAL: Final = (1 << _WIDTH) - 1


Ways = tuple[list[Move], list[Silent]]
"""What can be done in a state: the moves that take a token, and those that take none."""


class Automaton:
    """The URIs of one template. A state is the number of a step, and below that one of the step's states."""

    def __init__(self, template: UriTemplate, fixed: Mapping[str, Value]) -> None:
        """`fixed`: the variables that have this value and no other."""
        self.steps: tuple[Step, ...] = steps_of(template.parts)
        self.final = len(self.steps) << _WIDTH
        """The state at the end of a URI. The first state is 0."""
        self._fixed = fixed
        self._fragments: dict[int, Fragment] = {}
        self._ways: dict[int, Ways] = {}

    def ways(self, state: int) -> Ways:
        """What can be done in `state`."""
        ways = self._ways.get(state)
        if ways is None:
            ways = self._ways[state] = self._make_ways(state >> _WIDTH, state & _LOCAL)
        return ways

    def _make_ways(self, index: int, local: int) -> Ways:
        if index == len(self.steps):
            return [], []
        step = self.steps[index]
        if not isinstance(step, str):
            return self._fragment(index, step).ways(local)
        token = token_at(step, local)
        local += len(token)
        following = index << _WIDTH | local if local < len(step) else index + 1 << _WIDTH
        return [(bit_of(token), 1, following, 0)], []

    def _fragment(self, index: int, step: VariableStep) -> Fragment:
        fragment = self._fragments.get(index)
        if fragment is None:
            following = self.steps[index + 1] if index + 1 < len(self.steps) else ""
            goes_on = not isinstance(following, str) and not following.opens
            fixed = self._fixed.get(step.variable.name)
            fragment = Fragment(step, goes_on, index << _WIDTH, index + 1 << _WIDTH, fixed)
            self._fragments[index] = fragment
        return fragment

    def step_at(self, state: int) -> int:
        """The number of the step in which `state` lies."""
        return state >> _WIDTH

    def begins_value(self, state: int) -> bool:
        """Whether the text of a variable begins in `state`."""
        return state & _LOCAL == Fragment.VALUE and isinstance(self.steps[state >> _WIDTH], VariableStep)
