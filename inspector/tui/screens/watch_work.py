"""What `--watch` does: a server is connected anew when its files change, and the workspace file is read anew."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.host.visible import visible
from inspector.tui.messages import Notice
from inspector.tui.widgets.header import HeaderLine

if TYPE_CHECKING:
    from inspector.tui.screens.main import MainScreen
    from inspector.workspace.watching import Changed


class WatchWork:
    """Watches from `start` to `stop`. What it does runs as the screen's workers and is told by notices."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._stop: asyncio.Event | None = None

    @property
    def is_on(self) -> bool:
        """Whether files are watched."""
        return self._stop is not None

    def toggle(self) -> None:
        """Begins to watch, or stops."""
        if self.is_on:
            self.stop()
            self._say("Files are not watched any more.")
        else:
            self.start()
            self._say("Watching: a server is connected anew when its files change.")

    def start(self) -> None:
        """Watches the files of every server's command, and the workspace file."""
        self._show(asyncio.Event())
        self._screen.run_worker(self._watch(), group="watch", exclusive=True)

    def renew(self) -> None:
        """Watches the files of the servers as they are now, where files are watched."""
        if self._stop is not None:
            self._stop.set()
            self.start()

    def stop(self) -> None:
        """Watches no more."""
        if self._stop is not None:
            self._stop.set()
            self._show(None)

    def _show(self, stop: asyncio.Event | None) -> None:
        self._stop = stop
        self._screen.query_one(HeaderLine).watching = self.is_on

    def _say(self, text: str, severity: Any = "information") -> None:
        self._screen.post_message(Notice(text, severity))

    async def _watch(self) -> None:
        from inspector.workspace.watching import watch

        screen, stop = self._screen, self._stop
        assert stop is not None
        connections = screen.host.workspace.connections
        entries = tuple(connection.entry for connection in connections.values())
        file = screen.setup.path.absolute() if screen.setup.path is not None else None
        try:
            async for changed in watch(entries, await asyncio.to_thread(Path.cwd), file, stop):
                self._take(changed)
            if self._stop is stop:
                self.stop()
                self._say("There is nothing to watch: no server's command names a file.", "warning")
        except OSError as error:
            self.stop()
            self._say(f"Files are not watched any more: {error.strerror or error}", "error")

    def _take(self, changed: Changed) -> None:
        for folder in changed.lost:
            self._say(f"{visible(str(folder), 200)} is gone, and not watched any more.", "warning")
        if changed.workspace_file:
            self._screen.servers_work.read_anew()
        for server in changed.servers:
            if server in self._screen.host.workspace.connections:
                self._screen.reconnect(server)
