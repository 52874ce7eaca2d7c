"""What is wrong in the workspace, worst first: a line each, and all about the one at the cursor below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from inspector.host.visible import visible
from inspector.tui.messages import Notice, SubjectRequested
from inspector.tui.widgets.caret import caret_lines
from inspector.tui.widgets.rows import Row, RowList, spread
from inspector.tui.words import SEVERITIES
from inspector.workspace.problem import Problem, Severity

_TEMPLATE: Final = "template "

_NAME: Final = 24
"""Characters of a server's name in a row."""


class ProblemsPane(Vertical):
    """The problems, given by `show`. Enter goes to what a problem is about, `c` copies its snippet."""

    DEFAULT_CSS = """
    ProblemsPane {
        RowList { height: 1fr; min-height: 3; }
        VerticalScroll {
            height: auto;
            max-height: 50%;
            border-top: solid $border-blurred;
            padding: 0 0;
        }
        VerticalScroll:focus { border-top: solid $border; }
        &.-none VerticalScroll { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "copy snippet", id="problems.copy"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._problems: Sequence[Problem] | None = None

    def compose(self) -> ComposeResult:
        """The list, and what is said of the one at the cursor."""
        yield RowList(id="problems-list")
        with VerticalScroll():
            yield Static(id="problems-detail", markup=False)

    def on_mount(self) -> None:
        """Shows what was given before there was a screen."""
        self._fill()

    def show(self, problems: Sequence[Problem] | None) -> None:
        """Shows these problems; None says that they are not known yet. The cursor stays with its problem."""
        self._problems = problems
        if self.is_mounted:
            self._fill()

    def _fill(self) -> None:
        if self._problems is None:
            empty = Content("The servers' lists are being read.")
        else:
            empty = Content.assemble(
                ("✓ ", "$outcome-resolved"), "Nothing wrong in what the connected servers publish."
            )
        problems = self._problems or ()
        self.set_class(not problems, "-none")
        wide = min(_NAME, max((len(_server(problem)) for problem in problems), default=0))
        rows = [Row(problem, partial(_draw, problem, wide), problem) for problem in problems]
        self.query_one(RowList).set_rows(rows, empty)

    @on(RowList.Highlighted)
    def _detail(self, event: RowList.Highlighted) -> None:
        event.stop()
        problem = event.row.subject if event.row else None
        self.query_one("#problems-detail", Static).update(describe(problem) if problem else Content())
        self.refresh_bindings()

    @on(RowList.Chosen)
    def _go(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(SubjectRequested(event.row.subject))

    def _current(self) -> Problem | None:
        row = self.query_one(RowList).current if self.is_mounted else None
        return row.subject if row else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a problem with a snippet has one to copy."""
        if action == "copy":
            problem = self._current()
            return problem is not None and problem.snippet is not None
        return True

    def action_copy(self) -> None:
        """Puts the snippet on the clipboard of the terminal."""
        problem = self._current()
        if problem is not None and problem.snippet is not None:
            self.app.copy_to_clipboard(problem.snippet)
            self.post_message(Notice("The snippet was handed to the terminal's clipboard (OSC 52)."))


def problem_count(problems: Sequence[Problem]) -> Content:
    """How many problems there are, in the colour of the worst; nothing where there is none."""
    if not problems:
        return Content()
    worst = min(problems, key=lambda problem: list(Severity).index(problem.severity))
    return Content.assemble((str(len(problems)), f"bold {SEVERITIES[worst.severity].style}"))


def describe(problem: Problem) -> Content:
    """All that is known of a problem, with a caret where it has a place."""
    mark = SEVERITIES[problem.severity]
    lines = [
        Content.assemble(
            (f"{mark.glyph} {mark.word}", mark.style),
            ("  ", ""),
            (visible(problem.server, 80) if problem.server else "workspace", "bold"),
            "  ",
            visible(problem.subject, 300),
            (f"  {problem.rule}", "$text-muted"),
        ),
        Content(visible(problem.message, 2000)),
    ]
    if problem.position is not None and problem.subject.startswith(_TEMPLATE):
        lines += [
            Content("  ") + line for line in caret_lines(problem.subject[len(_TEMPLATE) :], problem.position)
        ]
    if problem.remedy:
        lines.append(Content.assemble(("→ ", "$accent"), visible(problem.remedy, 2000)))
    if problem.snippet:
        lines += [
            Content.assemble((f"  {visible(line, 200)}", "$text-accent"))
            for line in problem.snippet.splitlines()[:40]
        ]
    return Content("\n").join(lines)


def _server(problem: Problem) -> str:
    return visible(problem.server, _NAME) if problem.server else "workspace"


def _draw(problem: Problem, wide: int, width: int) -> Content:
    mark = SEVERITIES[problem.severity]
    left = Content.assemble(
        (f"{mark.glyph} {mark.word.ljust(8)}", mark.style),
        (_server(problem).ljust(wide + 1), "bold"),
        visible(problem.subject, 60),
        (f"  {visible(problem.message, 400)}", "$text-muted"),
    )
    return spread(left, Content.assemble((problem.rule, "$text-muted")), width)
