"""Asks for a value that a workspace file leaves to be asked for. It is kept nowhere on the screen's side."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import Row, RowList

if TYPE_CHECKING:
    from inspector.workspace.server import InputRequest


class InputScreen(Dialog[str]):
    """One value, typed or picked. Answers None where the person gives none: that server then fails by its name."""

    DEFAULT_CSS = """
    InputScreen {
        Input { border: none; height: 1; background: $panel; margin: 1 0; padding: 0 1; }
        RowList { height: auto; max-height: 12; margin: 1 0; }
    }
    """

    def __init__(self, request: InputRequest) -> None:
        super().__init__()
        self._request = request

    def compose(self) -> ComposeResult:
        """What is asked for, and where to give it."""
        request = self._request
        with Vertical(classes="dialog") as box:
            box.border_title = Content(f"{visible(request.server, 40)} asks for {visible(request.identifier, 40)}")
            box.border_subtitle = "Enter gives it · Esc: the server does without and fails"
            if request.description:
                yield Static(Content(visible(request.description, 600)))
            if request.options:
                yield RowList()
            else:
                yield Input(value=request.default, password=request.password, compact=True)
            yield Static("It goes to the server and is never saved.", classes="dialog--note")

    def on_mount(self) -> None:
        """Puts the focus where the value is given."""
        if not self._request.options:
            self.query_one(Input).focus()
            return
        rows = self.query_one(RowList)
        rows.set_rows([Row(option, partial(_draw, option), option) for option in self._request.options])
        rows.styles.height = min(12, len(self._request.options))
        rows.move_to(self._request.default)
        rows.focus()

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)

    @on(RowList.Chosen)
    def _picked(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.subject)


def _draw(option: str, _: int) -> Content:
    return Content(f" {visible(option, 200)}")


async def ask_input(app: App[Any], request: InputRequest) -> str | None:
    """Asks over whatever is on the screen. Any task of the app's loop may await it; cancelled, it closes."""
    answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    screen = InputScreen(request)

    def answer(value: str | None) -> None:
        if not answered.done():
            answered.set_result(value)

    # Screens are pushed in the app's own context; the caller's task is a server's connection.
    app.call_later(partial(app.push_screen, screen, answer))
    try:
        return await answered
    finally:
        if not answered.done() or answered.cancelled():
            app.call_later(partial(_close, screen))


def _close(screen: InputScreen) -> None:
    if screen.is_attached and screen.is_current:
        screen.dismiss(None)
