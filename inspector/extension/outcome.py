"""What becomes of each string: the seven codes, and the entry that a tool receives (R19 to R23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from inspector.extension.capability import Limits


class Code(StrEnum):
    """The seven error codes of the extension. A tool matches on these (R23)."""

    SCHEME_NOT_DECLARED = "scheme_not_declared"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    NOT_TEXT = "not_text"
    TOO_LARGE = "too_large"
    OVER_LIMIT = "over_limit"
    RATE_LIMITED = "rate_limited"


MESSAGES: Final[Mapping[Code, str]] = {
    Code.SCHEME_NOT_DECLARED: "The argument does not declare this URI's scheme, so the host did not read it.",
    # One message for every not_found: a read tells the tool's server nothing about what exists (R19).
    Code.NOT_FOUND: "No connector in this workspace returned this resource.",
    Code.AMBIGUOUS: "More than one connector in this workspace serves this URI, so the host read neither.",
    Code.NOT_TEXT: "The resource has contents that are not text, and the host hands on text only.",
    Code.TOO_LARGE: "The resource is longer than the host hands on.",
    Code.OVER_LIMIT: "This call names more than the host reads for one call, so this URI was not read.",
    Code.RATE_LIMITED: "The server's resource budget in this workspace is spent, so this URI was not read.",
}
"""What the tool is told beside each code. For people; nothing depends on the wording (R23)."""

REMEDIES: Final[Mapping[Code, str]] = {
    Code.SCHEME_NOT_DECLARED: "Add the scheme to the argument's schemes, or cite another URI.",
    Code.NOT_FOUND: "Check the URI and who publishes a template for it.",
    Code.AMBIGUOUS: "A workspace admin resolves it by removing one of the servers.",
    Code.NOT_TEXT: "Cite a resource that is text, or have its server publish one.",
    Code.TOO_LARGE: "Permanent: drop the citation, or have its server publish a shorter resource.",
    Code.OVER_LIMIT: "Split the call.",
    Code.RATE_LIMITED: "Wait for the budget to fill, then call again.",
}
"""What a person can do about each code, from the extension's text (R23)."""

_HANDED_ON: Final = frozenset({"uri", "mimeType", "text", "_meta"})

FAILED_READ_REMEDY: Final = "Check what the server that owns it has under this URI, or drop the citation."
"""For a URI that has an owner, which was asked and returned nothing (R19)."""

HOST_SCHEME_REMEDY: Final = "Workspace files are read with host resources; cite a URI that a server serves."


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry that no host of the extension makes, put in place by a person. `present` False: there is none."""

    value: Any = None
    present: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one string. `code` is None where it is resolved, and where `raw` stands in its place.

    `reason` is what really happened, for the person (the tool is told `MESSAGES[code]`); `rule` decided it.
    `contents` are what is handed on, `size` their UTF-8 bytes and `chars` their UTF-16 code units, of all text
    together; for a resource that is too large, those of what came. `milliseconds` is the time that the read
    took, None where none was made. `forced` marks an outcome that a person put in the place of the real one,
    `raw` one that is no outcome of the extension at all.
    """

    uri: str
    arguments: tuple[str, ...]
    code: Code | None
    rule: str
    reason: str
    server: str | None = None
    contents: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    size: int = 0
    chars: int = 0
    milliseconds: float | None = None
    remedy: str | None = None
    forced: bool = False
    raw: RawEntry | None = None

    @property
    def name(self) -> str:
        """`resolved`, or the code; `raw` or `missing` where a person put that in its place."""
        if self.raw is not None:
            return "raw" if self.raw.present else "missing"
        return "resolved" if self.code is None else self.code.value

    @property
    def is_resolved(self) -> bool:
        """Whether contents are handed on."""
        return self.code is None and self.raw is None

    @property
    def has_entry(self) -> bool:
        """Whether the string has an entry in `_meta`: always, unless a person took it away."""
        return self.raw is None or self.raw.present

    def entry(self) -> Any:
        """The string's entry: `{contents}` or exactly `{error: {code, message}}` (R22, R23), or as forced."""
        if self.raw is not None:
            return self.raw.value
        if self.code is None:
            return {"contents": [dict(content) for content in self.contents]}
        return {"error": {"code": self.code.value, "message": MESSAGES[self.code]}}


