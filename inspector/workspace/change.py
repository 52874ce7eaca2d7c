"""What differs between two readings of a server's lists, in names and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.workspace.catalog import Catalog
from inspector.workspace.json_values import cut_text

_NAMED = 2
"""Names that are told at most; more are counted."""

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class ListChange:
    """What differs in one list. A name that stands in both with another content is in `altered`, and in `fields`,
    at the same place, are the fields of it that differ."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    fields: tuple[tuple[str, ...], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.altered)


@dataclass(frozen=True, slots=True)
class Change:
    """What differs in what one server publishes: tools and prompts by name, templates by text, resources by
    URI.

    `error` is why the server is not connected now, where that is what changed.
    """

    server: str
    tools: ListChange = ListChange()
    templates: ListChange = ListChange()
    resources: ListChange = ListChange()
    prompts: ListChange = ListChange()
    error: str | None = None

    def __bool__(self) -> bool:
        return bool(self.tools or self.templates or self.resources or self.prompts or self.error)

    def describe(self) -> str:
        """The change for a person, without the server's name: `+1 template crm://{id}, tool a: title changed`.

        One or two are named, more are counted.
        """
        if self.error is not None:
            return f"not connected: {self.error}"
        parts: list[str] = []
        for singular, change in (
            ("tool", self.tools),
            ("template", self.templates),
            ("resource", self.resources),
            ("prompt", self.prompts),
        ):
            for sign, names in (("+", change.added), ("−", change.removed)):
                if names:
                    parts.append(f"{sign}{len(names)} {_named(singular, names)}")
            if len(change.altered) > _NAMED:
                parts.append(f"{len(change.altered)} {singular}s changed")
            else:
                parts += [
                    f"{_named(singular, [name])}: {_fields(fields)} changed"
                    for name, fields in zip(change.altered, change.fields, strict=True)
                ]
        return ", ".join(parts) or "nothing changed"


def compare_catalogs(server: str, before: Catalog, after: Catalog) -> Change:
    """What differs between two readings of one server's lists."""
    return Change(
        server=server,
        tools=_compare([(t.name, t.raw) for t in before.tools], [(t.name, t.raw) for t in after.tools]),
        templates=_compare(
            [(t.text, t.raw) for t in before.templates], [(t.text, t.raw) for t in after.templates]
        ),
        resources=_compare([(r.uri, r.raw) for r in before.resources], [(r.uri, r.raw) for r in after.resources]),
        prompts=_compare([(p.name, p.raw) for p in before.prompts], [(p.name, p.raw) for p in after.prompts]),
    )


def _compare(
    before: Sequence[tuple[str, Mapping[str, Any]]], after: Sequence[tuple[str, Mapping[str, Any]]]
) -> ListChange:
    # Counted, not collected: a server may list one name twice, and lose one of the two.
    names_before, names_after = Counter(name for name, _ in before), Counter(name for name, _ in after)
    content = dict(before)
    altered = {
        name: tuple(key for key in {**content[name], **raw} if _differs(key, content[name], raw))
        for name, raw in dict(after).items()
        if name in content and content[name] != raw
    }
    return ListChange(
        added=tuple((names_after - names_before).elements()),
        removed=tuple((names_before - names_after).elements()),
        altered=tuple(altered),
        fields=tuple(altered.values()),
    )


def _differs(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return key not in before or key not in after or before[key] != after[key]


def _fields(names: Sequence[str]) -> str:
    # What a tool declares stands in its `_meta`.
    shown = ["_meta (its declarations)" if name == "_meta" else cut_text(name, _LONGEST) for name in names]
    return " and ".join(shown) if len(shown) <= _NAMED else f"{len(shown)} fields, {shown[0]} among them,"


def _named(singular: str, names: Sequence[str]) -> str:
    plural = singular if len(names) == 1 else f"{singular}s"
    if len(names) > _NAMED:
        return plural
    return f"{plural} {' and '.join(cut_text(name, _LONGEST) for name in names)}"
