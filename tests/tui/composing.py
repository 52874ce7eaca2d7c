"""The composer by itself over a real host, for tests of what a person does in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot

from inspector.host.host import Host
from inspector.tui.messages import ComposeState, Notice, ProbeRequested
from inspector.tui.theme import load_themes, outcome_defaults, shipped_folder
from inspector.tui.widgets.compose import ComposePane
from inspector.tui.widgets.compose_view import PREVIEW
from inspector.tui.widgets.fate import Fates
from inspector.tui.widgets.json_view import JsonView
from tests.host.playing import playing

WIDE = (100, 34)
NARROW = (80, 24)


class Composer(App[None]):
    """A screen with nothing but the composer, and the keys that a screen gives it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "resolve", priority=True),
        Binding("ctrl+j", "send", priority=True),
        Binding("ctrl+t", "raw", priority=True),
        Binding("ctrl+l", "view", priority=True),
    ]

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.host = host
        self.said: list[str] = []
        self.probed: list[str] = []
        self.states: list[ComposeState] = []
        for theme in load_themes([shipped_folder()]).themes:
            self.register_theme(theme)
        self.theme = "harbour"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return outcome_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        yield ComposePane(self.host)

    @property
    def pane(self) -> ComposePane:
        return self.query_one(ComposePane)

    def action_resolve(self) -> None:
        self.pane.action_resolve()

    def action_send(self) -> None:
        self.pane.action_send()

    async def action_raw(self) -> None:
        await self.pane.action_raw()

    def action_view(self) -> None:
        self.pane.action_view()

    def on_notice(self, notice: Notice) -> None:
        self.said.append(notice.text)

    def on_probe_requested(self, request: ProbeRequested) -> None:
        self.probed.append(request.uri)

    def on_compose_state(self, state: ComposeState) -> None:
        self.states.append(state)


class Person:
    """Presses keys in the composer and reads what it shows."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        assert isinstance(pilot.app, Composer)
        self.app = pilot.app
        self.pane = pilot.app.pane
        self.host = pilot.app.host

    async def choose(self, tool: str, arguments: Mapping[str, Any] | None = None) -> None:
        await self.pane.show_tool(self.host.find_tool(tool), arguments)
        await self.settle()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """All but the last two characters come at once: a key takes a test longer than a person."""
        head, tail = text[:-2], text[-2:]
        if head:
            await self.paste(head)
        names = {" ": "space", "/": "slash", ":": "colon", "}": "right_curly_bracket", "]": "right_square_bracket"}
        await self.press(*(names.get(character, character) for character in tail))

    async def paste(self, text: str) -> None:
        from textual.events import Paste

        self.app.screen.post_message(Paste(text))
        await self.settle()

    async def settle(self) -> None:
        """Until nothing runs and what was typed has been judged."""
        await self.pilot.pause(0.06)
        await self.app.workers.wait_for_complete()
        for _ in range(3):
            await self.pilot.pause()

    def preview(self) -> list[str]:
        """The rows of the view that is shown."""
        view = self.pane.view.active
        return [view.text_row(row).strip() for row in range(view.row_count)]

    def result(self) -> list[str]:
        view = self.pane.query_one("#view-result", JsonView)
        return [view.text_row(row).strip() for row in range(view.row_count)]

    def fates(self) -> list[str]:
        """Each fate that is shown, its words parted by single spaces."""
        return [" ".join(str(widget.render()).split()) for widget in self.pane.query(Fates) if widget.entries]

    @property
    def title(self) -> str:
        title = self.pane.view.title
        return "   ".join(str(name) for _, name in title.names) + " | " + str(title.status)

    @property
    def arguments(self) -> dict[str, Any] | None:
        return self.pane.arguments

    @property
    def shows_preview(self) -> bool:
        return self.pane.view.view == PREVIEW and self.pane.view.active.is_on_screen


@asynccontextmanager
async def composing(
    folder: Path,
    servers: Mapping[str, Any],
    size: tuple[int, int] = WIDE,
    *,
    calling: str | None = "outbox",
    **host: Any,
) -> AsyncIterator[Person]:
    """A person at the composer of a host that has connected these servers."""
    async with playing(folder, servers, calling, **host) as played:
        app = Composer(played)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Person(pilot)
