"""`owners`: the ownership map with its overlaps, or the verdict on each URI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from inspector.cli.arguments import read_standard_input
from inspector.cli.documents import claim_documents
from inspector.cli.errors import DONE
from inspector.cli.options import Options, shared_options
from inspector.cli.outcomes import variables_text
from inspector.cli.output import align, paint, print_document
from inspector.cli.running import complain_of_failures, run_host
from inspector.cli.setup import make_setup
from inspector.host.host import Host
from inspector.host.verdict import OwnerVerdict, Verdict
from inspector.templates import InvalidTemplate, Overlap, UriTemplate, find_overlaps
from inspector.workspace.problem import Problem


@click.command("owners")
@click.argument("uris", metavar="[URI… | -]", nargs=-1)
@shared_options
@click.pass_obj
def owners_command(options: Options, uris: tuple[str, ...]) -> int:
    """Prints who owns which URIs, with the overlaps; with URIs (or -: one a line) the verdict on each."""
    asked = list(_asked(uris))

    async def work(host: Host) -> int:
        complain_of_failures(host)
        if uris:
            _print_verdicts(host, asked, as_json=options.json)
        else:
            await _print_map(host, as_json=options.json)
        return DONE

    return run_host(make_setup(options), work)


def _asked(uris: Sequence[str]) -> Iterator[str]:
    for uri in uris:
        if uri == "-":
            # A URI is data: octets that are no UTF-8 are asked about as they came.
            lines = read_standard_input("-").decode("utf-8", "surrogateescape").split("\n")
            yield from (line for line in (line.removesuffix("\r") for line in lines) if line)
        else:
            yield uri


def _print_verdicts(host: Host, uris: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print_document({"uris": [_verdict_document(host.verdict(uri)) for uri in uris]})
        return
    for uri in uris:
        _print_verdict(host.verdict(uri))


def _verdict_document(verdict: OwnerVerdict) -> dict[str, Any]:
    return {
        "uri": verdict.uri,
        "verdict": verdict.verdict.value,
        "claims": claim_documents(verdict.claims),
        "nearest": [],
    }


def _print_verdict(verdict: OwnerVerdict) -> None:
    owned = verdict.verdict is Verdict.OWNED
    glyph = paint(f"{'✓' if owned else '✗'} {verdict.verdict.value:<11}", "good" if owned else "bad")
    print(f"{glyph}  {paint(verdict.uri)}")
    rows = [
        ((claim.server, None), (claim.template, None), (variables_text(claim.variables), "quiet"))
        for claim in verdict.claims
    ]
    for line in align(rows):
        print(f"    {line}")


async def _print_map(host: Host, *, as_json: bool) -> None:
    overlaps = [overlap for overlap in find_overlaps(host.ownership) if overlap is not None]
    templates = list(_templates(host, await host.find_problems()))
    if as_json:
        print_document({"templates": templates, "overlaps": [_overlap_document(overlap) for overlap in overlaps]})
        return
    for overlap in overlaps:
        (left, right), (first, second) = overlap.servers, overlap.templates
        print(f"{paint('! overlap', 'doubtful')}  {paint(overlap.witness, 'strong')} expands from both")
        for line in align([((left, None), (first, None)), ((right, None), (second, None))]):
            print(f"    {line}")
    rows = [
        (
            ("✗" if template["problem"] else "●", "bad" if template["problem"] else "good"),
            (template["server"], None),
            (template["template"], None),
            (template["problem"] or "", "bad"),
        )
        for template in templates
    ]
    for line in align(rows):
        print(line)
    if not rows:
        print("no server of this workspace publishes a template: nothing has an owner (R14)")


def _templates(host: Host, problems: Sequence[Problem]) -> Iterator[dict[str, Any]]:
    for name, connection in host.workspace.connections.items():
        if not host.owns(name):
            continue
        for template in connection.catalog.templates:
            # An overlap (R15) is shown by itself.
            wrong = (
                problem.message
                for problem in problems
                if problem.server == name
                and problem.subject == f"template {template.text}"
                and problem.rule != "R15"
            )
            yield {
                "server": name,
                "template": template.text,
                "name": template.name,
                "variables": _variables(template.text),
                "problem": next(wrong, None),
            }


def _variables(text: str) -> list[str]:
    try:
        return list(UriTemplate.parse(text).variables)
    except InvalidTemplate:
        return []


def _overlap_document(overlap: Overlap) -> dict[str, Any]:
    return {
        "servers": list(overlap.servers),
        "templates": list(overlap.templates),
        "witness": overlap.witness,
    }
