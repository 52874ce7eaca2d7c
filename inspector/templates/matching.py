"""Does a URI expand from a template, and from which values? (R24, R25)

Matching is exact and takes time that grows with the template and the URI, one times the other divided by
the width of a machine word. It goes twice over the template. From its end to its start, `fits_after` finds
the positions of the URI from which all that follows fits (`uritext`). Then from start to end the values are
read off, and since every choice is known to lead on or not, none is ever taken back.

Where several assignments fit, the choice is the same always: left to right, a variable is defined rather than
undefined, its text is of the first of its shapes that fits (a list before pairs), and ends at the first place
from which the rest fits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inspector.templates.expansion import Value
from inspector.templates.grammar import Literal, Operator, Part, Variable
from inspector.templates.shapes import Shape, shape_of
from inspector.templates.uritext import UriText
from inspector.templates.values import read_value


class VariableStep(NamedTuple):
    """One variable of an expression, as a step of matching."""

    operator: Operator
    variable: Variable
    shape: Shape
    opens: bool
    """Whether it is the first of its expression."""


Step = str | VariableStep
"""A literal as it expands, or a variable."""


def steps_of(parts: Sequence[Part]) -> tuple[Step, ...]:
    """The parts of a template in the order in which matching takes them."""
    steps: list[Step] = []
    for part in parts:
        if isinstance(part, Literal):
            steps.append(part.text)
            continue
        operator = part.operator
        for index, variable in enumerate(part.variables):
            steps.append(VariableStep(operator, variable, shape_of(operator, variable), index == 0))
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class Fits:
    """The positions from which the rest of a template fits, after each of its steps."""

    opened: list[int]
    """After step `i` (index 0: before the first), with a variable of its expression defined already."""
    unopened: list[int]
    """The same, with none defined yet."""


def fits_after(steps: Sequence[Step], text: UriText) -> Fits | None:
    """Which positions lead to the end, after each step; None where the URI is no expansion."""
    uri = text.uri
    opened = [1] * (len(steps) + 1)
    unopened = [1] * (len(steps) + 1)
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if isinstance(step, str):
            before = text.literal(step, unopened[index + 1])
            opened[index] = unopened[index] = before
        else:
            operator = step.operator
            if operator.first and operator.first not in uri and operator.separator not in uri:
                opened[index], unopened[index] = opened[index + 1], unopened[index + 1]
                if step.opens:
                    opened[index] = unopened[index]
                continue
            value = step.shape.before(text, opened[index + 1])
            unopened[index] = _union(text.literal(operator.first, value), unopened[index + 1])
            if step.opens:
                opened[index] = unopened[index]
            else:
                opened[index] = _union(text.literal(operator.separator, value), opened[index + 1])
        if not unopened[index] and not opened[index]:
            return None
    return Fits(opened, unopened) if unopened[0] >> text.length else None


def _union(larger: int, smaller: int) -> int:
    # One and the same object where nothing is added: `UriText.run` knows it again.
    if larger is smaller:
        return larger
    union = larger | smaller
    return larger if union == larger else union


def read_off(steps: Sequence[Step], text: UriText, fits: Fits) -> dict[str, Value]:
    """The value of each defined variable, by the choice that this module documents; no name occurs twice."""
    uri = text.uri
    values: dict[str, Value] = {}
    position = 0
    is_open = False
    flagged: int | None = None
    flags = ""
    for index, step in enumerate(steps):
        if isinstance(step, str):
            position += len(step)
            continue
        is_open = is_open and not step.opens
        lead = step.operator.separator if is_open else step.operator.first
        if not uri.startswith(lead, position):
            continue
        start = position + len(lead)
        if fits.opened[index + 1] is not flagged:
            flagged = fits.opened[index + 1]
            flags = text.flags(flagged)
        end = next(step.shape.ends(text, start, flags), None)
        if end is not None:
            values[step.variable.name] = read_value(step.operator, step.variable, uri[start:end])
            position = end
            is_open = True
    return values
