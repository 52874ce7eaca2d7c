"""A JSON-RPC `tools/call` as someone pasted it, and where its `_meta` differs from what is delivered here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.extension import KEY
from inspector.host.same_json import same_json
from inspector.tui.text import visible
from inspector.tui.widgets.form_json import JsonFault, parse_json


@dataclass(frozen=True, slots=True)
class PastedCall:
    """The tool's name, the arguments and the `_meta` of a call; `_meta` is empty where it has none."""

    tool: str
    arguments: Mapping[str, Any]
    meta: Mapping[str, Any]


def read_call(text: str) -> PastedCall | None:
    """The call that a text is: a whole JSON-RPC request, or its `params`. None where it is anything else."""
    if "{" not in text[:200] or '"name"' not in text:
        return None
    try:
        message = parse_json(text)
    except JsonFault:
        return None
    if not isinstance(message, dict):
        return None
    if message.get("method") == "tools/call":
        message = message.get("params")
    elif "method" in message or "arguments" not in message:
        return None
    if not isinstance(message, dict) or not isinstance(message.get("name"), str):
        return None
    arguments, meta = message.get("arguments", {}), message.get("_meta", {})
    if not isinstance(arguments, dict) or not isinstance(meta, dict):
        return None
    return PastedCall(message["name"], arguments, meta)


def compare_meta(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the extension's key of a pasted call differs from what was resolved here: a line for each string."""
    if (KEY in theirs) != (KEY in ours):
        return (f"the pasted call {'has' if KEY in theirs else 'lacks'} the key, here it is {_presence(ours)}",)
    there, here = theirs.get(KEY, {}), ours.get(KEY, {})
    if not isinstance(there, Mapping):
        return ("the key of the pasted call holds no object",)
    lines: list[str] = []
    for uri in dict.fromkeys((*there, *here)):
        name = visible(uri, 80)
        if uri not in there:
            lines.append(f"{name}: not in the pasted call, here {_outcome(here[uri])}")
        elif uri not in here:
            lines.append(f"{name}: {_outcome(there[uri])} in the pasted call, not here")
        elif not same_json(there[uri], here[uri]):
            before, now = _outcome(there[uri]), _outcome(here[uri])
            differing = f"{now} here" if now != before else "to the letter not the same here"
            lines.append(f"{name}: {before} in the pasted call, {differing}")
    return tuple(lines)


def _presence(meta: Mapping[str, Any]) -> str:
    return "present" if KEY in meta else "absent"


def _outcome(entry: Any) -> str:
    if isinstance(entry, Mapping):
        error = entry.get("error")
        if isinstance(error, Mapping):
            return visible(str(error.get("code")), 40)
        if "contents" in entry:
            return "resolved"
    return "malformed"
