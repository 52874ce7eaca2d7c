"""The main screen: the servers at the left, the pages at the right, and what the keys do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.worker import Worker

from inspector.tui.keys import KeymapScreen
from inspector.tui.messages import (
    CiteRequested,
    ComposeState,
    HostEvents,
    Notice,
    ProbeRequested,
    ReconnectRequested,
    SubjectRequested,
    ToolChosen,
)
from inspector.tui.screens.focusing import Focusing
from inspector.tui.screens.main_keys import MAIN_BINDINGS, NEEDS_HOST
from inspector.tui.screens.main_pages import MainPages
from inspector.tui.screens.page_keys import is_offered, offer, send_again
from inspector.tui.widgets.body import Body
from inspector.tui.widgets.footer import FooterLine
from inspector.tui.widgets.header import HeaderLine
from inspector.tui.widgets.pages import Pages
from inspector.tui.widgets.servers import ServersPane, connection_status
from inspector.tui.words import host_summary
from inspector.workspace.server import State

if TYPE_CHECKING:
    from inspector.host.host import Host, HostChanged
    from inspector.host.setup import Setup
    from inspector.tui.host_feed import HostFeed
    from inspector.tui.screens.compose_page import ComposePage
    from inspector.tui.screens.servers_work import ServersWork
    from inspector.tui.widgets.ownership import OwnershipPane
    from inspector.workspace.catalog import Tool
    from inspector.workspace.events import Event
    from inspector.workspace.problem import Problem

_QUIET: Final = (0.2, 1.0)
"""Seconds without news from the host before problems are looked for anew; the second while servers connect."""


class MainScreen(KeymapScreen, Screen[None]):
    """All that is seen most of the time. It shows what the host says and passes on what a person wants."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = list(MAIN_BINDINGS)

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setup = setup
        self._host: Host | None = None
        self._work: ServersWork | None = None
        self.made = MainPages(self)
        """The pages that were made so far."""
        self._problems: tuple[Problem, ...] | None = None
        self.focusing = Focusing(self)
        self._composing = False
        self.awaited = setup.tool
        """The tool that the program was started with, until its call is composed."""
        self._shown_generation = -1

    def compose(self) -> ComposeResult:
        """The frame: header, sidebar, pages, footer. What a page holds is made when it is shown."""
        yield HeaderLine(self.setup.name)
        yield Body(ServersPane(self.setup.entries), Pages(tuple(self.made.in_order())))
        yield FooterLine()

    @property
    def composer(self) -> ComposePage | None:
        """The Compose page, once it was made."""
        return self.made.composer

    @property
    def ownership(self) -> OwnershipPane | None:
        """The Ownership page, once it was made."""
        return self.made.ownership

    @property
    def host(self) -> Host:
        """The host, once there is one: `is_ready`."""
        assert self._host is not None
        return self._host

    @property
    def servers_work(self) -> ServersWork:
        """What is done with servers and with the host, once there is one."""
        assert self._work is not None
        return self._work

    @property
    def is_ready(self) -> bool:
        """Whether there is a host to show and to ask. The first frame is drawn before."""
        return self._host is not None

    @property
    def body(self) -> Body:
        """The servers beside the pages."""
        return self.query_one(Body)

    @property
    def servers(self) -> ServersPane:
        """The sidebar."""
        return self.query_one(ServersPane)

    @property
    def pages(self) -> Pages:
        """The pages."""
        return self.query_one(Pages)

    def on_mount(self) -> None:
        """Shows what is known before there is a host."""
        self._show_host()

    async def begin(self, host: Host, feed: HostFeed) -> None:
        """Shows this host from now on."""
        from inspector.tui.screens.servers_work import ServersWork

        if not self.is_attached:
            # Somebody left before the first frame was whole.
            return
        self._host = host
        self._work = ServersWork(self, feed)
        self.made.follow(host)
        self.servers.begin(host)
        await self.pages.show("compose")
        if self.focused is None and self.composer is not None:
            self.composer.focus_first()
        if not host.workspace.connections:
            self.find_problems()
        self.refresh_bindings()

    # What happens at the host

    @property
    def is_up_to_date(self) -> bool:
        """Whether the screen shows all that has happened so far, and what is wrong has been looked for."""
        return self._problems is not None and self._shown_generation == self.host.generation

    def _show_host(self) -> None:
        if self._host is None:
            settings, states = self.setup.settings, [State.IDLE] * len(self.setup.entries)
        else:
            settings = self._host.settings
            states = [connection.state for connection in self._host.workspace.connections.values()]
        self.query_one(HeaderLine).host = host_summary(settings)
        self.query_one(FooterLine).status = connection_status(states)

    @on(HostEvents)
    def _host_events(self, message: HostEvents) -> None:
        message.stop()
        self.host_changed(message.events)

    def host_changed(self, happened: Iterable[Event | HostChanged] = ()) -> None:
        """Shows everything anew that the host has a say in, once for however much happened."""
        self._show_host()
        self.servers.host_changed()
        self.made.host_changed()
        self.servers_work.tell_of(happened)
        self._compose_awaited()
        self.find_problems()

    @work(exclusive=True, group="problems")
    async def find_problems(self) -> None:
        """Looks for what is wrong, beside the screen, and shows it."""
        if self._problems is not None:
            # While servers connect, one comes after the other: they are looked at together.
            await asyncio.sleep(_QUIET[bool(self.host.workspace.connecting)])
        from inspector.tui.widgets.problems import problem_count

        generation = self.host.generation
        problems = await self.host.find_problems()
        self._problems = self.servers_work.with_notes(problems)
        self._shown_generation = generation
        self.pages.strip.set_count("problems", problem_count(self._problems))
        self.made.show_problems(self._problems)

    def _compose_awaited(self) -> None:
        """Composes the call that the program was started with as soon as its tool is known."""
        if self.awaited is None:
            return
        tool, fault = self.servers_work.find_awaited(self.awaited)
        if tool is not None:
            self.awaited = None
            self.choose_tool(tool, self.setup.arguments)
        elif fault is not None:
            self.awaited = None
            self.post_message(Notice(fault, "error"))

    # What a person wants

    @on(ToolChosen)
    def _tool_chosen(self, message: ToolChosen) -> None:
        message.stop()
        self.choose_tool(message.tool)

    @work(exclusive=True, group="compose")
    async def choose_tool(self, tool: Tool, arguments: Mapping[str, Any] | None = None) -> None:
        """Composes a call of a tool, with the arguments it is to begin with."""
        self.body.show_pages()
        await self.pages.show("compose")
        assert self.composer is not None
        await self.composer.show_tool(tool, arguments)
        reconnected = await self.host.set_calling(tool.server)
        self.servers_work.say_reconnected(reconnected, "its claim depends on which server is called")

    @on(ComposeState)
    def _compose_state(self, message: ComposeState) -> None:
        message.stop()
        self._composing = message.running
        self.refresh_bindings()

    @on(ProbeRequested)
    async def _probe(self, message: ProbeRequested) -> None:
        message.stop()
        await self.show_ownership()
        if self.ownership is not None:
            self.ownership.probe(message.uri)

    @on(CiteRequested)
    async def _cite(self, message: CiteRequested) -> None:
        message.stop()
        if self.composer is None or self.composer.tool is None:
            self.post_message(Notice("There is no call to cite it in: choose a tool first.", "warning"))
            return
        await self.pages.show("compose")
        await self.composer.cite(message.uri)

    async def show_ownership(self, server: str | None = None, template: str = "") -> None:
        """Shows the Ownership page; with a server, the cursor on that template of it."""
        await self.pages.show("ownership")
        if server is not None and self.ownership is not None:
            self.call_after_refresh(self.ownership.show_template, server, template)

    @on(SubjectRequested)
    async def _go_to_subject(self, message: SubjectRequested) -> None:
        message.stop()
        await self.servers_work.go_to(message.problem)

    @on(ReconnectRequested)
    def _reconnect(self, message: ReconnectRequested) -> None:
        message.stop()
        self.reconnect(message.server)

    def reconnect(self, server: str | None) -> None:
        """Connects a server anew, or all of them, and says what changed."""
        self.servers_work.reconnect(server)

    @on(ServersPane.MenuRequested)
    def _menu(self, message: ServersPane.MenuRequested) -> None:
        message.stop()
        self.open_server_menu(message.server)

    def open_server_menu(self, server: str) -> None:
        """Shows what is known of a server and what can be done with it."""
        self.servers_work.open_menu(server)

    @on(Worker.StateChanged)
    def _worker_changed(self) -> None:
        # What can be cancelled changed with it.
        self.refresh_bindings()

    @on(Notice)
    def _notice(self, message: Notice) -> None:
        message.stop()
        # Notices may hold names from servers: no markup.
        self.notify(message.text, severity=message.severity, markup=False)

    @on(HeaderLine.HostClicked)
    def _host_clicked(self) -> None:
        self.action_host()

    # Keys

    def action_resolve(self) -> None:
        """Resolves the composed call."""
        if self.composer is not None:
            self.composer.resolve(self.awaited)

    def action_send(self) -> None:
        """Sends what is shown; shows it first where nothing is."""
        if not send_again(self) and self.composer is not None:
            self.composer.send(self.awaited)

    def action_cancel(self) -> None:
        """Cancels what runs. Where nothing does any more, the key goes on to whatever is open."""
        if not (self.composer is not None and self.composer.cancel()) and not self.servers_work.cancel():
            raise SkipAction

    def action_back(self) -> None:
        """Closes what is open, else leaves the field. Never quits, never discards."""
        if not self.body.close():
            self.focusing.leave()

    def action_return(self) -> None:
        """Goes back to the field that was left."""
        self.focusing.go_back()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Some keys count only where there is something for them to do."""
        if self._host is None:
            return action not in NEEDS_HOST
        if action == "cancel":
            return self._composing or self.servers_work.is_running
        if action == "back":
            return self.focused is not None or self.body.is_open
        if action == "return":
            return self.focusing.can_return
        if action == "offer":
            return is_offered(self, str(parameters[0]))
        return True

    async def action_page(self, number: int) -> None:
        """Shows the page of that number, from 1."""
        await self.show_page(number)

    async def show_page(self, number: int) -> None:
        """Shows the page of that number, from 1, with the focus where it was there, else on the first thing."""
        ids = self.pages.ids
        if number <= len(ids):
            self.body.show_pages()
            self.focusing.enter_page(await self.pages.show(ids[number - 1]))

    def action_servers(self) -> None:
        """Goes to the list of servers, over the page where there is no room beside it; once more goes back."""
        self.focusing.to_servers()

    @on(events.DescendantFocus)
    def _focus_moved(self, event: events.DescendantFocus) -> None:
        self.focusing.follow(event.widget)

    def action_search(self) -> None:
        """Narrows the servers tree by what is typed; on a page with a list of its own, that list."""
        if self.servers.has_focus_within or not self.made.search():
            self.search_servers()

    def search_servers(self) -> None:
        """Narrows the servers tree by what is typed."""
        self.body.open_sidebar()
        self.servers.search()

    async def browse(self) -> None:
        """Shows the Browse page with the focus on its search line."""
        self.body.show_pages()
        await self.pages.show("browse")
        self.made.search()

    def action_zoom(self) -> None:
        """Shows the servers or the pages alone, whichever has the focus; or both again."""
        self.body.zoom()
        self.refresh_bindings()

    def action_reconnect(self) -> None:
        """Connects the server at the cursor of the tree anew; asks which, where nobody put it there."""
        self.focusing.reconnect()

    def action_reconnect_all(self) -> None:
        """Connects all servers anew."""
        self.reconnect(None)

    def action_host(self) -> None:
        """Opens the host's panel."""
        self.servers_work.open_host_panel()

    def action_logs(self) -> None:
        """Opens the log."""
        self.servers_work.open_logs()

    def action_offer(self, what: str) -> None:
        """Does what the page that is shown offers by a key of its own."""
        offer(self, what)

    def action_jump(self) -> None:
        """Shows a letter over each thing that can have the focus."""
        from inspector.tui.screens.jumping import open_jump

        open_jump(self)

    def action_help(self) -> None:
        """Explains the page at hand."""
        from inspector.tui.screens.help import open_help

        open_help(self, "servers" if self.servers.has_focus_within else self.pages.active or "compose")
