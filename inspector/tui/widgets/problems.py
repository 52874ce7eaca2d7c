"""What is wrong in the workspace, worst first: a line each, and all about the one at the cursor beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Label, Static

from inspector.host.rules import explain_rule
from inspector.host.visible import visible
from inspector.tui.clipboard import copy_text
from inspector.tui.messages import Notice, SubjectRequested
from inspector.tui.widgets.caret import caret_lines
from inspector.tui.widgets.rows import Row, RowList, spread
from inspector.tui.widgets.steady_input import SteadyInput
from inspector.tui.words import SEVERITIES, count
from inspector.workspace.problem import Problem, Severity

_TEMPLATE: Final = "template "

_NAME: Final = 24
"""Characters of the servers' names in a row."""

_WIDE: Final = 96
"""From this many columns on the detail stands beside the list."""

_SNIPPET: Final = 40
"""Lines of a snippet that are shown; all of them are copied."""

_ALL_WELL: Final = (
    "Nothing wrong in what the connected servers publish.\n\n"
    "Looked for: declarations that declare nothing, or name an argument or a scheme in vain; templates that are "
    "none, own nothing or overlap another server's; tools whose name or schema a client refuses; lists and "
    "results that are not as the protocol has them; what a server does that 2026-07-28 deprecates."
)


class ProblemsPane(Vertical):
    """The problems, given by `show`. Enter goes to what a problem is about, `y` copies its snippet."""

    DEFAULT_CSS = """
    ProblemsPane {
        #problems-line { height: 1; margin-top: 1; }
        #problems-line Label { color: $text-muted; width: 6; }
        #problems-find { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
        #problems-find:focus { background: $block-cursor-blurred-background; }
        #problems-counts { width: auto; max-width: 60%; height: 1; color: $text-muted; padding-left: 2; }
        #problems-body { layout: vertical; height: 1fr; margin-top: 1; }
        #problems-list { height: 1fr; min-height: 3; }
        #problems-side { height: auto; max-height: 60%; border-top: solid $border-blurred; padding: 0 1; }
        #problems-side:focus { border-top: solid $border; }
        &.-wide #problems-body { layout: horizontal; }
        &.-wide #problems-list { width: 1fr; height: 1fr; }
        &.-wide #problems-side {
            width: 50%;
            height: 1fr;
            max-height: 100%;
            border-top: none;
            border-left: solid $border-blurred;
        }
        &.-wide #problems-side:focus { border-left: solid $border; }
        &.-none #problems-side { display: none; }
        &.-well #problems-line { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "all problems", id="problems.close"),
        Binding("down", "to_list", "to the list", show=False, id="problems.to-list"),
        Binding("slash", "find", "find", id="problems.find"),
        Binding("y", "copy", "copy snippet", id="problems.copy"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._problems: Sequence[Problem] | None = None
        self._searched: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """The search line, the list, and what is said of the one at the cursor."""
        with Horizontal(id="problems-line"):
            yield Label("Find")
            yield SteadyInput(placeholder="error, server, rule or text", compact=True, id="problems-find")
            yield Static(id="problems-counts", markup=False)
        with Container(id="problems-body"):
            yield RowList(id="problems-list", classes="page--first")
            with VerticalScroll(id="problems-side"):
                yield Static(id="problems-detail", markup=False)

    def on_mount(self) -> None:
        """Shows what was given before there was a screen."""
        self._fill()

    def on_resize(self, event: events.Resize) -> None:
        """Where there is room the detail stands beside the list."""
        self.set_class(event.size.width >= _WIDE, "-wide")

    @property
    def line(self) -> Input:
        """The search line."""
        return self.query_one("#problems-find", Input)

    def show(self, problems: Sequence[Problem] | None) -> None:
        """Shows these problems; None says that they are not known yet. The cursor stays with its problem."""
        self._problems = problems
        self._searched = [_searched(problem) for problem in problems or ()]
        if self.is_mounted:
            self._fill()

    def _fill(self) -> None:
        sought = self.line.value.casefold().split()
        problems = [
            problem
            for problem, text in zip(self._problems or (), self._searched, strict=True)
            if all(word in text for word in sought)
        ]
        if self._problems is None:
            empty = Content("The servers' lists are being read.")
        elif self._problems:
            empty = Content(f"No problem holds “{visible(self.line.value, 80)}”. Esc shows all.")
        else:
            empty = Content.assemble(("✓ ", "$outcome-resolved"), _ALL_WELL)
        self.set_class(not problems, "-none")
        self.set_class(not self._problems, "-well")
        self.query_one("#problems-counts", Static).update(_counts(problems, self._problems or ()))
        wide = min(_NAME, max((len(_servers(problem)) for problem in problems), default=0))
        rows = [Row(problem, partial(_draw, problem, wide), problem) for problem in problems]
        self.query_one(RowList).set_rows(rows, empty)

    @on(RowList.Highlighted)
    def _detail(self, event: RowList.Highlighted) -> None:
        event.stop()
        problem = event.row.subject if event.row else None
        self.query_one("#problems-detail", Static).update(describe(problem) if problem else Content())
        self.query_one("#problems-side", VerticalScroll).scroll_home(animate=False)
        self.refresh_bindings()

    @on(RowList.Chosen)
    def _go(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(SubjectRequested(event.row.subject))

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()

    @on(Input.Submitted)
    def _narrowed(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(RowList).focus()

    def _current(self) -> Problem | None:
        row = self.query_one(RowList).current if self.is_mounted else None
        return row.subject if row else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a problem with a snippet has one to copy; only what was narrowed can be shown whole again."""
        if not self.is_mounted:
            return action == "find"
        match action:
            case "copy":
                problem = self._current()
                return problem is not None and problem.snippet is not None
            case "close":
                return bool(self.line.value or self.line.has_focus)
            case "to_list":
                return self.line.has_focus
            case "find":
                return bool(self._problems)
        return True

    def action_find(self) -> None:
        """Narrows the list by what is typed: each word is looked for in all that a row shows."""
        self.line.focus()

    def action_to_list(self) -> None:
        """Goes from the search line to the list."""
        self.query_one(RowList).focus()

    def action_close(self) -> None:
        """Ends the search, and shows all problems again."""
        self.line.value = ""
        self.query_one(RowList).focus()

    @work(exclusive=True, group="copy")
    async def action_copy(self) -> None:
        """Copies the snippet that mends the problem, and says where it went."""
        problem = self._current()
        if problem is None or problem.snippet is None:
            return
        try:
            notice = Notice(await copy_text(self.app, problem.snippet, "the snippet"))
        except OSError as error:
            notice = Notice(f"The snippet was not copied: {error.strerror}", "error")
        self.post_message(notice)


