"""The part of an automaton that stands for one variable: every text that it can expand to, with its price."""

from typing import Final

from inspector.templates.alphabet import bit_of, octets, token_at, tokens_of
from inspector.templates.expansion import Value, expand_variable
from inspector.templates.grammar import Operator, Variable
from inspector.templates.matching import VariableStep
from inspector.templates.samples import sample_for
from inspector.templates.shapes import ANY, PLAIN

Move = tuple[int, int, int, int]
"""The tokens it takes one of, its price, the state it leads to, and n where it counts a character of `:n`."""
Silent = tuple[int, int]
"""The price, and the state it leads to, of a move that takes no token. The count of `:n` begins anew."""

_OTHER_TOKEN: Final = 2
_OTHER_VALUE: Final = 60
_MEMBER: Final = 60
_WITHOUT_EXPRESSION: Final = 40
_EMPTY: Final = 200

_TAIL: Final = (0x80, 0xBF)
_SEQUENCES: Final = (
    ((0xC2, 0xDF), _TAIL),
    ((0xE0, 0xE0), (0xA0, 0xBF), _TAIL),
    ((0xE1, 0xEC), _TAIL, _TAIL),
    ((0xED, 0xED), (0x80, 0x9F), _TAIL),
    ((0xEE, 0xEF), _TAIL, _TAIL),
    ((0xF0, 0xF0), (0x90, 0xBF), _TAIL, _TAIL),
    ((0xF1, 0xF3), _TAIL, _TAIL, _TAIL),
    ((0xF4, 0xF4), (0x80, 0x8F), _TAIL, _TAIL),
)
"""The octets of the characters of UTF-8 beyond ASCII; `:n` counts each whole as one (R25)."""


class Fragment:
    """The states of one variable, numbered from `base`."""

    UNOPENED: Final = 0
    """Before it, no variable of its expression being defined yet."""
    OPENED: Final = 1
    """Before it, another of its expression being defined."""
    VALUE: Final = 2
    """Where its text begins, without what parts it from what stands before."""

    def __init__(self, step: VariableStep, goes_on: bool, base: int, following: int, fixed: Value | None) -> None:
        """`goes_on`: whether its expression has a variable after it, whose states begin at `following`."""
        self._base = base
        self._end = following + self.OPENED if goes_on else following
        self._moves: dict[int, list[Move]] = {}
        self._silents: dict[int, list[Silent]] = {}
        self._texts: list[tuple[int, str, int]] = []
        self._last = base + self.VALUE
        operator, variable = step.operator, step.variable
        unopened, opened, value = base + self.UNOPENED, base + self.OPENED, base + self.VALUE
        self._text(unopened, operator.first, value)
        if not step.opens:
            self._text(opened, operator.separator, value)
        if fixed is not None:
            if variable.prefix is None or isinstance(fixed, str):
                self._text(value, expand_variable(operator, variable, fixed), self._end)
            return
        self._silent(unopened, _price_of_none(operator, goes_on), following)
        if not step.opens:
            self._silent(opened, _price_of_none(operator, True), self._end)
        sample = sample_for(variable.name, operator.reserved)
        self._text(value, expand_variable(operator, variable, sample), self._end)
        self._any_value(value, operator, variable)

    def ways(self, local: int) -> tuple[list[Move], list[Silent]]:
        """What can be done in the state `local`, counted from the base."""
        state = self._base + local
        for start, text, target in self._texts:
            if start <= state < start + len(text):
                token = token_at(text, state - start)
                state += len(token)
                return [(bit_of(token), 1, state if state < start + len(text) else target, 0)], []
        return self._moves.get(state, []), self._silents.get(state, [])

    def _any_value(self, value: int, operator: Operator, variable: Variable) -> None:
        separator, bare, end = operator.separator, operator.named and not operator.if_empty, self._end
        if variable.explode and operator.named:
            self._named_list(value, variable.name, separator, bare)
            self._pairs(value, separator, bare)
        elif variable.explode and not operator.reserved:
            self._run(value, PLAIN + separator, end)
            self._pairs(value, separator, False)
        else:
            if operator.named:
                named = self._state()
                self._text(value, variable.name, named)
                if bare:
                    self._silent(named, _EMPTY, end)
                value = self._state()
                self._text(named, "=", value)
            characters = ANY if operator.reserved else PLAIN
            if variable.prefix is not None:
                self._start(value, variable.prefix, characters, bare)
            else:
                self._run(value, characters + ",", end, bare)

    def _run(self, source: int, characters: str, end: int, least: bool = False) -> None:
        """Any number of `characters`; at least one if `least`."""
        inside = self._state()
        tokens = tokens_of(characters)
        if not least:
            self._silent(source, _EMPTY, end)
        self._move(source, tokens, _OTHER_VALUE, inside)
        self._move(inside, tokens, _OTHER_TOKEN, inside)
        self._silent(inside, 0, end)

    def _start(self, source: int, length: int, characters: str, least: bool) -> None:
        """At most `length` characters."""
        inside = self._state()
        if not least:
            self._silent(source, _EMPTY, self._end)
        for state, price in ((source, _OTHER_VALUE), (inside, _OTHER_TOKEN)):
            self._move(state, tokens_of(characters), price, inside, length)
            for first, *others in _SEQUENCES:
                at = self._state()
                self._move(state, octets(*first), price, at, length)
                for octet in others[:-1]:
                    onward = self._state()
                    self._move(at, octets(*octet), _OTHER_TOKEN, onward)
                    at = onward
                self._move(at, octets(*others[-1]), _OTHER_TOKEN, inside)
        self._silent(inside, 0, self._end)

    def _named_list(self, source: int, name: str, separator: str, bare: bool) -> None:
        named, valued, after = self._state(), self._state(), self._state()
        self._text(source, name, named)
        if bare:
            self._silent(named, _EMPTY, after)
        self._text(named, "=", valued)
        self._run(valued, PLAIN, after, bare)
        self._text(after, separator, source, _MEMBER)
        self._silent(after, 0, self._end)

    def _pairs(self, source: int, separator: str, bare: bool) -> None:
        key, named, valued, after = self._state(), self._state(), self._state(), self._state()
        self._silent(source, _MEMBER, key)
        self._run(key, PLAIN, named)
        if bare:
            self._silent(named, _EMPTY, after)
        self._text(named, "=", valued)
        self._run(valued, PLAIN, after, bare)
        self._text(after, separator, key, _MEMBER)
        self._silent(after, 0, self._end)

    def _state(self) -> int:
        self._last += 1
        return self._last

    def _move(self, source: int, tokens: int, price: int, target: int, count_to: int = 0) -> None:
        self._moves.setdefault(source, []).append((tokens, price, target, count_to))

    def _silent(self, source: int, price: int, target: int) -> None:
        self._silents.setdefault(source, []).append((price, target))

    def _text(self, source: int, text: str, target: int, price: int = 0) -> None:
        start = self._last + 1 if text else target
        self._last += len(text)
        self._silent(source, price, start)
        if text:
            self._texts.append((start, text, target))


def _price_of_none(operator: Operator, goes_on: bool) -> int:
    """What leaves a mark of its own is there to be left out, but one of an expression is worth showing."""
    if not operator.first:
        return _EMPTY
    return 1 if goes_on else _WITHOUT_EXPRESSION
