"""The cheapest URI that two automata both accept: a search over the pairs of their states."""

import heapq
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from inspector.templates.alphabet import best_of
from inspector.templates.automaton import Automaton

_SLICE: Final = 200
"""Pairs of states between two pauses: a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A text that leads two automata both to their ends, with the states on its way."""

    text: str
    way: tuple[tuple[int, int, int], ...]
    """A state of the first, one of the second, and the position in the text at which they are reached."""


class TooHard(Exception):
    """The search reached its bound on work without an answer."""


class Allowance:
    """How many pairs of states may still be visited."""

    def __init__(self, pairs: int) -> None:
        self.pairs = pairs


_Pending = tuple[int, int, int, int, int, int, int, int]
"""Price and serial number, by which they are taken; then the two states, the count of `:n` in each, the
number of the pair that came before, and the tokens of which one led from there (0 for none)."""


def meet(
    first: Automaton, second: Automaton, start: tuple[int, int], allowance: Allowance
) -> Generator[None, None, Meeting | None]:
    """The cheapest end of a URI for both from the states `start`, or None where there is none.

    Pauses every few milliseconds. Raises TooHard where the allowance is used up.
    """
    pending: list[_Pending] = [(0, 0, *start, 0, 0, -1, 0)]
    counts: dict[tuple[int, int], list[tuple[int, int]]] = {}
    reached: list[_Pending] = []
    serial = 0
    while pending:
        current = heapq.heappop(pending)
        price, _, one, other, one_count, other_count, _, _ = current
        if one == first.final and other == second.final:
            return _meeting([*reached, current])
        known = counts.setdefault((one, other), [])
        # A cheaper way led here; it is the better one unless it has counted further.
        if known and any(low <= one_count and least <= other_count for low, least in known):
            continue
        known.append((one_count, other_count))
        before = len(reached)
        reached.append(current)
        if before % _SLICE == _SLICE - 1:
            yield
            allowance.pairs -= _SLICE
            if allowance.pairs < 0:
                raise TooHard
        moves, silents = first.ways(one)
        other_moves, other_silents = second.ways(other)
        for more, target in silents:
            serial += 1
            heapq.heappush(pending, (price + more, serial, target, other, 0, other_count, before, 0))
        # Where the first can only go ahead without a token, it does so before the second.
        if moves or not silents:
            for more, target in other_silents:
                serial += 1
                heapq.heappush(pending, (price + more, serial, one, target, one_count, 0, before, 0))
        for tokens, more, target, count_to in moves:
            count = one_count + 1 if count_to else one_count
            if count > count_to > 0:
                continue
            for other_tokens, still_more, other_target, other_count_to in other_moves:
                common = tokens & other_tokens
                if not common:
                    continue
                counted = other_count + 1 if other_count_to else other_count
                if counted > other_count_to > 0:
                    continue
                serial += 1
                following = (target, other_target, count, counted, before, common)
                heapq.heappush(pending, (price + more + still_more, serial, *following))
    return None


def _meeting(reached: list[_Pending]) -> Meeting:
    chain: list[_Pending] = []
    number = len(reached) - 1
    while number >= 0:
        chain.append(reached[number])
        number = reached[number][6]
    pieces: list[str] = []
    way: list[tuple[int, int, int]] = []
    position = 0
    for _, _, one, other, _, _, _, tokens in reversed(chain):
        if tokens:
            pieces.append(best_of(tokens))
            position += len(pieces[-1])
        way.append((one, other, position))
    return Meeting("".join(pieces), tuple(way))
