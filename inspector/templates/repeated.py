"""A variable that occurs more than once has one value (R26).

Where names repeat, matching is a search: the same choices as `matching.read_off` makes, in the same order,
but one that gives a variable two values is taken back. In principle that is hard (it is to solve equations
between words), so the work is bounded, and beyond the bound the answer is that the question is undecided.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from inspector.templates.characters import fold_octets
from inspector.templates.expansion import Value, expand_variable
from inspector.templates.matching import Fits, Step, VariableStep
from inspector.templates.readings import Readings, readings_of
from inspector.templates.uritext import UriText
from inspector.templates.values import read_value

_MOST_WORK: Final = 20_000
"""In choices, some microseconds each; what goes with the length of a text counts by the KiB."""

_MOST_STEPS: Final = 5_000
"""Steps of a template; a longer one is not searched at all."""

_TOKEN = re.compile("%[0-9A-Fa-f]{2}|.")


@dataclass(frozen=True, slots=True)
class Found:
    """What the search came to."""

    variables: dict[str, Value] | None
    undecided: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """What the variable of one step was: where its text stands in the URI."""

    step: int
    start: int
    end: int
    """-1 where it was undefined."""


_Known = tuple[tuple[_Piece, ...], ...]
"""For each repeated name what it has been so far, one piece for each way in which it is written."""


@dataclass(frozen=True, slots=True)
class _State:
    """One place in the search."""

    index: int
    """The variable step that comes next; the number of steps at the end."""
    position: int
    is_open: bool
    known: _Known


class Search:
    """One URI against one template in which names repeat."""

    def __init__(self, steps: Sequence[Step], text: UriText, fits: Fits) -> None:
        self._steps = steps
        self._text = text
        self._fits = fits
        names = [step.variable.name for step in steps if isinstance(step, VariableStep)]
        counts = dict.fromkeys(names, 0)
        for name in names:
            counts[name] += 1
        repeated = [name for name, count in counts.items() if count > 1]
        self._slots = {name: slot for slot, name in enumerate(repeated)}
        self._flags: dict[int, str] = {}
        self._work = 0
        self._doubt = False

    def run(self) -> Found:
        """The first assignment in the order of `matching` that gives each name one value."""
        if len(self._steps) > _MOST_STEPS:
            return Found(None, True)
        first = self._state(0, 0, False, ((),) * len(self._slots))
        path: list[_Piece] = []
        pending = [self._choices(first)]
        seen: set[_State] = set()
        while pending:
            if self._work > _MOST_WORK:
                return Found(None, True)
            choice = next(pending[-1], None)
            if choice is None:
                pending.pop()
                del path[len(pending) - 1 :]
                continue
            piece, state = choice
            if state.index == len(self._steps):
                return Found(self._values([*path, piece], state.known), False)
            if state not in seen:
                seen.add(state)
                path.append(piece)
                pending.append(self._choices(state))
        return Found(None, self._doubt)

    def _values(self, path: list[_Piece], known: _Known) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for piece in path:
            step = self._step(piece)
            name = step.variable.name
            if piece.end < 0 or name in values:
                continue
            slot = self._slots.get(name)
            if slot is None:
                values[name] = read_value(step.operator, step.variable, self._text_of(piece))
            else:
                values[name] = self._common_values(known[slot])[0]
        return values

    def _state(self, index: int, position: int, is_open: bool, known: _Known) -> _State:
        """The place before the next variable; the literals on the way fit, as `Fits` has seen to."""
        while index < len(self._steps):
            step = self._steps[index]
            if not isinstance(step, str):
                return _State(index, position, is_open and not step.opens, known)
            position += len(step)
            index += 1
        return _State(index, position, False, known)

    def _choices(self, state: _State) -> Iterator[tuple[_Piece, _State]]:
        """What the next variable can be, in the order of `matching`, and the place to which that leads."""
        for piece, position in self._pieces(state):
            self._work += 1
            known = self._learn(state.known, piece)
            if known is not None:
                is_open = state.is_open or piece.end >= 0
                yield piece, self._state(state.index + 1, position, is_open, known)

    def _pieces(self, state: _State) -> Iterator[tuple[_Piece, int]]:
        index = state.index
        step = self._steps[index]
        assert isinstance(step, VariableStep)
        slot = self._slots.get(step.variable.name)
        group = state.known[slot] if slot is not None else ()
        forced = self._forced_texts(step, group) if group else None
        lead = step.operator.separator if state.is_open else step.operator.first
        start = state.position + len(lead)
        if self._text.uri.startswith(lead, state.position):
            for end in self._ends(step, state, start, forced):
                yield _Piece(index, start, end), end
        if forced is None or None in forced:
            fits = (self._fits.opened if state.is_open else self._fits.unopened)[index + 1]
            if fits >> (self._text.length - state.position) & 1:
                yield _Piece(index, start, -1), state.position

    def _ends(
        self, step: VariableStep, state: _State, start: int, forced: list[str | None] | None
    ) -> Iterator[int]:
        flags = self._flags_after(state.index)
        if forced is None:
            self._work += self._text.length >> 11
            only = self._only_end(step, state, start)
            if only is not None:
                flags = flags[only : only + 1].rjust(only + 1, "0").ljust(len(flags), "0")
            yield from step.shape.ends(self._text, start, flags)
            return
        for text in forced:
            if text is not None:
                self._work += len(text) >> 13
                end = _end_of(text, self._text.uri, start)
                if end is not None and flags[end] == "1":
                    yield end

    def _flags_after(self, index: int) -> str:
        flags = self._flags.get(index)
        if flags is None:
            flags = self._flags[index] = self._text.flags(self._fits.opened[index + 1])
        return flags

    def _only_end(self, step: VariableStep, state: _State, start: int) -> int | None:
        """Where the text of `step` must end if all that follows it is known once it is; None where it is not.

        The lengths alone then leave one end at most. Where there is none, that is the URI's start.
        """
        if step.variable.name not in self._slots or "%" in self._text.uri:
            return None
        remaining = self._text.length - start
        times = 1
        is_open = True
        for later in self._steps[state.index + 1 :]:
            if isinstance(later, str):
                remaining -= len(later)
                continue
            is_open = is_open and not later.opens
            length = 0
            if later.variable.name == step.variable.name and _alike(step, later):
                times += 1
            else:
                piece = self._piece_like(later, state.known)
                if piece is None:
                    return None
                if piece.end < 0:
                    continue
                length = piece.end - piece.start
            remaining -= length + len(later.operator.separator if is_open else later.operator.first)
            is_open = True
        length, rest = divmod(remaining, times)
        return start + length if rest == 0 and length >= 0 else 0

    def _piece_like(self, step: VariableStep, known: _Known) -> _Piece | None:
        """The piece that settles what `step` is, if there is one."""
        slot = self._slots.get(step.variable.name)
        for piece in known[slot] if slot is not None else ():
            if piece.end < 0 or _alike(self._step(piece), step):
                return piece
        return None

    def _forced_texts(self, step: VariableStep, group: tuple[_Piece, ...]) -> list[str | None] | None:
        """The texts that `step` can have after what its name has been; None where they cannot be listed."""
        if group[0].end < 0:
            return [None]
        for piece in group:
            if _alike(self._step(piece), step):
                return [self._text_of(piece)]
        if not any(self._readings(piece).complete for piece in group):
            return None
        texts: dict[str | None, None] = {}
        for value in self._common_values(group):
            if isinstance(value, str) or step.variable.prefix is None:
                texts[expand_variable(step.operator, step.variable, value)] = None
        return list(texts)

    def _learn(self, known: _Known, piece: _Piece) -> _Known | None:
        """What is known after `piece`; None where its name cannot have one value then."""
        step = self._step(piece)
        slot = self._slots.get(step.variable.name)
        if slot is None:
            return known
        group = known[slot]
        if group and (group[0].end < 0) != (piece.end < 0):
            return None
        if any(_alike(self._step(other), step) for other in group):
            return known
        group = (*group, piece)
        if len(group) > 1 and piece.end >= 0:
            self._work += 10 + (piece.end - piece.start >> 4)
            if not self._common_values(group):
                self._doubt = self._doubt or not any(self._readings(other).complete for other in group)
                return None
        return (*known[:slot], group, *known[slot + 1 :])

    def _step(self, piece: _Piece) -> VariableStep:
        step = self._steps[piece.step]
        assert isinstance(step, VariableStep)
        return step

    def _text_of(self, piece: _Piece) -> str:
        self._work += piece.end - piece.start >> 13
        return self._text.uri[piece.start : piece.end]

    def _readings(self, piece: _Piece) -> Readings:
        step = self._step(piece)
        return readings_of(step.operator, step.variable, self._text_of(piece))

    def _common_values(self, group: tuple[_Piece, ...]) -> list[Value]:
        """The values that give every text of `group`, as far as they are known."""
        values = [value for piece in group for value in self._readings(piece).values]
        return [value for value in values if all(self._gives(piece, value) for piece in group)]

    def _gives(self, piece: _Piece, value: Value) -> bool:
        step = self._step(piece)
        if step.variable.prefix is not None and not isinstance(value, str):
            return False
        expanded = expand_variable(step.operator, step.variable, value)
        return fold_octets(expanded) == fold_octets(self._text_of(piece))


def _alike(one: VariableStep, other: VariableStep) -> bool:
    """Whether each value of the variable, which is the same, gives one text in both places."""
    return (
        _form(one) == _form(other)
        and (one.variable.explode, one.variable.prefix) == (other.variable.explode, other.variable.prefix)
        and (not one.variable.explode or one.operator.separator == other.operator.separator)
    )


def _form(step: VariableStep) -> tuple[bool, bool, str]:
    return step.operator.reserved, step.operator.named, step.operator.if_empty


def _end_of(text: str, uri: str, start: int) -> int | None:
    """Where `text` ends in `uri` if it stands at `start`, whatever the spelling of its octets (R25)."""
    if uri.startswith(text, start):
        return start + len(text)
    if "%" not in uri:
        return None
    position = start
    for token in _TOKEN.findall(text):
        found = _TOKEN.match(uri, position)
        if not found or fold_octets(found[0]) != fold_octets(token):
            return None
        position = found.end()
    return position
