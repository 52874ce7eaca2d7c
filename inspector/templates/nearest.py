"""Why a URI has no owner: the templates that come closest, where they part, and what would mend it (R14).

A URI is followed through the templates that have most in common with it. Where one stops, that is the place;
what the template could go on with there is the reason. If one change makes the URI fit, it is suggested.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import Final

from inspector.templates import wording
from inspector.templates.alphabet import common_length
from inspector.templates.candidates import Candidates, candidates_of
from inspector.templates.explaining import explain
from inspector.templates.ownership import Claim, Entry, InvalidEntry, OwnershipMap
from inspector.templates.walk import TooFar

_SCHEME: Final = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
_MOST_SCHEMES: Final = 20
_LONGEST_REST: Final = 4_000
"""Schemes that are tried before a string that has none, and the characters that it may have."""
_MOST_WALKED: Final = 10
_CHARACTERS_WALKED: Final = 1_000_000
"""Templates that are followed, and the characters of URI that all of them together may take."""
_NOT_FAR_BEHIND: Final = 0.75
"""How far a template gets, measured by the one that gets furthest, to be worth a mention."""


@dataclass(frozen=True, slots=True)
class Near:
    """One reason why a URI has no owner."""

    server: str | None
    """The server it is about, if it is about one."""
    template: str | None
    """Its template, if it is about one; a broken one too (R27)."""
    position: int
    """The offset in the URI, in characters from 0, at which the two part; 0 where they do not."""
    template_position: int | None
    """The offset in the template's text of the place that was reached, or of its fault."""
    reason: str
    """In words, in one line."""
    suggestion: str | None
    """A URI that a template claims and that differs from this one by one change."""


def nearest(
    uri: str,
    ownership: OwnershipMap,
    *,
    listed: Mapping[str, Collection[str]] | None = None,
    absent: Collection[str] = (),
    host_schemes: Collection[str] = (),
    limit: int = 3,
) -> tuple[Near, ...]:
    """Why `uri` has no owner, the likeliest reason first, `limit` reasons at most; none if it has one.

    `listed`: from a server to the URIs in its `resources/list`, which own nothing (R14). `absent`: the
    servers that are not connected. `host_schemes`: the host's own schemes, in lower case (R13). Never raises
    for a string.
    """
    found = _Nearest(uri, ownership, listed or {}, absent, host_schemes)
    return tuple(found.reasons())[: max(limit, 0)]


