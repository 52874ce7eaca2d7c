"""Makes a URI of one template: fill in its variables, see what it expands to, say what is to be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from inspector.templates import Value
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.action_line import ActionLine, LineAction
from inspector.tui.widgets.template_fill import TemplateFill

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.widgets.template_rows import Choosable


class MadeUri(NamedTuple):
    """What a person wants of a URI that they made."""

    wish: str
    uri: str


_KEYS = ("Enter", "^t")


class UriForm(Dialog[MadeUri]):
    """Answers the URI and what is wanted of it, or None.

    `wishes` are one or two things to do with the URI, each by its name and its words: the first by enter, the
    second by ctrl+t. `values` are what the variables begin with.
    """

    DEFAULT_CSS = """
    UriForm ActionLine { margin-top: 1; background: transparent; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take(0)", "take the URI", show=False, id="uri.take"),
        Binding("ctrl+t", "take(1)", "the other thing to do", show=False, id="uri.take-other"),
        Binding("up", "step(-1)", "up", show=False, id="uri.up"),
        Binding("down", "step(1)", "down", show=False, id="uri.down"),
    ]

    def __init__(
        self,
        host: Host,
        choice: Choosable,
        wishes: Sequence[tuple[str, str]],
        values: Mapping[str, Value] | None = None,
    ) -> None:
        super().__init__()
        self._host = host
        self._choice = choice
        self._wishes = wishes
        self._values = values

    def compose(self) -> ComposeResult:
        """The template's fields and the URI, then what can be done with it."""
        with Vertical(classes="dialog") as box:
            box.border_title = "A URI from a template"
            box.border_subtitle = "↓ offers · Esc leaves"
            yield TemplateFill(self._host)
            yield ActionLine(
                [
                    LineAction(f"take({place})", key, words)
                    for place, (key, (_, words)) in enumerate(zip(_KEYS, self._wishes, strict=False))
                ]
            )

    async def on_mount(self) -> None:
        """Begins to fill in."""
        await self.fill.begin(self._choice, self._values)

    @property
    def fill(self) -> TemplateFill:
        """The template's fields."""
        return self.query_one(TemplateFill)

    def action_step(self, steps: int) -> None:
        """Goes from field to field, and down to what the server offers."""
        self.fill.step(steps)

    def action_take(self, place: int) -> None:
        """Answers the URI, once it can be made, with what is wanted of it."""
        if place < len(self._wishes) and self.fill.uri is not None:
            self.dismiss(MadeUri(self._wishes[place][0], self.fill.uri))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take(0)

    @on(ActionLine.Picked)
    async def _picked(self, event: ActionLine.Picked) -> None:
        event.stop()
        await self.run_action(event.answer)
