"""Which strings are read, and why the others are not: R10 to R17, in that order, as a pure function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from inspector.extension.capability import HOST_SCHEMES, Limits
from inspector.extension.citations import Citation
from inspector.extension.outcome import HOST_SCHEME_REMEDY, REMEDIES, Code


@dataclass(frozen=True, slots=True)
class Owners:
    """The servers whose templates a URI expands from (R15): each once, in the workspace's order.

    `undecided` is True where a template with a repeated variable was too hard to decide on (R26).
    """

    servers: tuple[str, ...] = ()
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class Admission:
    """The verdict on one string before anything is read. `code` is None where it is to be read from `server`."""

    citation: Citation
    code: Code | None
    rule: str
    reason: str
    server: str | None = None
    remedy: str | None = None

    @property
    def uri(self) -> str:
        """The string, exactly as it appeared."""
        return self.citation.uri


def admit(
    citations: Iterable[Citation],
    limits: Limits,
    owners: Callable[[str], Owners],
    *,
    may_read: bool = True,
    tokens: float = float("inf"),
) -> tuple[Admission, ...]:
    """Judges each distinct string in argument order.

    `owners` tells who publishes a template for a URI; it is asked only where the answer counts. `may_read` is
    False for a run without `nb__read_resource` (R11). `tokens` is the level of the calling server's budget
    (R17): each read that is admitted takes one.
    """
    gate = _Gate(limits, owners, may_read, tokens)
    return tuple(gate.judge(citation) for citation in citations)


class _Gate:
    """What one call has used up so far."""

    def __init__(self, limits: Limits, owners: Callable[[str], Owners], may_read: bool, tokens: float) -> None:
        self.limits = limits
        self.owners = owners
        self.may_read = may_read
        self.tokens = tokens
        self.declared = 0
        self.bytes = 0

    def judge(self, citation: Citation) -> Admission:
        if not citation.declared:
            return _refuse(citation, Code.SCHEME_NOT_DECLARED, "R10", _undeclared_reason(citation))
        if not self.may_read:
            return _refuse(
                citation,
                Code.NOT_FOUND,
                "R11",
                "this run may not read resources: its tools leave out nb__read_resource",
                remedy="Let the run use nb__read_resource.",
            )
        self.declared += 1
        if self.declared > self.limits.max_uris:
            reason = f"string {self.declared} with a declared scheme; maxUris is {self.limits.max_uris}"
            return _refuse(citation, Code.OVER_LIMIT, "R12", reason)
        if citation.scheme in HOST_SCHEMES:
            reason = f"{citation.scheme} is the host's own scheme: no server can answer for it"
            return _refuse(citation, Code.NOT_FOUND, "R13", reason, remedy=HOST_SCHEME_REMEDY)
        return self._judge_owned(citation)

    def _judge_owned(self, citation: Citation) -> Admission:
        owners = self.owners(citation.uri)
        if len(owners.servers) > 1:
            reason = f"{_listing(owners.servers)} each publish a template that it expands from"
            return _refuse(citation, Code.AMBIGUOUS, "R15", reason)
        if owners.undecided:
            reason = "undecided: a template with a repeated variable is too hard to decide on for this URI"
            return _refuse(citation, Code.NOT_FOUND, "R26", reason)
        if not owners.servers:
            reason = "no owner: no connected server of the workspace publishes a template it expands from"
            return _refuse(citation, Code.NOT_FOUND, "R14", reason)
        server = owners.servers[0]
        if self.bytes + self.limits.read_size > self.limits.max_size:
            reason = (
                f"a read counts maxChars × 3 = {self.limits.read_size} bytes, and {self.bytes} of maxSize "
                f"({self.limits.max_size}) are taken"
            )
            return _refuse(citation, Code.OVER_LIMIT, "R16", reason, server=server)
        if self.tokens < 1:
            reason = "the calling server's budget is spent"
            return _refuse(citation, Code.RATE_LIMITED, "R17", reason, server=server)
        self.bytes += self.limits.read_size
        self.tokens -= 1
        return Admission(citation, None, "R18", f"owned by {server}: to be read", server)


def _refuse(
    citation: Citation,
    code: Code,
    rule: str,
    reason: str,
    *,
    server: str | None = None,
    remedy: str | None = None,
) -> Admission:
    return Admission(citation, code, rule, reason, server, remedy or REMEDIES[code])


def _undeclared_reason(citation: Citation) -> str:
    if citation.scheme is None:
        return "it has no scheme, so it was never read"
    holders = _listing(citation.arguments)
    return f"{holders} {'does' if len(citation.arguments) == 1 else 'do'} not declare {citation.scheme}"


def _listing(names: Iterable[str]) -> str:
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last
