"""What `--watch` does: a server is connected anew when its files change, and the workspace file is read anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from inspector.host.visible import visible
from inspector.tui.messages import Notice
from inspector.tui.widgets.header import HeaderLine

if TYPE_CHECKING:
    from textual.worker import Worker

    from inspector.tui.screens.main import MainScreen
    from inspector.workspace.watching import Target


class WatchWork:
    """Watches from `start` to `stop`. What it does runs as the screen's workers and is told by notices."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._worker: Worker[None] | None = None

    @property
    def is_on(self) -> bool:
        """Whether files are watched."""
        return self._worker is not None

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
        self._show(self._screen.run_worker(self._watch(), group="watch", exclusive=True))

    def renew(self) -> None:
        """Watches the files of the servers as they are now, where files are watched."""
        if self.is_on:
            self.start()

    def stop(self) -> None:
        """Watches no more."""
        if self._worker is not None:
            self._worker.cancel()
            self._show(None)

    def _show(self, worker: Worker[None] | None) -> None:
        self._worker = worker
        self._screen.query_one(HeaderLine).watching = self.is_on

    def _say(self, text: str, severity: Any = "information") -> None:
        self._screen.post_message(Notice(text, severity))

    async def _watch(self) -> None:
        from inspector.workspace.watching import Target, target_of, watch

        screen = self._screen
        entries = [connection.entry for connection in screen.host.workspace.connections.values()]
        targets = [target for entry in entries if (target := target_of(entry))]
        if screen.setup.path is not None:
            targets.append(Target(None, (screen.setup.path.absolute(),)))
        if not targets:
            self._show(None)
            self._say("There is nothing to watch: no server's command names a file.", "warning")
            return
        try:
            async for changed in watch(targets):
                self._take(changed)
        except OSError as error:
            self._show(None)
            self._say(f"Files are not watched any more: {visible(error.strerror or str(error), 200)}", "error")

    def _take(self, changed: Sequence[Target]) -> None:
        work = self._screen.servers_work
        if any(target.server is None for target in changed):
            work.read_anew()
        work.reconnect_changed([target.server for target in changed if target.server is not None])
