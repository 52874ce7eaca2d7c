"""Why one URI does not expand from one template, and what would mend it."""

from dataclasses import dataclass
from typing import Final

from inspector.templates import wording
from inspector.templates.alphabet import bit_of
from inspector.templates.characters import RESERVED
from inspector.templates.expansion import Value
from inspector.templates.grammar import InvalidTemplate, Variable
from inspector.templates.mending import Respelling, edits, respell, without_slash, written_token
from inspector.templates.queries import change_query
from inspector.templates.template import UriTemplate
from inspector.templates.walk import Stop, Walk

_LONGEST_MENDED: Final = 4_000
"""In characters: what is longer was written by no person and is mended by none."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a URI and a template part, and why."""

    position: int
    """In the URI, in characters from 0."""
    template_position: int
    """In the template's text, in characters from 0."""
    reason: str
    suggestion: str | None
    """A URI that expands from the template and differs by one change."""


def explain(template: UriTemplate, uri: str) -> Explanation:
    """Why `uri` does not expand from `template`, from which it does not.

    Where either is very long, the place is given and no suggestion. Raises TooFar where the two are too
    intricate to follow.
    """
    walk = Walk(template)
    node, position = walk.run(uri, walk.start, 0)
    stop = walk.stop_at(node)
    if position == len(uri) and stop.is_end:
        reason = wording.repeated(template.decide(uri).undecided)
        return Explanation(position, stop.template_position, reason, None)
    if _is_long(template, uri):
        reason = _reason(template, uri, position, stop, None)
        return Explanation(position, stop.template_position, wording.parted(uri, position, reason), None)
    return _mend(template, uri, walk, position, stop)


def _mend(template: UriTemplate, uri: str, walk: Walk, position: int, stop: Stop) -> Explanation:
    query = change_query(template, uri)
    if query is not None:
        reason = wording.other_query(query.unknown, query.known)
        return Explanation(position, stop.template_position, reason, query.uri)
    suggestion = without_slash(template, uri, position)
    if suggestion is not None:
        reason = wording.one_slash_less()
    else:
        respelling = respell(walk, uri)
        reason = _reason(template, uri, position, stop, respelling)
        if respelling is not None and template.match(respelling.uri) is not None:
            suggestion = respelling.uri
        else:
            suggestion = _edited(template, uri, position, stop)
    return Explanation(position, stop.template_position, wording.parted(uri, position, reason), suggestion)


def _is_long(template: UriTemplate, uri: str) -> bool:
    return max(len(uri), len(template.text)) > _LONGEST_MENDED


def _reason(template: UriTemplate, uri: str, position: int, stop: Stop, respelling: Respelling | None) -> str:
    token = written_token(uri, position)
    variable = stop.variables[-1] if stop.variables else None
    if respelling is not None and respelling.is_case_only:
        return wording.other_case(token, stop)
    if len(token) == 3 and chr(int(token[1:], 16)) in stop.literals:
        return wording.must_be_decoded(token)
    if token and not bit_of(token):
        return wording.must_be_encoded(token)
    if variable is not None and token == "/" and wording.expression_of(template, variable)[1] not in "?&;":
        return wording.one_segment(template, variable, _wider(template, uri, variable))
    if variable is not None and variable.prefix is not None and token and token not in RESERVED:
        return wording.too_long(template, variable)
    if token in RESERVED and stop.encodes and token:
        return wording.must_be_encoded(token)
    return wording.stands_or_fits(token, stop)


def _edited(template: UriTemplate, uri: str, position: int, stop: Stop) -> str | None:
    """The likeliest edit that fits and leaves no variable empty: nobody means that."""
    for edited in edits(uri, position, stop):
        values = template.match(edited)
        if values is not None and all(map(_says_something, values.values())):
            return edited
    return None


def _says_something(value: Value) -> bool:
    return bool(value) and all(value)


def _wider(template: UriTemplate, uri: str, variable: Variable) -> str | None:
    """An expression instead of the variable's that would make the template take `uri`."""
    if _is_long(template, uri):
        return None
    old = wording.expression_of(template, variable)
    name = variable.name
    wider = [f"{{+{name}}}", f"{{/{name}*}}"]
    for new in reversed(wider) if old.startswith("{/") else wider:
        start = template.text.rfind("{", 0, variable.position)
        text = template.text[:start] + new + template.text[start + len(old) :]
        try:
            if UriTemplate.parse(text).match(uri) is not None:
                return new
        except InvalidTemplate:
            continue
    return None
