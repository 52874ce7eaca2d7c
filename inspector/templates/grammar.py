"""The grammar of RFC 6570, section 2, and its operators: a text's parts, or where it is at fault (R27)."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from inspector.templates.characters import encode_octets


class InvalidTemplate(ValueError):
    """The text is no RFC 6570 template (R27).

    `message` says what is wrong in one line; `position` is the offset of the fault in characters from 0.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at {position})")
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """How one kind of expression expands: a row of the table in RFC 6570, appendix A. There are eight."""

    symbol: str
    first: str
    """What stands before the first defined variable."""
    separator: str
    """What stands between defined variables, and between the members of an exploded one."""
    named: bool
    """Whether `name=` stands before a value."""
    if_empty: str
    """What follows the name of a named variable whose value is empty."""
    reserved: bool
    """Whether reserved characters and `%HH` pass through."""


OPERATORS: Final = {
    operator.symbol: operator
    for operator in (
        Operator("", "", ",", False, "", False),
        Operator("+", "", ",", False, "", True),
        Operator("#", "#", ",", False, "", True),
        Operator(".", ".", ".", False, "", False),
        Operator("/", "/", "/", False, "", False),
        Operator(";", ";", ";", True, "", False),
        Operator("?", "?", "&", True, "=", False),
        Operator("&", "&", "&", True, "=", False),
    )
}


class Variable(NamedTuple):
    """One variable of an expression, with its modifier."""

    name: str
    explode: bool
    """Modifier `*`."""
    prefix: int | None
    """Modifier `:n`, in characters, 1 to 9999."""
    position: int
    """Offset of the name in the template's text."""


class Expression(NamedTuple):
    """`{…}`: an operator and one variable or more."""

    operator: Operator
    variables: tuple[Variable, ...]
    position: int
    """Offset of its `{` in the template's text."""


class Literal(NamedTuple):
    """Text between expressions."""

    text: str
    """As it expands: what a URI cannot hold is percent-encoded (section 3.1)."""
    source: str
    """As the template spells it."""
    position: int
    """Offset of its first character in the template's text."""


Part = Literal | Expression

_NAME = r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*+"
_VARIABLE = rf"{_NAME}(?:\*|:[1-9][0-9]{{0,3}}(?![0-9]))?"
_EXPRESSION = re.compile(rf"\{{([+#./;?&]?)({_VARIABLE}(?:,{_VARIABLE})*+)\}}")

# Section 2.1, with the apostrophe that its erratum adds, in ASCII; then `ucschar` and `iprivate`.
_ASCII_LITERAL = "!#$&'()*+,\\-./0-9:;=?@A-Z\\[\\]_a-z~"
_BEYOND_ASCII = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\ue000-\uf8ff" + "".join(
    f"{chr(plane << 16 | (0x1000 if plane == 14 else 0))}-{chr(plane << 16 | 0xFFFD)}" for plane in range(1, 17)
)


@cache
def _literal_pattern() -> re.Pattern[str]:
    """A run of literal text. Compiled on first use: start-up is felt, and does not need it."""
    return re.compile(f"(?:[{_ASCII_LITERAL}{_BEYOND_ASCII}]++|%[0-9A-Fa-f]{{2}})++")


@cache
def _to_encode() -> re.Pattern[str]:
    return re.compile(f"[{_BEYOND_ASCII}]+")


def parse_parts(text: str) -> tuple[Part, ...]:
    """The literals and expressions of a template, in order; none for the empty template.

    Raises InvalidTemplate with the position of the first fault, for a `text` that is no string too.
    """
    if not isinstance(text, str):
        raise InvalidTemplate(f"a template is a string, not {type(text).__name__}", 0)
    parts: list[Part] = []
    at = 0
    while at < len(text):
        literal = _literal_pattern().match(text, at)
        if literal:
            parts.append(Literal(_encode_literal(literal[0]), literal[0], at))
            at = literal.end()
            continue
        expression = _EXPRESSION.match(text, at)
        if not expression:
            raise _fault(text, at)
        parts.append(_expression(expression))
        at = expression.end()
    return tuple(parts)


