"""Do two templates share a URI? With one that both expand to, for people to look at (R15).

Exact where no variable occurs twice. Where one does, each URI found is checked, and what the variable was in
it is tried as its value throughout; that finds what people publish, but may miss an overlap (R26).
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from inspector.templates.automaton import Automaton, automaton_of
from inspector.templates.expansion import Value
from inspector.templates.fragment import Slot
from inspector.templates.grammar import Literal
from inspector.templates.meeting import Allowance, Meeting, TooHard, meet
from inspector.templates.outline import Outlines
from inspector.templates.ownership import Entry, OwnershipMap
from inspector.templates.readings import readings_of
from inspector.templates.template import UriTemplate

_MOST_PAIRS: Final = 50_000
"""Pairs of states to visit before giving up. What people publish needs some hundreds."""
_MOST_TRIES: Final = 24
"""Values of repeated variables after which no others are thought of."""
_TEMPLATES_IN_SLICE: Final = 20
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
    entries: list[Entry] = []
    outlines = Outlines()
    seen: set[tuple[str, str]] = set()
    for number, entry in enumerate(ownership.entries):
        if (entry.server, entry.template.text) not in seen:
            seen.add((entry.server, entry.template.text))
            entries.append(entry)
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


def find_overlaps_with(draft: Entry, entries: Iterable[Entry]) -> Iterator[Overlap | None]:
    """As `find_overlaps`, for the one template `draft` with each of `entries` that another server publishes.

    The server and template of the entry stand first, then the draft's.
    """
    seen: set[tuple[str, str]] = {(draft.server, draft.template.text)}
    for number, entry in enumerate(entries):
        texts = (entry.template.text, draft.template.text)
        if entry.server != draft.server and (entry.server, texts[0]) not in seen:
            seen.add((entry.server, texts[0]))
            witness = yield from _search(entry.template, draft.template)
            if witness is not None:
                yield Overlap((entry.server, draft.server), texts, witness)
        if number % _TEMPLATES_IN_SLICE == 0:
            yield None


_Fixed = dict[str, Value]
"""Variables that are given one value."""


def _search(a: UriTemplate, b: UriTemplate) -> Generator[None, None, str | None]:
    """The witness, or None; pauses every few milliseconds."""
    if _part_at_a_glance(a, b):
        return None
    common = min(_first_literal(a), _first_literal(b), key=len)
    allowance = Allowance(_MOST_PAIRS)
    tries: list[tuple[_Fixed, _Fixed]] = [({}, {})]
    for fixed_in_a, fixed_in_b in tries:
        first = Automaton(a, fixed_in_a, with_samples=True) if fixed_in_a else automaton_of(a)
        second = Automaton(b, fixed_in_b, with_samples=True) if fixed_in_b else automaton_of(b)
        try:
            start = first.state_within(0, len(common)), second.state_within(0, len(common))
            meeting = yield from meet(first, second, start, allowance)
        except TooHard:
            return None
        if meeting is None:
            continue
        witness = common + meeting.text
        if a.match(witness) is not None and b.match(witness) is not None:
            return witness
        if len(tries) < _MOST_TRIES:
            tries += [({**fixed_in_a, **more}, fixed_in_b) for more in _values_met(first, fixed_in_a, meeting, 0)]
            tries += [(fixed_in_a, {**fixed_in_b, **more}) for more in _values_met(second, fixed_in_b, meeting, 1)]
    return None


def _values_met(automaton: Automaton, fixed: _Fixed, meeting: Meeting, side: int) -> Iterator[_Fixed]:
    """The values that each repeated variable had where two automata met; `side`: 0 for the first of them."""
    counts = Counter(step.variable.name for step in automaton.steps if isinstance(step, Slot))
    begun: tuple[int, int] | None = None
    for reached in meeting.way:
        state, position = reached[side], reached[2]
        number = automaton.place_of(state)[0]
        if begun is not None and number > begun[0]:
            step = automaton.steps[begun[0]]
            assert isinstance(step, Slot)
            if counts[step.variable.name] > 1 and step.variable.name not in fixed:
                text = meeting.text[begun[1] : position]
                for value in readings_of(step.operator, step.variable, text).values:
                    yield {step.variable.name: value}
            begun = None
        if automaton.begins_value(state):
            begun = number, position


def _first_literal(template: UriTemplate) -> str:
    first = template.parts[0] if template.parts else None
    return first.text if isinstance(first, Literal) else ""


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
