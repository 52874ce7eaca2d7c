"""`read`: one URI as the host would read it, or from a named server, whoever owns it."""

from __future__ import annotations

import click

from inspector.cli.documents import outcome_document
from inspector.cli.errors import DONE, TOOL_ERROR, RunFailed, WrongWords
from inspector.cli.options import Options, shared_options
from inspector.cli.outcomes import print_contents, print_outcomes
from inspector.cli.output import complain, print_document
from inspector.cli.running import complain_of_failures, run_host
from inspector.cli.setup import make_setup
from inspector.host.host import Host
from inspector.host.verdict import UriRead
from inspector.workspace.json_values import find_lone_surrogate
from inspector.workspace.server import State


@click.command("read")
@click.argument("uri", metavar="URI")
@click.option("--from", "server", metavar="SERVER", help="Read it from this server, whoever owns it.")
@shared_options
@click.pass_obj
def read_command(options: Options, uri: str, server: str | None) -> int:
    """Reads a URI as the host would. Exit code 1 where it is not resolved."""
    place = find_lone_surrogate(uri)
    if place is not None:
        raise WrongWords(f"URI: holds a lone surrogate at {place}, and no request can carry half a character")

    async def work(host: Host) -> int:
        if server is not None:
            _check_server(host, server)
        complain_of_failures(host)
        read = await host.read_uri(uri, server)
        if options.json:
            print_document(_document(read))
        else:
            print_outcomes((read.outcome,), {uri: read.claims})
            print_contents(read.outcome.contents)
        for departure in read.reply.departures if read.reply is not None else ():
            complain(f"{read.outcome.server}: the result breaks the protocol: {departure}")
        return DONE if read.outcome.code is None else TOOL_ERROR

    return run_host(make_setup(options), work)


def _check_server(host: Host, server: str) -> None:
    connection = host.workspace.connections.get(server)
    if connection is None:
        there = ", ".join(host.workspace.connections) or "none"
        raise WrongWords(f"--from: no server is named {server}: there is {there}")
    if connection.state is not State.CONNECTED:
        raise RunFailed(f"{server}: {connection.error}")


def _document(read: UriRead) -> dict[str, object]:
    """The outcome as `preview` prints it, with the result as it came, null where there is none."""
    document = outcome_document(read.outcome, read.claims)
    del document["arguments"], document["forced"]
    return document | {"result": read.reply.result if read.reply is not None else None}
