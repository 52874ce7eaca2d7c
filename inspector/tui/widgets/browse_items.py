"""What the servers offer beside tools, as the rows of one list: templates, resources and prompts, by server.

The rows of a server are made once for each reading of its lists, and in slices, so that fifty servers that connect
one after the other, and each key of a search through ten thousands of rows, hold up no key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.widgets.fate import describe_size
from inspector.tui.widgets.rows import Row, spread
from inspector.tui.words import STATES, count
from inspector.workspace.problem import Severity
from inspector.workspace.server import State

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.workspace.catalog import Catalog
    from inspector.workspace.connection import Connection

_TEXT: Final = 300
"""Characters of a URI or a name that are shown in its row."""

_SOUGHT: Final = 600
"""Characters of each text of an item that a search looks at."""


_ARGUMENTS: Final = 8
"""Arguments of a prompt that are named in its row."""

_SLICE: Final = 400
"""Rows that are made between two yields: a few milliseconds of work."""


class Kind(StrEnum):
    """What an item is. In the order in which they are listed: the few before the many."""

    TEMPLATE = "template"
    RESOURCE = "resource"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One thing that a server offers. `text` is a resource's URI, a template's text or a prompt's name.

    `raw` is the item as it came, `key` what its row is known by when the lists are read anew.
    """

    server: str
    kind: Kind
    text: str
    name: str
    raw: Mapping[str, Any] = field(repr=False)
    key: tuple[str, str, str, int]
    sought: str = field(repr=False)
    """What a search looks at, casefolded."""

    def string(self, name: str) -> str:
        """A field of the item that is a string; empty where it is not there or no string."""
        value = self.raw.get(name)
        return value if isinstance(value, str) else ""


class Found(NamedTuple):
    """The rows of a search: what they hold by kind, and how many there are in all."""

    rows: list[Row]
    counts: dict[Kind, int]
    total: int


