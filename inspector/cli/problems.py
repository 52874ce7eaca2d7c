"""Problems as text for people: how bad, where, what, by which rule, and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from inspector.cli.output import paint, print_text
from inspector.workspace.problem import Problem, Severity

_GLYPHS = {Severity.ERROR: ("✗", "bad"), Severity.WARNING: ("!", "doubtful"), Severity.NOTE: ("·", "quiet")}


def print_problems(problems: Iterable[Problem], *, indent: int = 0, with_server: bool = False) -> None:
    """A line for each problem, one for what to do about it, and the snippet to paste, indented.

    `with_server` where it stands below no server.
    """
    margin = " " * indent
    for problem in problems:
        glyph, colour = _GLYPHS[problem.severity]
        where = f"{', '.join(problem.servers)}: " if with_server and problem.servers else ""
        head = paint(f"{glyph} {problem.severity.value}", colour)
        subject = paint(f"{where}{problem.subject}", "strong")
        print(f"{margin}{head}  {subject}  {paint(f'{problem.message} ({problem.rule})')}")
        if problem.remedy:
            print(f"{margin}    {paint(f'→ {problem.remedy}', 'quiet')}")
        if problem.snippet:
            print_text(problem.snippet, indent=indent + 6)
