"""The host being played: profile, limits, and the budget of the server that is called."""

from __future__ import annotations

import time
from collections.abc import Callable
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
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList
from inspector.tui.words import PROFILES

_FIELDS = (
    ("maxChars", "UTF-16 code units of one resource (R21)"),
    ("maxSize", "bytes of a call's reads together (R16)"),
    ("maxUris", "strings with declared schemes (R12)"),
    ("ratePerSecond", "reads gained each second (R17)"),
    ("burst", "reads held when full (R17)"),
)


class HostPanel(Dialog[HostSettings]):
    """Answers the host to play from now on, or None. `budget` gives the one to show, where a tool is composed."""

    DEFAULT_CSS = """
    HostPanel {
        & > .dialog { width: 92; }
        RowList { height: 5; }
        #host-about { height: auto; min-height: 1; padding-left: 2; margin-bottom: 1; color: $text-muted; }
        .field { height: 1; }
        .field--name { width: 17; padding-left: 2; }
        .field Input { width: 14; height: 1; border: none; padding: 0 1; background: $panel; }
        .field Input:focus { background: $block-cursor-blurred-background; }
        .field--meaning {
            width: 1fr;
            padding-left: 2;
            color: $text-muted;
            text-wrap: nowrap;
            text-overflow: ellipsis;
        }
        #host-level { width: 1fr; height: 1; padding-left: 2; }
        #host-budget { height: 1; margin-top: 1; }
        #host-fault { margin-top: 1; display: none; }
        #host-fault.-shown { display: block; }
        #host-buttons { height: 1; margin-top: 1; }
        Button { margin-right: 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "apply", "apply", id="host.apply", priority=True),
    ]

    profile: reactive[Profile] = reactive(Profile.WORKSPACE)

    def __init__(self, settings: HostSettings, budget: tuple[str, Callable[[], Budget]] | None) -> None:
        super().__init__()
        self._settings = settings
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
            box.border_subtitle = "Enter picks · ^s applies · Esc closes"
            yield RowList(id="host-profiles")
            yield Static(id="host-about", markup=False)
            for (name, meaning), value in zip(_FIELDS, values, strict=True):
                with Horizontal(classes="field"):
                    yield Label(name, classes="field--name")
                    yield Input(str(value), compact=True, id=f"host-{name}")
                    yield Static(meaning, classes="field--meaning")
            if self._budget is not None:
                with Horizontal(id="host-budget"):
                    yield Static(id="host-level", markup=False)
                    yield Button("drain", compact=True, id="host-drain")
                    yield Button("refill", compact=True, id="host-refill")
            yield Static(id="host-fault", classes="dialog--fault", markup=False)
            with Horizontal(id="host-buttons"):
                yield Button("apply", compact=True, variant="primary", id="host-apply")
                yield Button("cancel", compact=True, id="host-cancel")

    def on_mount(self) -> None:
        """Puts the cursor on the profile that is played, and follows the budget."""
        self._fill()
        rows = self.query_one(RowList)
        rows.move_to(self.profile)
        rows.focus()
        if self._budget is not None:
            self._show_level()
            self.set_interval(0.5, self._show_level)

    def _fill(self) -> None:
        self.query_one(RowList).set_rows(
            [
                Row(profile, partial(_draw_profile, profile, profile is self.profile), profile)
                for profile in Profile
            ]
        )

    def watch_profile(self) -> None:
        """Marks the profile that is picked."""
        if self.is_mounted:
            self._fill()

    def _show_level(self) -> None:
        if self._budget is not None:
            server, budget = self._budget
            rate = budget().rate
            level = budget().level(time.monotonic())
            text = f"budget of {server}: {level:.0f} of {rate.burst:g} reads"
            self.query_one("#host-level", Static).update(Content(text))

    @on(RowList.Highlighted)
    def _about(self, event: RowList.Highlighted) -> None:
        event.stop()
        if event.row is not None:
            self.query_one("#host-about", Static).update(Content(event.row.subject.summary))

    @on(RowList.Chosen)
    def _pick(self, event: RowList.Chosen) -> None:
        event.stop()
        self.profile = event.row.subject

    @on(Button.Pressed, "#host-drain")
    def _drain(self) -> None:
        if self._budget is not None:
            self._budget[1]().drain(time.monotonic())
            self._show_level()

    @on(Button.Pressed, "#host-refill")
    def _refill(self) -> None:
        if self._budget is not None:
            self._budget[1]().refill(time.monotonic())
            self._show_level()

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


def _draw_profile(profile: Profile, picked: bool, width: int) -> Content:
    name = Content.assemble(
        ("◉ " if picked else "○ ", "$accent"), (PROFILES[profile].ljust(21), "bold" if picked else "")
    )
    # Whole or not at all: what the one at the cursor is for stands below the list in any case.
    whole = name.cell_length + len(profile.summary) <= width
    return name + Content.assemble((profile.summary, "$text-muted")) if whole else name
