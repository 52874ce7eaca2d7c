"""Saved cases: a call with its forces, its host, and what came of it, in a readable JSON file, to be sent again.

A case stands beside a person's code as a test does: `replay` sends it anew and says what differs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from inspector.extension import Code, Limits, RawEntry
from inspector.host.call import SentCall
from inspector.host.difference import Difference, find_differences, parse_pointer
from inspector.host.files import write_whole
from inspector.host.forcing import Forced, ForcedCode, ForcedEntry, ForcedText, Forces
from inspector.host.host import Host
from inspector.host.profile import HostSettings, Profile

VERSION: Final = 1
"""Of the file's format: `resourceArgumentsCase`."""

_MARK: Final = "resourceArgumentsCase"
_FIELDS: Final = {"ignore"} | frozenset(
    (
        _MARK,
        "name",
        "tool",
        "arguments",
        "forces",
        "meta",
        "profile",
        "limits",
        "outcomes",
        "result",
        "error",
        "ignore",
    )
)
_LIMITS: Final = {"maxChars": "max_chars", "maxSize": "max_size", "maxUris": "max_uris"}


class CaseFault(ValueError):
    """A case that cannot be read or sent again, in one line that names its file."""


@dataclass(frozen=True, slots=True)
class Case:
    """A saved call. `outcomes` are the names of its strings' outcomes, in argument order.

    `result` is the tool's, None where there was none: then `error` says what came instead. `ignore` are JSON
    pointers into the document of `expected` that a comparison leaves out, with `*` for any step.
    """

    tool: str
    arguments: Mapping[str, Any]
    profile: Profile = Profile.WORKSPACE
    limits: Limits = field(default_factory=Limits)
    forces: Forces = field(default_factory=dict)
    added_meta: Mapping[str, Any] = field(default_factory=dict)
    outcomes: Mapping[str, str] = field(default_factory=dict)
    result: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    ignore: tuple[str, ...] = ("/result/_meta",)
    name: str = ""

    @property
    def expected(self) -> dict[str, Any]:
        """What a replay is compared with: the outcomes, and the result or the error."""
        return _answer_document(self.outcomes, self.result, self.error)

    def settings(self, played: HostSettings) -> HostSettings:
        """The host of the case; its budget is the one at hand, since a case has none of its own."""
        return replace(played, profile=self.profile, limits=self.limits)


def case_of(sent: SentCall, name: str = "") -> Case:
    """The case that a call was, with what came of it."""
    resolution = sent.resolution
    return Case(
        tool=resolution.tool.reference,
        arguments=resolution.arguments,
        profile=resolution.settings.profile,
        limits=resolution.settings.limits,
        forces=resolution.forces,
        added_meta=resolution.added_meta,
        outcomes={outcome.uri: outcome.name for outcome in resolution.outcomes},
        result=sent.reply.result,
        error=None if sent.reply.result is not None else _error_document(sent),
        name=name,
    )


def _error_document(sent: SentCall) -> dict[str, Any]:
    return {"code": sent.reply.code, "message": sent.reply.message}


def _answer_document(outcomes: Mapping[str, str], result: Any, error: Any) -> dict[str, Any]:
    answer = {"result": result} if error is None else {"error": error}
    return {"outcomes": dict(outcomes), **answer}


def save_case(case: Case, path: Path) -> None:
    """Writes a case, whole or not at all. Raises OSError."""
    document: dict[str, Any] = {_MARK: VERSION}
    if case.name:
        document["name"] = case.name
    document |= {
        "tool": case.tool,
        "arguments": case.arguments,
        "forces": {uri: _force_document(forced) for uri, forced in case.forces.items()},
        "meta": case.added_meta,
        "profile": case.profile.value,
        "limits": case.limits.claim(),
        **case.expected,
        "ignore": list(case.ignore),
    }
    for empty in ("forces", "meta"):
        if not document[empty]:
            del document[empty]
    write_whole(path, [json.dumps(document, indent=2, ensure_ascii=False), "\n"], replace=True)


def _force_document(forced: Forced) -> dict[str, Any]:
    match forced:
        case ForcedCode(code):
            return {"code": code.value}
        case ForcedText(text):
            return {"contents": text}
        case ForcedEntry(entry):
            return {"entry": entry.value} if entry.present else {"missing": True}


