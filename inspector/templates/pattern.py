"""Templates as regular expressions, where the two provably agree: the speed of `UriTemplate.match`.

`matching` is exact for every template; this is exact for the common ones, and then many times faster. A
pattern is written from the end of the template to its start, and each variable in the strongest form that
what follows it (`_Rest`) allows:

- *possessive*: no character of the variable can begin what follows, so it ends where its characters end;
- *committed*: it ends at the first place where the text after it stands, since the variable after that may
  hold all that would have come before a later place;
- *in chunks*: it may end only before characters that begin what follows, and is tried before each of them.
  Where no later variable can hold such a character, a try ends before the next one starts.

In these forms a match takes time linear in the URI. `Pattern.is_quadratic` marks one that may not; it serves
for short URIs only. A template that fits no form has no pattern. Where several assignments fit, a pattern
makes the choice that `matching` documents: it tries the same things in the same order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from inspector.templates.grammar import Expression, Literal, Operator, Part, Variable
from inspector.templates.shapes import ANY, PLAIN

_LONGEST_TEMPLATE: Final = 2000
_LONGEST_LITERAL: Final = 64
_MOST_VARIABLES: Final = 24
_MOST_OPTIONS: Final = 2

_ANY: Final = frozenset(ANY)
_PLAIN: Final = frozenset(PLAIN)
_LIST: Final = _PLAIN | {","}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression for a whole URI, with a group for each variable in the template's order."""

    regex: str
    is_quadratic: bool
    without_equals: bool
    """Whether it speaks only of URIs without `=`."""


@dataclass(frozen=True, slots=True)
class _Rest:
    """What follows a place in the template, already written."""

    regex: str = ""
    starts: frozenset[str] = frozenset()
    """Texts of which one begins it, unless it is empty."""
    held: frozenset[str] = frozenset()
    """The characters that its variables can hold."""
    run: frozenset[str] = frozenset()
    """The characters of the variable that is its first part, if there is one and nothing stands before it."""
    run_ends_it: bool = False
    lead: str = ""
    """The text that is its first part, or that begins the expression that is."""
    run_after_lead: frozenset[str] = frozenset()
    """The characters of the variable that follows `lead` at once."""
    ends_after_lead: bool = False
    """Whether nothing follows `lead` and that variable."""
    chain: tuple[str, frozenset[str]] = ("", frozenset())
    """What begins it and what is held, where it begins with expressions that are all alike."""
    starts_after_chain: frozenset[str] = frozenset()
    tries: int = 0
    """The variables that are written in chunks."""
    options: int = 0
    """The expressions that are tried without their variable after they were tried with it."""
    is_quadratic: bool = False
    without_equals: bool = False


class _NoPattern(Exception):
    """The template fits none of the forms."""


def pattern_of(parts: Sequence[Part], with_octets: bool) -> Pattern | None:
    """The pattern of a template in which no name repeats; None where none provably agrees.

    `with_octets`: for any URI; without, for those that hold no `%`, and quicker.
    """
    variables = sum(len(part.variables) for part in parts if isinstance(part, Expression))
    length = sum(len(part.text) for part in parts if isinstance(part, Literal))
    if variables > _MOST_VARIABLES or length > _LONGEST_TEMPLATE:
        return None
    writer = _Writer(with_octets)
    group = variables + 1
    rest = _Rest()
    try:
        for part in reversed(parts):
            if isinstance(part, Literal):
                rest = writer.before_literal(part.text, rest)
            else:
                group -= len(part.variables)
                rest = writer.before_expression(part, group, rest)
    except _NoPattern:
        return None
    return Pattern(rest.regex, rest.is_quadratic, rest.without_equals)


