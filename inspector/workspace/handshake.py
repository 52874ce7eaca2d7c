"""What a handshake told, and why one failed, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcp import MCPError
from mcp.client.session import DISCOVER_TIMEOUT_SECONDS
from mcp_types import REQUEST_TIMEOUT, SERVER_INFO_META_KEY
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from inspector.workspace.departures import explain
from inspector.workspace.http_client import describe_error, public_url
from inspector.workspace.json_values import cut_text
from inspector.workspace.link import Link
from inspector.workspace.server import Era, ServerEntry, Transport
from inspector.workspace.stdio import CannotStart
from inspector.workspace.tap import Tap


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a server said of itself, as it came. `milliseconds` is the time from starting it to the end of
    this."""

    protocol_version: str
    server_info: Mapping[str, Any] | None
    capabilities: Mapping[str, Any]
    instructions: str | None
    era_reason: str
    milliseconds: float

    @classmethod
    def read(cls, version: str, result: Mapping[str, Any], reason: str, milliseconds: float) -> Handshake:
        """From the raw result of `initialize` or of `server/discover`."""
        info = result.get("serverInfo")
        meta = result.get("_meta")
        if info is None and isinstance(meta, Mapping):
            info = meta.get(SERVER_INFO_META_KEY)
        capabilities = result.get("capabilities")
        instructions = result.get("instructions")
        return cls(
            protocol_version=version,
            server_info=info if isinstance(info, Mapping) else None,
            capabilities=capabilities if isinstance(capabilities, Mapping) else {},
            instructions=instructions if isinstance(instructions, str) else None,
            era_reason=reason,
            milliseconds=milliseconds,
        )

    def offered_lists(self) -> tuple[str, ...]:
        """The list methods that the server's capabilities offer."""
        offered: list[str] = []
        for name, methods in (
            ("tools", ("tools/list",)),
            ("resources", ("resources/templates/list", "resources/list")),
            ("prompts", ("prompts/list",)),
        ):
            if isinstance(self.capabilities.get(name), Mapping):
                offered.extend(methods)
        return tuple(offered)

    def followed_lists(self) -> frozenset[str]:
        """The list methods of which the server says that it tells when they change."""
        followed: set[str] = set()
        for name in ("tools", "resources", "prompts"):
            capability = self.capabilities.get(name)
            if isinstance(capability, Mapping) and capability.get("listChanged") is True:
                followed.add(f"{name}/list")
        return frozenset(followed)


def era_reason(entry: ServerEntry, tap: Tap, version: str) -> str:
    """Why this protocol era: asked for, or what came of the probe."""
    if entry.era is not Era.AUTO:
        return "asked for"
    if version in MODERN_PROTOCOL_VERSIONS:
        return "answered server/discover"
    probe = tap.latest.get("server/discover")
    if probe is None:
        return "fell back"
    if probe.error is not None:
        said = cut_text(probe.error["message"], 120)
        return f"fell back: server/discover was answered with error {probe.error['code']}: {said}"
    if probe.fault is not None:
        return f"fell back: server/discover: {probe.fault}"
    if probe.result is not None:
        versions = probe.result.get("supportedVersions")
        if isinstance(versions, list):
            return f"fell back: it offers only {cut_text(', '.join(map(str, versions)), 120)}"
        return "fell back: its answer to server/discover is not what the protocol asks for"
    return "fell back: no answer to server/discover"


def describe_failure(entry: ServerEntry, tap: Tap, link: Link, failure: Exception | None) -> str:
    """Why no connection came about, for a person, with the server's last words where it said any."""
    cause = _first_cause(failure)
    if isinstance(cause, CannotStart):
        return str(cause)
    attempted = [tap.latest[method] for method in ("initialize", "server/discover") if method in tap.latest]
    exchange = attempted[0] if attempted else None
    if cause is None:
        asked = f"to {exchange.method}" if exchange is not None else f"from {public_url(entry.url)}"
        fault = f"no answer {asked} within {entry.connection_timeout:g} s"
        words = link.last_words()
        return f"{fault}; its last words: {cut_text(words, 200)}" if words else fault
    if isinstance(cause, MCPError) and cause.code == REQUEST_TIMEOUT and exchange is not None:
        return f"no answer to {exchange.method} within {DISCOVER_TIMEOUT_SECONDS:g} s"
    ending = link.ending()
    if ending is not None and (exchange is None or exchange.answered is None):
        return ending
    if exchange is not None and exchange.fault is not None:
        return (
            exchange.fault
            if exchange.transport_fault or exchange.fault.startswith("HTTP ")
            else (f"its answer to {exchange.method} is unusable: {exchange.fault}")
        )
    if exchange is not None and exchange.error is not None:
        said = cut_text(exchange.error["message"], 200)
        fault = f"it answered {exchange.method} with error {exchange.error['code']}: {said}"
        return f"does not speak 2026-07-28: {fault}" if entry.era is Era.MODERN else fault
    if isinstance(cause, ValidationError) and exchange is not None:
        why = "; ".join(explain(cause, exchange.result)[:3])
        return f"its answer to {exchange.method} is not what the protocol asks for: {why}"
    if entry.transport is not Transport.STDIO and not isinstance(cause, RuntimeError):
        return describe_error(cause, entry.url)
    return cut_text(str(cause).split("\n", 1)[0], 300) or type(cause).__name__


_NEVER_RAN: Final = re.compile(
    r"can't open file|No such file|not found|Cannot find module|No module named|(Module|Import|Syntax)\w*Error"
    r"|[Pp]ermission denied",
)
"""Last words of a program that did not come as far as reading its standard input."""


def suggest_era(entry: ServerEntry, tap: Tap, link: Link) -> str | None:
    """What to try where a server went away on being probed: one of 2025 may not bear the question.

    Nothing where it says itself that it never came as far: it could not be started, or ended as one that is done.
    """
    probed = tap.latest.get("server/discover")
    ending = link.ending()
    if entry.era is not Era.AUTO or ending is None or probed is None or probed.answered is not None:
        return None
    if not ending.startswith("exited 0") and not _NEVER_RAN.search(link.last_words()):
        return 'If it only knows the 2025 handshake, set "protocolEra": "legacy".'
    return None


def _first_cause(failure: BaseException | None) -> BaseException | None:
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure
