"""OwnershipMap: which servers have a template that a URI expands from (R14, R15)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from inspector.templates.expansion import Value
from inspector.templates.grammar import InvalidTemplate
from inspector.templates.index import Index
from inspector.templates.template import UriTemplate


@dataclass(frozen=True, slots=True)
class Claim:
    """A template that a URI expands from, and the values it expands with."""

    server: str
    template: str
    variables: dict[str, Value]


@dataclass(frozen=True, slots=True)
class InvalidEntry:
    """A published text that is no template, and so owns nothing (R27)."""

    server: str
    template: str
    message: str
    position: int
    """Offset of the fault in the text, in characters from 0."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the templates say of one URI."""

    claims: tuple[Claim, ...]
    """In the order of the servers, then of each server's templates."""
    undecided: tuple[tuple[str, str], ...]
    """Server and template of each question that was too hard within the bound on work (R26)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A template and the server that publishes it."""

    server: str
    template: UriTemplate


class OwnershipMap:
    """The templates of a workspace's servers, asked for the owners of a URI."""

    def __init__(self, templates: Mapping[str, Iterable[str]]) -> None:
        """`templates`: from each server's name to the texts of its templates, in the order of its list.

        Never raises for a text: one that is no template is listed in `invalid`.
        """
        entries: list[Entry] = []
        invalid: list[InvalidEntry] = []
        for server, texts in templates.items():
            for text in texts:
                try:
                    entries.append(Entry(server, UriTemplate.parse(text)))
                except InvalidTemplate as fault:
                    invalid.append(InvalidEntry(server, str(text), fault.message, fault.position))
        self.entries = tuple(entries)
        """Every template that is one, in the order of the servers and of their lists."""
        self.invalid = tuple(invalid)
        """Every text that is none, in the same order."""
        self._index = Index([entry.template.parts for entry in entries])

    def claims(self, uri: str) -> tuple[Claim, ...]:
        """The templates that `uri` expands from (R14); those of two servers make it ambiguous (R15)."""
        return self.lookup(uri).claims

    def lookup(self, uri: str) -> Lookup:
        """As `claims`, with the templates for which the question is undecided (R26). Never raises."""
        claims: list[Claim] = []
        undecided: list[tuple[str, str]] = []
        for number in self._index.candidates(uri):
            entry = self.entries[number]
            template = entry.template
            if template.repeats:
                match = template.decide(uri)
                variables = match.variables
                if match.undecided:
                    undecided.append((entry.server, template.text))
            else:
                variables = template.match(uri)
            if variables is not None:
                claims.append(Claim(entry.server, template.text, variables))
        return Lookup(tuple(claims), tuple(undecided))
