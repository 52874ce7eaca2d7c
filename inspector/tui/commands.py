"""What the command palette offers: the app's commands, and every tool of the workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.screens.page_keys import is_offered
from inspector.tui.words import DECLARES

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp
    from inspector.tui.screens.main import MainScreen

_MOST: Final = 60
"""Tools that a search shows at most: more are found by typing on."""


class CommandLine(NamedTuple):
    """A command: its words, what it does in a line, and how."""

    words: str
    help: str
    run: Callable[[], Any]


def app_commands(app: InspectorApp) -> Iterator[CommandLine]:
    """The commands that are not about one tool."""
    screen = app.main
    yield CommandLine("Resolve the call", "reads the resources and shows the exact _meta", screen.action_resolve)
    yield CommandLine("Send the call", "sends what is shown", screen.action_send)
    if is_offered(screen, "template"):
        yield CommandLine(
            "A URI from a template", "builds one for the call", partial(screen.action_offer, "template")
        )
    yield CommandLine("Host: profile, limits, budget", "which host is played", screen.action_host)
    yield CommandLine("Reconnect all servers", "starts every server anew", screen.action_reconnect_all)
    yield CommandLine("Theme", "picks the colours", app.action_change_theme)
    for part, words, about in _RECORD:
        yield CommandLine(words, about, partial(_show_record, screen, part))
    yield CommandLine("Logs", "what servers and libraries logged", screen.action_logs)
    yield CommandLine("Search servers and tools", "narrows the list of servers", screen.search_servers)
    yield CommandLine("Browse", "finds a resource, a template or a prompt of any server", screen.browse)
    yield CommandLine("Zoom", "shows one part alone", screen.action_zoom)
    yield CommandLine("Help", "the keys of this screen", screen.action_help)
    yield CommandLine("Quit", "leaves, and ends every server", app.exit)


def call_commands(app: InspectorApp) -> Iterator[CommandLine]:
    """The commands about the call at hand."""
    pane = None if app.main.composer is None else app.main.composer.pane
    if pane is not None and pane.call is not None:
        yield CommandLine("Search the preview or the result", "finds a text in it", pane.action_find)
        yield CommandLine("Edit the call in $EDITOR", "takes over what is saved", pane.editor.action_outside)


def copy_commands(app: InspectorApp) -> Iterator[CommandLine]:
    """What can be copied of the call at hand."""
    from inspector.tui.screens.view_work import copies_of_call, copy

    for each in copies_of_call(app):
        yield CommandLine(f"Copy {each.what}", "to the clipboard, or to a file", partial(copy, app, each))


_RECORD: Final = (
    ("calls", "Timeline of calls", "what each call of this run did, and when"),
    ("traffic", "Traffic of all servers", "every JSON-RPC message, the handshake too"),
    ("history", "History of calls", "the calls of this run and of those before"),
)
"""The parts of Record."""


async def _show_record(screen: MainScreen, part: str) -> None:
    await screen.pages.show("record")
    if screen.made.record is not None:
        screen.made.record.action_part(part)


def server_commands(app: InspectorApp) -> Iterator[CommandLine]:
    """The commands about one server each."""
    for name in app.host.workspace.connections:
        shown = visible(name, 60)
        yield CommandLine(f"Reconnect {shown}", "starts it anew", partial(app.main.reconnect, name))
        yield CommandLine(f"Server {shown}", "its state, its menu", partial(app.main.open_server_menu, name))


class InspectorCommands(Provider):
    """Finds commands and tools by what is typed. Names from servers are shown as they are, never as markup."""

    @property
    def _app(self) -> InspectorApp:
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app

    async def discover(self) -> Hits:
        """The commands, before anything is typed."""
        for command in app_commands(self._app):
            yield DiscoveryHit(Content(command.words), command.run, text=command.words, help=command.help)

    async def search(self, query: str) -> Hits:
        """The commands and tools that the query is found in."""
        matcher = self.matcher(query)
        for command in (
            *app_commands(self._app),
            *call_commands(self._app),
            *copy_commands(self._app),
            *server_commands(self._app),
        ):
            score, offsets = matcher.fuzzy_search.match(query, command.words)
            if score:
                shown = Content(command.words)
                for offset in offsets:
                    shown = shown.stylize(self.match_style or "bold", offset, offset + 1)
                yield Hit(score, shown, command.run, text=command.words, help=command.help)
        found = 0
        sought = query.casefold()
        for tool in self._app.host.tools():
            if sought in tool.reference.casefold():
                found += 1
                words = visible(tool.reference, 120)
                mark = f" {DECLARES}" if self._app.host.declaration(tool) else ""
                run = partial(self._app.main.choose_tool, tool)
                yield Hit(0.5, Content(f"{words}{mark}"), run, text=words, help="composes a call")
                if found == _MOST:
                    break