class _Writer:
    """Writes parts before what follows them."""

    def __init__(self, with_octets: bool) -> None:
        self._with_octets = with_octets

    def before_literal(self, text: str, rest: _Rest) -> _Rest:
        """A literal, as it expands."""
        return replace(
            _begin(rest),
            regex=re.escape(text) + rest.regex,
            starts=frozenset((text,)),
            held=rest.held,
            lead=text,
            run_after_lead=rest.run,
            ends_after_lead=rest.run_ends_it or not rest.regex,
        )

    def before_expression(self, expression: Expression, group: int, rest: _Rest) -> _Rest:
        """An expression; `group` is the number of its first variable's group."""
        operator, variables = expression.operator, expression.variables
        if any(variable.prefix is not None for variable in variables):
            raise _NoPattern
        if operator.named:
            for index in range(len(variables) - 1, -1, -1):
                rest = self._before_named(operator, variables[index], group, index, rest)
            return rest
        if operator.first == operator.separator or (operator.first and len(variables) == 1):
            for variable in reversed(variables):
                rest = self._before_led(operator, variable, rest)
            return rest
        if len(variables) == 1:
            return self._before_bare(operator, variables[0], rest)
        if operator.symbol == "" and not any(variable.explode for variable in variables):
            return self._before_bare_list(len(variables), rest)
        raise _NoPattern

    def _before_bare(self, operator: Operator, variable: Variable, rest: _Rest) -> _Rest:
        """`{x}` and `{+x}`: a variable with nothing before it."""
        held = _ANY if operator.reserved else _LIST
        regex, _, after = self._run(held, rest)
        return replace(
            _begin(after),
            regex=f"({regex}){rest.regex}",
            starts=held | rest.starts,
            held=held | rest.held,
            run=held,
            run_ends_it=not rest.regex,
            without_equals=rest.without_equals or (variable.explode and not operator.reserved),
        )

    def _before_bare_list(self, count: int, rest: _Rest) -> _Rest:
        """`{a,b}`: the first is always defined where one is, and each takes what stands before a comma."""
        if _first_characters(rest) & _LIST:
            raise _NoPattern
        regex = f"({self._characters(_LIST)})"
        for _ in range(count - 1):
            regex = f"({self._characters(_PLAIN)})(?:,{regex})?+"
        return replace(
            _begin(rest),
            regex=regex + rest.regex,
            starts=_LIST | rest.starts,
            held=_LIST | rest.held,
            run=_LIST,
            run_ends_it=not rest.regex,
        )

    def _before_led(self, operator: Operator, variable: Variable, rest: _Rest) -> _Rest:
        """`{/x}`, `{.x}`, `{#x}`: a variable behind a character that goes when it is undefined."""
        lead = operator.first
        plain = _PLAIN | {lead} if variable.explode else _LIST
        held = _ANY if operator.reserved else plain
        regex, is_settled, after = self._run(held, rest)
        is_alike = rest.chain == (lead, held)
        others = rest.starts_after_chain if is_alike else rest.starts
        return replace(
            _optional(lead, re.escape(lead) + f"({regex})", is_settled, others, rest, after),
            held=held | rest.held,
            run_after_lead=held,
            chain=(lead, held),
            starts_after_chain=others,
            without_equals=rest.without_equals or (variable.explode and not operator.reserved),
        )

    def _before_named(self, operator: Operator, variable: Variable, group: int, index: int, rest: _Rest) -> _Rest:
        """`{?x}`, `{&x}`, `{;x}`: the variable of this index in the expression that begins at `group`."""
        name = re.escape(variable.name)
        separator = re.escape(operator.separator)
        lead = re.escape(operator.first)
        if operator.first != operator.separator:
            for earlier in range(group, group + index):
                lead = f"(?({earlier}){separator}|{lead})"
        firsts = {operator.first} if index == 0 else {operator.first, operator.separator}
        if variable.explode:
            regex, held = self._exploded(operator, variable, rest)
            leads, body, is_settled, after = firsts, f"{lead}({regex})", True, rest
        elif operator.if_empty:
            held = _LIST
            value, is_settled, after = self._run(held, rest)
            leads, body = {f"{first}{variable.name}=" for first in firsts}, f"{lead}{name}=({value})"
        else:
            held = _LIST
            if _first_characters(rest) & (held | {"="}):
                raise _NoPattern
            value = f"(?:={self._some(held)})?+"
            if any(start.startswith(f";{variable.name}") for start in rest.starts):
                value += f"(?![{_class(held)}=])"
            leads, body, is_settled, after = {f";{variable.name}"}, f"{lead}({name}{value})", True, rest
        whole = [_optional(text, body, is_settled, rest.starts, rest, after) for text in sorted(leads)]
        strictest = max(whole, key=lambda written: written.options)
        return replace(
            strictest,
            starts=frozenset(leads) | rest.starts,
            held=held | rest.held,
            # Behind `name=` any text may stand; behind a bare name, or in what is exploded, it may not.
            run_after_lead=held if operator.if_empty and not variable.explode else frozenset(),
        )

    def _exploded(self, operator: Operator, variable: Variable, rest: _Rest) -> tuple[str, frozenset[str]]:
        """An exploded variable as a list, or else as pairs: whichever takes all that it could."""
        separator = re.escape(operator.separator)
        held = _PLAIN | {operator.separator, "="}
        if _first_characters(rest) & held:
            raise _NoPattern
        some = self._characters(_PLAIN)
        value = f"={some}" if operator.if_empty else f"(?:={self._some(_PLAIN)})?+"
        member, pair = re.escape(variable.name) + value, some + value
        members, pairs = (f"{text}(?:{separator}{text})*+" for text in (member, pair))
        return f"(?>{members}(?![{_class(held)}])|{pairs})", held

    def _run(self, held: frozenset[str], rest: _Rest) -> tuple[str, bool, _Rest]:
        """Any number of `held` before `rest`, whether it needs no tries, and `rest` with those it needs."""
        stops = _first_characters(rest) & held
        if not stops:
            return self._characters(held), True, rest
        lead, following = rest.lead, rest.run_after_lead
        if "%" in stops or len(lead) > _LONGEST_LITERAL:
            raise _NoPattern
        if lead and stops == {lead[0]}:
            if following >= held | set(lead):
                return self._until(held, lead), True, rest
            if rest.ends_after_lead and following and held >= following >= set(lead):
                # What follows the lead reaches to the end, so the lead stands after all that it cannot hold.
                beyond = _class(held - following)
                settled = f"(?:{self._characters(following)}[{beyond}]++)*+{self._until(following, lead)}"
                return settled, True, rest
        is_apart = not rest.held & stops
        if rest.is_quadratic or rest.tries > 1 or (rest.tries and not is_apart):
            raise _NoPattern
        chunk = self._characters(held - stops)
        is_quadratic = bool(rest.tries) or not is_apart
        after = replace(rest, tries=rest.tries + 1, is_quadratic=is_quadratic)
        return f"{chunk}(?:[{_class(stops)}]{chunk})*?", False, after

    def _until(self, held: frozenset[str], lead: str) -> str:
        """`held` up to the first place where `lead` stands."""
        between = self._characters(held - {lead[0]})
        if len(lead) == 1:
            return between
        return f"{between}(?:(?!{re.escape(lead)}){re.escape(lead[0])}{between})*+"

    def _characters(self, held: frozenset[str]) -> str:
        """Any number of characters, `%` standing for a whole `%HH`; never given back."""
        one = f"[{_class(held - {'%'})}]*+"
        return f"{one}(?:%[0-9A-Fa-f]{{2}}{one})*+" if self._with_octets else one

    def _some(self, held: frozenset[str]) -> str:
        """One character or more."""
        if self._with_octets:
            return f"(?=[{_class(held)}]){self._characters(held)}"
        return f"[{_class(held)}]++"


