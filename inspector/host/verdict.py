"""What the host makes of one URI by itself: who owns it, and what a read of it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from inspector.extension import HOST_SCHEMES, Citation, Outcome, scheme_of
from inspector.templates import Claim, Lookup, Near, OwnershipMap, nearest
from inspector.workspace.connection import Connection
from inspector.workspace.reply import Reply
from inspector.workspace.server import State


class Verdict(StrEnum):
    """Who owns a URI. Only an owned one is ever read."""

    OWNED = "owned"
    """One server of the workspace publishes a template that it expands from (R14)."""
    UNOWNED = "unowned"
    """None does (R14)."""
    AMBIGUOUS = "ambiguous"
    """Two or more do (R15)."""
    HOST_SCHEME = "host_scheme"
    """Its scheme is the host's own: no server can answer for it (R13)."""
    NO_SCHEME = "no_scheme"
    """It has no scheme (R10)."""
    UNDECIDED = "undecided"
    """A template with a repeated variable is too hard to decide on (R26)."""


@dataclass(frozen=True, slots=True)
class OwnerVerdict:
    """The verdict on a URI, with every template that it expands from, whether or not that decided."""

    uri: str
    verdict: Verdict
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class UriRead:
    """A read of one URI outside any call. `reply` is the server's answer as it came, None where none was asked."""

    outcome: Outcome
    claims: tuple[Claim, ...]
    reply: Reply | None


def judge_owner(uri: str, lookup: Lookup) -> OwnerVerdict:
    """The verdict on a URI, in the order of admission: R10, R13, R15, R26, R14."""
    scheme = scheme_of(uri)
    servers = {claim.server for claim in lookup.claims}
    if scheme is None:
        verdict = Verdict.NO_SCHEME
    elif scheme in HOST_SCHEMES:
        verdict = Verdict.HOST_SCHEME
    elif len(servers) > 1:
        verdict = Verdict.AMBIGUOUS
    elif any(server not in servers for server, _ in lookup.undecided):
        verdict = Verdict.UNDECIDED
    else:
        verdict = Verdict.OWNED if servers else Verdict.UNOWNED
    return OwnerVerdict(uri, verdict, tuple(lookup.claims))


def describe_near(near: Near) -> str:
    """Why a URI has no owner, with the template and the server that it is about, in one line."""
    if near.template is None or near.server is None:
        return near.reason
    return f"nearest {near.template} of {near.server}: {near.reason}"


def lone_citation(uri: str) -> Citation:
    """The URI as if an argument that declares its scheme held it and nothing else."""
    scheme = scheme_of(uri)
    return Citation(uri, (), scheme, declared=scheme is not None)


def find_nearest(uri: str, ownership: OwnershipMap, connections: Sequence[Connection]) -> tuple[Near, ...]:
    """Why a URI has no owner, the likeliest reason first (R14). `connections` are those of the workspace."""
    return nearest(
        uri,
        ownership,
        listed={c.entry.name: [resource.uri for resource in c.catalog.resources] for c in connections},
        absent=[c.entry.name for c in connections if c.state is not State.CONNECTED],
        host_schemes=HOST_SCHEMES,
    )
