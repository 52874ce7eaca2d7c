"""Text to paste that mends a problem: a declaration, a schema, a template. A name in capitals is to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from inspector.extension import KEY, is_scheme, scheme_of
from inspector.templates import InvalidTemplate, UriTemplate

_LONGEST: Final = 2_000
"""A snippet of more characters than this is none: nobody pastes it."""

_STRINGS: Final[Mapping[str, Any]] = {"type": "array", "items": {"type": "string"}}
_OPEN_EXPRESSION: Final = re.compile(r"\{[^{}/]*")
_EMPTY_EXPRESSION: Final = re.compile(r"\{[+#./;?&]?\}")
_EXPLODED: Final = re.compile(r"/?\{(?P<name>[A-Za-z0-9_.%]+)\*\}")
_LAST_SEGMENT: Final = re.compile(r"(?<=[/:])[^/?#:]+(?=[?#]|$)")


def snippet_of(value: Mapping[str, Any]) -> str | None:
    """A JSON object as a snippet; None where it is too long to be one."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text if len(text) <= _LONGEST else None


def declaration_snippet(schemes: Mapping[str, list[str]]) -> str | None:
    """The `_meta` of a tool that declares these schemes, by the name of the argument (R4)."""
    arguments = {name: {"schemes": listed} for name, listed in schemes.items()}
    return snippet_of({"_meta": {KEY: {"arguments": arguments}}})


def strings_snippet(name: str) -> str | None:
    """An `inputSchema` in which that argument holds strings (R6)."""
    return snippet_of({"inputSchema": {"type": "object", "properties": {name: _STRINGS}}})


def template_snippet(template: str, name: str) -> str | None:
    """An item of `resources/templates/list`."""
    return snippet_of({"uriTemplate": template, "name": name})


def mended_schemes(entry: Any) -> list[str]:
    """The schemes that an entry of a declaration means: the valid ones, `crm` for `crm://`, or one to fill in."""
    listed = entry.get("schemes") if isinstance(entry, Mapping) else entry
    named = [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []
    heads = [scheme.partition(":")[0].strip() for scheme in named if isinstance(scheme, str)]
    return list(dict.fromkeys(head for head in heads if is_scheme(head))) or ["SCHEME"]


def mended_declaration(meta: Any, likely: str) -> str | None:
    """The declaration that a tool's `_meta` seems to mean. `likely` is an argument to name where it names none."""
    value = meta.get(KEY) if isinstance(meta, Mapping) else None
    entries = value.get("arguments") if isinstance(value, Mapping) else value
    if isinstance(entries, Mapping) and entries:
        return declaration_snippet({str(name): mended_schemes(entry) for name, entry in entries.items()})
    return declaration_snippet({likely: ["SCHEME"]})


def mended_template(text: str, position: int) -> str | None:
    """A template that is one, near to a text that is none (R27); None where nothing near by is.

    `position` is where the text goes wrong, in characters from 0.
    """
    closed = _OPEN_EXPRESSION.sub(lambda found: _close(found, text), text)
    named = _EMPTY_EXPRESSION.sub(lambda found: f"{found[0][:-1]}id}}", text)
    here = text[position : position + 1]
    encoded = f"{text[:position]}{_encode(here)}{text[position + 1 :]}"
    left_out = text[:position] + text[position + 1 :]
    inside = text.rfind("{", 0, position) > text.rfind("}", 0, position)
    listed = f"{text[:position]},{text[position + 1 :]}" if here == " " and inside else text
    for mended in (closed, named, listed, encoded, left_out):
        if mended != text and _is_template(mended):
            return mended
    return None


def _close(found: re.Match[str], text: str) -> str:
    return found[0] if text[found.end() : found.end() + 1] == "}" else f"{found[0]}}}"


def _encode(character: str) -> str:
    if character in "{}":
        return character
    return "".join(f"%{octet:02X}" for octet in character.encode("utf-8", "replace"))


def segments_template(text: str) -> str | None:
    """A template whose exploded variables take path segments: `{/path*}` for `/{path*}`, else `{+path}` (R24)."""

    def mend(found: re.Match[str]) -> str:
        return f"{{/{found['name']}*}}" if found[0].startswith("/") else f"{{+{found['name']}}}"

    mended = _EXPLODED.sub(mend, text.replace("://{", ":\0{"))
    mended = mended.replace(":\0{", "://{")
    return mended if _is_template(mended) else None


def template_of_scheme(text: str, scheme: str = "scheme") -> str | None:
    """The template under another scheme, or under one where it has none; None where that makes no template."""
    head, colon, rest = text.partition(":")
    own = scheme_of(f"{head}:") if colon else None
    if own is not None and "{" not in head:
        mended = f"{scheme}:{rest}"
    else:
        mended = f"{scheme}://{(rest if colon and '{' not in head else text).lstrip('/')}"
    return mended if _is_template(mended) else None


def template_for(uri: str) -> str:
    """A template that this URI expands from: its last segment a variable, where that makes one (R14)."""
    guess = _LAST_SEGMENT.sub("{id}", uri, count=1)
    if _is_template(guess) and UriTemplate.parse(guess).match(uri) is not None:
        return guess
    return uri


def _is_template(text: str) -> bool:
    try:
        UriTemplate.parse(text)
    except InvalidTemplate:
        return False
    return True