@dataclass(frozen=True, slots=True)
class Reading:
    """A read's result, judged. `code` is None where the contents may be handed on."""

    code: Code | None
    rule: str
    reason: str
    contents: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    size: int = 0
    chars: int = 0


def judge_result(result: Any, limits: Limits) -> Reading:
    """Judges what `resources/read` returned, in this order: broken or empty (R19), blob (R20), length (R21).

    `result` is the JSON object as it came. Never raises: whatever is no readable result is `not_found`.
    """
    if not isinstance(result, Mapping):
        return Reading(Code.NOT_FOUND, "R19", "the server's result is no object")
    contents = result.get("contents")
    if not isinstance(contents, list | tuple):
        return Reading(Code.NOT_FOUND, "R19", "the server's result has no array `contents`")
    if not contents:
        return Reading(Code.NOT_FOUND, "R19", "the server returned no contents")
    for index, entry in enumerate(contents):
        fault = _entry_fault(entry)
        if fault:
            return Reading(Code.NOT_FOUND, "R19", f"the server's contents[{index}] {fault}")
    for index, entry in enumerate(contents):
        if entry.get("blob") is not None:
            return Reading(Code.NOT_TEXT, "R20", f"contents[{index}] is a blob{_mime_type(entry)}")
    text = [entry["text"] for entry in contents]
    chars = sum(utf16_length(part) for part in text)
    size = sum(len(part.encode("utf-8", "surrogatepass")) for part in text)
    if chars > limits.max_chars:
        reason = f"{chars} characters of text, {chars - limits.max_chars} more than maxChars ({limits.max_chars})"
        return Reading(Code.TOO_LARGE, "R21", reason, size=size, chars=chars)
    if any(_lone_surrogate(entry) for entry in contents):
        return Reading(Code.NOT_FOUND, "R19", "the server's text holds a lone surrogate, which no call can carry")
    handed_on = tuple(_handed_on(entry) for entry in contents)
    return Reading(None, "R22", "read and handed on", handed_on, size, chars)


def utf16_length(text: str) -> int:
    """Characters as the extension counts them: UTF-16 code units (R21)."""
    return len(text) + sum(1 for character in text if character > "\uffff") if not text.isascii() else len(text)


def _mime_type(entry: Mapping[str, Any]) -> str:
    kind = entry.get("mimeType")
    return f" ({kind})" if isinstance(kind, str) and kind else ""


def _entry_fault(entry: Any) -> str | None:
    """What makes an entry unreadable by the protocol's own shape, or None."""
    if not isinstance(entry, Mapping):
        return "is no object"
    if entry.get("text") is None and entry.get("blob") is None:
        return "has neither `text` nor `blob`"
    if not isinstance(entry.get("uri"), str):
        return "has no `uri`"
    for key, kind, name in (
        ("text", str, "string"),
        ("blob", str, "string"),
        ("mimeType", str, "string"),
        ("_meta", Mapping, "object"),
    ):
        if entry.get(key) is not None and not isinstance(entry[key], kind):
            return f"has a `{key}` that is no {name}"
    return None


def _handed_on(entry: Mapping[str, Any]) -> dict[str, Any]:
    """`uri`, `mimeType`, `text` and the entry's `_meta` where given, in the order they came (R22)."""
    return {key: value for key, value in entry.items() if key in _HANDED_ON and value is not None}


def _lone_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, Mapping):
        return any(_lone_surrogate(key) or _lone_surrogate(item) for key, item in value.items())
    return isinstance(value, list | tuple) and any(_lone_surrogate(item) for item in value)
