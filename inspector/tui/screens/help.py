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

_ABOUT: dict[str, str] = {
    "compose": (
        "Fill in the call. Below each string of a declared argument stands its fate: who owns it, or the code and "
        "why. Resolve reads the resources and shows the exact _meta; send sends what is shown. Where something "
        "changed since, send resolves and shows first: nothing unseen is ever sent. In the preview and the result "
        "/ searches, y copies (the call as a command, as JSON-RPC, as Python), e and p open what stands at the "
        "cursor in $VISUAL or $EDITOR and in $PAGER; on a block of a result w saves it, o reads its resource and "
        "c cites it. F9 edits the text at hand, or the JSON of the call, in the editor."
    ),
    "ownership": (
        "Type a URI into the probe line: it is answered with the verdict and what each template makes of it. "
        "Enter, or a where no field has the focus, reads it from a server of your choice, whoever owns it. The "
        "line below takes a template as if a server published it too, and says what would follow. Then come the "
        "overlaps between servers, and each template by scheme."
    ),
    "browse": (
        "The templates, resources and prompts of all servers. / narrows the list by what is typed: each word is "
        "looked for in the server, the URI or name, the title, the description and the type. Enter reads a "
        "resource from the server that lists it, fills in a template, gets a prompt; Esc cancels what takes too "
        "long. Left and right go from server to server. A click looks at a row, a second one does as Enter does."
    ),
    "record": (
        "What happened. Each call of this run has a timeline: its reads, the call itself, progress, and what "
        "its servers logged and wrote to standard error meanwhile; + is what is known to belong to the call, "
        "≈ what was said at that time. The messages are the JSON-RPC of all servers, the handshake too; Enter "
        "opens a request with its answer. The filter takes words, server:NAME, method:NAME, sent, received "
        "and the kinds request, result, error, notification; follow keeps to the newest. The history holds "
        "the calls of this run and of those before: Enter opens one, compose and send put it into the "
        "composer, compare marks one and shows what differs in the next."
    ),
    "problems": (
        "What the servers publish and the extension or the protocol will not do as their authors hope, worst "
        "first, each with its rule, what to do, and a snippet to paste where one helps. / narrows the list by "
        "what is typed: error, a server, a rule such as R14, any text. Enter goes to what a problem is about; "
        "y copies its snippet."
    ),
    "servers": (
        "The servers of the workspace and their tools, those that declare resource arguments first and marked ⧉. "
        "Enter on a tool composes a call of it; on a server it opens its menu."
    ),
}


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
    """The help. `about` names the page that was at hand."""

    DEFAULT_CSS = """
    HelpScreen > .dialog { height: auto; max-height: 96%; }
    HelpScreen VerticalScroll { height: auto; max-height: 1fr; }
    HelpScreen Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,q", "close", show=False, id="help.close"),
    ]

    def __init__(self, about: str, lines: Sequence[KeyLine], at_hand: Sequence[Content] = ()) -> None:
        """`at_hand` is what is to be said of what has the focus; it comes first."""
        super().__init__()
        self._at_hand = at_hand
        self._about = about
        self._lines = lines

    def compose(self) -> ComposeResult:
        """What the page is for, then its keys."""
        with Vertical(classes="dialog") as box:
            box.border_title = f"Help · {self._about}"
            box.border_subtitle = "Esc closes"
            with VerticalScroll():
                yield Static(self._text())

    def _text(self) -> Content:
        parts = [*self._at_hand, Content()] if self._at_hand else []
        parts.append(Content(_ABOUT.get(self._about, "")))
        wide = max((len(line.shown) for line in self._lines), default=0)
        group = ""
        for line in self._lines:
            if line.group != group:
                group = line.group
                parts.append(Content.assemble("\n", (group, "bold $primary")))
            parts.append(Content.assemble((line.shown.rjust(wide + 1), "bold $accent"), "  ", line.what))
        return Content("\n").join(parts)