def load_case(path: Path) -> Case:
    """Reads a case. Raises CaseFault, in one line, where the file is none, or is of another version."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CaseFault(f"{path}: cannot be read as a case: {reason}") from error
    try:
        return _read_case(document)
    except _Wrong as fault:
        raise CaseFault(f"{path}: {fault}") from fault


class _Wrong(ValueError):
    pass


def _read_case(document: Any) -> Case:
    if not isinstance(document, Mapping) or _MARK not in document:
        raise _Wrong(f"is no saved case: it has no {_MARK}")
    if document[_MARK] != VERSION:
        raise _Wrong(f"is a case of version {document[_MARK]!r}, and this program reads version {VERSION}")
    unknown = [name for name in document if name not in _FIELDS]
    if unknown:
        raise _Wrong(f"has the unknown field {unknown[0]}: take it out, or use the program that wrote it")
    forces = _member(document, "forces", Mapping, {})
    limits = _member(document, "limits", Mapping, {})
    pointers = _member(document, "ignore", list, [])
    for pointer in pointers:
        _pointer(pointer)
    return Case(
        tool=_member(document, "tool", str),
        arguments=_member(document, "arguments", Mapping),
        profile=_profile(_member(document, "profile", str, Profile.WORKSPACE.value)),
        limits=_limits(limits),
        forces={uri: _force(uri, forced) for uri, forced in forces.items()},
        added_meta=_member(document, "meta", Mapping, {}),
        outcomes=_member(document, "outcomes", Mapping, {}),
        result=_member(document, "result", Mapping, None),
        error=_member(document, "error", Mapping, None),
        ignore=tuple(pointers),
        name=_member(document, "name", str, ""),
    )


_KINDS: Final = {Mapping: "an object", str: "a string", list: "an array"}
_NEEDED: Final = object()


def _member(document: Mapping[str, Any], name: str, kind: Any, default: Any = _NEEDED) -> Any:
    value = document.get(name, default)
    if value is _NEEDED:
        raise _Wrong(f"has no {name}")
    if value is not default and not isinstance(value, kind):
        raise _Wrong(f"{name} is not {_KINDS[kind]}")
    return value


def _pointer(pointer: Any) -> None:
    try:
        parse_pointer(pointer if isinstance(pointer, str) else repr(pointer))
    except ValueError as error:
        raise _Wrong(f"ignore: {error}") from error


def _profile(name: str) -> Profile:
    if name not in list(Profile):
        raise _Wrong(f"there is no profile {name}: {', '.join(Profile)}")
    return Profile(name)


def _limits(document: Mapping[str, Any]) -> Limits:
    found: dict[str, int] = {}
    for name, value in document.items():
        if name not in _LIMITS or isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise _Wrong(f"limits.{name} is none of maxChars, maxSize and maxUris with a whole number, 0 or more")
        found[_LIMITS[name]] = value
    return Limits(**found)


def _force(uri: str, document: Any) -> Forced:
    if isinstance(document, Mapping) and len(document) == 1:
        ((kind, value),) = document.items()
        if kind == "code" and value in list(Code):
            return ForcedCode(Code(value))
        if kind == "code":
            raise _Wrong(f"forces {uri} to {value}, and there is no such code: {', '.join(Code)}")
        if kind == "contents" and isinstance(value, str):
            return ForcedText(value)
        if kind == "entry":
            return ForcedEntry(RawEntry(value))
        if kind == "missing" and value is True:
            return ForcedEntry(RawEntry(present=False))
    raise _Wrong(f"forces {uri} to none of {{code}}, {{contents}}, {{entry}} and {{missing: true}}")


@dataclass(frozen=True, slots=True)
class Replay:
    """A case sent again. `differences` are from what was saved to what came now."""

    case: Case
    sent: SentCall
    differences: tuple[Difference, ...]


async def replay_case(host: Host, case: Case) -> Replay:
    """Resolves and sends a case anew, by the host it was saved under; that host is played from then on.

    Raises UnknownTool where its server or its tool is gone, ForceFault where a force no longer fits.
    """
    await host.change(case.settings(host.settings))
    tool = host.find_tool(case.tool)
    await host.set_calling(tool.server)
    tool = host.find_tool(case.tool)
    resolution = (await host.resolve(tool, case.arguments)).with_forces(case.forces).with_meta(case.added_meta)
    sent = await host.send(resolution)
    now = case_of(sent)
    return Replay(case, sent, find_differences(case.expected, now.expected, case.ignore))
