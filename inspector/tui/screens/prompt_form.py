"""Asks for a prompt's arguments: one row each, the required ones marked, with what the server offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Label, Static

from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.action_line import ActionLine, LineAction
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.template_offers import Offers

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.workspace.catalog import Prompt

_LABEL: Final = 24
"""Characters of an argument's name that are shown."""

MOST_FIELDS: Final = 100
"""Arguments that are asked for at most; no prompt that is meant for people has as many."""


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """One argument as the server lists it. `about` is its title and description, not known to be safe to show."""

    name: str
    about: str
    required: bool


def prompt_arguments(raw: Mapping[str, Any]) -> tuple[PromptArgument, ...]:
    """The arguments of a prompt, each name once, in the server's order; what is no argument is passed over."""
    listed = raw.get("arguments")
    found: dict[str, PromptArgument] = {}
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, Mapping) and isinstance(name := each.get("name"), str):
            about = [
                text for text in (each.get("title"), each.get("description")) if isinstance(text, str) and text
            ]
            found.setdefault(name, PromptArgument(name, ": ".join(about), each.get("required") is True))
    return tuple(found.values())


class ArgumentField(Horizontal):
    """One argument: its name, `*` where it is required, and its value."""

    DEFAULT_CSS = """
    ArgumentField {
        height: 1;
        Label { color: $text-primary; padding-right: 1; }
        Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
        Input:focus { background: $primary 25%; background-tint: transparent; }
    }
    """

    def __init__(self, argument: PromptArgument, text: str, width: int) -> None:
        super().__init__()
        self.argument = argument
        hint = "required" if argument.required else "left out"
        about = visible(argument.about, 80)
        self.input = Input(text, placeholder=f"{hint}  ·  {about}" if about else hint, compact=True)
        self._width = width

    def compose(self) -> ComposeResult:
        """The name and the field."""
        label = Label(label_of(self.argument), markup=False)
        label.styles.width = self._width
        yield label
        yield self.input


def label_of(argument: PromptArgument) -> str:
    """The name as it stands before the field."""
    return f"{visible(argument.name, _LABEL)}{' *' if argument.required else ''}"


