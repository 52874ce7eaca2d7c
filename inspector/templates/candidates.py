"""Which templates are worth a closer look for a URI that has no owner: a cheap ranking of them all."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from inspector.templates.alphabet import common_length
from inspector.templates.grammar import Literal
from inspector.templates.ownership import Entry, OwnershipMap

_HEAD: Final = 1_000
_TAIL: Final = 200
"""In characters: how much of the two ends of a URI, and of a literal, takes part in the ranking."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """The literals of a template, in lower case."""

    entry: Entry
    start: str
    """The one that begins it, or the empty string."""
    others: tuple[str, ...]


class Candidates:
    """The templates of an ownership map, by scheme."""

    def __init__(self, ownership: OwnershipMap) -> None:
        self._by_scheme: dict[str | None, list[_Profile]] = {}
        for entry in ownership.entries:
            self._by_scheme.setdefault(entry.template.scheme, []).append(_profile(entry))
        self.schemes = tuple(scheme for scheme in self._by_scheme if scheme is not None)
        """The schemes of the templates, in lower case, in their order."""

    def closest(self, uri: str, scheme: str, limit: int) -> list[Entry]:
        """The `limit` templates of that scheme, or of a variable one, that have most in common with `uri`."""
        head, tail = uri[:_HEAD].lower(), uri[-_TAIL:].lower()
        ranked = heapq.nlargest(limit, self._scored(head, tail, scheme), key=lambda scored: scored[:2])
        return [profile.entry for _, _, profile in ranked]

    def _scored(self, head: str, tail: str, scheme: str) -> Iterator[tuple[int, int, _Profile]]:
        number = 0
        for profile in (*self._by_scheme.get(scheme, ()), *self._by_scheme.get(None, ())):
            number -= 1
            yield _in_common(profile, head, tail), number, profile


def _profile(entry: Entry) -> _Profile:
    parts = entry.template.parts
    texts = [part.text[:_HEAD].lower() for part in parts if isinstance(part, Literal)]
    starts = bool(parts) and isinstance(parts[0], Literal)
    return _Profile(entry, texts[0] if starts else "", tuple(texts[1:] if starts else texts))


def _in_common(profile: _Profile, head: str, tail: str) -> int:
    """How many characters of a template's literals the URI has, in their order."""
    start = profile.start
    if not head.startswith(start):
        return common_length(head, start)
    common = position = len(start)
    for literal in profile.others:
        found = head.find(literal, position)
        if found < 0:
            break
        position = found + len(literal)
        common += len(literal)
    if profile.others and tail.endswith(profile.others[-1]):
        common += 1
    return common


_KNOWN: Final[WeakKeyDictionary[OwnershipMap, Candidates]] = WeakKeyDictionary()


def candidates_of(ownership: OwnershipMap) -> Candidates:
    """The candidates of an ownership map; kept as long as the map is."""
    known = _KNOWN.get(ownership)
    if known is None:
        known = _KNOWN[ownership] = Candidates(ownership)
    return known
