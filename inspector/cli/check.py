"""`check`: everything wrong in the workspace, worst first."""

from __future__ import annotations

from collections import Counter

import click

from inspector.cli.documents import problem_document
from inspector.cli.errors import DONE, TOOL_ERROR
from inspector.cli.options import Options, shared_options
from inspector.cli.output import count_text, print_document
from inspector.cli.problems import print_problems
from inspector.cli.running import run_host
from inspector.cli.setup import make_setup
from inspector.host.host import Host
from inspector.host.problems import worst_first
from inspector.workspace.problem import Severity


@click.command("check")
@shared_options
@click.pass_obj
def check_command(options: Options) -> int:
    """Prints everything wrong in the workspace. Exit code 1 where there is an error."""
    setup = make_setup(options)

    async def work(host: Host) -> int:
        problems = worst_first((*await host.find_problems(), *setup.notes))
        found = Counter(problem.severity for problem in problems)
        if options.json:
            print_document({"problems": [problem_document(problem, with_server=True) for problem in problems]})
        else:
            print_problems(problems, with_server=True)
            print(", ".join(count_text(found[severity], severity.value) for severity in Severity))
        return TOOL_ERROR if found[Severity.ERROR] else DONE

    return run_host(setup, work)
