"""The composer: a tool's call as a form, what becomes of each string, the preview, and the result.

One rule stands above the others: nothing unseen is ever sent. `send` sends the resolution that is on screen; where
there is none, or something changed since, it resolves, shows, and asks for the key again (R29).
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widget import Widget

from inspector.tui.messages import ComposeState, Notice, NoticeSeverity
from inspector.tui.widgets.compose_editor import CallEditor
from inspector.tui.widgets.compose_run import CallRun
from inspector.tui.widgets.compose_shown import BESIDE, show_difference, show_preview, show_result
from inspector.tui.widgets.compose_state import ComposedCall
from inspector.tui.widgets.compose_view import FORM, PREVIEW, RESULT, CallView, ViewTitle
from inspector.tui.widgets.compose_words import resting_status, view_names
from inspector.tui.widgets.form_inputs import CallPasted

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.host.resolution import Resolution
    from inspector.workspace.catalog import Tool

_WIDE: Final = 100
_HIGH: Final = 30
"""With as many columns and rows as this, the form and the preview are seen together; else they take turns."""

_FORM_SHARE: Final = 0.62
"""How much of the height the form may take where both are seen."""

_TYPING: Final = 0.04
"""Seconds after a change until the fates are found anew."""

_TICK: Final = 0.1
"""Seconds between two looks at what runs."""


class ComposePane(Vertical):
    """Composes calls of one host's tools. The screen calls `action_resolve`, `action_send` and `action_cancel`."""

    DEFAULT_CSS = """
    ComposePane {
        height: 1fr;
        &.-turns > CallEditor { height: 1fr; }
        &.-turns > CallView { height: 1; min-height: 1; }
        &.-turns.-view > CallView { height: 1fr; }
        &.-turns.-view > CallEditor { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+f", "find", "search", show=False, priority=True, id="compose.find"),
        Binding("escape", "back", "back", show=False, id="compose.back"),
    ]

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._calls: dict[str, ComposedCall] = {}
        self._call: ComposedCall | None = None
        self._run = CallRun(host)
        self._state: tuple[bool, str | None, bool] | None = None
        self._typing: Timer | None = None
        self._left: Widget | None = None
        self._beside = False

    def compose(self) -> ComposeResult:
        """The call as it is filled in, and the preview or the result."""
        yield CallEditor(self._host)
        yield CallView()

    def on_mount(self) -> None:
        """Lets the preview's age go on."""
        self._fit(self.app.size.height)
        self.set_interval(1.0, self._show_state)

    @property
    def call(self) -> ComposedCall | None:
        """The call at hand, with what was resolved and sent of it."""
        return self._call

    @property
    def tool(self) -> Tool | None:
        """The tool that a call is composed of."""
        return self._call.tool if self._call is not None else None

    @property
    def arguments(self) -> dict[str, Any] | None:
        """The arguments as they are filled in; None where there is no call, or its JSON is no object yet."""
        call = self._call
        return None if call is None or (call.raw_open and call.raw_fault is not None) else call.draft.arguments

    @property
    def editor(self) -> CallEditor:
        """The call as it is filled in."""
        return self.query_one(CallEditor)

    @property
    def view(self) -> CallView:
        """The preview and the result."""
        return self.query_one(CallView)

    @property
    def turns(self) -> bool:
        """Whether the form and the preview are seen one at a time."""
        return self.has_class("-turns")

    # The tool

    async def show_tool(self, tool: Tool, arguments: Mapping[str, Any] | None = None) -> None:
        """Composes a call of a tool. Without arguments the call is as it was left, or begins empty."""
        call = self._calls.get(tool.reference)
        if call is None:
            call = ComposedCall.begin(self._host, tool, arguments)
        elif arguments is not None:
            call.draft.replace(arguments)
            call.raw, call.raw_open, call.pasted_meta = None, False, None
        call.retool(self._host, tool)
        self._calls[tool.reference] = self._call = call
        self.remove_class("-view")
        await self.editor.load(call)
        self.view.show(RESULT, ())
        self._show_result()
        self._show_preview()
        self.view.view = RESULT if call.sent is not None else PREVIEW
        self._show_changes()
        self.editor.focus_call()

    @property
    def _the_call(self) -> ComposedCall:
        assert self._call is not None
        return self._call

    def host_changed(self) -> None:
        """Shows anew what a change of the host or of a server altered. The form stays as it is filled in."""
        call = self._call
        if call is None:
            return
        connection = self._host.workspace.connections.get(call.tool.server)
        tool = connection.catalog.tool(call.tool.name) if connection is not None else None
        if tool is not None and call.retool(self._host, tool):
            self.run_worker(self.editor.reload(), exclusive=True, group="compose-form")
        self.editor.show_head()
        self._show_changes()

    @on(CallPasted)
    async def _call_pasted(self, event: CallPasted) -> None:
        event.stop()
        call, pasted = self._the_call, event.call
        connection = self._host.workspace.connections.get(call.tool.server)
        beside = connection.catalog.tool(pasted.tool) if connection is not None else None
        try:
            tool = call.tool if pasted.tool == call.tool.name else beside or self._host.find_tool(pasted.tool)
        except LookupError as error:
            self._say(f"The pasted call is not taken: {error}", "error")
            return
        await self.show_tool(tool, pasted.arguments)
        self._the_call.pasted_meta = pasted.meta
        self._say(f"Filled in from the pasted call of {tool.reference}.")

    # What a person fills in

    @on(CallEditor.Changed)
    def _changed(self) -> None:
        """A burst of keys is judged once, soon after."""
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(_TYPING, self._show_changes)

    def _show_changes(self) -> None:
        self.editor.show_fates()
        self._show_state()

    async def action_raw(self) -> None:
        """Edits all arguments as JSON, or goes back to the form. Nothing is lost between the two."""
        if self._call is not None:
            self.remove_class("-view")
            await self.editor.switch()
            self._show_changes()

    def build_uri(self) -> None:
        """Builds a URI from a template, in the form."""
        self.remove_class("-view")
        self._show_state()
        self.editor.build_uri()

    async def cite(self, uri: str) -> None:
        """Cites a URI in a declared argument, in the form, and says in which."""
        self.remove_class("-view")
        self._show_state()
        await self.editor.cite(uri)

    # Looking

    def on_resize(self) -> None:
        """Lets the form and the preview take turns where there is little room."""
        self._fit(self.size.height)

    def _fit(self, height: int) -> None:
        size = self.app.size
        turned, beside = self.turns, self._beside
        self._beside = size.width >= BESIDE
        self.set_class(size.width < _WIDE or size.height < _HIGH, "-turns")
        self.editor.make_room(None if self.turns else int(height * _FORM_SHARE))
        if turned != self.turns and self._call is not None:
            self._show_preview()
        if beside != self._beside and self._call is not None:
            self._show_result()

    def action_view(self) -> None:
        """Goes on to the next of what there is: the form where they take turns, the preview, the result."""
        call = self._call
        if call is None:
            return
        if self.turns and not self.has_class("-view"):
            self._open_view(PREVIEW)
        elif self.view.view == PREVIEW and call.sent is not None:
            self._open_view(RESULT)
        elif self.turns:
            self._close_view()
        else:
            self._open_view(PREVIEW)

    def action_find(self) -> None:
        """Searches the preview or the result, whichever was shown last."""
        if self._call is not None:
            self._open_view(self.view.view)
            self.view.active.action_search()

    def _open_view(self, view: str) -> None:
        self.view.view = view
        if self.turns:
            if not self.has_class("-view"):
                self._left = self.screen.focused
            self.add_class("-view")
            self.view.active.focus()
        self._show_state()

    def _close_view(self) -> None:
        """Goes back to the field that was left for the view."""
        self.remove_class("-view")
        if self._left is not None and self._left.is_attached and self._left in self.editor.walk_children():
            self._left.focus()
        else:
            self.editor.focus_call()
        self._show_state()

    @on(ViewTitle.Picked)
    def _view_picked(self, event: ViewTitle.Picked) -> None:
        if event.view == FORM:
            self._close_view()
        else:
            self._open_view(event.view)

    def action_back(self) -> None:
        """Closes what is open over the form. Where nothing is, the key goes on to the screen."""
        if self.turns and self.has_class("-view"):
            self._close_view()
        elif self._call is not None and self._call.raw_open:
            self.run_worker(self.action_raw(), exclusive=True, group="compose-raw")
        else:
            raise SkipAction

    def _show_preview(self) -> None:
        show_preview(self.view, self._host, self._the_call, outcomes=self.turns)

    @work(exclusive=True, group="compose-result")
    async def _show_result(self) -> None:
        await self._fill_result(self._the_call)

    async def _fill_result(self, call: ComposedCall) -> None:
        await show_result(self.view, call, lambda: call is self._call)
        self.run_worker(
            show_difference(self.view, call, lambda: call is self._call),
            group="compose-difference",
            exclusive=True,
        )

    def _show_state(self) -> None:
        """Brings the title line up to date, and tells the screen where the composer is at."""
        call = self._call
        if call is None:
            return
        stale, can_send = call.staleness(self._host), call.can_send(self._host)
        title = self.view.title
        title.names = view_names(call, turns=self.turns)
        alone = self.turns and not self.has_class("-view")
        title.active = FORM if alone else self.view.view
        self.view.set_class(alone, "-title-only")
        title.statuses = self._run.statuses() or resting_status(call, stale, can_send=can_send)
        state = (self._run.running, stale, can_send)
        if state != self._state:
            self._state = state
            self.post_message(ComposeState(*state))

    # Resolving and sending

    def action_resolve(self) -> None:
        """Resolves the call anew and shows what would be delivered."""
        if self._ready():
            self._resolve(asked_to_send=False)

    def action_send(self) -> None:
        """Sends the resolution that is on screen; where none is, or it is stale, resolves and shows it first."""
        if not self._ready():
            return
        call = self._the_call
        if call.can_send(self._host) and call.resolution is not None:
            self._send(call, call.resolution)
        elif call.resolution is not None and call.staleness(self._host) is None:
            self._bring_to_sight(call)
            self._say("This is what is sent. Press ^j again to send exactly this.")
        else:
            self._resolve(asked_to_send=True)

    def action_cancel(self) -> bool:
        """Cancels what runs. False where nothing does."""
        return self._run.cancel()

    def _ready(self) -> bool:
        call = self._call
        if call is None or self._run.running:
            return False
        if not self.is_on_screen:
            self._say("The composer is not on the screen: open Compose to see what is sent.", "warning")
            return False
        fault = call.fault()
        if fault is not None:
            self._say(f"Not resolved: {fault}.", "error")
            self.editor.focus_broken()
            return False
        if call.tool.server not in self._host.workspace.connections:
            self._say(f"{call.tool.server} is not in the workspace any more.", "error")
            return False
        return True

    @work(exclusive=True, group="compose-run")
    async def _resolve(self, *, asked_to_send: bool) -> None:
        call = self._the_call
        with self._ticking():
            resolution = await self._run.resolve(call)
        call.resolution, call.seen = resolution, False
        if call is not self._call:
            return
        self._show_preview()
        self._bring_to_sight(call)
        if asked_to_send:
            self._say("Resolved. This is what is sent: press ^j again to send exactly this.")

    @work(exclusive=True, group="compose-run")
    async def _send(self, call: ComposedCall, resolution: Resolution) -> None:
        with self._ticking():
            sent = await self._run.send(resolution)
        call.take_sent(sent, self._run.logged)
        await self._fill_result(call)
        if call is self._call:
            self._open_view(RESULT)

    def _bring_to_sight(self, call: ComposedCall) -> None:
        """Shows the preview, and takes it for seen once it has been drawn."""
        self._open_view(PREVIEW)
        self._show_changes()
        self.call_after_refresh(self._mark_seen, call, call.resolution)

    def _mark_seen(self, call: ComposedCall, resolution: Resolution | None) -> None:
        if call is self._call and call.resolution is resolution and self.view.active.is_on_screen:
            call.seen = True
            self._show_state()

    @contextmanager
    def _ticking(self) -> Iterator[None]:
        """Shows the time go on while something runs; says so where it was cancelled."""
        timer = self.set_interval(_TICK, self._show_state)
        self.call_later(self._show_state)
        try:
            yield
        except CancelledError:
            self._say("Cancelled.")
            raise
        finally:
            timer.stop()
            self.call_later(self._show_state)

    def _say(self, text: str, severity: NoticeSeverity = "information") -> None:
        self.post_message(Notice(text, severity))
