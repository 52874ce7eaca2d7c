"""The list of Browse: a first click looks at a row, the next one asks; left and right go from server to server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content

from inspector.tui.widgets.rows import Row, RowList


class BrowseRows(RowList):
    """Rows whose subjects are items of servers, those of one server together."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "server(-1)", "server before", show=False, id="browse.server-before"),
        Binding("right", "server(1)", "next server", show=False, id="browse.server-after"),
    ]

    _lost: tuple[Hashable, Hashable] | None = None
    """The key of the row that the cursor was on when its server went away, and where it is since."""

    def renew(self, rows: Sequence[Row], empty: Content) -> None:
        """Shows these rows. The cursor goes back to a row that was away, where nobody moved it meanwhile."""
        key = self.current.key if self.current is not None else None
        if self._lost is not None and self._lost[1] == key:
            key = self._lost[0]
        self.set_rows(rows, empty)
        self._lost = None
        now = self.current.key if self.current is not None else None
        if key is not None and key != now and not self.move_to(key):
            self._lost = key, now

    def stay(self) -> None:
        """The cursor is where a person wants it: it goes back to no row."""
        self._lost = None

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on a row without asking a server for it; a click where the cursor is asks."""
        place = event.y + self.scroll_offset.y
        if place < len(self.rows) and place != self.cursor and self.rows[place].subject is not None:
            event.prevent_default()
            self.cursor = place

    def action_server(self, step: int) -> None:
        """Goes to the first row of the next server, or of this one and then of the one before."""
        firsts = self._firsts()
        if self.cursor is None or not firsts:
            return
        cursor = self.cursor
        if step > 0:
            self.cursor = next((place for place in firsts if place > cursor), cursor)
        else:
            self.cursor = next((place for place in reversed(firsts) if place < cursor), cursor)

    def _firsts(self) -> list[int]:
        """Where the rows of each server begin."""
        firsts: list[int] = []
        server: str | None = None
        for place, row in enumerate(self.rows):
            if row.subject is not None and row.subject.server != server:
                server = row.subject.server
                firsts.append(place)
        return firsts
