"""The servers beside the pages: side by side, the servers as a strip, over the page, or one part alone."""

from __future__ import annotations

from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal

from inspector.tui.widgets.pages import Pages
from inspector.tui.widgets.servers import ServersPane

NARROW: Final = 100
"""Columns below which the servers fold to a strip."""

_OPEN: Final = "-sidebar-open"
_PAGES_ALONE: Final = "-zoom-pages"
_SERVERS_ALONE: Final = "-zoom-servers"


class Body(Horizontal):
    """Holds the two parts and decides how much of each is seen."""

    DEFAULT_CSS = """
    Body {
        height: 1fr;
        layers: base sidebar;
        &.-zoom-pages ServersPane { display: none; }
        &.-zoom-servers Pages { display: none; }
        &.-zoom-servers ServersPane { width: 1fr; }
        &.-sidebar-open ServersPane {
            layer: sidebar;
            dock: left;
            width: 40;
            border-right: solid $border;
        }
    }
    """

    def __init__(self, servers: ServersPane, pages: Pages) -> None:
        super().__init__()
        self.servers = servers
        self.pages = pages

    def compose(self) -> ComposeResult:
        """The servers at the left, the pages at the right."""
        yield self.servers
        yield self.pages

    def on_resize(self, event: events.Resize) -> None:
        """Folds the servers to a strip where there is little room."""
        self.close_sidebar()
        self._fold()
        self.screen.refresh_bindings()

    def _fold(self) -> None:
        self.servers.strip = self.size.width < NARROW and not self.has_class(_SERVERS_ALONE)

    @property
    def is_folded(self) -> bool:
        """Whether the servers are a strip, or open over the page because there is no room beside it."""
        return self.servers.strip or self.has_class(_OPEN)

    @property
    def is_open(self) -> bool:
        """Whether there is anything for `close` to close."""
        return self.has_class(_OPEN) or self.is_zoomed or self.servers.is_searching

    @property
    def is_zoomed(self) -> bool:
        """Whether one part is seen alone."""
        return self.has_class(_PAGES_ALONE) or self.has_class(_SERVERS_ALONE)

    @on(ServersPane.StripClicked)
    def open_sidebar(self) -> None:
        """Shows the whole list of servers, over the page where there is no room beside it, with the focus."""
        self.remove_class(_PAGES_ALONE)
        if self.servers.strip:
            self.servers.strip = False
            self.add_class(_OPEN)
        self.servers.focus_list()

    def close_sidebar(self) -> bool:
        """Folds the servers to the strip again. False where they were not open over the page."""
        if not self.has_class(_OPEN):
            return False
        self.remove_class(_OPEN)
        self.servers.strip = True
        return True

    def close(self) -> bool:
        """Closes what was opened last: the search, the servers over the page, the zoom. False where nothing is."""
        if self.servers.close_search() or self.close_sidebar():
            return True
        if not self.is_zoomed:
            return False
        self._unzoom()
        return True

    def zoom(self) -> None:
        """Shows the part with the focus alone; or both again."""
        if self.is_zoomed:
            self._unzoom()
        elif self.servers.has_focus_within:
            self.close_sidebar()
            self.add_class(_SERVERS_ALONE)
            self._fold()
            self.servers.focus_list()
        else:
            self.add_class(_PAGES_ALONE)

    def _unzoom(self) -> None:
        self.remove_class(_PAGES_ALONE, _SERVERS_ALONE)
        self._fold()

    def show_pages(self) -> None:
        """Makes sure that the pages are seen."""
        self.close_sidebar()
        if self.has_class(_SERVERS_ALONE):
            self._unzoom()