def _searched(problem: Problem) -> str:
    parts = (problem.severity.value, *problem.servers, problem.subject, problem.rule, problem.message)
    return "\n".join(parts).casefold()


def _counts(shown: Sequence[Problem], all_of_them: Sequence[Problem]) -> Content:
    """`3 of 12`, or how many there are of each severity."""
    if len(shown) != len(all_of_them):
        return Content(f"{len(shown)} of {len(all_of_them)}")
    found = Counter(problem.severity for problem in shown)
    parts = [(count(found[severity], severity.value), SEVERITIES[severity].style) for severity in Severity]
    return Content(" · ").join(Content.assemble(part) for part in parts if not part[0].startswith("0 "))


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
            (_servers(problem, 80), "bold"),
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
    lines.append(Content.assemble((explain_rule(problem.rule), "$text-muted")))
    if problem.snippet:
        snippet = problem.snippet.splitlines()
        lines += [Content(), Content.assemble(("to paste:", "$text-muted"))]
        lines += [Content.assemble((f"  {visible(line, 200)}", "$text-accent")) for line in snippet[:_SNIPPET]]
        if len(snippet) > _SNIPPET:
            lines.append(Content.assemble((f"  … and {len(snippet) - _SNIPPET} more lines", "$text-muted")))
    return Content("\n").join(lines)


def _servers(problem: Problem, limit: int = _NAME) -> str:
    return visible(", ".join(problem.servers), limit) if problem.servers else "workspace"


def _draw(problem: Problem, wide: int, width: int) -> Content:
    mark = SEVERITIES[problem.severity]
    left = Content.assemble(
        (f"{mark.glyph} {mark.word.ljust(8)}", mark.style),
        (_servers(problem).ljust(wide + 1), "bold"),
        visible(problem.subject, 60),
        (f"  {visible(problem.message, 400)}", "$text-muted"),
    )
    return spread(left, Content.assemble((problem.rule, "$text-muted")), width)
