"""A person's own outcome in the place of the real one: a code, other contents, or an entry of any shape.

It shows what a tool makes of each outcome without waiting for one to happen. A forced outcome is marked wherever
it is shown; the real one is kept beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from inspector.extension import KEY, Code, Limits, Outcome, RawEntry, utf16_length

FORCED_RULE: Final = "forced"
"""Stands where an outcome has the rule that decided it: a person did."""


_PROTOCOL: Final = "io.modelcontextprotocol/"


class ForceFault(ValueError):
    """A force that cannot be carried out, in one line."""


@dataclass(frozen=True, slots=True)
class ForcedCode:
    """The string gets this code."""

    code: Code


@dataclass(frozen=True, slots=True)
class ForcedText:
    """The string resolves, to this text."""

    text: str


@dataclass(frozen=True, slots=True)
class ForcedEntry:
    """The string gets this entry, whatever its shape, or none at all."""

    entry: RawEntry


Forced = ForcedCode | ForcedText | ForcedEntry
Forces = Mapping[str, Forced]
"""What is forced, by the string as it stands in the call."""


def check_added_meta(added: Iterable[str]) -> None:
    """Raises ForceFault for a key of `_meta` that is not a person's to add, as `KEY: why`."""
    for key in added:
        if key == KEY:
            raise ForceFault(f"{KEY}: that key is the host's own: force what stands in it instead")
        if key.startswith(_PROTOCOL) or key == "progressToken":
            raise ForceFault(f"{key}: that key is the protocol's own, and the connection sets it")


def force_outcomes(outcomes: Sequence[Outcome], forces: Forces, limits: Limits) -> tuple[Outcome, ...]:
    """The outcomes with the forced ones in the place of the real ones. Raises ForceFault."""
    present = {outcome.uri for outcome in outcomes}
    for uri in forces:
        if uri not in present:
            there = ", ".join(present) if len(present) <= 5 else f"{len(present)} others"
            raise ForceFault(f"{uri} is no string of a declared argument of this call: there is {there or 'none'}")
    return tuple(
        _force(outcome, forces[outcome.uri], limits) if outcome.uri in forces else outcome for outcome in outcomes
    )


def _force(outcome: Outcome, forced: Forced, limits: Limits) -> Outcome:
    really = "resolved" if outcome.code is None else f"{outcome.code}: {outcome.reason}"
    bare = replace(
        outcome,
        code=None,
        rule=FORCED_RULE,
        contents=(),
        size=0,
        chars=0,
        remedy=None,
        forced=True,
        reason=f"put in by hand; really {really}",
    )
    match forced:
        case ForcedCode(code):
            return replace(bare, code=code)
        case ForcedText(text):
            contents = _contents(outcome, text, limits)
            return replace(bare, contents=contents, size=len(text.encode()), chars=utf16_length(text))
        case ForcedEntry(entry):
            return replace(bare, raw=entry)


def _contents(outcome: Outcome, text: str, limits: Limits) -> tuple[Mapping[str, Any], ...]:
    chars = utf16_length(text)
    if chars > limits.max_chars:
        raise ForceFault(
            f"contents of {chars} characters for {outcome.uri} are more than maxChars ({limits.max_chars}), "
            "which no host hands on: shorten them, raise the limit, or force too_large"
        )
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ForceFault(f"the contents for {outcome.uri} hold a lone surrogate, which no call can carry")
    # The record as its server returned it, in other words.
    real = dict(outcome.contents[0]) if outcome.contents else {"uri": outcome.uri}
    return ({**real, "text": text},)
