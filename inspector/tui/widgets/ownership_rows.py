"""The rows of the Ownership page: overlaps on top, then every template by scheme, with what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.content import Content

from inspector.extension import HOST_SCHEMES, scheme_of
from inspector.host.visible import visible
from inspector.tui.widgets.caret import caret_lines
from inspector.tui.widgets.rows import Row, spread
from inspector.tui.words import SEVERITIES, count
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.server import Connector, State

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.templates import Overlap

_TEXT: Final = 400
"""Characters of a template that are shown in its row."""

_OVERLAPS: Final = 200
"""Overlaps that are shown at most: who has more has one cause for many."""


@dataclass(frozen=True, slots=True)
class TemplateSubject:
    """What choosing a template's row chooses."""

    server: str
    text: str


@dataclass(frozen=True, slots=True)
class OverlapSubject:
    """What choosing an overlap's row chooses: a URI that both templates claim."""

    witness: str


def overlap_rows(overlaps: Sequence[Overlap] | None) -> list[Row]:
    """The overlaps between servers, each with a URI that both claim. None: they are being looked for."""
    if overlaps is None:
        return [Row("overlaps", partial(_draw_head, "overlaps", "being looked for"))]
    if not overlaps:
        return [Row("overlaps", partial(_draw_head, "overlaps", "none: no URI is ambiguous"))]
    rows = [Row("overlaps", partial(_draw_head, "overlaps", count(len(overlaps), "overlap")))]
    for overlap in overlaps[:_OVERLAPS]:
        key = ("overlap", overlap.servers, overlap.templates)
        rows.append(Row(key, partial(_draw_witness, overlap.witness), OverlapSubject(overlap.witness)))
        wide = max(len(visible(server, 30)) for server in overlap.servers)
        for side in (0, 1):
            line = Content.assemble(
                "  ",
                (visible(overlap.servers[side], 30).ljust(wide + 2), "bold"),
                visible(overlap.templates[side], _TEXT),
            )
            rows.append(Row((*key, side), partial(_draw_below, line)))
    if len(overlaps) > _OVERLAPS:
        rest = Content.assemble((f"… and {len(overlaps) - _OVERLAPS} more", "$text-muted"))
        rows.append(Row("overlaps-rest", partial(_draw_below, rest)))
    return rows


def _draw_head(title: str, note: str, width: int) -> Content:
    return spread(Content.assemble((title, "bold $primary")), Content.assemble((note, "$text-muted")), width)


def _draw_witness(witness: str, width: int) -> Content:
    words = Content.assemble(("both claim it", "$outcome-refused"))
    return spread(Content.assemble(("  ! ", "$outcome-refused"), visible(witness, _TEXT)), words, width)


def template_rows(host: Host, problems: Mapping[tuple[str, str], Problem]) -> list[Row]:
    """Every template of the connected servers by scheme. `problems` are keyed by server and template text."""
    groups: dict[str, list[tuple[str, str, bool]]] = {}
    for name, connection in host.workspace.connections.items():
        if connection.state is not State.CONNECTED:
            continue
        owns = connection.entry.connector is Connector.WORKSPACE
        for template in connection.catalog.templates:
            groups.setdefault(scheme_of(template.text) or "", []).append((name, template.text, owns))
    rows: list[Row] = []
    for scheme in sorted(groups, key=lambda scheme: (scheme == "", scheme)):
        rows.append(Row(("scheme", scheme), partial(_draw_scheme, scheme, len(groups[scheme]))))
        for place, (server, text, owns) in enumerate(groups[scheme]):
            rows.extend(_template(server, text, owns, place, problems.get((server, text))))
    return rows


def _template(server: str, text: str, owns: bool, place: int, problem: Problem | None) -> Iterator[Row]:
    key = ("template", server, text, place)
    yield Row(key, partial(_draw_template, server, text, owns, problem), TemplateSubject(server, text))
    if problem is None or problem.rule in ("R13", "R15"):
        # The scheme's own line, or the overlaps on top, say that already.
        return
    if problem.position is not None:
        shown, caret = caret_lines(text, problem.position)
        # The row above shows the text from its start: the caret's line goes right below it, where that is whole.
        if shown.plain.startswith("…"):
            yield Row((*key, "text"), partial(_draw_below, shown))
        yield Row((*key, "caret"), partial(_draw_below, caret))
    mark = SEVERITIES[problem.severity]
    words = Content.assemble((f"{mark.glyph} {mark.word}: ", mark.style), visible(problem.message, 400))
    yield Row(
        (*key, "problem"), partial(_draw_below, words + Content.assemble((f"  {problem.rule}", "$text-muted")))
    )


def worst_by_template(problems: tuple[Problem, ...]) -> dict[tuple[str, str], Problem]:
    """The first problem, and so the worst, of each template: keyed by server and the template's text."""
    worst: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        if problem.server is not None and problem.subject.startswith("template "):
            worst.setdefault((problem.server, problem.subject[len("template ") :]), problem)
    return worst


def _draw_scheme(scheme: str, number: int, width: int) -> Content:
    if not scheme:
        return Content.assemble(("no scheme", "bold $text-muted"))
    note = "  the host's own: no server can answer for it (R13)" if scheme in HOST_SCHEMES else ""
    head = Content.assemble((f"{visible(scheme, 40)}:", "bold $primary"), (note, "$outcome-refused"))
    return spread(head, Content.assemble((count(number, "template"), "$text-muted")), width)


def _draw_template(server: str, text: str, owns: bool, problem: Problem | None, width: int) -> Content:
    style = "$outcome-error" if problem is not None and problem.severity is Severity.ERROR else ""
    right = Content.assemble(
        (visible(server, 30), "bold"), ("" if owns else " (personal: owns nothing)", "$text-muted")
    )
    return spread(Content.assemble("  ", (visible(text, _TEXT), style)), right, width)


def _draw_below(content: Content, _: int) -> Content:
    return Content("  ") + content
