"""Explains the screen at hand: its keys, made from the bindings that count there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from inspector.tui.keys import counting_keys
from inspector.tui.screens.dialog import Dialog
from inspector.tui.screens.help_words import HELP, About


@runtime_checkable
class Helpful(Protocol):
    """Something on a screen that has more to say of itself than there is room for."""

    def help_lines(self) -> list[Content]:
        """All of it, a line each."""
        ...


def help_at(widget: Widget | None) -> list[Content]:
    """What the widget, or else the nearest thing that it stands in, has to say of itself."""
    around = widget.ancestors_with_self if widget is not None else []
    return next((node.help_lines() for node in around if isinstance(node, Helpful)), [])


class KeyLine(NamedTuple):
    """One key of the help: where it counts, how it is shown, what it does."""

    group: str
    shown: str
    what: str


def key_lines(screen: Screen[Any]) -> list[KeyLine]:
    """The keys that count on a screen now, by where they count: what has the focus, the screen, everywhere."""
    lines: dict[tuple[str, str], KeyLine] = {}
    for active, shown in counting_keys(screen):
        # A binding without an id is a widget's own and says nothing new, but for those that go round the screen.
        binding = active.binding
        if not binding.description or not (binding.id or binding.action in _ROUND):
            continue
        group = _group(screen, active)
        what = _ROUND.get(binding.action, binding.description)
        if (group, what) in lines:
            shown = f"{lines[group, what].shown}, {shown}"
        lines[group, what] = KeyLine(group, shown, what)
    going_round = set(_ROUND.values())
    return sorted(lines.values(), key=lambda line: (_ORDER.index(line.group), line.what in going_round))


_ROUND = {"app.focus_next": "to the next field", "app.focus_previous": "to the field before", "quit": "quit"}
"""Bindings that come with every screen, and what they do."""

_ORDER = ("where the focus is", "this screen", "everywhere")


def _group(screen: Screen[Any], active: ActiveBinding) -> str:
    node: DOMNode = active.node
    if node is screen.app:
        return _ORDER[2]
    return _ORDER[1] if node is screen else _ORDER[0]


class HelpScreen(Dialog[None]):
    """The help. `about` names the page or the dialog that was at hand: a key of `HELP`."""

    DEFAULT_CSS = """
    HelpScreen > .dialog { width: 100; height: auto; }
    HelpScreen VerticalScroll { height: auto; max-height: 1fr; }
    HelpScreen Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", show=False, id="help.close"),
    ]

    def __init__(self, about: str, lines: Sequence[KeyLine], at_hand: Sequence[Content] = ()) -> None:
        """`at_hand` is what is to be said of what has the focus; it comes first."""
        super().__init__()
        self._about = HELP.get(about, About("keys", ""))
        self._lines = lines
        self._at_hand = at_hand

    def compose(self) -> ComposeResult:
        """What the screen is for, then its keys."""
        with Vertical(classes="dialog") as box:
            box.border_title = f"Help · {self._about.title}"
            with VerticalScroll():
                yield Static(self._text())

    def on_mount(self) -> None:
        """Lets the arrow keys scroll."""
        self.query_one(VerticalScroll).focus()

    def action_help(self) -> None:
        """The key that opened it closes it."""
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nowhere to jump to."""
        return action != "jump"

    def _text(self) -> Content:
        parts = [*self._at_hand, *([Content()] if self._at_hand else []), Content(self._about.text)]
        wide = max((len(line.shown) for line in self._lines), default=0)
        group = ""
        for line in self._lines:
            if line.group != group:
                group = line.group
                parts.append(Content.assemble("\n", (group, "bold $primary")))
            parts.append(Content.assemble((line.shown.rjust(wide + 1), "bold $accent"), "  ", line.what))
        return Content("\n").join(parts)


def open_help(screen: Screen[Any], about: str) -> None:
    """Explains a screen by the words of that key of `HELP`, and by the keys that count on it now."""
    screen.app.push_screen(HelpScreen(about, key_lines(screen), help_at(screen.focused)))