class _Nearest:
    def __init__(
        self,
        uri: str,
        ownership: OwnershipMap,
        listed: Mapping[str, Collection[str]],
        absent: Collection[str],
        host_schemes: Collection[str],
    ) -> None:
        self._uri = uri
        self._ownership = ownership
        self._listed = listed
        self._absent = absent
        self._host_schemes = host_schemes
        self._candidates: Candidates = candidates_of(ownership)

    def reasons(self) -> Iterator[Near]:
        """All that can be said, the likeliest first."""
        found = _SCHEME.match(self._uri)
        scheme = found[1].lower() if found else None
        if scheme in self._host_schemes:
            yield self._of_the_host(scheme or "")
            return
        if self._ownership.claims(self._uri):
            return
        yield from self._only_listed()
        if scheme is None:
            yield self._without_scheme()
            return
        nears = self._of_templates(scheme)
        yield from (near for near in nears if near.suggestion)
        yield from self._of_broken(scheme, whole=True)
        if scheme not in self._candidates.schemes:
            yield from self._of_absent(scheme, named_like_it=True)
            yield self._of_unknown_scheme(scheme)
            yield from self._of_absent(scheme, named_like_it=False)
        yield from (near for near in nears if not near.suggestion)
        yield from self._of_broken(scheme, whole=False)
        if scheme in self._candidates.schemes:
            yield from self._of_absent(scheme, named_like_it=True)
            yield from self._of_absent(scheme, named_like_it=False)

    def _of_the_host(self, scheme: str) -> Near:
        claims = self._ownership.claims(self._uri)
        server, template = (claims[0].server, claims[0].template) if claims else (None, None)
        return Near(server, template, 0, None, wording.host_scheme(scheme, bool(claims)), None)

    def _only_listed(self) -> Iterator[Near]:
        for server, uris in self._listed.items():
            if self._uri in uris:
                yield Near(server, None, 0, None, wording.only_listed(server), None)

    def _without_scheme(self) -> Near:
        reason = wording.no_scheme(self._uri)
        for suggestion in self._with_scheme():
            claim = self._full_claim(suggestion)
            if claim is not None:
                return Near(claim.server, claim.template, 0, 0, reason, suggestion)
        return Near(None, None, 0, None, reason, None)

    def _with_scheme(self) -> Iterator[str]:
        """The string with a scheme that some template has, if it looks like the rest of a URI."""
        if "/" not in self._uri or len(self._uri) > _LONGEST_REST:
            return
        for scheme in self._candidates.schemes[:_MOST_SCHEMES]:
            if self._uri.startswith(scheme + "/"):
                yield f"{scheme}:{self._uri[len(scheme) :]}"
            for start in (f"{scheme}://", f"{scheme}:///", f"{scheme}:"):
                yield start + self._uri.lstrip(":/")

    def _of_unknown_scheme(self, scheme: str) -> Near:
        schemes = self._candidates.schemes
        reason = wording.unknown_scheme(scheme, schemes)
        for close in get_close_matches(scheme, schemes, n=3):
            suggestion = close + self._uri[len(scheme) :]
            claim = self._full_claim(suggestion)
            if claim:
                return Near(claim.server, claim.template, 0, 0, reason, suggestion)
        return Near(None, None, 0, None, reason, None)

    def _of_absent(self, scheme: str, named_like_it: bool) -> Iterator[Near]:
        for server in self._absent:
            if (server.lower() == scheme) == named_like_it:
                yield Near(server, None, 0, None, wording.not_connected(server), None)

    def _of_broken(self, scheme: str, whole: bool) -> Iterator[Near]:
        """The broken templates that begin like the URI: as far as they can be read, or only in part."""
        for entry in self._ownership.invalid:
            start = entry.template[: entry.position].partition("{")[0]
            found = _SCHEME.match(start)
            if found and found[1].lower() == scheme and self._uri.startswith(start) == whole:
                yield self._broken(entry, start)

    def _broken(self, entry: InvalidEntry, start: str) -> Near:
        common = common_length(start, self._uri)
        return Near(entry.server, entry.template, common, entry.position, wording.broken(entry.message), None)

    def _of_templates(self, scheme: str) -> list[Near]:
        most = max(1, min(_MOST_WALKED, _CHARACTERS_WALKED // max(1, len(self._uri))))
        nears = []
        for entry in self._candidates.closest(self._uri, scheme, most):
            near = self._of_template(entry)
            # A template without a scheme of its own that parts at once has nothing to do with the URI.
            if near.position or near.suggestion or entry.template.scheme:
                nears.append(near)
        furthest = max((near.position for near in nears), default=0)
        return sorted(
            (near for near in nears if near.suggestion or near.position >= furthest * _NOT_FAR_BEHIND),
            key=lambda near: (_size_of_change(self._uri, near.suggestion), -near.position),
        )

    def _of_template(self, entry: Entry) -> Near:
        text = entry.template.text
        try:
            found = explain(entry.template, self._uri)
        except TooFar:
            return Near(entry.server, text, 0, None, wording.too_intricate(), None)
        suggestion = found.suggestion
        if suggestion is not None and not self._claims(suggestion):
            suggestion = None
        return Near(entry.server, text, found.position, found.template_position, found.reason, suggestion)

    def _full_claim(self, uri: str) -> Claim | None:
        """A claim on `uri` with no empty value."""
        return next((claim for claim in self._claims(uri) if all(claim.variables.values())), None)

    def _claims(self, uri: str) -> tuple[Claim, ...]:
        """The claims on `uri` that count: none where its scheme is the host's own (R13)."""
        found = _SCHEME.match(uri)
        return () if found and found[1].lower() in self._host_schemes else self._ownership.claims(uri)


def _size_of_change(uri: str, suggestion: str | None) -> float:
    """How many characters lie between the first and the last in which the two differ."""
    if suggestion is None:
        return inf
    start = common_length(uri, suggestion)
    end = common_length(uri[start:][::-1], suggestion[start:][::-1])
    return max(len(uri), len(suggestion)) - start - end
