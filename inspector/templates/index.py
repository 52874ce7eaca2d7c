"""Which templates can a URI expand from at all? An index over texts that stand in every URI of a template.

Each template is filed under one such text, the rarest among all templates: prefixes alone do not tell the
templates of one scheme apart. A text that must stand at the start or the end of a URI is looked up there; any
other at each place of the URI where its first character stands.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from inspector.templates.grammar import Literal, Part

_START: Final = 0
_END: Final = 1
_WITHIN: Final = 2
# Longer texts are cut: each length that is filed costs a look at the URI.
_LONGEST_AT_AN_END: Final = 48
_LONGEST_WITHIN: Final = 16

_Key = tuple[int, str]


class Index:
    """Templates by number, filed under what their URIs have in common."""

    def __init__(self, templates: Sequence[Sequence[Part]]) -> None:
        """`templates`: the parts of each; its place in the sequence is its number."""
        keys = [_keys(parts) for parts in templates]
        counts = Counter(key for own in keys for key in own)
        self._unfiled: list[int] = []
        self._files: tuple[dict[str, list[int]], ...] = ({}, {}, {})
        for number, own in enumerate(keys):
            if own:
                place, text = min(own, key=lambda key: (counts[key], key[0], -len(key[1])))
                self._files[place].setdefault(text, []).append(number)
            else:
                self._unfiled.append(number)
        starts, ends, within = self._files
        self._start_lengths = sorted({len(text) for text in starts})
        self._end_lengths = sorted({len(text) for text in ends})
        lengths: dict[str, set[int]] = {}
        for text in within:
            lengths.setdefault(text[0], set()).add(len(text))
        self._within_lengths = {first: sorted(of_first) for first, of_first in lengths.items()}

    def candidates(self, uri: str) -> Iterable[int]:
        """The numbers, in order, of the templates that `uri` may expand from; all others it does not."""
        starts, ends, within = self._files
        found = list(self._unfiled)
        for length in self._start_lengths:
            found += starts.get(uri[:length], ())
        for length in self._end_lengths:
            found += ends.get(uri[-length:], ())
        if within:
            of_first = self._within_lengths
            for place, character in enumerate(uri):
                if character in of_first:
                    for length in of_first[character]:
                        found += within.get(uri[place : place + length], ())
        return sorted(set(found)) if len(found) > 1 else found


def _keys(parts: Sequence[Part]) -> list[_Key]:
    """The texts under which a template can be filed, each with its place."""
    keys: list[_Key] = []
    last = len(parts) - 1
    for position, part in enumerate(parts):
        if not isinstance(part, Literal):
            continue
        text = part.text
        if position == 0:
            keys.append((_START, text[:_LONGEST_AT_AN_END]))
        elif position == last:
            keys.append((_END, text[-_LONGEST_AT_AN_END:]))
        if 0 < position < last or len(text) > _LONGEST_AT_AN_END:
            keys.append((_WITHIN, text[:_LONGEST_WITHIN]))
            if len(text) > _LONGEST_WITHIN:
                keys.append((_WITHIN, text[-_LONGEST_WITHIN:]))
    return keys
