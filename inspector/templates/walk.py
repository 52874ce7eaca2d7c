"""A URI followed through a template as far as it goes, and what could stand where it stops."""

from dataclasses import dataclass
from typing import Final

from inspector.templates.alphabet import best_of, bit_of, common_length, token_at
from inspector.templates.automaton import Automaton
from inspector.templates.characters import encode_octets
from inspector.templates.fragment import Slot
from inspector.templates.grammar import Literal, Variable
from inspector.templates.template import UriTemplate

_MOST_WORK: Final = 30_000
"""States to put together before giving up. What people publish needs some hundreds."""


class TooFar(Exception):
    """The walk reached its bound on work."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A place in a URI, and what a template could go on with there."""

    literals: tuple[str, ...]
    """Tokens that would lead on, each the only one in its place, in the template's order."""
    ahead: str
    """All that the template's literal says from here on, where it stands in one."""
    variables: tuple[Variable, ...]
    """The variables whose value could go on, in the template's order."""
    encodes: bool
    """Whether one of them takes `%HH`."""
    is_end: bool
    """Whether the template's URIs may end here."""
    template_position: int
    """The offset in the template's text of the place that was reached: of a variable, its name."""


class Walk:
    """One template, followed token by token. All states in which a URI can be are one *node*, by number."""

    def __init__(self, template: UriTemplate) -> None:
        self._automaton = Automaton(template, {}, with_samples=False)
        self._length = len(template.text)
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self._nodes: list[dict[int, int]] = []
        self._steps: list[dict[str, int | None]] = []
        self._work = 0
        self.start = self._node({0: 0})
        """The node before any token."""

    def run(self, uri: str, node: int, position: int) -> tuple[int, int]:
        """The node and position at which `uri`, from `position` on, is followed no further.

        Raises TooFar beyond the bound on work.
        """
        steps, length = self._steps, len(uri)
        while position < length:
            token = uri[position]
            if token == "%":
                token = token_at(uri, position)
            following = steps[node].get(token, -1)
            if following == -1:
                skipped = self._follow_literal(uri, node, position)
                if skipped is not None:
                    node, position = skipped
                    continue
                following = self.step(node, token)
            if following is None:
                break
            node = following
            position += len(token)
        return node, position

    def step(self, node: int, token: str) -> int | None:
        """The node to which `token` leads, or None. Raises TooFar beyond the bound on work."""
        known = self._steps[node].get(token, -1)
        if known != -1:
            return known
        bit = bit_of(token)
        states: dict[int, int] = {}
        for state, count in self._nodes[node].items():
            for tokens, _, target, count_to in self._automaton.ways(state)[0]:
                counted = count + 1 if count_to else count
                if tokens & bit and not counted > count_to > 0:
                    states[target] = min(counted, states.get(target, counted))
        following = self._node(states) if states else None
        self._steps[node][token] = following
        return following

    def accepts(self, node: int) -> bool:
        """Whether a URI may end at `node`."""
        return self._automaton.final in self._nodes[node]

    def stop_at(self, node: int) -> Stop:
        """What could follow at `node`."""
        literals: list[str] = []
        variables: dict[int, Variable] = {}
        ahead, place, encodes = "", -1, False
        for state in sorted(self._nodes[node]):
            number, offset = self._automaton.place_of(state)
            step = self._automaton.steps[number] if number < len(self._automaton.steps) else None
            for tokens, _, _, _ in self._automaton.ways(state)[0]:
                if tokens & tokens - 1 == 0:
                    literals.append(best_of(tokens))
                elif isinstance(step, Slot):
                    encodes = encodes or tokens & bit_of("%2F") > 0
                    variables[number] = step.variable
            if isinstance(step, Literal) and not ahead:
                ahead = step.text[offset:]
                place = step.position + _source_length(step, offset)
        if variables:
            place = variables[max(variables)].position
        return Stop(
            tuple(dict.fromkeys(literals)),
            ahead,
            tuple(variables.values()),
            encodes,
            self.accepts(node),
            place if place >= 0 else self._place_without(node),
        )

    def _place_without(self, node: int) -> int:
        """The offset of what was reached where it is neither a literal nor a value: a mark such as `?`."""
        number = min((self._automaton.place_of(state)[0] for state in self._nodes[node]), default=0)
        steps = self._automaton.steps
        step = steps[number] if number < len(steps) else None
        return step.variable.position if isinstance(step, Slot) else self._length

    def _node(self, states: dict[int, int]) -> int:
        """The number of the node of `states`, with the fewest characters of `:n` in each, and all beyond."""
        pending = list(states)
        while pending:
            state = pending.pop()
            self._count_work()
            for _, target in self._automaton.ways(state)[1]:
                if states.get(target, 1) > 0:
                    states[target] = 0
                    pending.append(target)
        key = tuple(sorted(states.items()))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._nodes)
            self._nodes.append(states)
            self._steps.append({})
        return number

    def _count_work(self) -> None:
        self._work += 1
        if self._work > _MOST_WORK:
            raise TooFar

    def _follow_literal(self, uri: str, node: int, position: int) -> tuple[int, int] | None:
        """As `run`, as far as `uri` agrees with a literal, where `node` is in that and nowhere else."""
        states = self._nodes[node]
        if len(states) > 1:
            return None
        number, offset = self._automaton.place_of(next(iter(states)))
        step = self._automaton.steps[number] if number < len(self._automaton.steps) else None
        if not isinstance(step, Literal):
            return None
        ahead = step.text[offset:] if offset else step.text
        common = common_length(ahead, uri[position : position + len(ahead)])
        split = ahead.rfind("%", max(0, common - 2), common)
        if split >= 0 and common < split + 3:
            common = split
        if not common:
            return None
        return self._node({self._automaton.state_within(number, offset + common): 0}), position + common


def _source_length(literal: Literal, length: int) -> int:
    """How many characters of the template make the first `length` of a literal as it expands."""
    if literal.text == literal.source:
        return length
    made = 0
    for index, character in enumerate(literal.source):
        if made >= length:
            return index
        made += 1 if character.isascii() else len(encode_octets(character))
    return len(literal.source)
