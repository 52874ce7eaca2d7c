"""How a tool reads the records that the host delivered with its call.

This is the other side of the extension, the one that a server's author writes. It leans on nothing else of
this program, so it reads as an example, and does not repeat a mistake that the inspector might make.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from mcp.server.mcpserver import Context

KEY = "ai.nimblebrain/resource-arguments"

# What each code means to a tool that wanted the record. The host's message is for people: never match on it.
_MEANING = {
    "scheme_not_declared": "it is no URI of a kind that this argument takes",
    "not_found": "no server of this workspace returned it",
    "ambiguous": "more than one server of this workspace claims it",
    "not_text": "it is not text",
    "too_large": "it is too long to be handed over, now and always: leave it out",
    "over_limit": "the call asks for too much: split it",
    "rate_limited": "too much was read just now: try again in a moment",
}


@dataclass(frozen=True, slots=True)
class Record:
    """A record that the tool has in hand."""

    uri: str
    text: str
    mime_type: str | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A record that the tool does not have: the code, where the host gave one, and what it means here."""

    uri: str
    code: str | None
    meaning: str

    def __str__(self) -> str:
        return f"{self.uri}: {self.code}, {self.meaning}" if self.code else f"{self.uri}: {self.meaning}"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What the host put under the extension's key: an entry for each distinct string, as it appeared."""

    entries: Mapping[str, Any]

    def record(self, uri: str) -> Record | Missing:
        """The record of `uri`, or why there is none.

        An entry of a shape that the extension does not know is a missing record, never an exception.
        """
        if uri not in self.entries:
            return Missing(uri, None, "the host delivered no entry for it")
        entry = self.entries[uri]
        if isinstance(entry, dict) and isinstance(entry.get("error"), dict):
            code = entry["error"].get("code")
            if isinstance(code, str):
                return Missing(uri, code, _MEANING.get(code, "this tool does not know that code"))
        texts = _texts(entry)
        if not texts:
            return Missing(uri, None, "the host delivered an entry that holds neither contents nor an error")
        return Record(uri, "\n".join(text for text, _ in texts), texts[0][1])


def _texts(entry: Any) -> list[tuple[str, str | None]]:
    contents = entry.get("contents") if isinstance(entry, dict) else None
    found = []
    for item in contents if isinstance(contents, list) else []:
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            mime_type = item.get("mimeType")
            found.append((item["text"], mime_type if isinstance(mime_type, str) else None))
    return found


def delivered(context: Context[Any, Any]) -> Delivery | None:
    """What arrived with this call, or None where the host delivers nothing.

    The key on the call itself is what counts: through the MCP endpoint of an outside client the
    capabilities are that client's, while the key is there all the same.
    """
    meta: Mapping[str, Any] = context.request_context.meta or {}
    entries = meta.get(KEY)
    return Delivery(entries) if isinstance(entries, dict) else None


def declaration(arguments: Mapping[str, list[str]]) -> dict[str, Any]:
    """A tool's `_meta` that declares `arguments`: the schemes that each of them takes."""
    return {KEY: {"arguments": {name: {"schemes": schemes} for name, schemes in arguments.items()}}}


def observed_at(record: Record) -> date | None:
    """The day that a record says it was observed, or None where it says none."""
    try:
        return date.fromisoformat(json.loads(record.text)["observedAt"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def quotes(record: Record, words: str) -> bool:
    """Does the record contain exactly these words, as they stand or within a string of its JSON?"""
    if words in record.text:
        return True
    try:
        waiting = [json.loads(record.text)]
    except (ValueError, RecursionError):
        return False
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and words in value:
            return True
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return False