class PromptForm(Dialog[dict[str, str]]):
    """Answers the arguments, those that are left empty left out; or None. `values` are what they begin with."""

    DEFAULT_CSS = """
    PromptForm {
        #prompt-fields { height: auto; max-height: 10; scrollbar-size-vertical: 1; margin-top: 1; }
        #prompt-about { height: auto; max-height: 3; color: $text-muted; }
        #prompt-help { height: auto; max-height: 3; color: $text-muted; margin-top: 1; }
        #prompt-note { display: none; height: auto; max-height: 3; color: $outcome-refused; margin-top: 1; }
        #prompt-note.-said { display: block; }
        ActionLine { margin-top: 1; background: transparent; padding: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "get the prompt", show=False, id="prompt.take"),
        Binding("up", "step(-1)", "up", show=False, id="prompt.up"),
        Binding("down", "step(1)", "down", show=False, id="prompt.down"),
    ]

    def __init__(self, host: Host, prompt: Prompt, values: Mapping[str, str]) -> None:
        super().__init__()
        self._host = host
        self._prompt = prompt
        self._arguments = prompt_arguments(prompt.raw)
        self._values = values
        self._field: ArgumentField | None = None
        self._taken: tuple[ArgumentField, str] | None = None
        self._warned_of: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """What the prompt says of itself, its fields, what is offered, and what can be done."""
        shown = self._arguments[:MOST_FIELDS]
        width = max((cell_len(label_of(argument)) for argument in shown), default=0) + 2
        with Vertical(classes="dialog") as box:
            box.border_title = Content(f"{visible(self._prompt.server, 30)} / {visible(self._prompt.name, 40)}")
            box.border_subtitle = "* required · ↓ offers · Esc leaves"
            about = self._prompt.raw.get("description")
            if isinstance(about, str) and about:
                yield Static(Content(visible(about, 300)), id="prompt-about")
            with VerticalScroll(id="prompt-fields", can_focus=False):
                for argument in shown:
                    yield ArgumentField(argument, self._values.get(argument.name, ""), width)
            yield Offers(self._host)
            yield Static(id="prompt-help", markup=False)
            yield Static(id="prompt-note", markup=False)
            yield ActionLine([LineAction("take", "Enter", "gets the prompt")])

    def on_mount(self) -> None:
        """Begins in the first field that is empty."""
        fields = self.fields
        first = next((field for field in fields if not field.input.value), fields[0])
        first.input.focus()
        if len(self._arguments) > MOST_FIELDS:
            self._note(f"It has {len(self._arguments)} arguments: the first {MOST_FIELDS} are asked for.")

    @property
    def fields(self) -> list[ArgumentField]:
        """The fields, from the first."""
        return list(self.query(ArgumentField))

    @property
    def offers(self) -> Offers:
        """What the server offers for the field at hand."""
        return self.query_one(Offers)

    @property
    def values(self) -> dict[str, str]:
        """What is written, without what is left empty."""
        return {field.argument.name: field.input.value for field in self.fields if field.input.value}

    # What is written

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        field = self._field_of(event.input)
        if field is not None and event.input.has_focus:
            self._ask(field)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A field that is come to says what it is for, and its server offers values."""
        field = self._field_of(event.widget)
        if field is not None:
            self._field = field
            self.query_one("#prompt-help", Static).update(Content(visible(field.argument.about, 400)))
            self._ask(field)

    def _field_of(self, widget: object) -> ArgumentField | None:
        return next((field for field in self.fields if field.input is widget), None)

    def _ask(self, field: ArgumentField) -> None:
        if (field, field.input.value) == self._taken:
            return
        self._taken = None
        others = {name: value for name, value in self.values.items() if name != field.argument.name}
        about = {"type": "ref/prompt", "name": self._prompt.name}
        self.offers.ask(self._prompt.server, about, field.argument.name, field.input.value, others)

    @on(RowList.Chosen)
    def _offer_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        if self._field is not None:
            line = self._field.input
            line.value = event.row.subject
            line.cursor_position = len(line.value)
            self._taken = (self._field, line.value)
            self.offers.show(())
            line.focus()

    @on(Offers.Left)
    def _offers_left(self, event: Offers.Left) -> None:
        event.stop()
        if self._field is not None:
            self._field.input.focus()

    @on(Offers.Failed)
    def _offers_failed(self, event: Offers.Failed) -> None:
        event.stop()
        # What is said of a required argument stays: completions come by themselves.
        if event.reason and not self._warned_of:
            self._note(f"No completions from {visible(self._prompt.server, 30)}: {visible(event.reason, 200)}")

    def _note(self, text: str) -> None:
        line = self.query_one("#prompt-note", Static)
        line.set_class(bool(text), "-said")
        line.update(Content(text))

    # Keys

    def action_step(self, steps: int) -> None:
        """Goes to the field above or below, from a field down to its offers first."""
        fields, focused = self.fields, self.focused
        place = next((n for n, field in enumerate(fields) if field.input is focused), None)
        if place is None:
            fields[0].input.focus()
        elif steps > 0 and self.offers.rows:
            self.offers.focus()
        elif 0 <= place + steps < len(fields):
            fields[place + steps].input.focus()

    @on(Input.Submitted)
    def action_take(self) -> None:
        """Answers what is written. What is required and empty is pointed out once, and then left to the server."""
        missing = [field for field in self.fields if field.argument.required and not field.input.value]
        names = frozenset(field.argument.name for field in missing)
        if missing and names != self._warned_of:
            self._warned_of = names
            missing[0].input.focus()
            named = _listed(field.argument.name for field in missing)
            self._note(f"Required and empty: {named}. Enter again asks without.")
        else:
            self.dismiss(self.values)

    @on(ActionLine.Picked)
    async def _picked(self, event: ActionLine.Picked) -> None:
        event.stop()
        self.action_take()


def _listed(names: Iterable[str]) -> str:
    shown = [visible(name, 40) for name in names]
    return ", ".join(shown[:6]) + (" …" if len(shown) > 6 else "")
