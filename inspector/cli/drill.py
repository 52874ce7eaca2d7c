"""`drill`: one call under each outcome and each host, as a table with what deserves a look marked."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from inspector.cli.arguments import read_arguments
from inspector.cli.call import find_tool
from inspector.cli.documents import milliseconds
from inspector.cli.errors import DONE, TOOL_ERROR, RunFailed, WrongWords
from inspector.cli.forcing import Changes, meta_options
from inspector.cli.options import ARGUMENTS_OPTION, Options, shared_options
from inspector.cli.outcomes import time_text
from inspector.cli.output import Cell, align, paint, print_document
from inspector.cli.running import run_host
from inspector.cli.setup import make_setup
from inspector.host.drill import DrillRow, plan_drill, run_drill, tool_hints
from inspector.host.drill_judging import answer_text
from inspector.host.host import Host
from inspector.host.resolution import Resolution
from inspector.host.visible import visible
from inspector.workspace.catalog import Tool


@click.command("drill")
@click.argument("tool", metavar="SERVER/TOOL")
@ARGUMENTS_OPTION
@meta_options
@click.option("--yes", is_flag=True, help="Makes the calls without asking.")
@shared_options
@click.pass_obj
def drill_command(
    options: Options,
    tool: str,
    arguments_text: str | None,
    forces: tuple[str, ...],
    added_meta: tuple[str, ...],
    yes: bool,
) -> int:
    """Makes the same call under each outcome and each host. Exit code 1 where something deserves a look."""
    arguments, changes = read_arguments(arguments_text), Changes.read(forces, added_meta)
    if not (yes or (sys.stdin.isatty() and sys.stderr.isatty())):
        raise WrongWords("a drill makes many calls, and there is no terminal to ask on: --yes says that it may")

    async def work(host: Host) -> int:
        found = await find_tool(host, tool)
        resolution = changes.apply(await host.resolve(found, arguments))
        count = len(plan_drill(resolution))
        if not yes:
            _ask(found, count)
        rows = [row async for row in run_drill(host, resolution)]
        if options.json:
            print_document(_document(resolution, rows))
        else:
            _print(found, rows)
        return TOOL_ERROR if any(row.marks for row in rows) else DONE

    return run_host(make_setup(options), work, tool=tool)


def _ask(tool: Tool, count: int) -> None:
    print(f"{visible(tool.reference, 120)}: {count} calls, one after the other.", file=sys.stderr)
    print(f"The tool says of itself: {_hints_text(tool_hints(tool))}.", file=sys.stderr)
    if not click.confirm("Make them?", default=False, err=True):
        raise RunFailed("nothing was called")


def _hints_text(hints: Mapping[str, bool | None]) -> str:
    words = {None: "not said", True: "yes", False: "no"}
    return ", ".join(f"{hint} {words[value]}" for hint, value in hints.items())


def _document(resolution: Resolution, rows: Sequence[DrillRow]) -> dict[str, Any]:
    return {
        "tool": resolution.tool.reference,
        "arguments": resolution.arguments,
        "hints": tool_hints(resolution.tool),
        "calls": len(rows),
        "marked": sum(1 for row in rows if row.marks),
        "rows": [
            {
                "case": row.case.name,
                "profile": row.case.profile.value,
                "uris": list(row.case.uris),
                "code": row.case.code,
                "meta": row.resolution.meta,
                "answer": row.answer.value,
                "text": answer_text(row.sent),
                "result": row.sent.reply.result,
                "ms": milliseconds(row.sent.reply.milliseconds),
                "marks": [mark.value for mark in row.marks],
            }
            for row in rows
        ],
    }


def _print(tool: Tool, rows: Sequence[DrillRow]) -> None:
    print(f"{paint(visible(tool.reference, 120), 'strong')}  {len(rows)} calls")
    for line, row in zip(align([_cells(row) for row in rows]), rows, strict=True):
        print(f"  {line}")
        for mark in row.marks:
            print(f"      {paint(f'! {mark.value}', 'bad')}")
    marked = sum(1 for row in rows if row.marks)
    print(paint(f"{marked} deserve a look" if marked else "Nothing deserves a look.", "bad" if marked else "good"))


def _cells(row: DrillRow) -> tuple[Cell, ...]:
    first_line = visible(answer_text(row.sent).split("\n", 1)[0], 80)
    return (
        ("!" if row.marks else "·", "bad" if row.marks else "quiet"),
        (row.case.name, None),
        (row.answer.value, None),
        (time_text(row.sent.reply.milliseconds), "quiet"),
        (first_line, "quiet"),
    )
