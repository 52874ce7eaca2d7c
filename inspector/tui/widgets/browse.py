"""Browse: the templates, resources and prompts of all servers in one list, and all about the one at the cursor."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Label, Static

from inspector.host.visible import visible
from inspector.tui.messages import CiteRequested, ProbeRequested
from inspector.tui.widgets.action_line import ActionLine, LineAction
from inspector.tui.widgets.browse_detail import describe
from inspector.tui.widgets.browse_items import Item, Items, Kind, describe_counts
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.rows import Row, RowList

if TYPE_CHECKING:
    from inspector.host.host import Host

_SIDE_BY_SIDE: Final = 96
"""Columns from which the list and the detail stand side by side; with fewer the detail is below the list."""

_NOTHING: Final = (
    "No connected server offers a resource template, a resource or a prompt.\n\n"
    "Here stand those of all servers, to be read, filled in and cited: what a server answers to "
    "resources/templates/list, resources/list and prompts/list."
)


class BrowsePane(Vertical):
    """The page. `host_changed` shows the lists anew; the cursor stays where it is."""

    DEFAULT_CSS = """
    BrowsePane {
        #browse-line { height: 1; margin-top: 1; }
        #browse-line Label { color: $text-muted; width: 6; }
        #browse-find { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
        #browse-find:focus { background: $block-cursor-blurred-background; }
        #browse-counts { width: auto; max-width: 60%; height: 1; color: $text-muted; padding-left: 2; }
        #browse-body { layout: vertical; height: 1fr; margin-top: 1; }
        #browse-list { height: 1fr; min-height: 3; }
        #browse-side { height: 50%; }
        #browse-detail { padding: 0 1; }
        &.-wide #browse-body { layout: horizontal; }
        &.-wide #browse-list { width: 1fr; }
        &.-wide #browse-side { width: 50%; height: 1fr; border-left: solid $border-blurred; }
        &.-none #browse-side { display: none; }
        &.-opened #browse-list { display: none; }
        &.-opened #browse-side { height: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "back to the list", id="browse.close"),
        Binding("slash", "find", "find", id="browse.find"),
        Binding("c", "cite", "cite", id="browse.cite"),
        Binding("o", "owner", "who owns it", id="browse.owner"),
    ]

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._items = Items(host)
        self._shown: Item | None = None
        self._stale = True
        self._lost: tuple[Hashable, Hashable] | None = None
        """The key of the row that the cursor was on when its server went away, and where it is since."""

    def compose(self) -> ComposeResult:
        """The search line, the list, and what is known of the item at the cursor."""
        with Horizontal(id="browse-line"):
            yield Label("Find")
            yield Input(placeholder="server, URI, name, title, text or type", compact=True, id="browse-find")
            yield Static(id="browse-counts", markup=False)
        with Container(id="browse-body"):
            yield RowList(id="browse-list", classes="page--first")
            with Vertical(id="browse-side"):
                yield ActionLine(id="browse-actions")
                yield JsonView(id="browse-detail")

    @property
    def rows(self) -> RowList:
        """The list."""
        return self.query_one("#browse-list", RowList)

    @property
    def detail(self) -> JsonView:
        """What is known of the item at the cursor."""
        return self.query_one("#browse-detail", JsonView)

    @property
    def line(self) -> Input:
        """The search line."""
        return self.query_one("#browse-find", Input)

    @property
    def item(self) -> Item | None:
        """The item at the cursor."""
        row = self.rows.current if self.is_mounted else None
        return row.subject if row is not None else None

    def on_show(self) -> None:
        """Catches up with what happened while the page was not seen."""
        if self._stale:
            self._fill()
        if self.screen.focused is None:
            self.rows.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Puts the detail beside the list where there is room."""
        wide = event.size.width >= _SIDE_BY_SIDE
        self.set_class(wide, "-wide")
        if wide:
            self.remove_class("-opened")

    def host_changed(self) -> None:
        """A server's lists or its state changed."""
        self._stale = True
        if self.is_mounted and self.display:
            self._fill()

    def _fill(self) -> None:
        self._stale = False
        query = self.line.value.strip()
        found = self._items.find(query)
        self._set_rows(found.rows, Content(_NOTHING if not query else f"Nothing holds “{visible(query, 60)}”."))
        number = sum(found.counts.values())
        counts = describe_counts(found.counts)
        if query and found.total:
            counts = f"{number:,} of {found.total:,}" + (f" · {counts}" if counts else "")
        self.query_one("#browse-counts", Static).update(Content(counts))
        self.set_class(not number, "-none")
        self._show_item()

    def _set_rows(self, shown: Sequence[Row], empty: Content) -> None:
        """Shows these rows. The cursor goes back to a row that was away, where nobody moved it meanwhile."""
        rows = self.rows
        key = rows.current.key if rows.current is not None else None
        if self._lost is not None and self._lost[1] == key:
            key = self._lost[0]
        rows.set_rows(shown, empty)
        self._lost = None
        now = rows.current.key if rows.current is not None else None
        if key is not None and key != now and not rows.move_to(key):
            self._lost = key, now

    # The item at the cursor

    @on(RowList.Highlighted, "#browse-list")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_item()

    def _show_item(self) -> None:
        item = self.item
        if item is self._shown:
            return
        self._shown = item
        self.detail.show_blocks(describe(self._host, item) if item is not None else ())
        self.query_one(ActionLine).actions = _actions(item) if item is not None else ()
        self.refresh_bindings()

    @on(ActionLine.Picked)
    async def _picked(self, event: ActionLine.Picked) -> None:
        event.stop()
        await self.run_action(event.answer)

    # Searching

    @on(Input.Changed, "#browse-find")
    def _sought(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()
        self._lost = None

    @on(Input.Submitted, "#browse-find")
    def _search_done(self, event: Input.Submitted) -> None:
        event.stop()
        self.rows.focus()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what can be done with the item at the cursor."""
        if action == "close":
            return self.is_mounted and bool(self.line.has_focus or self.line.value or self.detail.has_focus)
        if action in ("cite", "owner"):
            return self.item is not None and self.item.kind is Kind.RESOURCE
        return True

    def action_find(self) -> None:
        """Goes to the search line."""
        self.line.focus()

    def action_close(self) -> None:
        """Goes back to the list; there, ends the search."""
        self.remove_class("-opened")
        if self.rows.has_focus:
            self.line.value = ""
        self.rows.focus()

    def action_cite(self) -> None:
        """Cites the URI in the composed call."""
        if self.item is not None:
            self.post_message(CiteRequested(self.item.text))

    def action_owner(self) -> None:
        """Asks on the Ownership page who owns the URI."""
        if self.item is not None:
            self.post_message(ProbeRequested(self.item.text))


def _actions(item: Item) -> tuple[LineAction, ...]:
    if item.kind is Kind.RESOURCE:
        return (LineAction("cite", "c", "cite this"), LineAction("owner", "o", "who owns it"))
    return ()
