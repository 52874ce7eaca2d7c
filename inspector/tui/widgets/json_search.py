"""The line below a JSON view in which a person searches it."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_search import Found
from inspector.tui.widgets.steady_input import SteadyInput


class SearchLine(Horizontal):
    """Searches one view while it is typed in, and says which hit of how many is shown."""

    DEFAULT_CSS = """
    SearchLine {
        height: 1;
        background: $panel;
        padding: 0 1;
        &.-closed { display: none; }
        & > .search--mark { width: auto; color: $text-muted; }
        & > Input, & > Input.-textual-compact {
            border: none; height: 1; width: 1fr; padding: 0 1; background: $surface;
            &:focus { border: none; background: $primary 25%; background-tint: transparent; }
        }
        & > .search--found { width: 24; text-align: right; color: $text-muted; text-wrap: nowrap; }
        & > .search--found.-none { color: $outcome-error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "hit(1)", "next hit", priority=True, id="search.next"),
        Binding("shift+enter,up", "hit(-1)", "hit before", priority=True, id="search.previous"),
        Binding("tab", "leave", "to the text", priority=True, id="search.leave"),
        Binding("escape", "close", "close search", id="search.close"),
    ]

    def __init__(self, view: JsonView | None = None) -> None:
        super().__init__()
        self.view = view
        self._kept = view is None
        self._followed: set[JsonView] = set()
        self.set_class(self._kept, "-closed")

    def compose(self) -> ComposeResult:
        """What is searched for, and how it stands."""
        yield Static("search", classes="search--mark")
        yield SteadyInput(compact=True, placeholder="enter next · ↑ before · Tab to the text · Esc closes")
        yield Static("", classes="search--found", markup=False)

    def on_mount(self) -> None:
        """Searches the view that it was made for."""
        if self.view is not None:
            self.open(self.view)

    def open(self, view: JsonView) -> None:
        """Searches that view from now on."""
        self.view = view
        self.remove_class("-closed")
        if view not in self._followed:
            self._followed.add(view)
            self.watch(view, "found", partial(self._show_found, view))
        line = self.query_one(Input)
        line.value = ""
        line.focus()

    def close(self) -> None:
        """Takes the line away; the one that a page was made with is kept for the next search."""
        self.view = None
        if self._kept:
            self.add_class("-closed")
        else:
            self.remove()

    def _show_found(self, view: JsonView, found: Found | None) -> None:
        if view is self.view:
            shown = self.query_one(".search--found", Static)
            # No layout: while it is searched the number changes many times a second.
            shown.update("" if found is None else str(found), layout=False)
            shown.set_class(found is not None and found.complete and not found.total, "-none")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.view is not None:
            self.view.search(event.value)

    def action_hit(self, step: int) -> None:
        """Goes to the next hit, or the one before."""
        if self.view is not None:
            self.view.action_hit(step)

    def action_leave(self) -> None:
        """Goes to the view; the search stays, and n and N go on in it."""
        if self.view is not None:
            self.view.focus()

    def action_close(self) -> None:
        """Ends the search."""
        if self.view is not None:
            close_search(self.view)


def open_search(view: JsonView) -> None:
    """Opens the line below a view, or goes back to it."""
    line = find_line(view)
    if line is not None:
        line.query_one(Input).focus()
        return
    view.open_search()
    line = next((line for line in _lines_beside(view) if line.view is None and line.has_class("-closed")), None)
    if line is not None:
        line.open(view)
    elif isinstance(view.parent, Widget):
        view.parent.mount(SearchLine(view), after=view)


def close_search(view: JsonView) -> None:
    """Takes the line and the marks away; the view has the focus where the line had it."""
    view.search("")
    line = find_line(view)
    if line is not None:
        had_focus = line.has_focus_within
        line.close()
        if had_focus:
            view.focus()


def find_line(view: JsonView) -> SearchLine | None:
    """The line that searches a view, where it is open."""
    return next((line for line in _lines_beside(view) if line.view is view), None)


def _lines_beside(view: JsonView) -> list[SearchLine]:
    beside = view.parent.children if view.parent is not None else ()
    return [child for child in beside if isinstance(child, SearchLine)]