def _encode_literal(source: str) -> str:
    return source if source.isascii() else _to_encode().sub(lambda found: encode_octets(found[0]), source)


def _expression(found: "re.Match[str]") -> Expression:
    symbol, names = found.groups()
    at = found.start(2)
    if names.isidentifier():
        return Expression(OPERATORS[symbol], (Variable(names, False, None, at),), found.start())
    variables: list[Variable] = []
    for text in names.split(","):
        name, _, prefix = text.partition(":")
        explode = name.endswith("*")
        variables.append(Variable(name.removesuffix("*"), explode, int(prefix) if prefix else None, at))
        at += len(text) + 1
    return Expression(OPERATORS[symbol], tuple(variables), found.start())


def _fault(text: str, at: int) -> InvalidTemplate:
    """What is wrong with a template that holds neither a literal nor an expression at `at`."""
    character = text[at]
    if character == "{":
        return _fault_in_expression(text, at)
    if character == "}":
        return InvalidTemplate("this } closes no expression", at)
    if character == "%":
        return InvalidTemplate("% must be followed by two hex digits; a percent sign itself is %25", at)
    return InvalidTemplate(f"{_show(character)} cannot stand in a template; {_encoded(character)}", at)


def _encoded(character: str) -> str:
    try:
        return f"percent-encode it as {encode_octets(character)}"
    except ValueError:
        return "it is a lone surrogate, which no URI can hold"


def _show(character: str) -> str:
    names = {" ": "a space", "\t": "a tab", "\n": "a line break"}
    if character in names:
        return names[character]
    return f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"


_RESERVED_OPERATORS = "=,!@|"
_PREFIX = re.compile("[0-9]*")
_NAME_AT = re.compile(_NAME)


def _fault_in_expression(text: str, start: int) -> InvalidTemplate:
    at = start + 1
    if text[at : at + 1] and text[at] in _RESERVED_OPERATORS:
        return InvalidTemplate(f"the operator '{text[at]}' is reserved and has no meaning yet", at)
    if text[at : at + 1] and text[at] in OPERATORS:
        at += 1
    while True:
        name = _NAME_AT.match(text, at)
        if not name:
            return _fault_in_name(text, start, at)
        at = name.end()
        modifier = text[at : at + 1]
        if modifier == "*":
            at += 1
        elif modifier == ":":
            digits = _PREFIX.match(text, at + 1)
            length = digits[0] if digits else ""
            if not 0 < len(length) < 5 or length[0] == "0":
                return InvalidTemplate("after : a length from 1 to 9999 must stand", at + 1)
            at += 1 + len(length)
        if text[at : at + 1] != ",":
            return _fault_after_variable(text, start, at)
        at += 1


def _fault_in_name(text: str, start: int, at: int) -> InvalidTemplate:
    character = text[at : at + 1]
    if not character:
        return InvalidTemplate("this { is never closed", start)
    if character == "}":
        return InvalidTemplate("a variable name is missing", at)
    if character == "%":
        return InvalidTemplate("% in a variable name must be followed by two hex digits", at)
    return InvalidTemplate(f"{_show(character)} cannot begin a variable name", at)


def _fault_after_variable(text: str, start: int, at: int) -> InvalidTemplate:
    character = text[at : at + 1]
    if not character:
        return InvalidTemplate("this { is never closed", start)
    if character == ".":
        return InvalidTemplate("in a variable name, a letter, digit or _ must follow the dot", at)
    if character in "*:":
        return InvalidTemplate("a variable has one modifier, * or :n, not both", at)
    if character == "%":
        return InvalidTemplate("% in a variable name must be followed by two hex digits", at)
    return InvalidTemplate(f"{_show(character)} cannot stand in a variable name", at)
