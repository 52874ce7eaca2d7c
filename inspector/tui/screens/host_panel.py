"""The host being played: profile, limits, and the budget of each server."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Button, Input, Label, Static

from inspector.extension import Budget
from inspector.host.profile import HostSettings, Profile, read_settings
from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList, spread
from inspector.tui.words import PROFILES

_FIELDS = (
    ("maxChars", "UTF-16 code units of one resource (R21)"),
    ("maxSize", "bytes of a call's reads together (R16)"),
    ("maxUris", "strings with declared schemes (R12)"),
    ("ratePerSecond", "reads gained each second (R17)"),
    ("burst", "reads held when full (R17)"),
)


_BUDGETS = 4
"""Servers whose budgets are seen without scrolling."""


class HostPanel(Dialog[HostSettings]):
    """Answers the host to play from now on, or None.

    `servers` are those whose budgets are shown, the one that is called first; `budget` gives a server's.
    """

    DEFAULT_CSS = """
    HostPanel {
        & > .dialog { width: 92; }
        RowList { height: 5; }
        #host-about { height: auto; min-height: 1; padding-left: 2; margin-bottom: 1; color: $text-muted; }
        .field { height: auto; }
        .field--name { width: 17; padding-left: 2; }
        .field Input { width: 14; height: 1; border: none; padding: 0 1; background: $panel; }
        .field Input:focus { background: $block-cursor-blurred-background; }
        .field--meaning { width: 1fr; height: auto; padding-left: 2; color: $text-muted; }
        #host-budget { height: auto; margin-top: 1; }
        #host-servers { width: 1fr; height: 1; }
        #host-budget Button { margin-left: 1; min-width: 10; }
        #host-fault { margin-top: 1; display: none; }
        #host-fault.-shown { display: block; }
        #host-buttons { height: 1; margin-top: 1; }
        #host-buttons Button { margin-right: 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "apply", "apply", id="host.apply", priority=True),
        Binding("d", "drain", "drain", id="host.drain"),
        Binding("f", "refill", "refill", id="host.refill"),
    ]

    profile: reactive[Profile] = reactive(Profile.WORKSPACE)

    def __init__(self, settings: HostSettings, servers: Sequence[str], budget: Callable[[str], Budget]) -> None:
        super().__init__()
        self._settings = settings
        self._servers = servers
        self._budget = budget
        self.set_reactive(HostPanel.profile, settings.profile)

    def compose(self) -> ComposeResult:
        """The profiles, the limits, the budget."""
        limits, budget = self._settings.limits, self._settings.budget
        values = (
            limits.max_chars,
            limits.max_size,
            limits.max_uris,
            f"{budget.per_second:g}",
            f"{budget.burst:g}",
        )
        with Vertical(classes="dialog") as box:
            box.border_title = "Host"
            yield RowList(id="host-profiles")
            yield Static(id="host-about", markup=False)
            for (name, meaning), value in zip(_FIELDS, values, strict=True):
                with Horizontal(classes="field"):
                    yield Label(name, classes="field--name")
                    yield Input(str(value), compact=True, id=f"host-{name}")
                    yield Static(meaning, classes="field--meaning")
            if self._servers:
                with Horizontal(id="host-budget"):
                    yield RowList(id="host-servers")
                    yield Button("drain", compact=True, id="host-drain")
                    yield Button("refill", compact=True, id="host-refill")
            yield Static(id="host-fault", classes="dialog--fault", markup=False)
            with Horizontal(id="host-buttons"):
                yield Button("apply", compact=True, variant="primary", id="host-apply")
                yield Button("cancel", compact=True, id="host-cancel")

    def on_mount(self) -> None:
        """Puts the cursor on the profile that is played, and follows the budget."""
        self._fill()
        rows = self.query_one("#host-profiles", RowList)
        rows.move_to(self.profile)
        rows.focus()
        if self._servers:
            self._levels.styles.height = min(_BUDGETS, len(self._servers))
            self._show_levels()
            self.set_interval(0.5, self._show_levels)

    @property
    def _levels(self) -> RowList:
        return self.query_one("#host-servers", RowList)

    def _fill(self) -> None:
        self.query_one("#host-profiles", RowList).set_rows(
            [
                Row(profile, partial(_draw_profile, profile, profile is self.profile), profile)
                for profile in Profile
            ]
        )

    def watch_profile(self) -> None:
        """Marks the profile that is picked."""
        if self.is_mounted:
            self._fill()

    def _show_levels(self) -> None:
        now = time.monotonic()
        rows = []
        for server in self._servers:
            budget = self._budget(server)
            held = f"{budget.level(now):.0f} of {budget.rate.burst:g} reads"
            rows.append(Row(server, partial(_draw_budget, server, held), server))
        self._levels.set_rows(rows)

    @on(RowList.Highlighted, "#host-profiles")
    def _pick(self, event: RowList.Highlighted) -> None:
        event.stop()
        if event.row is not None:
            self.profile = event.row.subject
            self.query_one("#host-about", Static).update(Content(event.row.subject.summary))

    @on(Button.Pressed, "#host-drain")
    def action_drain(self) -> None:
        """Empties the budget of the server at the cursor, at once."""
        if self._servers and (row := self._levels.current) is not None:
            budget = self._budget(row.subject)
            budget.drain(time.monotonic())
            gain = f"until it gains some: {budget.rate.per_second:g} a second"
            self._said(f"{visible(row.subject, 60)} is drained: its reads are rate_limited {gain}.")

    @on(Button.Pressed, "#host-refill")
    def action_refill(self) -> None:
        """Fills the budget of the server at the cursor, at once."""
        if self._servers and (row := self._levels.current) is not None:
            self._budget(row.subject).refill(time.monotonic())
            self._said(f"The budget of {visible(row.subject, 60)} is full.")

    def _said(self, text: str) -> None:
        self._show_levels()
        self.notify(text, markup=False)

    @on(Button.Pressed, "#host-cancel")
    def _cancel(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#host-apply")
    @on(Input.Submitted)
    def action_apply(self) -> None:
        """Answers what is filled in, or says what is wrong with it."""
        try:
            settings, _ = read_settings(self._filled_in(), _FieldFault)
        except _FieldFault as fault:
            line = self.query_one("#host-fault", Static)
            line.update(Content(f"✗ {fault}"))
            line.add_class("-shown")
            self.query_one(f"#host-{fault.field}", Input).focus()
        else:
            self.dismiss(settings)

    def _filled_in(self) -> dict[str, Any]:
        value = {name: _number(self.query_one(f"#host-{name}", Input).value) for name, _ in _FIELDS}
        budget = {name: value.pop(name) for name in ("ratePerSecond", "burst")}
        return {"profile": self.profile.value, **value, "budget": budget}


class _FieldFault(Exception):
    """A field holds what it must not."""

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        self.field = str(path[-1])
        super().__init__(f"{self.field} {message}")


def _number(text: str) -> int | float | str:
    """What a person wrote as a number, or the text itself for the rule to refuse."""
    text = text.strip().replace("_", "")
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _draw_budget(server: str, held: str, width: int) -> Content:
    return spread(Content.assemble(("  budget of ", "$text-muted"), visible(server, 60)), Content(held), width)


def _draw_profile(profile: Profile, picked: bool, width: int) -> Content:
    name = Content.assemble(
        ("◉ " if picked else "○ ", "$accent"), (PROFILES[profile].ljust(21), "bold" if picked else "")
    )
    # Whole or not at all: what the one at the cursor is for stands below the list in any case.
    whole = name.cell_length + len(profile.summary) <= width
    return name + Content.assemble((profile.summary, "$text-muted")) if whole else name
