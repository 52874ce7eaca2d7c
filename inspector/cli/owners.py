"""`owners`: the ownership map with its overlaps, or the verdict on each URI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from inspector.cli.arguments import read_standard_input
from inspector.cli.documents import claim_documents
from inspector.cli.errors import DONE, WrongWords
from inspector.cli.options import Options, shared_options
from inspector.cli.outcomes import variables_text
from inspector.cli.output import align, paint, print_document
from inspector.cli.running import complain_of_failures, run_host
from inspector.cli.setup import make_setup
from inspector.host.host import Host
from inspector.host.verdict import Verdict, describe_near
from inspector.host.what_if import WhatIf, split_draft
from inspector.templates import InvalidTemplate, Overlap, UriTemplate, find_overlaps
from inspector.workspace.problem import Problem
from inspector.workspace.server import Connector, ServerEntry


@click.command("owners")
@click.argument("uris", metavar="[URI… | -]", nargs=-1)
@click.option(
    "--with",
    "drafts",
    metavar="SERVER=TEMPLATE",
    multiple=True,
    help="Answer as if that server published that template too. Repeatable.",
)
@shared_options
@click.pass_obj
def owners_command(options: Options, uris: tuple[str, ...], drafts: tuple[str, ...]) -> int:
    """Prints who owns which URIs, with the overlaps; with URIs (or -: one a line) the verdict on each."""
    setup = make_setup(options)
    what_if = [_read_draft(draft, setup.entries) for draft in drafts]
    asked = list(_asked(uris))

    async def work(host: Host) -> int:
        complain_of_failures(host)
        answers = host.what_if(what_if)
        if uris:
            _print_verdicts(host, answers, asked, as_json=options.json)
        else:
            await _print_map(host, answers, as_json=options.json)
        return DONE

    return run_host(setup, work)


def _read_draft(text: str, entries: Sequence[ServerEntry]) -> tuple[str, str]:
    """The server and the template of one `--with`. Raises WrongWords, with the place of a fault."""
    server, template = split_draft(text, [entry.name for entry in entries])
    if server is None:
        there = ", ".join(entry.name for entry in entries) or "none"
        raise WrongWords(f"--with {text}: is not SERVER=TEMPLATE with a server of the workspace: there is {there}")
    if next(entry for entry in entries if entry.name == server).connector is not Connector.WORKSPACE:
        raise WrongWords(
            f"--with {text}: {server} is a personal connector, and owns nothing that it publishes (R14)"
        )
    try:
        UriTemplate.parse(template)
    except InvalidTemplate as fault:
        marked = f"{template[: fault.position]}▸{template[fault.position :]}"
        raise WrongWords(
            f"--with {server}: no RFC 6570 template, at character {fault.position + 1}: {marked}: {fault.message}"
        ) from None
    return server, template


def _asked(uris: Sequence[str]) -> Iterator[str]:
    for uri in uris:
        if uri == "-":
            # A URI is data: octets that are no UTF-8 are asked about as they came.
            lines = read_standard_input("-").decode("utf-8", "surrogateescape").split("\n")
            yield from (line for line in (line.removesuffix("\r") for line in lines) if line)
        else:
            yield uri


def _print_verdicts(host: Host, answers: WhatIf, uris: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print_document({"uris": [_verdict_document(host, answers, uri) for uri in uris]})
        return
    for uri in uris:
        _print_verdict(host, answers, uri)


def _verdict_document(host: Host, answers: WhatIf, uri: str) -> dict[str, Any]:
    verdict = answers.verdict(uri)
    return {
        "uri": verdict.uri,
        "verdict": verdict.verdict.value,
        "claims": claim_documents(verdict.claims),
        "nearest": [
            {"server": near.server, "template": near.template, "position": near.position, "reason": near.reason}
            for near in host.nearest(uri, answers)
        ],
    }


def _print_verdict(host: Host, answers: WhatIf, uri: str) -> None:
    verdict = answers.verdict(uri)
    owned = verdict.verdict is Verdict.OWNED
    glyph = paint(f"{'✓' if owned else '✗'} {verdict.verdict.value:<11}", "good" if owned else "bad")
    print(f"{glyph}  {paint(verdict.uri)}")
    rows = [
        ((claim.server, None), (claim.template, None), (variables_text(claim.variables), "quiet"))
        for claim in verdict.claims
    ]
    for line in align(rows):
        print(f"    {line}")
    for near in host.nearest(uri, answers):
        print(f"    {paint(describe_near(near))}")
        if near.suggestion is not None:
            print(f"      → {paint(near.suggestion, 'strong')}")


async def _print_map(host: Host, answers: WhatIf, *, as_json: bool) -> None:
    found = (*find_overlaps(host.ownership), *answers.overlaps())
    overlaps = [overlap for overlap in found if overlap is not None]
    templates = [*_templates(host, await host.find_problems()), *_drafts(answers)]
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
            (_glyph(template), "bad" if template["problem"] else "good"),
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


def _glyph(template: dict[str, Any]) -> str:
    """A draft, which has no name, is told from what is published."""
    if template["problem"]:
        return "✗"
    return "+" if template["name"] is None else "●"


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


def _drafts(answers: WhatIf) -> Iterator[dict[str, Any]]:
    for entry in answers.drafts.entries:
        subject = f"template {entry.template.text}"
        wrong = (p.message for p in answers.problems if (p.server, p.subject) == (entry.server, subject))
        yield {
            "server": entry.server,
            "template": entry.template.text,
            "name": None,
            "variables": list(entry.template.variables),
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
