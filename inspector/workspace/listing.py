"""Every page of a server's lists, made into its catalog."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inspector.workspace.catalog import Catalog, Prompt, Resource, Template, Tool
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.reply import Failure

if TYPE_CHECKING:
    from inspector.workspace.session import Answer

PAGE_LIMIT = 1_000
"""The most pages of one list that are asked for."""

ITEM_LIMIT = 100_000
"""The most items of one list that are taken."""

METHOD_NOT_FOUND = -32601

_REMEDY = "Send what JSON-RPC and the protocol's schema ask for."
_PAGE_REMEDY = "See what the server wrote to standard error, mend it, and reconnect."
_LENGTH_REMEDY = "Publish fewer: a template stands for any number of resources."

AskPage = Callable[[str, str | None], Coroutine[Any, Any, "Answer"]]
"""Asks for one page of a list, by method and cursor."""


@dataclass(frozen=True, slots=True)
class ReadList:
    """One list as far as it came, and what was wrong with it. `complete` is false where it broke off."""

    items: tuple[Mapping[str, Any], ...] = ()
    problems: tuple[Problem, ...] = ()
    complete: bool = True


async def read_lists(server: str, methods: Collection[str], ask: AskPage) -> dict[str, ReadList]:
    """These lists, side by side, by method."""
    ordered = tuple(methods)
    read = await asyncio.gather(*(read_list(server, method, ask) for method in ordered))
    return dict(zip(ordered, read, strict=True))


async def read_list(server: str, method: str, ask: AskPage) -> ReadList:
    """Every page of one list. Where a page fails, those that came count (R14), and a problem says so."""
    items: list[Mapping[str, Any]] = []
    problems: dict[Problem, None] = {}
    cursors: set[str] = set()
    cursor: str | None = None

    def broke_off(message: str, remedy: str | None = None) -> ReadList:
        problem = Problem(Severity.ERROR, server, method, "protocol", message, remedy)
        return ReadList(tuple(items), (*problems, problem), complete=False)

    for number in range(1, PAGE_LIMIT + 1):
        answer = await ask(method, cursor)
        reply, page = answer.reply, answer.page
        if reply.failure is Failure.ERROR and reply.code == METHOD_NOT_FOUND and number == 1:
            return ReadList()
        if reply.failure is not None:
            counted = f"{len(items)} item{'s' if len(items) > 1 else ''}"
            kept = f"; what came before counts ({counted})" if items else ""
            code = f" (error {reply.code})" if reply.code is not None else ""
            return broke_off(f"page {number} failed: {reply.message}{code}{kept}", _PAGE_REMEDY)
        if page is None:
            return broke_off(
                f"page {number} holds no list of items", "Send the items as an array under their key."
            )
        problems.update(dict.fromkeys(page.problems))
        problems.update(
            (Problem(Severity.WARNING, server, method, "protocol", departure, _REMEDY), None)
            for departure in reply.departures
        )
        items.extend(page.items[: ITEM_LIMIT - len(items)])
        cursor = page.cursor
        if cursor is None:
            return ReadList(tuple(items), tuple(problems))
        if cursor in cursors:
            return broke_off(
                f"a cursor that comes back: page {number} names {cursor!r} again, so the list ends here",
                "Leave nextCursor out on the last page.",
            )
        cursors.add(cursor)
        if len(items) >= ITEM_LIMIT:
            return broke_off(f"more than {ITEM_LIMIT} items: the rest is not read", _LENGTH_REMEDY)
    return broke_off(f"more than {PAGE_LIMIT} pages: the rest is not read", _LENGTH_REMEDY)


def make_catalog(server: str, lists: Mapping[str, ReadList]) -> Catalog:
    """The catalog that these lists make; a list that is not there is empty."""
    empty = ReadList()
    tools = lists.get("tools/list", empty).items
    templates = lists.get("resources/templates/list", empty).items
    resources = lists.get("resources/list", empty).items
    prompts = lists.get("prompts/list", empty).items
    return Catalog(
        tools=tuple(Tool(server, item["name"], item) for item in tools),
        templates=tuple(Template(server, item["uriTemplate"], item["name"], item) for item in templates),
        resources=tuple(Resource(server, item["uri"], item["name"], item) for item in resources),
        prompts=tuple(Prompt(server, item["name"], item) for item in prompts),
        problems=tuple(problem for read in lists.values() for problem in read.problems),
    )


def order_notes(server: str, before: Catalog, after: Catalog) -> tuple[Problem, ...]:
    """A note for each list whose items stand in another order than the last time."""
    notes: list[Problem] = []
    for method, old, new in (
        ("tools/list", [t.name for t in before.tools], [t.name for t in after.tools]),
        ("resources/templates/list", [t.text for t in before.templates], [t.text for t in after.templates]),
        ("resources/list", [r.uri for r in before.resources], [r.uri for r in after.resources]),
        ("prompts/list", [p.name for p in before.prompts], [p.name for p in after.prompts]),
    ):
        common = set(old) & set(new)
        if [name for name in old if name in common] != [name for name in new if name in common]:
            message = "the order of the list differs from the last time it was read"
            remedy = "Keep one order: clients cache lists, and models their prompts."
            notes.append(Problem(Severity.NOTE, server, method, "protocol", message, remedy))
    return tuple(notes)
