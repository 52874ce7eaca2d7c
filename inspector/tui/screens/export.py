"""Asks where messages are written to, and writes them there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from inspector.host.files import write_whole
from inspector.host.traffic_export import export_lines
from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.fate import describe_size
from inspector.tui.words import count

if TYPE_CHECKING:
    from inspector.workspace.traffic import Message


class ExportScreen(Dialog[str]):
    """A file's name. Answers what was done, in a sentence. A file that is there is replaced when asked twice."""

    DEFAULT_CSS = """
    ExportScreen {
        Input { border: none; height: 1; background: $panel; margin: 1 0; padding: 0 1; }
        #export-fault { color: $outcome-refused; height: auto; }
    }
    """

    def __init__(self, messages: Sequence[Message], *, filtered: bool) -> None:
        super().__init__()
        self._messages = messages
        self._filtered = filtered
        self._asked: str | None = None

    def compose(self) -> ComposeResult:
        """What is written, and where to."""
        with Vertical(classes="dialog") as box:
            box.border_title = "Export the traffic"
            box.border_subtitle = "Enter writes · Esc closes"
            what = count(len(self._messages), "message")
            which = "those that the filter shows" if self._filtered else "all that are kept"
            yield Static(Content(f"{what}, {which}, as NDJSON: a JSON object a line."), classes="dialog--note")
            yield Input(value="traffic.ndjson", compact=True)
            yield Static(id="export-fault", markup=False)
            words = "What the servers were sent and answered is in it, arguments and contents too; no header and "
            yield Static(Content(f"{words}no environment variable."), classes="dialog--note")

    def on_mount(self) -> None:
        """Puts the cursor behind the name."""
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._asked = None
        self.query_one("#export-fault", Static).update("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            name = event.value.strip()
            self._write(name, Path(name).expanduser().absolute())

    @work(exclusive=True)
    async def _write(self, name: str, path: Path) -> None:
        replace = self._asked == name
        try:
            # Shielded: a file that is half written when the dialog goes is finished all the same.
            size = await asyncio.shield(
                asyncio.to_thread(write_whole, path, export_lines(self._messages), replace=replace)
            )
        except FileExistsError:
            self._asked = name
            self._say(f"{visible(name, 200)} is there already. Enter once more replaces it.")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self._say(f"Not written: {visible(name, 200)}: {reason}")
        else:
            written = f"{count(len(self._messages), 'message')}, {describe_size(size)}"
            self.dismiss(f"{written}, written to {visible(str(path), 200)}.")

    def _say(self, words: str) -> None:
        self.query_one("#export-fault", Static).update(Content(words))
