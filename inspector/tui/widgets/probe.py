"""What the probe line answers for a URI: the verdict, and what each template makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from textual.content import Content

from inspector.extension import REMEDIES, Code
from inspector.extension.outcome import HOST_SCHEME_REMEDY
from inspector.host.verdict import OwnerVerdict, Verdict, describe_near
from inspector.host.visible import visible
from inspector.tui.widgets.caret import caret_lines
from inspector.tui.words import Mark, listing

if TYPE_CHECKING:
    from inspector.templates import Claim, Near, Value

VERDICTS: Final[Mapping[Verdict, tuple[Mark, str, str]]] = {
    Verdict.OWNED: (Mark("✓", "owned", "$outcome-resolved"), "R14", ""),
    Verdict.UNOWNED: (Mark("✗", "no owner", "$outcome-refused"), "R14", REMEDIES[Code.NOT_FOUND]),
    Verdict.AMBIGUOUS: (Mark("✗", "ambiguous", "$outcome-refused"), "R15", REMEDIES[Code.AMBIGUOUS]),
    Verdict.HOST_SCHEME: (Mark("✗", "the host's own scheme", "$outcome-refused"), "R13", HOST_SCHEME_REMEDY),
    Verdict.NO_SCHEME: (
        Mark("✗", "no scheme", "$outcome-refused"),
        "R10",
        "A URI begins with its scheme: crm://…",
    ),
    Verdict.UNDECIDED: (
        Mark("✗", "undecided", "$outcome-refused"),
        "R26",
        "A template that uses a variable twice is too hard to decide on for this URI: use each variable once.",
    ),
}
"""Each verdict with its mark, the rule behind it, and what to do."""

_SHOWN: Final = 12
"""Claims that are shown at most."""


def answer(verdict: OwnerVerdict, near: Sequence[Near] = ()) -> Content:
    """The verdict, the templates that claim the URI with their variables, and what to change.

    `near` is why a URI without an owner has none: the place where it and a template part stands under a caret.
    """
    mark, rule, remedy = VERDICTS[verdict.verdict]
    servers = tuple(dict.fromkeys(claim.server for claim in verdict.claims))
    head: list[str | tuple[str, str]] = [(f"{mark.glyph} {mark.word}", f"bold {mark.style}")]
    if verdict.verdict is Verdict.OWNED:
        head.append(f" by {visible(servers[0], 60)}: it would be read from there")
    elif verdict.verdict is Verdict.AMBIGUOUS:
        head.append(f": {listing(visible(server, 60) for server in servers)} each claim it, so neither is read")
    head.append((f"  {rule}", "$text-muted"))
    lines = [Content.assemble(*head)]
    lines += [_claim(claim) for claim in verdict.claims[:_SHOWN]]
    if len(verdict.claims) > _SHOWN:
        lines.append(Content.assemble((f"  … and {len(verdict.claims) - _SHOWN} more templates", "$text-muted")))
    for reason in near:
        lines += _near(verdict.uri, reason)
    if remedy and not near:
        lines.append(Content.assemble(("→ ", "$accent"), remedy))
    return Content("\n").join(lines)


def _near(uri: str, near: Near) -> list[Content]:
    """The reason; where it parts from a template, both texts with a caret; and what would mend it."""
    lines = [Content.assemble("  ", visible(describe_near(near), 400))]
    if near.template is not None and near.template_position is not None:
        for text, position in ((uri, near.position), (near.template, near.template_position)):
            lines += [Content.assemble("    ", line) for line in caret_lines(text, position)]
    if near.suggestion is not None:
        lines.append(Content.assemble(("  → ", "$accent"), visible(near.suggestion, 400)))
    return lines


def _claim(claim: Claim) -> Content:
    variables = ", ".join(f"{visible(name, 60)}={show_value(value)}" for name, value in claim.variables.items())
    return Content.assemble(
        "  ",
        (visible(claim.server, 40), "bold"),
        f"  {visible(claim.template, 200)}  ",
        (variables or "no variables", "$text-muted"),
    )


def show_value(value: Value) -> str:
    """A variable's value in a line: a string as it is, a list in brackets, an associative array in braces."""
    if isinstance(value, str):
        return visible(value, 120) if value else '""'
    parts = [item if isinstance(item, str) else f"{item[0]}: {item[1]}" for item in value]
    pairs = any(not isinstance(item, str) for item in value)
    return visible(f"{'{' if pairs else '['}{', '.join(parts)}{'}' if pairs else ']'}", 200)
