"""The Compose page: the welcome until a tool is chosen, then the composer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Vertical

from inspector.host.visible import visible
from inspector.tui.messages import Notice
from inspector.tui.widgets.welcome import Welcome
from inspector.workspace.catalog import Tool

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.widgets.compose import ComposePane


class ComposePage(Vertical):
    """Passes on to the composer, which is made when the first tool is chosen."""

    DEFAULT_CSS = "ComposePage { height: 1fr; }"

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._welcome = Welcome(host)
        self._pane: ComposePane | None = None

    def compose(self) -> ComposeResult:
        """What stands there before there is a call."""
        yield self._welcome

    def focus_first(self) -> None:
        """Puts the focus where a person begins."""
        if self._pane is None and self._welcome.tools.focusable:
            self._welcome.tools.focus()

    async def show_tool(self, tool: Tool, arguments: Mapping[str, Any] | None = None) -> None:
        """Composes a call of that tool, with the arguments it is to begin with."""
        if self._pane is None:
            from inspector.tui.widgets.compose import ComposePane

            self._pane = ComposePane(self._host)
            await self.mount(self._pane)
            await self._welcome.remove()
        await self._pane.show_tool(tool, arguments)

    @property
    def pane(self) -> ComposePane | None:
        """The composer, once a tool was chosen."""
        return self._pane

    @property
    def tool(self) -> Tool | None:
        """The tool that a call is composed of."""
        return None if self._pane is None else self._pane.tool

    @property
    def arguments(self) -> dict[str, Any] | None:
        """The arguments as they are filled in; None where they are no JSON object."""
        return None if self._pane is None else self._pane.arguments

    def host_changed(self) -> None:
        """Shows anew what depends on the host and the servers."""
        if self._pane is None:
            had_none = not self._welcome.tools.rows
            self._welcome.host_changed()
            if had_none and self.screen.focused is None:
                self.focus_first()
        else:
            self._pane.call_later(self._pane.host_changed)

    def resolve(self, awaited: str | None = None) -> None:
        """Resolves the call. `awaited` is the tool whose call is composed once its server is connected."""
        if self._pane is not None:
            self._pane.action_resolve()
        else:
            self._say_why_not(awaited)

    def send(self, awaited: str | None = None) -> None:
        """Sends the call as it is shown. `awaited` as in `resolve`."""
        if self._pane is not None:
            self._pane.action_send()
        else:
            self._say_why_not(awaited)

    def _say_why_not(self, awaited: str | None) -> None:
        if awaited is None:
            self.post_message(Notice("Choose a tool first: there is no call yet."))
        else:
            self.post_message(Notice(f"{visible(awaited, 80)} is composed as soon as its server is connected."))

    def switch_json(self) -> None:
        """Edits all arguments as JSON, or goes back to the form."""
        if self._pane is not None:
            self._pane.run_worker(self._pane.action_raw(), exclusive=True, group="compose-raw")

    def next_view(self) -> None:
        """Goes on to the next of the form, the preview and the result."""
        if self._pane is not None:
            self._pane.action_view()

    def build_uri(self) -> None:
        """Builds a URI from a template for the first declared argument."""
        if self._pane is not None:
            self._pane.build_uri()

    async def cite(self, uri: str) -> None:
        """Cites a URI in the call, and says where."""
        if self._pane is not None:
            await self._pane.cite(uri)

    def cancel(self) -> bool:
        """Cancels what the composer runs. False where nothing does."""
        return self._pane is not None and self._pane.action_cancel()
