"""What the command palette offers: the app's commands with their keys, and every server and tool there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from textual.binding import BindingsMap
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.own_keys import read_own_keys, tell_where, write_own_keys
from inspector.tui.screens.page_keys import is_offered
from inspector.tui.words import DECLARES

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp
    from inspector.tui.screens.main import MainScreen

_MOST: Final = 60
"""Tools that a search shows at most: more are found by typing on."""


class CommandLine(NamedTuple):
    """A command: its words, what it does in a line, how, and the id of the binding that does it too."""

    words: str
    help: str
    run: Callable[[], Any]
    binding: str = ""


def app_commands(app: InspectorApp) -> Iterator[CommandLine]:
    """The commands that are not about one tool: the call first, then where to go, then what is set up."""
    screen = app.main
    yield CommandLine(
        "Resolve the call", "reads the resources and shows the exact _meta", screen.action_resolve, "call.resolve"
    )
    yield CommandLine("Send the call", "sends what is shown", screen.action_send, "call.send")
    if is_offered(screen, "template"):
        build = partial(screen.action_offer, "template")
        yield CommandLine("A URI from a template", "builds one for the call", build, "call.template")
        json, view = (partial(screen.action_offer, what) for what in ("json", "view"))
        yield CommandLine("Arguments as JSON", "edits them all, or goes back to the form", json, "compose.raw")
        yield CommandLine("Form, preview, result", "goes on to the next of them", view, "compose.view")
    for number, page in enumerate(screen.made.in_order(), start=1):
        go = partial(screen.show_page, number)
        yield CommandLine(f"Page: {page.title}", "shows it", go, f"app.page-{number}")
    yield CommandLine("Servers", "goes to the list of servers", screen.action_servers, "app.servers")
    yield CommandLine(
        "Search servers and tools", "narrows the list of servers", screen.search_servers, "app.search"
    )
    yield CommandLine("Search resources, templates and prompts", "finds one of any server", screen.browse)
    yield CommandLine("Jump", "a letter on everything that can have the focus", screen.action_jump, "app.jump")
    yield CommandLine("Zoom", "shows one part alone", screen.action_zoom, "app.zoom")
    yield CommandLine("Host: profile, limits, budget", "which host is played", screen.action_host, "app.host")
    yield CommandLine(
        "Reconnect all servers", "starts every server anew", screen.action_reconnect_all, "app.reconnect-all"
    )
    yield CommandLine(
        "Reconnect one server", "the one at the cursor, or asks which", screen.action_reconnect, "app.reconnect"
    )
    if screen.is_ready:
        watching = screen.servers_work.watching
        anew = screen.servers_work.read_anew
        yield CommandLine("Read the workspace file anew", "starts anew the servers that changed", anew)
        words = "Watch files no more" if watching.is_on else "Watch files"
        yield CommandLine(words, "a server is started anew when its files change", watching.toggle)
    for part, words, about in _RECORD:
        yield CommandLine(words, about, partial(_show_record, screen, part))
    yield CommandLine("Logs", "what servers and libraries logged", screen.action_logs)
    yield CommandLine("Theme", "picks the colours", app.action_change_theme)
    yield CommandLine("Keys: where the keymap file is", "says its path", partial(tell_where, app))
    yield CommandLine("Keys: write a keymap file", "every key as a comment, to edit", partial(write_own_keys, app))
    yield CommandLine(
        "Keys: read the keymap file anew",
        "and says what is wrong with it",
        partial(read_own_keys, app, asked=True),
    )
    yield CommandLine("Help", "the keys of this screen", screen.action_help, "app.help")
    yield CommandLine("Quit", "leaves, and ends every server", app.exit, "app.quit")


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
        yield CommandLine(f"Server {shown}", "its state, its menu", partial(app.main.open_server_menu, name))
        yield CommandLine(f"Reconnect {shown}", "starts it anew", partial(app.main.reconnect, name))


def shown_keys(app: InspectorApp) -> dict[str, str]:
    """The first key of each binding of the main screen, by id, as it is written, and as the keymap has it."""
    from inspector.tui.keys import remapped

    shown = {"app.quit": "^q"}
    bindings: BindingsMap = remapped(app.main._bindings, app._keymap)
    for together in bindings.key_to_bindings.values():
        for binding in together:
            if binding.id is not None:
                shown.setdefault(binding.id, app.get_key_display(binding))
    return shown


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
        keys = shown_keys(self._app)
        for command in app_commands(self._app):
            shown = _with_key(Content(command.words), keys.get(command.binding))
            yield DiscoveryHit(shown, command.run, text=command.words, help=command.help)

    async def search(self, query: str) -> Hits:
        """The commands and tools that the query is found in."""
        matcher = self.matcher(query)
        keys = shown_keys(self._app)
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
                shown = _with_key(shown, keys.get(command.binding))
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


def _with_key(words: Content, key: str | None) -> Content:
    return words if key is None else words + Content.assemble("  ", (key, "bold $accent"))
