"""What is wrong in a workspace, from its lists alone: the last table of the rules.

Each check yields `Problem`s; `find_problems` puts them together, worst first. The checks by subject stand in
`declaration_problems`, `template_problems` and `tool_problems`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from inspector.extension import Declaration, Limits
from inspector.templates import OwnershipMap
from inspector.workspace.catalog import Catalog, Tool
from inspector.workspace.problem import Problem, Severity

_ORDER: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Published:
    """All that the checks look at.

    `catalogs` holds each connected server's lists; `owners` those of them that are in the workspace and so can own
    a URI; `absent` names the servers of the workspace that are not connected. `declarations` goes with the tools
    of `catalogs`, in their order.
    """

    catalogs: dict[str, Catalog]
    owners: frozenset[str]
    absent: tuple[str, ...]
    declarations: dict[str, tuple[Declaration, ...]]
    ownership: OwnershipMap
    limits: Limits

    def tools(self) -> Iterator[tuple[Tool, Declaration]]:
        """Every tool with what it declares."""
        for server, catalog in self.catalogs.items():
            yield from zip(catalog.tools, self.declarations[server], strict=True)


def find_problems(
    published: Published, met: Iterable[Problem] = (), of_tools: Iterable[Problem] | None = None
) -> tuple[Problem, ...]:
    """Everything wrong that the lists show, errors first, then in the workspace's order.

    `met` are the problems that the connections themselves met: a server that failed, a list that broke off.
    `of_tools` are those of the tools by themselves, where they are known already.
    """
    # Here, not above: a face that never asks for problems does not pay for the schema library.
    from inspector.host.declaration_problems import declaration_problems
    from inspector.host.template_problems import template_problems
    from inspector.host.tool_problems import tool_problems

    found = list(met)
    found.extend(declaration_problems(published))
    found.extend(template_problems(published))
    if of_tools is None:
        of_tools = (p for server, catalog in published.catalogs.items() for p in tool_problems(server, catalog))
    found.extend(of_tools)
    return worst_first(found)


def worst_first(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Errors, then warnings, then notes; otherwise in the order they came, each once."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: _ORDER[problem.severity]))


def listing(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
