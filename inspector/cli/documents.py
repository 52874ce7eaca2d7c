"""The documents that `--json` prints: the contract's shapes, made of what the host answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.extension import Outcome
from inspector.host.call import SentCall
from inspector.host.host import Host
from inspector.host.resolution import Resolution
from inspector.templates import Claim
from inspector.workspace.problem import Problem


def call_document(resolution: Resolution, sent: SentCall | None = None) -> dict[str, Any]:
    """What `preview` prints; with `sent`, what `call` does. A call without a result has an `error` beside it."""
    document: dict[str, Any] = {
        "tool": resolution.tool.reference,
        "profile": resolution.settings.profile.value,
        "limits": resolution.settings.limits.claim(),
        "arguments": resolution.arguments,
        "meta": resolution.meta,
        "outcomes": [
            outcome_document(outcome, resolution.claims.get(outcome.uri, ())) for outcome in resolution.outcomes
        ],
    }
    if sent is not None:
        reply = sent.reply
        document["result"] = reply.result
        if reply.result is None:
            document["error"] = {"code": reply.code, "message": reply.message}
        document["ms"] = milliseconds(reply.milliseconds)
    return document


def outcome_document(outcome: Outcome, claims: Iterable[Claim]) -> dict[str, Any]:
    """One string's outcome. `bytes` and `chars` are of the text that came, `ms` null where nothing was read."""
    return {
        "uri": outcome.uri,
        "arguments": list(outcome.arguments),
        "outcome": outcome.name,
        "server": outcome.server,
        "claims": claim_documents(claims),
        "bytes": outcome.size,
        "chars": outcome.chars,
        "ms": milliseconds(outcome.milliseconds),
        "forced": outcome.forced,
        "rule": outcome.rule,
        "reason": outcome.reason,
        "remedy": outcome.remedy,
    }


def claim_documents(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    """The templates that a URI expands from, with the variables that do it."""
    return [{"server": claim.server, "template": claim.template, "variables": claim.variables} for claim in claims]


def problem_document(problem: Problem, *, with_server: bool) -> dict[str, Any]:
    """A problem; `with_server` where it does not already stand below its server."""
    document: dict[str, Any] = {"server": problem.server} if with_server else {}
    return document | {
        "severity": problem.severity.value,
        "subject": problem.subject,
        "rule": problem.rule,
        "message": problem.message,
        "remedy": problem.remedy,
        "snippet": problem.snippet,
    }


def server_document(host: Host, name: str, problems: Iterable[Problem]) -> dict[str, Any]:
    """One server, connected or failed, with what it publishes and the problems that are its own."""
    connection = host.workspace.connections[name]
    catalog = connection.catalog
    return {
        "name": name,
        "state": connection.state.value,
        "error": connection.error,
        "transport": connection.entry.transport.value,
        "protocolVersion": connection.protocol_version,
        "serverInfo": connection.server_info,
        "ms": milliseconds(connection.connect_milliseconds),
        "tools": [{"name": tool.name, "declares": host.declaration(tool).as_json()} for tool in catalog.tools],
        "templates": [template.text for template in catalog.templates],
        "resources": len(catalog.resources),
        "prompts": len(catalog.prompts),
        "problems": [problem_document(problem, with_server=False) for problem in problems],
    }


def milliseconds(value: float | None) -> float | None:
    """A time in milliseconds, to a tenth."""
    return None if value is None else round(value, 1)
