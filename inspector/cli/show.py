"""`show`: the servers of the workspace, what each publishes and declares, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from inspector.cli.documents import server_document
from inspector.cli.errors import DONE
from inspector.cli.options import Options, shared_options
from inspector.cli.outcomes import time_text
from inspector.cli.output import Cell, align, count_text, paint, print_document
from inspector.cli.problems import print_problems
from inspector.cli.running import run_host
from inspector.cli.setup import make_setup
from inspector.extension import Declaration
from inspector.host.host import Host
from inspector.host.problems import worst_first
from inspector.workspace.problem import Problem
from inspector.workspace.server import Connector, State


@click.command("show")
@shared_options
@click.pass_obj
def show_command(options: Options) -> int:
    """Shows the servers, their eras, their tools with what each declares, their templates, and what is wrong."""
    setup = make_setup(options)

    async def work(host: Host) -> int:
        problems = worst_first((*await host.find_problems(), *setup.notes))
        of_server = {
            name: [problem for problem in problems if name in problem.servers]
            for name in host.workspace.connections
        }
        if options.json:
            servers = [server_document(host, name, found) for name, found in of_server.items()]
            print_document({"servers": servers})
        else:
            for name, found in of_server.items():
                _print_server(host, name, found)
            print_problems(problem for problem in problems if problem.server not in of_server)
        return DONE

    return run_host(setup, work)


def _print_server(host: Host, name: str, problems: Sequence[Problem]) -> None:
    connection = host.workspace.connections[name]
    connected = connection.state is State.CONNECTED
    facts = [
        connection.state.value,
        connection.protocol_version if connected else connection.error,
        connection.entry.transport.value,
        time_text(connection.connect_milliseconds) if connected else None,
        "personal connector" if connection.entry.connector is Connector.PERSONAL else None,
    ]
    head = paint(f"{'●' if connected else '✗'} {name}", "good" if connected else "bad")
    print("  ".join((head, *(paint(fact) for fact in facts if fact))))
    if connected:
        _print_catalog(host, name)
    print_problems(problems, indent=4)


def _print_catalog(host: Host, name: str) -> None:
    catalog = host.workspace.connections[name].catalog
    tools = [(tool, host.declaration(tool)) for tool in catalog.tools]
    rows: list[tuple[Cell, ...]] = [
        (
            ("tool", "quiet"),
            ("⧉" if declaration else " ", "good"),
            (tool.name, None),
            (_declares(declaration), None),
        )
        for tool, declaration in sorted(tools, key=lambda pair: not pair[1])
    ]
    rows += [(("template", "quiet"), (" ", None), (template.text, None)) for template in catalog.templates]
    for line in align(rows):
        print(f"    {line}")
    counts = ((len(catalog.resources), "resource"), (len(catalog.prompts), "prompt"))
    if any(number for number, _ in counts):
        print(f"    {paint(', '.join(count_text(number, word) for number, word in counts), 'quiet')}")


def _declares(declaration: Declaration) -> str:
    return "; ".join(f"{argument.name}: {', '.join(argument.schemes)}" for argument in declaration.arguments)
