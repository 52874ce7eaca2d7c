"""Asks for the file that something a server sent is saved as, and saves it."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from inspector.host.visible import visible
from inspector.tui.saving import Saveable, SaveError, save
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.fate import describe_size


class SaveScreen(Dialog[str]):
    """Answers what was saved, in a sentence, or None."""

    DEFAULT_CSS = """
    SaveScreen {
        Input { border: none; height: 1; background: $panel; margin: 1 0; padding: 0 1; }
        #save-fault { display: none; height: auto; color: $outcome-error; }
        #save-fault.-said { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, piece: Saveable) -> None:
        super().__init__()
        self._piece = piece
        self._replaced = ""

    def compose(self) -> ComposeResult:
        """What is saved, and as what."""
        with Vertical(classes="dialog") as box:
            box.border_title = "Save as"
            box.border_subtitle = "Enter saves · Esc leaves"
            facts = [visible(self._piece.source, 200), visible(self._piece.media_type, 80)]
            yield Static(Content("\n".join(fact for fact in facts if fact)))
            yield Input(self._piece.file_name, compact=True, select_on_focus=False)
            yield Static(id="save-fault", markup=False)

    @on(Input.Changed)
    def _typed(self) -> None:
        self._say("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self._save(event.value.strip())

    @work(exclusive=True, group="save")
    async def _save(self, target: str) -> None:
        try:
            path, size = await asyncio.to_thread(save, self._piece, target, replace=self._replaced == target)
        except FileExistsError:
            self._replaced = target
            self._say("There is such a file. Enter again replaces it.")
        except SaveError as fault:
            self._say(visible(str(fault), 300))
        else:
            self.dismiss(f"Saved {describe_size(size)} as {visible(str(path), 300)}.")

    def _say(self, text: str) -> None:
        line = self.query_one("#save-fault", Static)
        line.set_class(bool(text), "-said")
        line.update(Content(text))
