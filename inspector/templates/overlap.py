"""Do two templates share a URI? With one that both expand to, for people to look at (R15).

Exact where no variable occurs twice. Where one does, each URI found is checked, and what the variable was in
it is tried as its value throughout; that finds what people publish, but may miss an overlap (R26).
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from inspector.templates.automaton import Automaton
from inspector.templates.expansion import Value
from inspector.templates.grammar import Literal
from inspector.templates.matching import VariableStep
from inspector.templates.meeting import Meeting, TooHard, meet
from inspector.templates.outline import Outlines
from inspector.templates.ownership import OwnershipMap
from inspector.templates.readings import readings_of
from inspector.templates.template import UriTemplate

_MOST_TRIES: Final = 24
"""Assignments of repeated variables that are tried."""
_TEMPLATES_IN_SLICE: Final = 50
"""Templates that are sorted in between two pauses."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two servers' templates that share a URI: it is ambiguous (R15)."""

    servers: tuple[str, str]
    """In the order of the workspace."""
    templates: tuple[str, str]
    """The template of each."""
    witness: str
    """A URI that expands from both."""


def find_overlap(a: UriTemplate, b: UriTemplate) -> str | None:
    """A URI that expands from both, short and with values that a person might write; None if there is none.

    None too where variables that repeat, or templates of many thousand characters, make the question too
    hard within the bound on work (R26). Never raises.
    """
    search = _search(a, b)
    while True:
        try:
            next(search)
        except StopIteration as end:
            witness: str | None = end.value
            return witness


def find_overlaps(ownership: OwnershipMap) -> Iterator[Overlap | None]:
    """Every two templates of different servers that share a URI, as `find_overlap` has it, in a fixed order.

    Yields None between two slices of work of a few milliseconds, so that a caller can do other things.
    A text that one server publishes twice counts once.
    """
    entries = list({(entry.server, entry.template): entry for entry in ownership.entries}.values())
    outlines = Outlines()
    for number, entry in enumerate(entries):
        outlines.add(entry.template)
        if number % _TEMPLATES_IN_SLICE == 0:
            yield None
    witnesses: dict[tuple[str, str], str | None] = {}
    for number in range(len(entries)):
        for pair in outlines.pairs_of(number):
            first, second = (entries[index] for index in pair)
            if first.server == second.server:
                continue
            texts = (first.template.text, second.template.text)
            if texts not in witnesses:
                witnesses[texts] = yield from _search(first.template, second.template)
                yield None
            witness = witnesses[texts]
            if witness is not None:
                yield Overlap((first.server, second.server), texts, witness)
        if number % _TEMPLATES_IN_SLICE == 0:
            yield None


def _search(a: UriTemplate, b: UriTemplate) -> Generator[None, None, str | None]:
    if _part_at_a_glance(a, b):
        return None
    tries: list[tuple[dict[str, Value], dict[str, Value]]] = [({}, {})]
    for number in range(_MOST_TRIES):
        if number == len(tries):
            return None
        fixed_in_a, fixed_in_b = tries[number]
        first, second = Automaton(a, fixed_in_a), Automaton(b, fixed_in_b)
        try:
            meeting = yield from meet(first, second)
        except TooHard:
            continue
        if meeting is None:
            continue
        if a.match(meeting.uri) is not None and b.match(meeting.uri) is not None:
            return meeting.uri
        for more in _values_met(first, a, fixed_in_a, meeting, 0):
            tries.append(({**fixed_in_a, **more}, fixed_in_b))
        for more in _values_met(second, b, fixed_in_b, meeting, 1):
            tries.append((fixed_in_a, {**fixed_in_b, **more}))
    return None


def _values_met(
    automaton: Automaton, template: UriTemplate, fixed: dict[str, Value], meeting: Meeting, side: int
) -> Iterator[dict[str, Value]]:
    """The values that each repeated variable had in a meeting where it had more than one."""
    if not template.repeats:
        return
    names = [step.variable.name for step in automaton.steps if isinstance(step, VariableStep)]
    begun: tuple[int, int] | None = None
    for reached in meeting.way:
        state, position = reached[side], reached[2]
        if begun is not None and automaton.step_at(state) > begun[0]:
            step = automaton.steps[begun[0]]
            assert isinstance(step, VariableStep)
            text = meeting.uri[begun[1] : position]
            for value in readings_of(step.operator, step.variable, text).values:
                yield {step.variable.name: value}
            begun = None
        if automaton.begins_value(state):
            step = automaton.steps[automaton.step_at(state)]
            assert isinstance(step, VariableStep)
            if names.count(step.variable.name) > 1 and step.variable.name not in fixed:
                begun = automaton.step_at(state), position


def _part_at_a_glance(a: UriTemplate, b: UriTemplate) -> bool:
    """Whether the literals that begin or end the two forbid a common URI."""
    one, other = a.parts[:1], b.parts[:1]
    if one and other and isinstance(one[0], Literal) and isinstance(other[0], Literal):
        shorter, longer = sorted((one[0].text, other[0].text), key=len)
        if not longer.startswith(shorter):
            return True
    one, other = a.parts[-1:], b.parts[-1:]
    if one and other and isinstance(one[0], Literal) and isinstance(other[0], Literal):
        shorter, longer = sorted((one[0].text, other[0].text), key=len)
        return not longer.endswith(shorter)
    return False
