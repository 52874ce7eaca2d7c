"""Who owns which URIs: a probe line, the overlaps between servers, and every template by scheme."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Label, Static

from inspector.templates import InvalidTemplate, Overlap, UriTemplate, find_overlaps
from inspector.tui.messages import CiteRequested
from inspector.tui.widgets.draft import DraftLine
from inspector.tui.widgets.ownership_rows import (
    OverlapSubject,
    TemplateSubject,
    overlap_rows,
    template_rows,
    worst_by_template,
)
from inspector.tui.widgets.probe import answer
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.steady_input import SteadyInput
from inspector.tui.widgets.template_rows import Choosable

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.workspace.problem import Problem

_QUIET: Final = 0.1
"""Seconds without news before overlaps are looked for: while servers connect, one comes after the other."""

_PAUSE: Final = 0.06
"""Seconds without a key before the probe line answers: less than a person notices."""


class OwnershipPane(Vertical):
    """The page. `probe` puts a URI into the probe line, `host_changed` shows the templates anew."""

    DEFAULT_CSS = """
    OwnershipPane {
        .probe { height: 1; margin-top: 1; }
        .probe Label { color: $text-muted; width: 5; }
        .probe Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
        .probe Input:focus { background: $block-cursor-blurred-background; }
        #probe-box { height: auto; max-height: 45%; padding: 0 0 0 5; scrollbar-size-vertical: 1; }
        #probe-box:focus { background: $surface; }
        RowList { height: 1fr; min-height: 3; margin-top: 1; }
    }
    """

    def __init__(self, host: Host, cited: Callable[[], Iterable[str]] = tuple) -> None:
        """`cited`: the strings of the call that is composed."""
        super().__init__()
        self._host = host
        self._cited = cited
        self._problems: tuple[Problem, ...] = ()
        self._overlaps: list[Overlap] | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The probe line and its answer, then the list."""
        with Horizontal(classes="probe"):
            yield Label("URI")
            yield SteadyInput(
                placeholder="who owns it? crm://…  Enter asks a server anyway", compact=True, id="probe-uri"
            )
        with VerticalScroll(id="probe-box"):
            yield Static(id="probe-answer", markup=False)
            yield Static(id="probe-asked", markup=False)
        yield DraftLine(self._host, self._server_at_cursor, lambda: (*self._cited(), self.probed))
        yield RowList(id="ownership-list")

    def on_mount(self) -> None:
        """Shows what there is."""
        self.query_one("#probe-asked").display = False
        self._fill()
        self._answer()
        self._find_overlaps()

    def on_show(self) -> None:
        """The probe line is what this page is for."""
        if self.screen.focused is None:
            self.query_one(Input).focus()

    def probe(self, uri: str) -> None:
        """Asks who owns a URI, in the probe line."""
        line = self.query_one(Input)
        line.value = uri
        line.focus()
        self._answer()

    @property
    def probed(self) -> str:
        """The URI in the probe line."""
        return self.query_one("#probe-uri", Input).value

    @property
    def draft(self) -> DraftLine:
        """The draft line."""
        return self.query_one(DraftLine)

    def show_asked(self, uri: str, answered: Content) -> None:
        """Shows what a server answered that was asked for a URI, while that stands in the probe line."""
        if uri == self.probed:
            asked = self.query_one("#probe-asked", Static)
            asked.update(answered)
            asked.display = bool(answered)
            self.call_after_refresh(asked.scroll_visible, animate=False)

    def _server_at_cursor(self) -> str | None:
        row = self.query_one(RowList).current
        return row.subject.server if row is not None and isinstance(row.subject, TemplateSubject) else None

    def show_template(self, server: str, text: str) -> None:
        """Puts the cursor on a template."""
        rows = self.query_one(RowList)
        wanted = TemplateSubject(server, text)
        row = next((row for row in rows.rows if row.subject == wanted), None)
        if row is not None:
            rows.move_to(row.key)
            rows.focus()

    def host_changed(self) -> None:
        """A server's lists or the host changed."""
        self._fill()
        self._answer()
        self.draft.host_changed()
        self._find_overlaps()

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Shows what is wrong with each template beside it."""
        self._problems = problems
        if self.is_mounted:
            self._fill()

    @work(exclusive=True, group="overlaps")
    async def _find_overlaps(self) -> None:
        """Looks for overlaps in slices, so that no key waits for it."""
        await asyncio.sleep(_QUIET)
        found: list[Overlap] = []
        for overlap in find_overlaps(self._host.ownership):
            if overlap is None:
                await asyncio.sleep(0)
            else:
                found.append(overlap)
        if found != self._overlaps:
            self._overlaps = found
            self._fill()

    def _fill(self) -> None:
        rows = template_rows(self._host, worst_by_template(self._problems))
        if rows:
            rows = [*overlap_rows(self._overlaps), *rows]
        self.query_one("#ownership-list", RowList).set_rows(
            rows, Content("No connected server publishes a resource template, so no URI has an owner (R14).")
        )

    @on(Input.Changed, "#probe-uri")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one("#probe-asked").display = False
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(_PAUSE, self._answer)

    @on(Input.Submitted, "#probe-uri")
    async def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        await self.run_action("screen.offer('ask')")

    @on(RowList.Chosen)
    def _start_from(self, event: RowList.Chosen) -> None:
        """A template that is chosen is made a URI of, which goes into the probe line; so does an overlap's URI."""
        event.stop()
        if isinstance(event.row.subject, TemplateSubject):
            self._fill_in(event.row.subject)
        elif isinstance(event.row.subject, OverlapSubject):
            self.probe(event.row.subject.witness)

    def _fill_in(self, chosen: TemplateSubject) -> None:
        from inspector.tui.screens.uri_form import MadeUri, UriForm

        try:
            template = UriTemplate.parse(chosen.text)
        except InvalidTemplate:
            # Its row says what is wrong; there is no URI to make of it (R27).
            return

        def made(made: MadeUri | None) -> None:
            if made is not None and made.wish == "cite":
                self.post_message(CiteRequested(made.uri))
            elif made is not None:
                self.probe(made.uri)

        claims = self._host.lookup(self.probed).claims if self.probed else ()
        mine = next((c for c in claims if (c.server, c.template) == (chosen.server, chosen.text)), None)
        choice = Choosable(chosen.server, template, "", declared=True)
        wishes = [("probe", "asks who owns it"), ("cite", "cites it")]
        values = mine.variables if mine is not None else None
        self.app.push_screen(UriForm(self._host, choice, wishes, values), made)

    def _answer(self) -> None:
        uri = self.query_one(Input).value
        shown = answer(self._host.verdict(uri), self._host.nearest(uri)) if uri else Content()
        self.query_one("#probe-answer", Static).update(shown)
