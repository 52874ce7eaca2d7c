"""The line below a JSON view in which a person searches it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_search import Found


class SearchLine(Horizontal):
    """Searches one view while it is typed in, and says which hit of how many is shown."""

    DEFAULT_CSS = """
    SearchLine {
        height: 1;
        background: $panel;
        padding: 0 1;
        & > .search--mark { width: auto; color: $text-muted; }
        & > Input, & > Input.-textual-compact {
            border: none; height: 1; width: 1fr; padding: 0 1; background: $surface;
            &:focus { border: none; background: $primary 25%; background-tint: transparent; }
        }
        & > .search--found { width: auto; padding: 0 1; color: $text-muted; }
        & > .search--found.-none { color: $outcome-error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "hit(1)", "next hit", priority=True, id="search.next"),
        Binding("shift+enter,up", "hit(-1)", "hit before", priority=True, id="search.previous"),
        Binding("tab", "leave", "to the text", priority=True, id="search.leave"),
        Binding("escape", "close", "close search", id="search.close"),
    ]

    def __init__(self, view: JsonView) -> None:
        super().__init__()
        self.view = view

    def compose(self) -> ComposeResult:
        """What is searched for, and how it stands."""
        yield Static("search", classes="search--mark")
        yield Input(compact=True, placeholder="enter next · ↑ before · Tab to the text · Esc closes")
        yield Static("", classes="search--found", markup=False)

    def on_mount(self) -> None:
        """Follows the search."""
        self.watch(self.view, "found", self._show_found)
        self.query_one(Input).focus()

    def _show_found(self, found: Found | None) -> None:
        shown = self.query_one(".search--found", Static)
        shown.update("" if found is None else str(found))
        shown.set_class(found is not None and found.complete and not found.total, "-none")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.view.search(event.value)

    def action_hit(self, step: int) -> None:
        """Goes to the next hit, or the one before."""
        self.view.action_hit(step)

    def action_leave(self) -> None:
        """Goes to the view; the search stays, and n and N go on in it."""
        self.view.focus()

    def action_close(self) -> None:
        """Ends the search."""
        close_search(self.view)


def open_search(view: JsonView) -> None:
    """Opens the line below a view, or goes back to it."""
    line = find_line(view)
    if line is not None:
        line.query_one(Input).focus()
    elif isinstance(view.parent, Widget):
        view.open_search()
        view.parent.mount(SearchLine(view), after=view)


def close_search(view: JsonView) -> None:
    """Takes the line and the marks away; the view has the focus where the line had it."""
    view.search("")
    line = find_line(view)
    if line is not None:
        had_focus = line.has_focus_within
        line.remove()
        if had_focus:
            view.focus()


def find_line(view: JsonView) -> SearchLine | None:
    """The line that searches a view, where it is open."""
    beside = view.parent.children if view.parent is not None else ()
    return next((child for child in beside if isinstance(child, SearchLine) and child.view is view), None)
