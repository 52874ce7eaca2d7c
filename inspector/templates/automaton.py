"""A template as an automaton over the tokens of a URI, with a price on every move.

It accepts what the template expands to (R24, R25), except that a name that occurs twice may differ (R26).
The cheapest way through two automata at once is a URI that both templates expand to. The prices make it one
that a person might have written: a value that suits its variable's name is cheap, any other is dearer, and
an empty one the dearest.

States and moves are made when they are asked for: a template can be a megabyte long.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from inspector.templates.alphabet import bit_of, token_at
from inspector.templates.expansion import Value
from inspector.templates.fragment import Fragment, Given, Move, Silent, Slot
from inspector.templates.grammar import Literal
from inspector.templates.template import UriTemplate

_WIDTH: Final = 32
_LOCAL: Final = (1 << _WIDTH) - 1
_MOST_SAMPLES: Final = 20
"""With more variables than that, a value that suits each makes no URI that anyone would read."""
_MOST_KNOWN: Final = 10_000
"""States whose ways are kept; the rest are made anew each time."""
_NONE: Final[list[Any]] = []


Ways = tuple[list[Move], list[Silent]]
"""What can be done in a state: the moves that take a token, and those that take none."""


class Automaton:
    """The URIs of one template. A state is the number of a step, and below that one of the step's states."""

    def __init__(self, template: UriTemplate, fixed: Mapping[str, Value], with_samples: bool) -> None:
        """`fixed`: the variables that have this value and no other.

        `with_samples`: whether a value that suits its variable's name is cheaper than others.
        """
        self.steps = _steps_of(template)
        """Its literals and variables, in order."""
        self.final = len(self.steps) << _WIDTH
        """The state at the end of a URI. The first state is 0."""
        self._fixed = fixed
        variables = sum(isinstance(step, Slot) for step in self.steps)
        self._with_samples = with_samples and variables <= _MOST_SAMPLES
        self._fragments: dict[int, Fragment] = {}
        self._known: dict[int, Ways] = {}

    def ways(self, state: int) -> Ways:
        """What can be done in `state`."""
        ways = self._known.get(state)
        if ways is None:
            ways = self._make_ways(state >> _WIDTH, state & _LOCAL)
            if len(self._known) < _MOST_KNOWN:
                self._known[state] = ways
        return ways

    def _make_ways(self, index: int, local: int) -> Ways:
        if index == len(self.steps):
            return _NONE, _NONE
        step = self.steps[index]
        if isinstance(step, Slot):
            return self._fragment(index, step).ways(index << _WIDTH | local)
        token = token_at(step.text, local)
        return [(bit_of(token), 1, self.state_within(index, local + len(token)), 0)], _NONE

    def _fragment(self, index: int, step: Slot) -> Fragment:
        fragment = self._fragments.get(index)
        if fragment is not None:
            return fragment
        following = self.steps[index + 1] if index + 1 < len(self.steps) else None
        goes_on = isinstance(following, Slot) and not following.opens
        given = Given(self._fixed.get(step.variable.name), self._with_samples)
        fragment = Fragment(step, goes_on, index << _WIDTH, index + 1 << _WIDTH, given)
        self._fragments[index] = fragment
        return fragment

    def state_within(self, number: int, length: int) -> int:
        """The state after `length` characters of the literal that is step `number`, or of none."""
        step = self.steps[number] if number < len(self.steps) else None
        ends = isinstance(step, Literal) and length == len(step.text)
        return number + 1 << _WIDTH if ends else number << _WIDTH | length

    def place_of(self, state: int) -> tuple[int, int]:
        """The number of the step in which `state` lies, and how many characters of a literal are past."""
        return state >> _WIDTH, state & _LOCAL

    def begins_value(self, state: int) -> bool:
        """Whether the text of a variable begins in `state`."""
        fragment = self._fragments.get(state >> _WIDTH)
        return fragment is not None and fragment.value == state


def _steps_of(template: UriTemplate) -> list[Literal | Slot]:
    steps: list[Literal | Slot] = []
    for part in template.parts:
        if isinstance(part, Literal):
            steps.append(part)
        else:
            steps.extend(
                Slot(part.operator, variable, index == 0) for index, variable in enumerate(part.variables)
            )
    return steps


@lru_cache(maxsize=256)
def automaton_of(template: UriTemplate) -> Automaton:
    """The automaton of a template none of whose variables is given; kept, since one meets many others."""
    return Automaton(template, {}, with_samples=True)
