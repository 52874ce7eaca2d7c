"""UriTemplate: a template of RFC 6570, read forwards and backwards."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from inspector.templates.characters import is_uri_text
from inspector.templates.expansion import Value, expand_parts
from inspector.templates.grammar import Expression, Literal, Part, parse_parts
from inspector.templates.matcher import Matcher, matcher_of
from inspector.templates.matching import Step, fits_after, read_off, steps_of
from inspector.templates.repeated import Search
from inspector.templates.uritext import UriText

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_USES_BEFORE_PATTERN: Final = 4
"""Writing a pattern costs as much as dozens of exact matches; a template asked once is better off without."""


_MOST_WORK: Final = 1 << 30
"""Steps of a template times characters of a URI: as many bits are kept, twice, while they are matched."""


@dataclass(frozen=True, slots=True)
class Match:
    """The answer to whether a URI expands from a template."""

    variables: dict[str, Value] | None
    """The defined variables, in the template's order; None where it does not, or that is undecided."""
    undecided: bool = False
    """Whether repeated variables made the question too hard within the bound on work (R26)."""


_NO_MATCH = Match(None)


class UriTemplate:
    """A template. Made by `parse`; equal to another of the same text."""

    __slots__ = ("_steps", "_uses", "match", "parts", "repeats", "text", "variables")

    text: str
    """As it was published."""
    parts: tuple[Part, ...]
    """Its literals and expressions, in order."""
    variables: tuple[str, ...]
    """The names of its variables, in order of first occurrence."""
    repeats: bool
    """Whether a variable occurs more than once (R26)."""
    match: Matcher
    """`match(uri)`: the values from which it expands to `uri`, undefined ones left out (R24 to R27).

    None where there are none, and where the question is undecided (R26; `decide` tells them apart).
    Expanding the template with them gives `uri` back, up to the spelling of percent-encoded octets.
    Where several assignments fit, see `matching`. Never raises for a string.
    """

    def __init__(self, text: str, parts: tuple[Part, ...]) -> None:
        names = [variable.name for part in parts if isinstance(part, Expression) for variable in part.variables]
        self.text = text
        self.parts = parts
        self.variables = tuple(dict.fromkeys(names))
        self.repeats = len(self.variables) < len(names)
        self._steps: tuple[Step, ...] | None = None
        self._uses = 0
        self.match = self._match_at_first

    @classmethod
    def parse(cls, text: str) -> "UriTemplate":
        """The template that `text` is. The empty one is a template too; it expands to the empty string.

        Raises InvalidTemplate, with the position of the fault, where `text` is no RFC 6570 template (R27).
        """
        return cls(text, parse_parts(text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UriTemplate) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"UriTemplate({self.text!r})"

    @property
    def scheme(self) -> str | None:
        """The scheme of all its URIs, in lower case; None where no literal one begins it (R5)."""
        first = self.parts[0] if self.parts else None
        found = _SCHEME.match(first.source) if isinstance(first, Literal) else None
        return found[1].lower() if found else None

    def _match_at_first(self, uri: str) -> dict[str, Value] | None:
        self._uses += 1
        if self._uses == _USES_BEFORE_PATTERN:
            self.match = self._match_exactly if self.repeats else matcher_of(self.parts, self._match_exactly)
        return self._match_exactly(uri)

    def _match_exactly(self, uri: str) -> dict[str, Value] | None:
        return self.decide(uri).variables

    def decide(self, uri: str) -> Match:
        """As `match`, and whether the question was undecided. Never raises for a string.

        Undecided is what repeated variables make too hard (R26), and a template of thousands of variables
        against a URI of a million characters.
        """
        if not is_uri_text(uri):
            return _NO_MATCH
        steps = self._steps
        if steps is None:
            steps = self._steps = steps_of(self.parts)
        if len(steps) * len(uri) > _MOST_WORK:
            return Match(None, undecided=True)
        text = UriText(uri)
        fits = fits_after(steps, text)
        if fits is None:
            return _NO_MATCH
        if self.repeats:
            found = Search(steps, text, fits).run()
            return Match(found.variables, found.undecided)
        return Match(read_off(steps, text, fits))

    def expand(self, values: Mapping[str, Any]) -> str:
        """The URI that the template expands to with `values` (RFC 6570, section 3; see `expansion`).

        Raises ValueError where a value cannot be expanded: `:n` on a list, or a lone surrogate.
        """
        return expand_parts(self.parts, values)
