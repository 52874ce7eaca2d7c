"""What if servers published some templates more? Answered from what is known, and nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from inspector.host.problems import worst_first
from inspector.host.template_problems import template_problems_of
from inspector.host.verdict import OwnerVerdict, judge_owner
from inspector.templates import InvalidEntry, Lookup, Overlap, OwnershipMap, find_overlaps_with
from inspector.workspace.catalog import Template
from inspector.workspace.problem import Problem


def split_draft(text: str, servers: Iterable[str]) -> tuple[str | None, str]:
    """`SERVER=TEMPLATE` as its two parts, the longest name of `servers` that fits; None where none does."""
    for name in sorted(servers, key=len, reverse=True):
        if text.startswith(f"{name}="):
            return name, text[len(name) + 1 :]
    return None, text


@dataclass(frozen=True)
class WhatIf:
    """A workspace with drafts: templates that servers would publish beside their own."""

    servers: tuple[str, ...]
    """Every server, in the order of the workspace."""
    published: OwnershipMap
    """What is published."""
    drafts: OwnershipMap
    """The drafts alone."""

    @property
    def faults(self) -> tuple[InvalidEntry, ...]:
        """Each draft that is no template, with the position of its fault: it would own nothing (R27)."""
        return self.drafts.invalid

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What would be wrong with the drafts by themselves, worst first. Overlaps are not among it."""
        found: list[Problem] = []
        for entry in self.drafts.entries:
            found += template_problems_of(Template(entry.server, entry.template.text, "", {}))
        for fault in self.drafts.invalid:
            found += template_problems_of(Template(fault.server, fault.template, "", {}))
        return worst_first(found)

    @cached_property
    def combined(self) -> OwnershipMap:
        """What is published and the drafts in one map, made when it is first asked for: that takes its time."""
        if not self.drafts.entries:
            return self.published
        templates: dict[str, list[str]] = {server: [] for server in self.servers}
        for entry in (*self.published.entries, *self.drafts.entries):
            templates[entry.server].append(entry.template.text)
        for fault in self.published.invalid:
            templates[fault.server].append(fault.template)
        return OwnershipMap(templates)

    def lookup(self, uri: str) -> Lookup:
        """The templates that a URI would expand from, in the order of the servers, drafts last (R14)."""
        published, drafts = self.published.lookup(uri), self.drafts.lookup(uri)
        place = {server: number for number, server in enumerate(self.servers)}
        claims = sorted((*published.claims, *drafts.claims), key=lambda claim: place[claim.server])
        undecided = sorted((*published.undecided, *drafts.undecided), key=lambda pair: place[pair[0]])
        return Lookup(tuple(claims), tuple(undecided))

    def verdict(self, uri: str) -> OwnerVerdict:
        """Who would own a URI (R10, R13 to R15, R26)."""
        return judge_owner(uri, self.lookup(uri))

    def claims(self, uri: str) -> bool:
        """Whether a draft is among the templates that a URI would expand from."""
        return bool(self.drafts.claims(uri))

    def overlaps(self) -> Iterator[Overlap | None]:
        """Every overlap of a draft with another server's template or draft (R15), as `find_overlaps` has them.

        Yields None between two slices of work of a few milliseconds, so that a caller can do other things.
        """
        for number, draft in enumerate(self.drafts.entries):
            for overlap in find_overlaps_with(draft, (*self.published.entries, *self.drafts.entries[:number])):
                yield None if overlap is None else self._in_order(overlap)

    def _in_order(self, overlap: Overlap) -> Overlap:
        (left, right), (first, second) = overlap.servers, overlap.templates
        if self.servers.index(left) < self.servers.index(right):
            return overlap
        return Overlap((right, left), (second, first), overlap.witness)
