"""`preview` and `call`: resolve a composed call as the host would; `call` then sends exactly what was resolved."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import click

from inspector.cli.arguments import read_arguments
from inspector.cli.documents import call_document
from inspector.cli.errors import DONE, FAILED, TOOL_ERROR, RunFailed, WrongWords
from inspector.cli.forcing import Changes, meta_options
from inspector.cli.options import ARGUMENTS_OPTION, Options, shared_options
from inspector.cli.outcomes import print_outcomes, print_result, time_text
from inspector.cli.output import complain, paint, print_document, print_json_text
from inspector.cli.running import complain_of_failures, run_host
from inspector.cli.setup import make_setup
from inspector.host.call import SentCall
from inspector.host.host import Host
from inspector.host.naming import UnknownTool
from inspector.host.resolution import Resolution
from inspector.host.validation import validate
from inspector.workspace.catalog import Tool
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.server import State

_MOST_FAULTS: Final = 10
"""No more faults of the arguments than this are said, each in a line."""


@click.command("preview")
@click.argument("tool", metavar="SERVER/TOOL")
@ARGUMENTS_OPTION
@meta_options
@shared_options
@click.pass_obj
def preview_command(
    options: Options, tool: str, arguments_text: str | None, forces: tuple[str, ...], added_meta: tuple[str, ...]
) -> int:
    """Resolves a call as the host would, and prints its _meta and the outcomes. Sends nothing."""
    return _run(options, tool, read_arguments(arguments_text), Changes.read(forces, added_meta), send=False)


@click.command("call")
@click.argument("tool", metavar="SERVER/TOOL")
@ARGUMENTS_OPTION
@meta_options
@shared_options
@click.pass_obj
def call_command(
    options: Options, tool: str, arguments_text: str | None, forces: tuple[str, ...], added_meta: tuple[str, ...]
) -> int:
    """Resolves a call as the host would, and sends exactly that. Exit code 1 where the tool answers isError."""
    return _run(options, tool, read_arguments(arguments_text), Changes.read(forces, added_meta), send=True)


def _run(
    options: Options,
    reference: str,
    arguments: Mapping[str, Any],
    changes: Changes,
    *,
    send: bool,
) -> int:
    async def work(host: Host) -> int:
        tool = await find_tool(host, reference)
        await _complain_of_faults(tool, arguments)
        resolution = changes.apply(await host.resolve(tool, arguments))
        sent = await host.send(resolution) if send else None
        if options.json:
            print_document(call_document(resolution, sent))
        else:
            _print_resolution(resolution)
            if sent is not None:
                _print_sent(sent)
        return DONE if sent is None else _exit_code(sent)

    return run_host(make_setup(options), work, tool=reference)


async def find_tool(host: Host, reference: str) -> Tool:
    """The tool that is named, on a server that is connected, with that server as the calling one.

    Says a line for every other server that failed. Raises RunFailed where the tool's own server did, or its list
    of tools, and WrongWords where there is no such tool.
    """
    server = host.server_of(reference)
    _check_server(host, server)
    complain_of_failures(host)
    try:
        tool = host.find_tool(reference)
        if await host.set_calling(tool.server):
            _check_server(host, tool.server)
            tool = host.find_tool(tool.reference)
    except UnknownTool as error:
        broken = None if server is None else _broken_list(host, server, reference.removeprefix(f"{server}/"))
        if broken is not None:
            raise RunFailed(f"{error}; {broken.subject}: {broken.message}") from error
        raise WrongWords(str(error)) from error
    return tool


def _broken_list(host: Host, server: str, tool: str) -> Problem | None:
    """What kept a server's tool, or all of its tools, from being listed; None where nothing did."""
    catalog = host.workspace.connections[server].catalog
    errors = [problem for problem in catalog.problems if problem.severity is Severity.ERROR]
    found = [problem for problem in errors if problem.subject == f"tool {tool}"]
    if not catalog.tools:
        found += [problem for problem in errors if problem.subject.startswith("tools/list")]
    return found[0] if found else None


def _check_server(host: Host, server: str | None) -> None:
    if server is not None:
        connection = host.workspace.connections[server]
        if connection.state is not State.CONNECTED:
            raise RunFailed(f"{server}, the tool's server: {connection.error}")


async def _complain_of_faults(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Says what the tool's inputSchema does not allow, a line each. It warns and never forbids."""
    verdict = await asyncio.to_thread(validate, tool.raw.get("inputSchema", {}), arguments)
    about = f"{tool.reference}: the arguments"
    if verdict.unsupported is not None:
        complain(f"{about} are not checked against inputSchema: {verdict.unsupported}")
    for fault in verdict.faults[:_MOST_FAULTS]:
        complain(f"{about}, by inputSchema: {f'{fault.place} ' if fault.path else ''}{fault.message}")
    if len(verdict.faults) > _MOST_FAULTS:
        complain(f"{about}, by inputSchema: {verdict.count} faults in all")
    for what in verdict.unchecked:
        complain(f"{about} are not checked by inputSchema against {what}")


def _exit_code(sent: SentCall) -> int:
    for departure in sent.reply.departures:
        complain(f"{sent.resolution.tool.server}: the result breaks the protocol: {departure}")
    if sent.reply.result is None:
        code = "" if sent.reply.code is None else f" (error {sent.reply.code})"
        complain(f"{sent.resolution.tool.reference}: no result: {sent.reply.message}{code}")
        return FAILED
    return TOOL_ERROR if sent.tool_error else DONE


def _print_resolution(resolution: Resolution) -> None:
    profile = resolution.settings.profile
    print(f"{paint(resolution.tool.reference, 'strong')}  host: {profile.value}, {profile.summary}")
    if not resolution.present:
        print("  no string of a declared argument is resolved: the key is absent from _meta (R9)")
    print_outcomes(resolution.outcomes, resolution.claims)
    print(f"\n{paint('_meta', 'strong')}")
    print_json_text(resolution.meta, indent=2)


def _print_sent(sent: SentCall) -> None:
    reply, time = sent.reply, time_text(sent.reply.milliseconds)
    print()
    if reply.result is None:
        print(paint(f"✗ no result after {time}", "bad"))
        return
    if sent.tool_error:
        print(paint(f"✗ the tool says isError, after {time}", "bad"))
    else:
        print(paint(f"✓ answered after {time}", "good"))
    print_result(reply.result)