def _optional(lead: str, body: str, is_settled: bool, others: frozenset[str], rest: _Rest, after: _Rest) -> _Rest:
    """An expression that may be left out: possessive where `rest` cannot begin as it does."""
    options = after.options
    if any(_conflict(lead, start) for start in others):
        options += 1
        is_settled = False
    if options > _MOST_OPTIONS:
        raise _NoPattern
    return replace(
        _begin(after),
        regex=f"(?:{body})?{'+' if is_settled else ''}{rest.regex}",
        starts=rest.starts | {lead},
        lead=lead,
        ends_after_lead=not rest.regex,
        options=options,
    )


def _conflict(lead: str, start: str) -> bool:
    if lead.startswith(";") and len(lead) > 1 and start.startswith(lead):
        # The bare name of a `;` variable is written to end where names end.
        return start[len(lead) : len(lead) + 1] not in _PLAIN
    return lead.startswith(start) or start.startswith(lead)


def _begin(rest: _Rest) -> _Rest:
    """`rest` with nothing said of its first part."""
    return _Rest(
        tries=rest.tries,
        options=rest.options,
        is_quadratic=rest.is_quadratic,
        without_equals=rest.without_equals,
    )


def _class(held: frozenset[str]) -> str:
    return re.escape("".join(sorted(held)))


def _first_characters(rest: _Rest) -> frozenset[str]:
    return frozenset(start[0] for start in rest.starts)
