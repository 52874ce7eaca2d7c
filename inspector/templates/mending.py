"""One change that makes a URI fit a template: what its author probably meant."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from inspector.templates.alphabet import bit_of, token_at
from inspector.templates.characters import RESERVED, encode_octets, is_uri_text
from inspector.templates.template import UriTemplate
from inspector.templates.walk import Stop, Walk

_MOST_CHANGES: Final = 200
_LONGEST_EDIT: Final = 3
_LONGEST_END: Final = 8
"""In characters: what is put in or taken out, and what is added to the end."""
_ALIKE: Final = 0.6
"""How alike two segments are that one may be meant for the other (1 is equal)."""
_LONGEST_SEGMENT: Final = 200
_SEGMENT_END: Final = re.compile("[/?#]")
_OCTET: Final = re.compile("%[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class Respelling:
    """A URI that fits, of the same characters in another spelling."""

    uri: str
    is_case_only: bool
    """Whether nothing but the case of letters differs."""


def respell(walk: Walk, uri: str) -> Respelling | None:
    """`uri` with each character at which it parts from the template in the case or encoding that fits.

    None where that is not all that parts them. Raises TooFar as the walk does.
    """
    node, position = walk.run(uri, walk.start, 0)
    pieces = [uri[:position]]
    is_case_only = True
    for _ in range(_MOST_CHANGES):
        if position == len(uri):
            break
        token = written_token(uri, position)
        for spelling in _spellings(token, walk.stop_at(node)):
            onward, reached = walk.run(spelling, node, 0)
            if reached == len(spelling):
                break
        else:
            return None
        is_case_only = is_case_only and spelling.lower() == token.lower()
        start = position + len(token)
        node, position = walk.run(uri, onward, start)
        pieces += [spelling, uri[start:position]]
    if position < len(uri) or not walk.accepts(node):
        return None
    return Respelling("".join(pieces), is_case_only)


def written_token(uri: str, position: int) -> str:
    """The character at `position`, or the whole `%HH`; the empty string at the end."""
    found = _OCTET.match(uri, position)
    return found[0] if found else uri[position : position + 1]


def _spellings(token: str, stop: Stop) -> Iterator[str]:
    """What `token` may have been meant to be."""
    for literal in stop.literals:
        if literal != token and literal.lower() == token.lower():
            yield literal
    if len(token) == 3 and chr(int(token[1:], 16)) in stop.literals:
        yield chr(int(token[1:], 16))
    if len(token) == 1 and (token in RESERVED or not bit_of(token)):
        try:
            yield encode_octets(token)
        except ValueError:
            return


def edits(uri: str, position: int, stop: Stop) -> Iterator[str]:
    """URIs that differ from `uri` in one run of characters at `position`, the likeliest first."""
    if not is_uri_text(uri):
        return
    before, rest = uri[:position], uri[position:]
    longest = _LONGEST_EDIT if rest else _LONGEST_END
    for length in range(1, min(longest, len(stop.ahead)) + 1):
        yield before + stop.ahead[:length] + rest
    for literal in stop.literals:
        yield before + literal + rest
    if rest:
        token = token_at(rest, 0)
        after = rest[len(token) :]
        for literal in stop.literals:
            yield before + literal + after
        yield before + after
        if after:
            # Last: a `/` that comes one character late swaps into a value that nobody meant.
            swapped = token_at(after, 0)
            yield before + swapped + token + after[len(swapped) :]
    for length in range(2, min(_LONGEST_EDIT + 1, len(rest))):
        yield before + rest[length:]
    yield from _other_segment(uri, position, stop)


def _other_segment(uri: str, position: int, stop: Stop) -> Iterator[str]:
    """`uri` with the segment at `position` as the template's literal has it, if the two are alike."""
    start = uri.rfind("/", 0, position) + 1
    meant = uri[start:position] + _SEGMENT_END.split(stop.ahead, maxsplit=1)[0]
    written = uri[start:position] + _SEGMENT_END.split(uri[position:], maxsplit=1)[0]
    if max(len(meant), len(written)) > _LONGEST_SEGMENT:
        return
    if SequenceMatcher(None, written, meant).ratio() >= _ALIKE:
        yield uri[:start] + meant + uri[start + len(written) :]


def without_slash(template: UriTemplate, uri: str, position: int) -> str | None:
    """`uri` without the `/` at `position`, if that ends `uri` or follows another and all else fits."""
    if uri[position : position + 1] != "/" or (uri[position + 1 :] and not uri.endswith("/", 0, position)):
        return None
    shorter = uri[:position] + uri[position + 1 :]
    return shorter if template.match(shorter) is not None else None
