"""The sentences of `nearest`: one line each, in the words of a developer at a terminal."""

from collections.abc import Sequence
from typing import Final

from inspector.templates.characters import encode_octets
from inspector.templates.grammar import Variable
from inspector.templates.template import UriTemplate
from inspector.templates.walk import Stop

_MOST_NAMED: Final = 8
_MOST_TOKENS: Final = 3
_LONGEST: Final = 60
_NAMES: Final = {" ": "a space", "\t": "a tab", "\n": "a line break", "\r": "a line break"}


def parted(uri: str, position: int, reason: str) -> str:
    """A reason with the place at which the template and the URI part."""
    if position == 0:
        return f"they part at the start: {reason}"
    start = uri[:position] if position <= _LONGEST else "…" + uri[position - _LONGEST : position]
    return f"they part after {start}: {reason}"


def stands_or_fits(token: str, stop: Stop) -> str:
    """What stands where they part, and what would fit; `token` is empty at the URI's end."""
    literals = [show(literal) for literal in stop.literals[:_MOST_TOKENS]]
    if not token:
        onward = _any_of(literals) or f"a value of {{{stop.variables[-1].name}}}"
        return f"it ends there, {onward} would go on"
    if stop.is_end:
        literals.append("its end")
    if not literals:
        return f"{show(token)} stands there, which does not fit"
    if stop.is_end and len(literals) == 1:
        return f"{show(token)} stands there, where the template ends"
    return f"{show(token)} stands there, {_any_of(literals)} would fit"


def other_case(token: str, stop: Stop) -> str:
    """Only the case differs."""
    return f"{stands_or_fits(token, stop)}; only the case differs"


def must_be_encoded(token: str) -> str:
    """A character that has to be percent-encoded."""
    try:
        encoded = encode_octets(token)
    except ValueError:
        return f"{show(token)} stands there, a lone surrogate, which no URI can hold"
    return f"{show(token)} stands there, which must be percent-encoded as {encoded}"


def must_be_decoded(token: str) -> str:
    """A character that must not be percent-encoded."""
    return f"{token} stands there, {show(chr(int(token[1:], 16)))} itself would fit"


def one_segment(template: UriTemplate, variable: Variable, wider: str | None) -> str:
    """A raw `/` in a variable that takes none; `wider`: an expression that would take it."""
    text = _cut(expression_of(template, variable))
    if variable.explode:
        why = f"{text} spans no segments in RFC 6570, as it does in FastMCP's dialect"
    else:
        why = f"{text} takes one segment"
    return f"'/' stands there, and {why}" + (f"; {wider} would take it" if wider else "")


def one_slash_less() -> str:
    """A `/` at the end of the URI, or after another, which is all that is wrong."""
    return "'/' stands there, and without it the URI fits"


def too_long(template: UriTemplate, variable: Variable) -> str:
    """More characters than `:n` allows."""
    characters = "character" if variable.prefix == 1 else "characters"
    return f"{_cut(expression_of(template, variable))} takes {variable.prefix} {characters} at most"


def expression_of(template: UriTemplate, variable: Variable) -> str:
    """The expression in which a variable stands, as the template has it."""
    start = template.text.rfind("{", 0, variable.position)
    return template.text[start : template.text.index("}", start) + 1]


def other_query(unknown: Sequence[str], known: Sequence[str]) -> str:
    """Query parameters that are unknown to the template or in another order."""
    if not known:
        return "the template has no query parameters"
    if unknown:
        names = _listed([show(name) for name in unknown])
        return f"the template has no query parameter {names}; it has {_listed(known)}"
    return f"the template takes its query parameters in this order only: {_listed(known)}"


def repeated(undecided: bool) -> str:
    """A variable that occurs twice (R26)."""
    if undecided:
        return "a variable that occurs twice makes this too hard to decide, so the template owns it not"
    return "a variable that occurs twice would need two values"


def too_intricate() -> str:
    """A template that the walk gave up on."""
    return "the template is too long or too intricate to say where they part"


def host_scheme(scheme: str, is_claimed: bool) -> str:
    """A scheme of the host's own (R13)."""
    reason = f"{scheme} is a scheme of the host's own: no server is asked for it"
    return f"{reason}, whatever template it publishes" if is_claimed else reason


def only_listed(server: str) -> str:
    """A resource that is listed and has no template (R14)."""
    return f"{server} lists this resource but publishes no template for it, and only a template makes an owner"


def no_scheme(uri: str) -> str:
    """No scheme at all (R10)."""
    if not uri:
        return "the string is empty"
    return "it has no scheme: a URI begins with a name and a colon"


def unknown_scheme(scheme: str, schemes: Sequence[str]) -> str:
    """A scheme that no template has."""
    if not schemes:
        return f"no connected server has a template with the scheme {_cut(scheme)}, or with any other"
    return f"no connected server has a template with the scheme {_cut(scheme)}; there are: {_listed(schemes)}"


def not_connected(server: str) -> str:
    """A server whose templates are unknown (R14)."""
    return f"{server} is not connected: a server owns nothing until it is"


def broken(message: str) -> str:
    """A template that is none (R27)."""
    return f"the template is broken and owns nothing: {message}"


def show(token: str) -> str:
    """A few characters of a URI, in quotes or by name."""
    if token in _NAMES:
        return _NAMES[token]
    return f"'{_cut(token)}'" if token.isprintable() else f"U+{ord(token[0]):04X}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _any_of(items: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(_cut(name) for name in names[:_MOST_NAMED]) + more
