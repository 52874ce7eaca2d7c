"""Where the focus goes on the main screen: back to where it was on a page, to the servers, out of a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget

from inspector.tui.screens.choices import Choice, ChoicesScreen

if TYPE_CHECKING:
    from inspector.tui.screens.main import MainScreen


class Focusing:
    """Remembers what had the focus on each page, and what Esc left."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._left: Widget | None = None
        self._on_pages: dict[str, Widget] = {}
        self._before_servers: Widget | None = None

    def follow(self, widget: Widget) -> None:
        """Keeps in mind that this widget has the focus."""
        screen = self._screen
        if screen.servers in widget.ancestors_with_self:
            screen.servers.was_used = True
            return
        self._before_servers = widget
        page = screen.pages.shown
        if page is not None and page in widget.ancestors:
            self._on_pages[screen.pages.active] = widget

    def leave(self) -> None:
        """Leaves the field: nothing has the focus."""
        if self._screen.focused is not None:
            self._left = self._screen.focused
            self._screen.set_focus(None)

    @property
    def can_return(self) -> bool:
        """Whether a field was left that is still there."""
        return self._screen.focused is None and self._left is not None and self._left.is_attached

    def go_back(self) -> None:
        """Goes back to the field that was left."""
        if self._left is not None and self.can_return:
            self._left.focus()

    def enter_page(self, page: Widget) -> None:
        """Goes to what had the focus on the page the last time, else to the first thing there."""
        last = self._on_pages.get(self._screen.pages.active)
        if last is not None and last.is_attached and last.focusable:
            last.focus()
            return
        widgets = [*page.query(".page--first"), *page.query("*")]
        first = next((widget for widget in widgets if widget.focusable), None)
        if first is not None:
            first.focus()

    def to_servers(self) -> None:
        """Goes to the list of servers, over the page where there is no room beside it; from there, back."""
        body, before = self._screen.body, self._before_servers
        if not (body.close_sidebar() or self._screen.servers.has_focus_within):
            body.open_sidebar()
        elif before is not None and before.is_attached and before.focusable:
            before.focus()
        else:
            self._screen.set_focus(None)

    def reconnect(self) -> None:
        """Connects the server anew that the cursor was put on; where it was not, asks which."""
        screen = self._screen
        names = list(screen.host.workspace.connections)
        if len(names) == 1 or (screen.servers.was_used and screen.servers.server is not None):
            screen.reconnect(names[0] if len(names) == 1 else screen.servers.server)
        elif names:
            choices = [Choice(name, str(n) if n < 10 else "", name) for n, name in enumerate(names, start=1)]
            screen.app.push_screen(ChoicesScreen("Reconnect which server?", (), choices), self._chosen)

    def _chosen(self, server: str | None) -> None:
        if server is not None:
            self._screen.reconnect(server)
