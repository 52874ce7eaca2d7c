"""Browse: the templates, resources and prompts of all servers in one list, and all about the one at the cursor."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Input, Label, Static

from inspector.host.visible import visible
from inspector.tui.messages import CiteRequested, ProbeRequested
from inspector.tui.widgets.action_line import ActionLine
from inspector.tui.widgets.browse_actions import offered_actions
from inspector.tui.widgets.browse_answers import Answer
from inspector.tui.widgets.browse_asking import CITE, READ, Asking, Run
from inspector.tui.widgets.browse_detail import describe
from inspector.tui.widgets.browse_items import Item, Items, Kind, describe_counts
from inspector.tui.widgets.browse_rows import BrowseRows
from inspector.tui.widgets.content_items import ContentItem
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_lines import Block
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.steady_input import SteadyInput

if TYPE_CHECKING:
    from inspector.host.host import Host

_SIDE_BY_SIDE: Final = 96
"""Columns from which the list and the detail stand side by side; with fewer the detail is below the list."""

_ANSWERS: Final = 8
"""Answers that are kept: those of the items that were asked for last."""

_SLICE_SECONDS: Final = 0.01

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
        Binding("down", "to_list", "to the list", show=False, id="browse.to-list"),
        Binding("slash", "find", "find", id="browse.find"),
        Binding("c", "cite", "cite", id="browse.cite"),
        Binding("a", "ask", "ask again", show=False, id="browse.again"),
        Binding("o", "owner", "who owns it", id="browse.owner"),
        Binding("w", "save", "save as", id="browse.save"),
        Binding("y", "copy", "copy", show=False, id="browse.copy"),
        Binding("i", "about", "what is listed", show=False, id="browse.about"),
    ]

    status: reactive[Content] = reactive(Content())
    """What is waited for."""

    def __init__(self, host: Host, run: Run) -> None:
        """`run` runs what waits for a server, so that Esc cancels it."""
        super().__init__()
        self._host = host
        self._asking = Asking(self, host, run)
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        self._arguments: dict[Hashable, dict[str, str]] = {}
        self._line = ActionLine(id="browse-actions")
        self._as_listed = False
        self._blocks: tuple[Block, ...] = ()
        self._items = Items(host)
        self._shown: Item | None = None
        self._stale = True

    def compose(self) -> ComposeResult:
        """The search line, the list, and what is known of the item at the cursor."""
        with Horizontal(id="browse-line"):
            yield Label("Find")
            yield SteadyInput(placeholder="server, URI, name, title, text or type", compact=True, id="browse-find")
            yield Static(id="browse-counts", markup=False)
        with Container(id="browse-body"):
            yield BrowseRows(id="browse-list", classes="page--first")
            with Vertical(id="browse-side"):
                yield self._line
                yield JsonView(id="browse-detail")

    @property
    def rows(self) -> BrowseRows:
        """The list."""
        return self.query_one(BrowseRows)

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

    def on_mount(self) -> None:
        """What can be done depends on what the detail's cursor is in."""
        self.watch(self.detail, "cursor", self._show_actions, init=False)

    def on_descendant_focus(self) -> None:
        """What can be done depends on what has the focus."""
        self._show_actions()

    def on_show(self) -> None:
        """Catches up with what happened while the page was not seen."""
        if self._stale:
            self._renew()
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
            self._renew()

    def _renew(self) -> None:
        """Shows the lists as they are now: at once where that is quick, else in slices that hold up no key."""
        self._stale = False
        work = self._items.prepare()
        until = time.monotonic() + _SLICE_SECONDS
        for _ in work:
            if time.monotonic() > until:
                self.run_worker(self._renew_in_slices(work), group="browse-rows", exclusive=True)
                return
        self._fill()

    async def _renew_in_slices(self, work: Iterator[None]) -> None:
        for _ in work:
            await asyncio.sleep(0)
        self._fill()

    def _fill(self) -> None:
        query = self.line.value.strip()
        found = self._items.find(query)
        self.rows.renew(found.rows, Content(_NOTHING if not query else f"Nothing holds “{visible(query, 60)}”."))
        number = sum(found.counts.values())
        counts = describe_counts(found.counts)
        if query and found.total:
            counts = f"{number:,} of {found.total:,}" + (f" · {counts}" if counts else "")
        self.query_one("#browse-counts", Static).update(Content(counts))
        self.set_class(not number, "-none")
        self._show_item()

    # The item at the cursor, and what came of asking for it

    @on(RowList.Highlighted, "#browse-list")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_item()

    @on(RowList.Chosen, "#browse-list")
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self._show_item()
        self.action_ask()

    def _show_item(self) -> None:
        """Shows what was answered for the item, else what is listed of it; not again what is shown already."""
        item = self.item
        if item is None or self._shown is None or item.key != self._shown.key:
            self._as_listed = False
        blocks = self._blocks_of(item) if item is not None else ()
        if item is not self._shown or blocks != self._blocks:
            self._shown, self._blocks = item, blocks
            self.detail.show_blocks(blocks)
        self._show_actions()

    def _blocks_of(self, item: Item) -> tuple[Block, ...]:
        answer = self.answer_to(item)
        return describe(self._host, item) if answer is None or self._as_listed else answer.blocks

    def _show_actions(self) -> None:
        item = self.item
        self._line.actions = ()
        if item is not None and not self.status:
            self._line.actions = offered_actions(
                item.kind,
                answered=self.answer_to(item) is not None,
                opened=self.has_class("-opened") or self.detail.has_focus,
                has_uri=self.uri is not None,
                can_be_saved=bool(self._saveable),
                as_listed=self._as_listed,
            )
        self.refresh_bindings()

    @property
    def uri(self) -> str | None:
        """The URI at hand: of the part at the detail's cursor, of the resource, or of what was read."""
        part = self._part
        if part is not None and part.uri is not None:
            return part.uri
        item = self.item
        if item is None or item.kind is Kind.RESOURCE:
            return None if item is None else item.text
        answer = self.answer_to(item)
        return (answer.uri or None) if answer is not None else None

    @property
    def _part(self) -> ContentItem | None:
        """The part of the answer that the detail's cursor is in, while the detail has the focus."""
        subject = self.detail.subject if self.detail.has_focus else None
        return subject if isinstance(subject, ContentItem) else None

    @property
    def _saveable(self) -> Sequence[ContentItem]:
        """What can be saved now: the part at the detail's cursor, else each of the answer's."""
        part = self._part
        if part is not None and part.can_be_saved:
            return (part,)
        answer = self.answer_to(self.item) if self.item is not None else None
        return answer.saveable if answer is not None else ()

    def answer_to(self, item: Item) -> Answer | None:
        """What was answered last where the item was asked for."""
        return self._answers.get(item.key)

    def show_answer(self, item: Item, answer: Answer) -> None:
        """Keeps an answer, and shows it where the cursor is still on its item."""
        self._as_listed = False
        self._answers[item.key] = answer
        self._answers.move_to_end(item.key)
        if len(self._answers) > _ANSWERS:
            self._answers.popitem(last=False)
        self._show_item()

    def arguments_of(self, item: Item) -> dict[str, str]:
        """The arguments that a prompt was last asked for with."""
        return self._arguments.get(item.key, {})

    def keep_arguments(self, item: Item, arguments: dict[str, str]) -> None:
        """Remembers the arguments that a prompt is asked for with."""
        self._arguments[item.key] = arguments

    def watch_status(self, before: Content, status: Content) -> None:
        """Says what is waited for, in the place of what else could be done."""
        self._line.status = status
        if bool(before) is not bool(status) and self.is_attached:
            self._show_actions()

    @on(ActionLine.Picked)
    async def _picked(self, event: ActionLine.Picked) -> None:
        event.stop()
        await self.run_action(event.answer)

    # Searching

    @on(Input.Changed, "#browse-find")
    def _sought(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()
        self.rows.stay()

    @on(Input.Submitted, "#browse-find")
    def _search_done(self, event: Input.Submitted) -> None:
        event.stop()
        self.rows.focus()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what can be done with the item at the cursor."""
        if not self.is_mounted:
            return action == "find"
        item = self.item
        answer = self.answer_to(item) if item is not None else None
        match action:
            case "close":
                return bool(self.line.has_focus or self.line.value or self.detail.has_focus)
            case "to_list":
                return self.line.has_focus
            case "cite":
                return self.uri is not None or (item is not None and item.kind is Kind.TEMPLATE)
            case "owner":
                return self.uri is not None
            case "save":
                return bool(self._saveable)
            case "copy":
                return item is not None
            case "about":
                return answer is not None
        return True

    def action_find(self) -> None:
        """Goes to the search line."""
        self.line.focus()

    def action_to_list(self) -> None:
        """Goes from the search line to the list."""
        self.rows.focus()

    def action_close(self) -> None:
        """Goes back to the list; there, ends the search."""
        self.remove_class("-opened")
        if self.rows.has_focus:
            self.line.value = ""
        self.rows.focus()
        self._show_actions()

    def open_detail(self) -> None:
        """Where the list and the detail do not both have room, the detail takes it."""
        if not self.has_class("-wide"):
            self.add_class("-opened")
            self.detail.focus()
            self._show_actions()

    def action_ask(self) -> None:
        """Reads the resource, fills in the template, gets the prompt."""
        item = self.item
        if item is None:
            return
        match item.kind:
            case Kind.RESOURCE:
                self._asking.read(item, item.text)
            case Kind.TEMPLATE:
                self._asking.fill_in(item, READ)
            case Kind.PROMPT:
                self._asking.get(item)

    def action_cite(self) -> None:
        """Cites the URI in the composed call; of a template one is made first."""
        if self.uri is not None:
            self.post_message(CiteRequested(self.uri))
        elif self.item is not None:
            self._asking.fill_in(self.item, CITE)

    def action_owner(self) -> None:
        """Asks on the Ownership page who owns the URI."""
        if self.uri is not None:
            self.post_message(ProbeRequested(self.uri))

    def action_save(self) -> None:
        """Saves what was read in a file."""
        if self._saveable:
            self._asking.save(self._saveable)

    @work(exclusive=True, group="copy")
    async def action_copy(self) -> None:
        """Copies the URI, the template or the prompt's name."""
        if self.item is not None:
            await self._asking.copy(self.item)

    def action_about(self) -> None:
        """Shows what the server lists of the item in the place of its answer, and back."""
        self._as_listed = not self._as_listed
        self._show_item()
