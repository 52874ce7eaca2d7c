"""A variable that occurs more than once has one value (R26)."""

from collections.abc import Iterable

from inspector.templates.characters import fold_octets
from inspector.templates.expansion import Value, expand_variable
from inspector.templates.matching import Occurrence


def agree(occurrences: Iterable[Occurrence]) -> dict[str, Value] | None:
    """One value for each variable that gives every text it expanded to; None where there seems to be none."""
    by_name: dict[str, list[Occurrence]] = {}
    for occurrence in occurrences:
        by_name.setdefault(occurrence.variable.name, []).append(occurrence)
    values: dict[str, Value] = {}
    for name, group in by_name.items():
        if all(occurrence.text is None for occurrence in group):
            continue
        for occurrence in group:
            value = occurrence.value()
            if value is not None and all(_gives(other, value) for other in group):
                values[name] = value
                break
        else:
            return None
    return values


def _gives(occurrence: Occurrence, value: Value) -> bool:
    if occurrence.text is None or (occurrence.variable.prefix is not None and not isinstance(value, str)):
        return False
    expanded = expand_variable(occurrence.operator, occurrence.variable, value)
    return fold_octets(expanded) == fold_octets(occurrence.text)
