"""The capability: its key, its limits, what a host claims (R1), and the schemes that stay the host's own (R13)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

KEY: Final = "ai.nimblebrain/resource-arguments"
"""The capability's name, the declaration's key in a tool's `_meta`, and the delivery's in a call's."""

HOST_SCHEMES: Final = frozenset({"files", "ui", "skill", "artifact", "conversation"})
"""Schemes that no server can answer for (R13), in lower case."""

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in force (R1). The defaults are the public host's.

    `max_chars` is in UTF-16 code units, of one resource (R21); `max_size` in bytes, of one call (R16);
    `max_uris` counts distinct strings with declared schemes, of one call (R12).
    """

    max_chars: int = 49600
    max_size: int = 10485760
    max_uris: int = 32

    @property
    def read_size(self) -> int:
        """The bytes that one read counts towards `max_size`, whatever it returns (R16)."""
        return self.max_chars * 3

    def claim(self) -> dict[str, int]:
        """What the capability says: `{maxChars, maxSize, maxUris}` (R1)."""
        return {"maxChars": self.max_chars, "maxSize": self.max_size, "maxUris": self.max_uris}


def is_scheme(text: str) -> bool:
    """Whether the text is a scheme name by RFC 3986 section 3.1 (R5)."""
    return _SCHEME.fullmatch(text) is not None


def scheme_of(text: str) -> str | None:
    """The scheme that a string begins with, in lower case, or None where it has none (R5, R10)."""
    head, colon, _ = text.partition(":")
    return head.lower() if colon and is_scheme(head) else None
