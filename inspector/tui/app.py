"""The terminal UI. This file wires: the host, the screen, the themes, the way out."""

from __future__ import annotations

import asyncio
import importlib
import signal
import time
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.screen import Screen

from inspector.host.setup import Setup
from inspector.host.signals import run_with_signals
from inspector.tui.base_app import BaseApp
from inspector.tui.messages import RecallRequested, ViewRequested
from inspector.tui.screens.main import MainScreen
from inspector.tui.settings import Settings, load_settings, own_themes_folder, save_settings
from inspector.tui.theme import DEFAULT_THEME, load_themes, outcome_defaults, shipped_folder
from inspector.workspace.importing import import_beside

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.host_feed import HostFeed
    from inspector.tui.screens.elicitation import ElicitationDesk

_TWICE: Final = 1.5
"""Seconds within which a second ctrl+c leaves."""


def run(setup: Setup) -> int:
    """Opens the terminal UI on a workspace until the person leaves. Returns the exit code: 0, or 128 + a signal.

    The terminal is as it was, and every server is gone, when this returns.
    """
    app = InspectorApp(setup)
    return run_with_signals(partial(_run, app), app.take_signal)


async def _run(app: InspectorApp) -> int:
    try:
        # Returns with the terminal restored: a server that is slow to end keeps nobody's screen.
        await app.run_async()
    finally:
        await asyncio.shield(app.close_host())
    return app.return_code or 0


class InspectorApp(BaseApp):
    """The app over one host. Whoever runs it by `run_async` awaits `close_host` afterwards."""

    TITLE = "ra-inspector"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True, id="app.interrupt"),
    ]

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._host: Host | None = None
        self._feed: HostFeed | None = None
        self._desk: ElicitationDesk | None = None
        self._interrupted = float("-inf")
        super().__init__()
        self._pick_theme()

    def _pick_theme(self) -> None:
        self._settings, fault = load_settings()
        loaded = load_themes([shipped_folder(), own_themes_folder()])
        self._own_themes = tuple(theme.name for theme in loaded.themes)
        for theme in loaded.themes:
            self.register_theme(theme)
        faults = [*loaded.faults, *([fault] if fault else [])]
        wanted = self._settings.theme
        if self.get_theme(wanted) is None:
            faults.append(f"theme {wanted}: there is none of that name; {DEFAULT_THEME} is used")
            wanted = DEFAULT_THEME
        self.theme = wanted
        self._faults = faults

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The outcome colours where a theme names none."""
        return outcome_defaults(self.current_theme)

    def get_default_screen(self) -> Screen[None]:
        """The main screen."""
        return MainScreen(self._setup)

    @property
    def host(self) -> Host:
        """The host, once the first frame is drawn and there is one."""
        assert self._host is not None
        return self._host

    @property
    def setup(self) -> Setup:
        """What the program was started with."""
        return self._setup

    @property
    def feed(self) -> HostFeed:
        """What brings the host's events and its log, once there is a host."""
        assert self._feed is not None
        return self._feed

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever dialog is over it."""
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    def on_mount(self) -> None:
        """Starts the host once the first frame is drawn; says what was wrong with themes and settings."""
        for fault in self._faults:
            self.notify(fault, severity="warning", markup=False)
        self.call_after_refresh(self._start_host)

    @work(group="host-start")
    async def _start_host(self) -> None:
        # The host and the composer are imported beside the screen, which takes keys meanwhile.
        opening = await import_beside("inspector.tui.opening")
        self._host, self._feed, self._desk = opening.open_host(self, self._setup)
        await self.main.begin(self.host, self.feed)
        importlib.import_module("inspector.tui.own_keys").read_own_keys(self)
        tool = self._setup.tool
        await self.host.start(calling=self.host.server_of(tool) if tool is not None else None)

    def take_signal(self, number: int) -> None:
        """Leaves, with the exit code of that signal. While another program has the terminal, ctrl+c is its own."""
        if not (number == signal.SIGINT and self.outside):
            self.exit(return_code=128 + number)

    async def close_host(self) -> None:
        """Ends every connection and every child. Bounded; may be called again."""
        if self._host is not None:
            self.feed.stop()
            if self._desk is not None:
                await self._desk.close()
            await self._host.close()

    @on(RecallRequested)
    def _recall_requested(self, message: RecallRequested) -> None:
        from inspector.tui.screens.recalling import recall

        message.stop()
        recall(self.main, message)

    @on(ViewRequested)
    def _view_requested(self, message: ViewRequested) -> None:
        from inspector.tui.screens.view_work import take_request

        take_request(self, message)

    def action_change_theme(self) -> None:
        """Picks a theme, and keeps it for the next time."""
        from inspector.tui.screens.themes import ThemeScreen

        self.push_screen(ThemeScreen(self._own_themes), self._keep_theme)

    def _keep_theme(self, name: str | None) -> None:
        if name is not None and name != self._settings.theme:
            self._settings = Settings(theme=name)
            self.run_worker(partial(self._save, self._settings), thread=True, group="settings")

    def _save(self, settings: Settings) -> None:
        try:
            save_settings(settings)
        except OSError as error:
            text = f"the theme was not kept: {error.strerror}"
            self.call_from_thread(self.notify, text, severity="warning", markup=False)

    def action_interrupt(self) -> None:
        """Leaves when pressed twice; the first press is left to whatever copies by it."""
        now = time.monotonic()
        if now - self._interrupted < _TWICE:
            self.exit()
            return
        self._interrupted = now
        self.notify("ctrl+c once more leaves", timeout=_TWICE)
        raise SkipAction
