"""`replay`: saved cases sent again, with what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from inspector.cli.documents import milliseconds
from inspector.cli.errors import DONE, FAILED, TOOL_ERROR, WrongWords
from inspector.cli.options import Options, shared_options
from inspector.cli.output import complain, paint, print_document
from inspector.cli.running import complain_of_failures, run_host
from inspector.cli.setup import make_setup
from inspector.host.cases import Case, CaseFault, Replay, load_case, replay_case
from inspector.host.difference import Difference
from inspector.host.forcing import ForceFault
from inspector.host.host import Host
from inspector.host.naming import UnknownTool
from inspector.host.visible import visible

_LONGEST = 160
"""Characters of a value that are shown."""


@click.command("replay")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@shared_options
@click.pass_obj
def replay_command(options: Options, files: tuple[Path, ...]) -> int:
    """Sends saved cases again. Exit code 1 where a result differs, 3 where a case could not be sent."""
    try:
        cases = [(file, load_case(file)) for file in files]
    except CaseFault as fault:
        raise WrongWords(str(fault)) from fault

    async def work(host: Host) -> int:
        complain_of_failures(host)
        before = host.settings
        documents: list[dict[str, Any]] = []
        code = DONE
        for file, case in cases:
            await host.change(before)
            try:
                replay = await replay_case(host, case)
            except (UnknownTool, ForceFault) as fault:
                complain(f"{file}: {fault}")
                documents.append(_document(file, case, str(fault)))
                code = FAILED
                continue
            documents.append(_document(file, case, replay))
            if not options.json:
                _print(file, replay)
            if replay.differences and code == DONE:
                code = TOOL_ERROR
        if options.json:
            print_document({"cases": documents})
        return code

    return run_host(make_setup(options), work, tool=cases[0][1].tool)


def _document(file: Path, case: Case, came: Replay | str) -> dict[str, Any]:
    document: dict[str, Any] = {"file": str(file), "name": case.name, "tool": case.tool}
    if isinstance(came, str):
        return {**document, "same": False, "differences": [], "error": came, "ms": None}
    return {
        **document,
        "same": not came.differences,
        "differences": [
            {"path": difference.path, "before": difference.before, "after": difference.after}
            for difference in came.differences
        ],
        "error": None,
        "ms": milliseconds(came.sent.reply.milliseconds),
    }


def _print(file: Path, replay: Replay) -> None:
    title = f"{visible(str(file))}  {visible(replay.case.name or replay.case.tool, 120)}"
    if not replay.differences:
        print(f"{paint('✓', 'good')} {title}")
        return
    print(f"{paint('✗', 'bad')} {title}")
    for difference in replay.differences:
        print(f"    {visible(difference.path or '/', 200)}")
        _print_side("-", "bad", difference, before=True)
        _print_side("+", "good", difference, before=False)


def _print_side(sign: str, colour: str, difference: Difference, *, before: bool) -> None:
    there = difference.has_before if before else difference.has_after
    if there:
        value = json.dumps(difference.before if before else difference.after, ensure_ascii=False)
        shown = value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
        print(f"      {paint(f'{sign} {shown}', colour)}")
