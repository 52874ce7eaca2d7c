"""What the main screen does with servers and with the host: reconnect, stop, change, and say what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.worker import Worker

from inspector.host.host import HostChanged
from inspector.host.naming import UnknownTool
from inspector.host.problems import worst_first
from inspector.host.profile import merge_settings
from inspector.host.visible import visible
from inspector.tui.host_feed import HostFeed
from inspector.tui.messages import Notice
from inspector.tui.screens.choices import Choice, ChoicesScreen
from inspector.tui.screens.lines import Line, LinesScreen
from inspector.tui.screens.watch_work import WatchWork
from inspector.tui.widgets.server_rows import era_words, facts
from inspector.tui.words import PROFILES, count, listing
from inspector.workspace.config import WorkspaceError
from inspector.workspace.events import CatalogChanged, StateChanged
from inspector.workspace.server import Era, State

if TYPE_CHECKING:
    from inspector.host.profile import HostSettings
    from inspector.host.setup import Setup
    from inspector.tui.screens.main import MainScreen
    from inspector.workspace.catalog import Tool
    from inspector.workspace.change import Change
    from inspector.workspace.events import Event
    from inspector.workspace.problem import Problem

Owners = dict[str, tuple[str | None, str | None]]
"""Each string of the composed call with its owner and code, as admission has them."""


class ServersWork:
    """Runs as workers of the screen, one at a time for each server, and tells the person by notices."""

    def __init__(self, screen: MainScreen, feed: HostFeed) -> None:
        self._screen = screen
        self._feed = feed
        self._host = screen.host
        self._running: set[Worker[Any]] = set()
        self._seen: set[str] = set()
        self._busy: set[str] = set()
        self._taking = asyncio.Lock()
        self.watching = WatchWork(screen)
        """What reconnects servers when their files change."""
        if screen.setup.watch:
            screen.call_after_refresh(self.watching.start)

    def _say(self, text: str, severity: Any = "information") -> None:
        self._screen.post_message(Notice(text, severity))

    def run(self, work: Any, group: str) -> None:
        """Runs something that Esc cancels; what ran in that group is cancelled."""
        worker = self._screen.run_worker(work, group=group, exclusive=True, exit_on_error=True)
        self._running = {other for other in self._running if not other.is_finished} | {worker}
        self._screen.refresh_bindings()

    @property
    def is_running(self) -> bool:
        """Whether anything is waited for that can be cancelled."""
        return any(not worker.is_finished for worker in self._running)

    def cancel(self) -> bool:
        """Stops waiting for what runs. False where nothing does."""
        running = [worker for worker in self._running if not worker.is_finished]
        for worker in running:
            worker.cancel()
        if running:
            self._say("No longer waiting. A server that was on its way goes on by itself.")
        return bool(running)

    # Connecting anew

    def reconnect(self, server: str | None) -> None:
        """Connects one server anew, or all, and says what changed."""
        names = list(self._host.workspace.connections) if server is None else [server]
        self.run(self._reconnect(names), f"reconnect {server or 'all'}")

    def reconnect_changed(self, servers: Sequence[str]) -> None:
        """Connects servers anew whose files changed, those that are still in the workspace."""
        names = [name for name in servers if name in self._host.workspace.connections]
        if names:
            self.run(self._reconnect(names), f"reconnect {' '.join(names)}")

    async def _reconnect(self, names: Sequence[str]) -> None:
        before = self._owners()
        async with self._asked(names):
            changes = await asyncio.gather(*(self._host.workspace.reconnect(name) for name in names))
            self._say_changes(changes, before)

    @asynccontextmanager
    async def _asked(self, names: Sequence[str]) -> AsyncIterator[None]:
        """What happens to these servers meanwhile was asked for: it is not told as news."""
        self._busy.update(names)
        try:
            yield
        finally:
            # What happened is told before it counts as news again: both go through the screen's queue.
            self._feed.tell()
            self._screen.call_later(self._end_of_asked, names)

    def _end_of_asked(self, names: Sequence[str]) -> None:
        self._busy.difference_update(names)

    def cited(self) -> tuple[str, ...]:
        """The strings of the composed call's declared arguments."""
        return tuple(self._owners())

    def _owners(self) -> Owners:
        composer = self._screen.composer
        if composer is None or composer.tool is None or composer.arguments is None:
            return {}
        if composer.tool.server not in self._host.workspace.connections:
            return {}
        admissions = self._host.admissions(composer.tool, composer.arguments)
        return {admission.uri: (admission.server, admission.code) for admission in admissions}

    def _moved(self, before: Owners) -> str:
        """How many strings of the composed call have another owner or code than before, as the end of a notice."""
        moved = sum(1 for uri, owner in self._owners().items() if before.get(uri, owner) != owner)
        return f"; {moved} of your URIs changed owner" if moved else ""

    def _say_changes(self, changes: Sequence[Change], before: Owners) -> None:
        told = [f"{visible(change.server, 60)}: {visible(change.describe(), 300)}" for change in changes if change]
        if not told:
            names = visible(changes[0].server, 60) if len(changes) == 1 else count(len(changes), "server")
            told = [f"{names}: connected anew, nothing changed"]
        if len(told) > 4:
            told = [*told[:4], f"and {len(told) - 4} more"]
        failed = any(change.error for change in changes)
        self._say("; ".join(told) + self._moved(before), "warning" if failed else "information")

    def tell_of(self, happened: Iterable[Event | HostChanged]) -> None:
        """Says what a server changed or lost by itself: what nobody asked for."""
        for event in happened:
            if isinstance(event, CatalogChanged):
                first = event.server not in self._seen
                self._seen.add(event.server)
                if event.change and not first and event.server not in self._busy:
                    self._say(f"{visible(event.server, 60)}: {visible(event.change.describe(), 300)}")
            elif isinstance(event, StateChanged) and event.state is State.FAILED and event.server in self._seen:
                connection = self._host.workspace.connections.get(event.server)
                if connection is not None and event.server not in self._busy:
                    self._say(
                        f"{visible(event.server, 60)}: {visible(connection.error or 'failed', 300)}", "error"
                    )

    def say_reconnected(self, servers: Sequence[str], reason: str) -> None:
        """Says which servers were connected anew by themselves, and why."""
        if servers:
            self._say(f"{listing(visible(name, 60) for name in servers)} connected anew: {reason}")

    # The call to begin with, problems

    def find_awaited(self, reference: str) -> tuple[Tool | None, str | None]:
        """The tool that the program was started with, once it is known; or why there is none. Neither: not yet."""
        try:
            return self._host.find_tool(reference), None
        except UnknownTool as fault:
            connections = self._host.workspace.connections
            server = self._host.server_of(reference)
            asked = [connections[server]] if server is not None else list(connections.values())
            if any(connection.state in (State.IDLE, State.CONNECTING) for connection in asked):
                return None, None
            if server is not None and connections[server].state is not State.CONNECTED:
                return None, f"{server}: {visible(connections[server].error or 'not connected', 300)}"
            # Connected, and its lists not read yet: they come in the next event.
            if server is not None and server not in self._seen:
                return None, None
            return None, visible(str(fault), 600)

    def with_notes(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """The host's problems, those of servers that are not connected, and the workspace file's notes."""
        return worst_first((*problems, *self._screen.setup.notes))

    async def go_to(self, problem: Problem) -> None:
        """Shows what a problem is about: a tool in the composer, a template on its page, else the server."""
        kind, _, name = problem.subject.partition(" ")
        screen = self._screen
        connection = self._host.workspace.connections.get(problem.server or "")
        if kind == "template" and problem.server is not None:
            await screen.show_ownership(problem.server, name)
        elif kind == "tool" and connection is not None and (tool := connection.catalog.tool(name)) is not None:
            screen.choose_tool(tool)
        elif connection is not None:
            self.open_menu(connection.entry.name)

    # Dialogs

    def open_menu(self, server: str) -> None:
        """A server's facts, and what can be done with it."""
        connection = self._host.workspace.connections.get(server)
        if connection is None:
            return
        choices = [Choice("reconnect", "r", "reconnect")]
        choices += [
            Choice(f"era {era.value}", era.value[0], f"ask for era {era.value}")
            for era in Era
            if era is not connection.entry.era
        ]
        if connection.state in (State.CONNECTED, State.CONNECTING):
            choices.append(Choice("stop", "s", "stop"))
        choices.append(Choice("said", "o", "show what it said (standard error)"))
        self._screen.app.push_screen(
            ChoicesScreen(server, facts(connection), choices), lambda answer: self._chosen(server, answer)
        )

    def _chosen(self, server: str, answer: str | None) -> None:
        if answer == "reconnect":
            self.reconnect(server)
        elif answer == "stop":
            self.run(self._stop(server), f"reconnect {server}")
        elif answer == "said":
            self.open_said(server)
        elif answer is not None:
            self.run(self._ask_era(server, Era(answer.removeprefix("era "))), f"reconnect {server}")

    async def _stop(self, server: str) -> None:
        before = self._owners()
        await self._host.workspace.stop(server)
        self._say(f"{visible(server, 60)} is stopped and owns nothing{self._moved(before)}")

    async def _ask_era(self, server: str, era: Era) -> None:
        workspace = self._host.workspace
        entries = [
            replace(connection.entry, era=era) if name == server else connection.entry
            for name, connection in workspace.connections.items()
        ]
        async with self._asked([server]):
            await workspace.set_entries(entries)
            connection = workspace.connections[server]
            await connection.settled()
        if connection.state is State.CONNECTED:
            self._say(f"{visible(server, 60)}: {era_words(connection)}")
        else:
            self._say(f"{visible(server, 60)}: {visible(connection.error or 'not connected', 300)}", "error")

    def read_anew(self) -> None:
        """Reads the workspace file anew, and says what is other than before."""
        self.run(self._read_anew(), "workspace file")

    async def _read_anew(self) -> None:
        screen, host = self._screen, self._host
        known = screen.setup.entries
        if screen.setup.reload is None:
            self._say("This workspace is no file: there is nothing to read anew.")
            return
        try:
            setup = await asyncio.to_thread(screen.setup.reload)
        except WorkspaceError as fault:
            self._say(f"The workspace file is not taken, all stays as it is: {visible(str(fault), 400)}", "error")
            return
        before, names = self._owners(), list(host.workspace.connections)
        wanted = [entry.name for entry in setup.entries]
        async with self._asked(wanted):
            # To the end once it is begun: who gives up waiting must not leave servers stopped.
            renewed = await asyncio.shield(asyncio.create_task(self._take(setup)))
            await asyncio.gather(*(host.workspace.connections[name].settled() for name in renewed))
        told = [f"+ {visible(name, 60)}" for name in renewed if name not in names]
        told += [f"− {visible(name, 60)}" for name in names if name not in wanted]
        told += [f"{visible(name, 60)} connected anew" for name in renewed if name in names]
        words = ", ".join(told) or "no server changed"
        self._say(f"The workspace file was read anew: {words}{self._moved(before)}")
        if screen.setup.entries != known:
            self.watching.renew()

    async def _take(self, setup: Setup) -> tuple[str, ...]:
        """Takes on what the file says otherwise than before; what was asked for in this run meanwhile stays."""
        async with self._taking:
            screen, host = self._screen, self._host
            known = {entry.name: entry for entry in screen.setup.entries}
            connections = host.workspace.connections
            entries = [
                connections[entry.name].entry
                if entry.name in connections and known.get(entry.name) == entry
                else entry
                for entry in setup.entries
            ]
            settings = merge_settings(host.settings, screen.setup.settings, setup.settings)
            screen.setup = setup
            renewed = await host.set_entries(entries)
            await host.change(settings)
            screen.find_problems()
            return renewed

    def open_said(self, server: str) -> None:
        """What a server wrote to its standard error, as it comes."""

        def read() -> tuple[int, Sequence[Line]]:
            connection = self._host.workspace.connections.get(server)
            lines = connection.stderr if connection is not None else ()
            return hash(lines), [(line, "") for line in lines]

        self._screen.app.push_screen(LinesScreen(f"{server} said", read, "Nothing on standard error so far."))

    def open_logs(self) -> None:
        """What the servers log through the protocol, and what the libraries log."""
        feed = self._feed

        def read() -> tuple[int, Sequence[Line]]:
            lines = [
                (f"{line.level.ljust(8)} {line.server or 'library'}  {line.text}", _LEVELS.get(line.level, ""))
                for line in feed.log
            ]
            return feed.logged, lines

        self._screen.app.push_screen(LinesScreen("Logs", read, "Nothing was logged so far."))

    def open_host_panel(self) -> None:
        """The host being played; what is applied is played from then on."""
        from inspector.tui.screens.host_panel import HostPanel

        composer = self._screen.composer
        tool = composer.tool if composer is not None else None
        servers = sorted(self._host.workspace.connections, key=lambda name: tool is None or name != tool.server)
        self._screen.app.push_screen(HostPanel(self._host.settings, servers, self._host.budget), self._play)

    def _play(self, settings: HostSettings | None) -> None:
        if settings is not None and settings != self._host.settings:
            self.run(self.change_host(settings), "host")

    async def change_host(self, settings: HostSettings) -> None:
        """Plays another host from now on, and says so."""
        async with self._asked(list(self._host.workspace.connections)):
            reconnected = await self._host.change(settings)
        anew = f"; {listing(visible(name, 60) for name in reconnected)} connected anew" if reconnected else ""
        self._say(f"Playing: {PROFILES[settings.profile]}{anew}")
        self._screen.host_changed()


_LEVELS = {
    "warning": "$outcome-refused",
    "error": "$outcome-error",
    "critical": "$outcome-error",
    "debug": "$text-muted",
}
