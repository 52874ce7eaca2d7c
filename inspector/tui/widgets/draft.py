"""The draft line: a template as if a server published it, and what would follow (R14, R15, R27)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Label, Static

from inspector.host.verdict import Verdict
from inspector.host.visible import visible
from inspector.host.what_if import WhatIf, split_draft
from inspector.templates import Overlap
from inspector.tui.widgets.caret import caret_lines
from inspector.tui.widgets.steady_input import SteadyInput
from inspector.tui.words import SEVERITIES

if TYPE_CHECKING:
    from inspector.host.host import Host

_PAUSE: Final = 0.12
"""Seconds without a key before the draft is answered."""

_SLICE: Final = 200
"""URIs that are looked at between two pauses."""

_SHOWN: Final = 3
"""URIs, and overlaps, that are shown of each kind."""


class DraftLine(Vertical):
    """Takes `SERVER=TEMPLATE`, or a template of the server that `server` gives, and answers as it is typed."""

    DEFAULT_CSS = """
    DraftLine {
        height: auto;
        #draft-answer-box { height: auto; max-height: 7; padding: 0 0 0 5; }
        #draft-answer { height: auto; }
    }
    """

    def __init__(self, host: Host, server: Callable[[], str | None], uris: Callable[[], Iterable[str]]) -> None:
        """`server`: the one that is meant where none is named. `uris`: those at hand, but the listed ones."""
        super().__init__()
        self._host = host
        self._server = server
        self._uris = uris

    def compose(self) -> ComposeResult:
        """The line and its answer."""
        with Horizontal(classes="probe"):
            yield Label("with")
            yield SteadyInput(
                placeholder="what if a server published this too? SERVER=crm://…/{id}", id="draft", compact=True
            )
        with VerticalScroll(can_focus=False, id="draft-answer-box"):
            yield Static(id="draft-answer", markup=False)

    def on_mount(self) -> None:
        """An answer takes no place before there is one."""
        self._show([])

    def focus_line(self) -> None:
        """Goes to the line."""
        self.query_one(Input).focus()

    def host_changed(self) -> None:
        """A server's lists or the host changed: so may the answer."""
        if self.query_one(Input).value:
            self._answer()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._answer()

    def _show(self, lines: Sequence[Content]) -> None:
        self.query_one("#draft-answer", Static).update(Content("\n").join(lines))
        self.query_one("#draft-answer-box").display = bool(lines)

    @work(exclusive=True, group="draft")
    async def _answer(self) -> None:
        """Looks in slices, so that no key waits for it."""
        await asyncio.sleep(_PAUSE)
        text = self.query_one(Input).value.strip()
        owners = [name for name in self._host.workspace.connections if self._host.owns(name)]
        server, template = split_draft(text, self._host.workspace.connections)
        if not text:
            self._show([])
            return
        server = server or self._server() or next(iter(owners), None)
        if server not in owners:
            reason = (
                f"{visible(server, 40)} is not connected, or outside the workspace"
                if server
                else "no server is connected"
            )
            self._show([Content.styled(f"✗ {reason}: it owns nothing (R14)", "$outcome-error")])
            return
        what_if = self._host.what_if([(server, template)])
        lines = _wrong(what_if, template)
        if what_if.faults:
            self._show(lines)
            return
        head = Content.assemble("if ", (visible(server, 40), "bold"), " published it too")
        self._show([head, *lines])
        lines += await self._owned(what_if)
        self._show([head, *lines])
        self._show([head, *lines, *await _overlaps(what_if, server)])

    async def _owned(self, what_if: WhatIf) -> list[Content]:
        """What becomes of the URIs at hand that the draft claims."""
        found: dict[Verdict, list[str]] = {}
        uris = dict.fromkeys((*self._uris(), *_listed(self._host)))
        for number, uri in enumerate(uris):
            if what_if.claims(uri):
                found.setdefault(what_if.verdict(uri).verdict, []).append(uri)
            if number % _SLICE == _SLICE - 1:
                await asyncio.sleep(0)
        if not found:
            words = f"claims none of the {len(uris)} URIs at hand" if uris else "no URI is at hand to try it on"
            return [Content.styled(words, "$text-muted")]
        lines: list[Content] = []
        for verdict, named in found.items():
            owned = verdict is Verdict.OWNED
            mark, style = (
                ("✓ owns", "$outcome-resolved") if owned else (f"✗ {_WORDS[verdict]}", "$outcome-refused")
            )
            some = "  ".join(visible(uri, 60) for uri in named[:_SHOWN])
            rest = f"  … {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
            some_of = f"{len(named)} of the {len(uris)} URIs" if len(uris) > 1 else "the one URI"
            head = f"{mark} {some_of} at hand: "
            lines.append(Content.assemble((head, style), some, (rest, "$text-muted")))
        return lines


_WORDS: Final = {
    Verdict.AMBIGUOUS: "makes ambiguous",
    Verdict.HOST_SCHEME: "claims in vain, for the scheme is the host's,",
    Verdict.NO_SCHEME: "claims in vain, for there is no scheme,",
    Verdict.UNDECIDED: "leaves undecided",
    Verdict.UNOWNED: "leaves unowned",
}
"""What the draft does to the URIs that it claims, by their verdict."""


def _listed(host: Host) -> Iterable[str]:
    for name, connection in host.workspace.connections.items():
        if host.owns(name):
            yield from (resource.uri for resource in connection.catalog.resources)


def _wrong(what_if: WhatIf, template: str) -> list[Content]:
    """What is wrong with the draft by itself, the caret under a fault."""
    lines: list[Content] = []
    for problem in what_if.problems:
        mark = SEVERITIES[problem.severity]
        if problem.position is not None:
            lines += caret_lines(template, problem.position, mark.style)
        words = f"{mark.glyph} {mark.word}: {visible(problem.message, 300)}"
        lines.append(Content.assemble((words, mark.style), (f"  {problem.rule}", "$text-muted")))
    return lines


async def _overlaps(what_if: WhatIf, server: str) -> list[Content]:
    """What the draft overlaps, each with a URI that both would claim."""
    found: list[Overlap] = []
    for overlap in what_if.overlaps():
        if overlap is None:
            await asyncio.sleep(0)
        else:
            found.append(overlap)
    if not found:
        return [Content.styled("overlaps no other server's template", "$text-muted")]
    lines = [
        Content.assemble(
            ("! overlaps ", "$outcome-refused"),
            (visible(overlap.servers[side], 30), "bold"),
            f"  {visible(overlap.templates[side], 120)}  ",
            (f"both claim {visible(overlap.witness, 120)}", "$text-muted"),
        )
        for overlap in found[:_SHOWN]
        for side in [0 if overlap.servers[1] == server else 1]
    ]
    if len(found) > _SHOWN:
        lines.append(Content.styled(f"… {len(found) - _SHOWN} more overlaps", "$text-muted"))
    return lines
