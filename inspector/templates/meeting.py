"""The cheapest URI that two automata both accept: a search over the pairs of their states."""

import heapq
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from inspector.templates.alphabet import best_of
from inspector.templates.automaton import Automaton

SLICE: Final = 300
"""Pairs of states between two pauses: about a millisecond."""
_MOST_PAIRS: Final = 100_000
"""Pairs of states after which the search gives up. What people publish needs some hundreds."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A URI that two automata both accept, with the states on its way."""

    uri: str
    way: tuple[tuple[int, int, int], ...]
    """A state of the first, one of the second, and the position in the URI at which they are reached."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """A pair of states with the counts of `:n` in each, and how it was reached."""

    first: int
    second: int
    first_count: int
    second_count: int
    token: str
    before: "_Reached | None"


class TooHard(Exception):
    """The search reached its bound on work without an answer."""


def meet(first: Automaton, second: Automaton) -> Generator[None, None, Meeting | None]:
    """The cheapest common URI, or None where there is none. Pauses every millisecond or so.

    Raises TooHard beyond the bound on work.
    """
    start = _Reached(0, 0, 0, 0, "", None)
    pending: list[tuple[int, int, _Reached]] = [(0, 0, start)]
    counts: dict[tuple[int, int], list[tuple[int, int]]] = {}
    serial = work = 0
    while pending:
        cost, _, reached = heapq.heappop(pending)
        if reached.first == first.final and reached.second == second.final:
            return _meeting(reached)
        if not _is_new(counts.setdefault((reached.first, reached.second), []), reached):
            continue
        work += 1
        if work > _MOST_PAIRS:
            raise TooHard
        if work % SLICE == 0:
            yield
        for price, onward in _onward(first, second, reached):
            if (0, 0) not in counts.get((onward.first, onward.second), ()):
                serial += 1
                heapq.heappush(pending, (cost + price, serial, onward))
    return None


def _is_new(known: list[tuple[int, int]], reached: _Reached) -> bool:
    """Whether no cheaper way led to the same states with counts as low."""
    first, second = reached.first_count, reached.second_count
    if any(one <= first and other <= second for one, other in known):
        return False
    known.append((first, second))
    return True


def _onward(first: Automaton, second: Automaton, reached: _Reached) -> list[tuple[int, _Reached]]:
    onward: list[tuple[int, _Reached]] = []
    moves, silents = first.ways(reached.first)
    others, other_silents = second.ways(reached.second)
    for price, target in silents:
        onward.append((price, _Reached(target, reached.second, 0, reached.second_count, "", reached)))
    # The first goes ahead without a token where it can: either order leads to the same pairs.
    if not silents or moves:
        for price, target in other_silents:
            onward.append((price, _Reached(reached.first, target, reached.first_count, 0, "", reached)))
    for tokens, price, target, count_to in moves:
        count = reached.first_count + 1 if count_to else reached.first_count
        if count > count_to > 0:
            continue
        for other_tokens, other_price, other_target, other_count_to in others:
            common = tokens & other_tokens
            other_count = reached.second_count + 1 if other_count_to else reached.second_count
            if common and not other_count > other_count_to > 0:
                token = best_of(common)
                following = _Reached(target, other_target, count, other_count, token, reached)
                onward.append((price + other_price, following))
    return onward


def _meeting(reached: _Reached) -> Meeting:
    chain: list[_Reached] = []
    at: _Reached | None = reached
    while at is not None:
        chain.append(at)
        at = at.before
    way: list[tuple[int, int, int]] = []
    position = 0
    for step in reversed(chain):
        position += len(step.token)
        way.append((step.first, step.second, position))
    return Meeting("".join(step.token for step in reversed(chain)), tuple(way))
