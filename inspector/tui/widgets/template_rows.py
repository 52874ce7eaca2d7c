"""The lines of the template form: the templates to choose from, and the URI that one expands to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.content import Content

from inspector.extension import scheme_of
from inspector.host.visible import visible
from inspector.templates import Expanded, InvalidTemplate, UriTemplate
from inspector.tui.widgets.rows import Row, spread

if TYPE_CHECKING:
    from inspector.host.host import Host

_TEXT: Final = 400
"""Characters of a template, and of a URI, that are shown."""

ENCODED_STYLE: Final = "underline $accent"
"""How what was percent-encoded stands out: not by colour alone."""


@dataclass(frozen=True, slots=True)
class Choosable:
    """A template that a URI can be built from, and the server that publishes it."""

    server: str
    template: UriTemplate
    name: str
    declared: bool
    """Whether the argument that the URI is for declares its scheme (R10)."""


def choosable_templates(host: Host, schemes: Iterable[str]) -> list[Choosable]:
    """Every valid template of the workspace's servers, those with a declared scheme first."""
    declared = {scheme.lower() for scheme in schemes}
    found: dict[tuple[str, str], Choosable] = {}
    for server, connection in host.workspace.connections.items():
        for published in connection.catalog.templates if host.owns(server) else ():
            try:
                template = UriTemplate.parse(published.text)
            except InvalidTemplate:
                # The Ownership page and Problems say so.
                continue
            mine = template.scheme in declared
            found.setdefault((server, published.text), Choosable(server, template, published.name, mine))
    return sorted(found.values(), key=lambda choice: not choice.declared)


def choice_rows(choices: Sequence[Choosable], schemes: Sequence[str], sought: str) -> list[Row]:
    """The templates in which each word of what is sought is found, under heads where some are not declared."""
    words = sought.casefold().split()
    rows: list[Row] = []
    headed = any(not choice.declared for choice in choices)
    for declared in (True, False):
        shown = [
            choice
            for choice in choices
            if choice.declared is declared
            and all(word in f"{choice.server} {choice.template.text} {choice.name}".casefold() for word in words)
        ]
        if headed and shown:
            head = f"declared here: {', '.join(schemes)}" if declared else "other schemes: refused here (R10)"
            rows.append(Row(("head", declared), partial(_draw_head, head)))
        rows += [Row((c.server, c.template.text), partial(_draw_choice, c), c) for c in shown]
    return rows


def _draw_head(text: str, _: int) -> Content:
    return Content.styled(visible(text, 200), "$text-muted")


def _draw_choice(choice: Choosable, width: int) -> Content:
    return spread(title_of_choice(choice), Content.styled(visible(choice.server, 30), "bold"), width)


def title_of_choice(choice: Choosable) -> Content:
    """The template's text."""
    return Content(visible(choice.template.text, _TEXT))


def expanded_lines(expanded: Expanded) -> Content:
    """The URI, with what was percent-encoded underlined; below it, where anything was, what that means."""
    uri = Content(expanded.uri[:_TEXT])
    for start, end in expanded.encoded:
        if start < _TEXT:
            uri = uri.stylize(ENCODED_STYLE, start, min(end, _TEXT))
    if len(expanded.uri) > _TEXT:
        uri += Content(f"… {len(expanded.uri):,} characters")
    if not expanded.encoded:
        return uri or Content.styled("empty", "$text-muted")
    legend = Content.assemble(("underlined", ENCODED_STYLE), (": percent-encoded", "$text-muted"))
    return Content("\n").join([uri, legend])


def not_declared(uri: str, schemes: Sequence[str]) -> Content | None:
    """What to say of a URI whose scheme the argument does not declare (R10); None where it does."""
    if scheme_of(uri) in {scheme.lower() for scheme in schemes}:
        return None
    words = f"! scheme_not_declared here: declared is {', '.join(schemes)}"
    return Content.assemble((visible(words, 200), "$outcome-refused"), ("  R10", "$text-muted"))
