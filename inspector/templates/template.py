"""UriTemplate: a template of RFC 6570, read forwards and backwards."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inspector.templates.characters import is_uri_text
from inspector.templates.expansion import Value, expand_parts
from inspector.templates.grammar import Expression, Literal, Part, parse_parts
from inspector.templates.matching import Step, fits_after, read_off, steps_of
from inspector.templates.repeated import Search
from inspector.templates.uritext import UriText

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


@dataclass(frozen=True, slots=True)
class Match:
    """The answer to whether a URI expands from a template."""

    variables: dict[str, Value] | None
    """The defined variables, in the template's order; None where it does not, or that is undecided."""
    undecided: bool = False
    """Whether repeated variables made the question too hard within the bound on work (R26)."""


_NO_MATCH = Match(None)


@dataclass(frozen=True)
class UriTemplate:
    """A template. Made by `parse`; equal to another of the same text."""

    text: str
    """As it was published."""

    @classmethod
    def parse(cls, text: str) -> "UriTemplate":
        """The template that `text` is. The empty one is a template too; it expands to the empty string.

        Raises InvalidTemplate, with the position of the fault, where `text` is no RFC 6570 template (R27).
        """
        parts = parse_parts(text)
        template = cls(text)
        template.__dict__["parts"] = parts
        return template

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Its literals and expressions, in order."""
        return parse_parts(self.text)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names of its variables, in order of first occurrence."""
        return tuple(dict.fromkeys(self._names))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(
            variable.name
            for part in self.parts
            if isinstance(part, Expression)
            for variable in part.variables
        )

    @cached_property
    def repeats(self) -> bool:
        """Whether a variable occurs more than once (R26)."""
        return len(self.variables) < len(self._names)

    @cached_property
    def scheme(self) -> str | None:
        """The scheme of all its URIs, in lower case; None where no literal one begins it (R5)."""
        first = self.parts[0] if self.parts else None
        found = _SCHEME.match(first.source) if isinstance(first, Literal) else None
        return found[1].lower() if found else None

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        return steps_of(self.parts)

    def match(self, uri: str) -> dict[str, Value] | None:
        """The values from which the template expands to `uri`, undefined ones left out (R24 to R27).

        None where there are none, and where the question is undecided (R26; `decide` tells them apart).
        Expanding the template with them gives `uri` back, up to the spelling of percent-encoded octets.
        Where several assignments fit, see `matching`. Never raises.
        """
        return self.decide(uri).variables

    def decide(self, uri: str) -> Match:
        """As `match`, and whether the question was undecided. Never raises."""
        if not is_uri_text(uri):
            return _NO_MATCH
        text = UriText(uri)
        fits = fits_after(self._steps, text)
        if fits is None:
            return _NO_MATCH
        if self.repeats:
            found = Search(self._steps, text, fits).run()
            return Match(found.variables, found.undecided)
        return Match(read_off(self._steps, text, fits))

    def expand(self, values: Mapping[str, Any]) -> str:
        """The URI that the template expands to with `values` (RFC 6570, section 3; see `expansion`).

        Raises ValueError where a value cannot be expanded: `:n` on a list, or a lone surrogate.
        """
        return expand_parts(self.parts, values)
