"""A URI whose query has the template's parameters in another order, or others."""

import re
from dataclasses import dataclass

from inspector.templates.grammar import Literal
from inspector.templates.template import UriTemplate

_LITERAL_PARAMETER = re.compile("[?&]([^?&=#]+)")
_MOST_PARAMETERS = 200


@dataclass(frozen=True, slots=True)
class QueryChange:
    """A URI that fits once its query is changed."""

    uri: str
    unknown: tuple[str, ...]
    """Parameters that the template does not have, left out; none where only the order is another."""
    known: tuple[str, ...]
    """The template's parameters, in its order."""


def change_query(template: UriTemplate, uri: str) -> QueryChange | None:
    """`uri` with its query in the template's order and without what the template lacks, if that fits."""
    base, mark, query = uri.partition("?")
    parameters = query.split("&")
    if not mark or len(parameters) > _MOST_PARAMETERS:
        return None
    known = parameters_of(template)
    order = {name: index for index, name in enumerate(known)}
    kept = [parameter for parameter in parameters if _name(parameter) in order]
    unknown = [_name(parameter) for parameter in parameters if _name(parameter) not in order]
    sorted_ = sorted(kept, key=lambda parameter: order[_name(parameter)])
    changed = base + "?" * bool(sorted_) + "&".join(sorted_)
    if changed == uri or template.match(changed) is None:
        return None
    return QueryChange(changed, tuple(dict.fromkeys(unknown)), known)


def parameters_of(template: UriTemplate) -> tuple[str, ...]:
    """The names of a template's query parameters, in its order."""
    names: list[str] = []
    for part in template.parts:
        if isinstance(part, Literal):
            names += _LITERAL_PARAMETER.findall(part.text)
        elif part.operator.symbol in ("?", "&"):
            names += [variable.name for variable in part.variables]
    return tuple(dict.fromkeys(names))


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]
