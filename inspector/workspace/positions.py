"""Where each value of a JSON text stands, so that a complaint can name line and column."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

JsonPath = tuple[str | int, ...]
"""The way to a value: keys and indexes from the top."""

_TOKEN = re.compile(r'[ \t\n\r]*(?:("(?:[^"\\]|\\.)*")|([{}\[\],:])|([^ \t\n\r{}\[\],:"]+))')


@dataclass(slots=True)
class Positions:
    """Offsets of the values of one JSON text, and the keys that stand twice in their object."""

    text: str = field(repr=False)
    offsets: dict[JsonPath, int] = field(default_factory=dict, repr=False)
    duplicates: list[JsonPath] = field(default_factory=list)

    def line_and_column(self, path: JsonPath) -> tuple[int, int]:
        """Where the value at that path stands, counted from 1; where there is none, what would hold it."""
        while path and path not in self.offsets:
            path = path[:-1]
        offset = self.offsets.get(path, 0)
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)


@dataclass(slots=True)
class _Open:
    """An object or array whose end is still to come; `step` is the key or index of the value at hand."""

    path: JsonPath
    is_object: bool
    step: str | int
    awaits_key: bool
    seen: set[str]


def find_positions(text: str) -> Positions:
    """The positions in a text that is known to be JSON. Of a key that stands twice the last one counts."""
    positions = Positions(text)
    open_values: list[_Open] = []

    def here() -> JsonPath:
        return (*open_values[-1].path, open_values[-1].step) if open_values else ()

    for match in _TOKEN.finditer(text):
        string, mark, atom = match.groups()
        start = match.start(match.lastindex or 0)
        inner = open_values[-1] if open_values else None
        if string is not None and inner is not None and inner.awaits_key:
            key: str = json.loads(string)
            inner.step, inner.awaits_key = key, False
            if key in inner.seen:
                positions.duplicates.append(here())
            inner.seen.add(key)
        elif string is not None or atom is not None:
            positions.offsets[here()] = start
        elif mark in ("{", "["):
            path = here()
            positions.offsets[path] = start
            is_object = mark == "{"
            open_values.append(_Open(path, is_object, "" if is_object else 0, is_object, set()))
        elif mark in ("}", "]"):
            open_values.pop()
        elif mark == "," and inner is not None:
            if isinstance(inner.step, int):
                inner.step += 1
            else:
                inner.awaits_key = True
    return positions


def show_path(path: JsonPath) -> str:
    """A path as people write it: `mcpServers.crm.args[1]`, with quotes where a key is no plain word."""
    shown = ""
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z0-9_-]+", step):
            shown += f".{step}" if shown else step
        else:
            shown += f"[{json.dumps(step)}]"
    return shown