class Items:
    """The items of a host's servers. What `prepare` has laid out is found."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._made: dict[str, tuple[Catalog, dict[Kind, list[Row]]]] = {}

    def prepare(self) -> Iterator[None]:
        """Lays out what is new, yielding between slices so that the caller can let others run."""
        connections = dict(self._host.workspace.connections)
        self._made = {name: made for name, made in self._made.items() if name in connections}
        for name, connection in connections.items():
            catalog = connection.catalog
            kept = self._made.get(name)
            if connection.state is not State.CONNECTED or (kept is not None and kept[0] is catalog):
                continue
            rows: dict[Kind, list[Row]] = {kind: [] for kind in Kind}
            for item in _items(name, catalog):
                of_kind = rows[item.kind]
                of_kind.append(Row(item.key, partial(_DRAW[item.kind], item), item))
                if len(of_kind) % _SLICE == 0:
                    yield
            if connection.catalog is catalog:
                self._made[name] = catalog, rows
            yield

    def find(self, query: str) -> Found:
        """The rows in which each word of the query is found; an empty query finds all, and names every server."""
        words = query.casefold().split()
        rows: list[Row] = []
        counts = dict.fromkeys(Kind, 0)
        total = 0
        for name, connection in self._host.workspace.connections.items():
            if connection.state is not State.CONNECTED or name not in self._made:
                if not words:
                    rows.append(Row(("server", name), partial(_draw_absent, connection)))
                continue
            catalog, made = self._made[name]
            total += sum(len(of_kind) for of_kind in made.values())
            shown = {kind: _matching(of_kind, words) for kind, of_kind in made.items()}
            for kind, of_kind in shown.items():
                counts[kind] += len(of_kind)
            if not words or any(shown.values()):
                rows += _server_rows(name, catalog, shown, narrowed=bool(words))
        return Found(rows, counts, total)


def describe_counts(counts: Mapping[Kind, int]) -> str:
    """`3 templates · 12 resources`; empty where there is nothing."""
    return " · ".join(count(number, kind.value) for kind, number in counts.items() if number)


def _items(server: str, catalog: Catalog) -> Iterator[Item]:
    met: dict[tuple[Kind, str], int] = {}
    for kind, text, name, raw in chain(
        ((Kind.TEMPLATE, each.text, each.name, each.raw) for each in catalog.templates),
        ((Kind.RESOURCE, each.uri, each.name, each.raw) for each in catalog.resources),
        ((Kind.PROMPT, each.name, each.name, each.raw) for each in catalog.prompts),
    ):
        # A server may list one thing twice.
        met[kind, text] = place = met.get((kind, text), 0) + 1
        texts = [server, text, name, *(raw.get(field) for field in ("title", "description", "mimeType"))]
        sought = "\n".join(text[:_SOUGHT] for text in texts if isinstance(text, str)).casefold()
        yield Item(server, kind, text, name, raw, (kind, server, text, place), sought)


def _matching(rows: Sequence[Row], words: Sequence[str]) -> Sequence[Row]:
    if not words:
        return rows
    if len(words) == 1:
        (word,) = words
        return [row for row in rows if word in row.subject.sought]
    return [row for row in rows if all(word in row.subject.sought for word in words)]


def _server_rows(
    name: str, catalog: Catalog, shown: Mapping[Kind, Sequence[Row]], *, narrowed: bool
) -> Iterator[Row]:
    counts = {kind: len(rows) for kind, rows in shown.items()}
    yield Row(("server", name), partial(_draw_server, name, describe_counts(counts)))
    lost = sum(1 for problem in catalog.problems if problem.severity is Severity.ERROR)
    if lost and not narrowed:
        yield Row(("lost", name), partial(_draw_lost, lost))
    for kind, rows in shown.items():
        if rows:
            yield Row((kind.value, name), partial(_draw_kind, kind, len(rows)))
            yield from rows


# Drawing


def _draw_server(name: str, counts: str, width: int) -> Content:
    right = Content.assemble((counts or "offers no template, resource or prompt", "$text-muted"))
    return spread(Content.assemble((visible(name, 60), "bold $primary")), right, width)


def _draw_absent(connection: Connection, _: int) -> Content:
    if connection.state is State.CONNECTED:
        return Content.assemble((visible(connection.entry.name, 60), "bold $primary"), ("  …", "$text-muted"))
    mark = STATES[connection.state]
    reason = f": {visible(connection.error, 200)}" if connection.error else ""
    return Content.assemble(
        (visible(connection.entry.name, 60), "bold $primary"), (f"  {mark.glyph} {mark.word}{reason}", mark.style)
    )


def _draw_lost(number: int, _: int) -> Content:
    words = f"  ! {count(number, 'error')} in its lists: see Problems"
    return Content.assemble((words, "$outcome-error"))


def _draw_kind(kind: Kind, number: int, _: int) -> Content:
    return Content.assemble((f"  {kind.value}s {number}", "$text-muted"))


def _draw_template(item: Item, width: int) -> Content:
    return spread(Content(f"    {visible(item.text, _TEXT)}"), _named(item), width)


def _draw_resource(item: Item, width: int) -> Content:
    size = item.raw.get("size")
    shown = describe_size(size) if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else ""
    facts = " · ".join(fact for fact in (visible(item.string("mimeType"), 24), shown) if fact)
    left = Content.assemble(f"    {visible(item.text, _TEXT)}", "  ", _named(item))
    return spread(left, Content.assemble((facts, "$text-muted")), width)


def _draw_prompt(item: Item, width: int) -> Content:
    arguments = item.raw.get("arguments")
    names = [
        f"{visible(each['name'], 30)}{'' if each.get('required') is True else '?'}"
        for each in (arguments[:_ARGUMENTS] if isinstance(arguments, list) else ())
        if isinstance(each, Mapping) and isinstance(each.get("name"), str)
    ]
    left = Content.assemble(
        f"    {visible(item.text, _TEXT)}", (f"({', '.join(names)})" if names else "", "$text-muted")
    )
    return spread(left, _named(item), width)


def _named(item: Item) -> Content:
    """The title, else the name, where the row does not begin with it."""
    name = item.string("title") or item.name
    return Content.assemble((visible(name, 60) if name != item.text else "", "$text-muted"))


_DRAW: Final = {Kind.TEMPLATE: _draw_template, Kind.RESOURCE: _draw_resource, Kind.PROMPT: _draw_prompt}
