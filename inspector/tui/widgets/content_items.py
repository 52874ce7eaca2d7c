"""The parts of a result, or of a resource that was read, with which something can be done: saved, read, cited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.tui.saving import Saveable


@dataclass(frozen=True, slots=True)
class ContentItem:
    """One content block, or one entry of a resource's contents, as far as a person can do something with it.

    `uri` can be read and cited. `text` or `base64` can be saved; both are None for a link.
    """

    kind: str
    uri: str | None = None
    text: str | None = field(default=None, repr=False)
    base64: str | None = field(default=None, repr=False)
    mime_type: str | None = None
    raw: Any = field(default=None, repr=False)

    @property
    def can_be_saved(self) -> bool:
        """Whether it holds text or bytes."""
        return self.text is not None or self.base64 is not None

    @property
    def saveable(self) -> Saveable:
        """What is saved of it."""
        data = self.base64 if self.base64 is not None else self.text or ""
        return Saveable(self.uri or self.kind, self.mime_type or "", data, self.base64 is not None)


def read_item(block: Mapping[str, Any]) -> ContentItem:
    """A content block of a tool's result; of an unknown kind, with nothing that can be done with it."""
    match block.get("type"):
        case "text" if isinstance(block.get("text"), str):
            return ContentItem("text", text=block["text"], raw=block)
        case "image" | "audio" as kind if isinstance(block.get("data"), str):
            return ContentItem(kind, base64=block["data"], mime_type=_string(block, "mimeType"), raw=block)
        case "resource_link":
            mime_type = _string(block, "mimeType")
            return ContentItem("resource link", uri=_string(block, "uri"), mime_type=mime_type, raw=block)
        case "resource" if isinstance(block.get("resource"), Mapping):
            return read_entry(block["resource"])
    return ContentItem("content", raw=block)


def read_entry(entry: Mapping[str, Any]) -> ContentItem:
    """An entry of a resource's contents, or the resource that a block embeds."""
    return ContentItem(
        "resource",
        _string(entry, "uri"),
        _string(entry, "text"),
        _string(entry, "blob"),
        _string(entry, "mimeType"),
        entry,
    )


def _string(holder: Mapping[str, Any], name: str) -> str | None:
    value = holder.get(name)
    return value if isinstance(value, str) else None
