"""What is wrong with templates: faults, schemes that no URI has, overlaps and duplicates (R13 to R15, R27)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from inspector.extension import HOST_SCHEMES, is_scheme, scheme_of
from inspector.host.problems import Published
from inspector.host.snippets import (
    mended_template,
    segments_template,
    template_for,
    template_of_scheme,
    template_snippet,
)
from inspector.templates import InvalidTemplate, UriTemplate, find_overlaps
from inspector.workspace.catalog import Template
from inspector.workspace.problem import Problem, Severity

_EXPLODED_SEGMENT: Final = re.compile(r"\{(?P<name>[A-Za-z0-9_.%]+)\*\}")


def template_problems(published: Published) -> Iterator[Problem]:
    """The template row of the table, for every server's templates."""
    declared = {scheme for _, declaration in published.tools() for scheme in declaration.schemes}
    for server, catalog in published.catalogs.items():
        seen: set[str] = set()
        for template in catalog.templates:
            subject = f"template {template.text}"
            if template.text in seen:
                message = "duplicates another template of this server: one owner, once"
                yield Problem(Severity.NOTE, server, subject, "R15", message, "Publish it once.")
                continue
            seen.add(template.text)
            yield from template_problems_of(template)
        yield from _listed_without_template(published, server, declared)
    yield from _overlaps(published)


def template_problems_of(published: Template) -> Iterator[Problem]:
    """What is wrong with one template by itself (R10, R13, R24, R27)."""
    server, text = published.server, published.text
    subject = f"template {text}"
    try:
        template = UriTemplate.parse(text)
    except InvalidTemplate as fault:
        message = f"is no RFC 6570 template, so it owns nothing: {fault.message}"
        remedy = f"Mend it at character {fault.position + 1}."
        yield Problem(
            Severity.ERROR,
            server,
            subject,
            "R27",
            message,
            remedy,
            position=fault.position,
            snippet=mended_template(text, fault.position),
        )
        return
    if template.scheme is None and _begins_with_no_scheme(text):
        message = "begins with no RFC 3986 scheme: no citation can name it"
        remedy = "A URI begins with a scheme: write it as SCHEME:… or SCHEME://…"
        yield Problem(
            Severity.ERROR,
            server,
            subject,
            "R10",
            message,
            remedy,
            position=0,
            snippet=template_of_scheme(text),
        )
    elif template.scheme is not None and scheme_of(f"{template.scheme}:") in HOST_SCHEMES:
        message = f"{template.scheme} is the host's own scheme: no server can answer for it"
        remedy, snippet = "Publish it under a scheme of your own.", template_of_scheme(text)
        yield Problem(Severity.WARNING, server, subject, "R13", message, remedy, snippet=snippet)
    for found in _EXPLODED_SEGMENT.finditer(text):
        name = found["name"]
        message = f"{found.group()} joins its items with commas and takes no raw slash"
        remedy = f"For path segments write {{/{name}*}} or {{+{name}}}."
        yield Problem(
            Severity.WARNING,
            server,
            subject,
            "R24",
            message,
            remedy,
            position=found.start(),
            snippet=segments_template(text),
        )


def _begins_with_no_scheme(text: str) -> bool:
    """Whether no value of a variable can make the text before its first colon a scheme."""
    literal, brace, _ = text.partition("{")
    head, colon, _ = literal.partition(":")
    return not is_scheme(head) and (bool(head) or bool(colon) or not brace)


def _listed_without_template(published: Published, server: str, declared: set[str]) -> Iterator[Problem]:
    if server not in published.owners:
        return
    for resource in published.catalogs[server].resources:
        scheme = scheme_of(resource.uri)
        if scheme not in declared or scheme in HOST_SCHEMES:
            continue
        if any(claim.server == server for claim in published.ownership.claims(resource.uri)):
            continue
        yield Problem(
            Severity.WARNING,
            server,
            f"resource {resource.uri}",
            "R14",
            "is listed, and no template of this server covers it: it has no owner, and is not_found",
            "Publish a resource template that it expands from.",
            snippet=template_snippet(template_for(resource.uri), resource.name),
        )


def _overlaps(published: Published) -> Iterator[Problem]:
    for overlap in find_overlaps(published.ownership):
        if overlap is None:
            continue
        (left, right), (first, second) = overlap.servers, overlap.templates
        yield Problem(
            Severity.WARNING,
            left,
            f"template {first}",
            "R15",
            f"of {left} overlaps {second} of {right}: {overlap.witness} expands from both, and is ambiguous",
            f"Narrow one of the two, or take {left} or {right} out of the workspace.",
            others=(right,),
        )
