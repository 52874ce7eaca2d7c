"""The rows of what a server asks a person: a line to type into, or options to pick from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Label

from inspector.tui.text import visible
from inspector.tui.widgets.asked_fields import AskedField, AskedKind
from inspector.tui.widgets.form_json import write_json
from inspector.tui.widgets.form_model import ABSENT

_ACROSS: Final = 40
"""Options that take no more cells than this stand side by side."""

LONGEST_LABEL: Final = 26
"""Cells of a field's label."""


class AskedLine(Input):
    """One line of text. Says so where more was pasted."""

    @dataclass
    class Cut(Message):
        """Several lines were pasted where one goes."""

    def _on_paste(self, event: events.Paste) -> None:
        lines = event.text.strip("\r\n").splitlines()
        if len(lines) > 1:
            self.post_message(self.Cut())
        event.stop()
        event.prevent_default()
        if lines:
            self.replace(lines[0], *sorted(self.selection))


class Options(Widget, can_focus=True):
    """Options to pick one of, or any number of. Space picks, and takes back what was picked."""

    DEFAULT_CSS = """
    Options {
        width: 1fr;
        height: auto;
        padding: 0 1;
        background: $panel;
        &:focus { background: $primary 25%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move(1)", "Next", show=False, id="asked.next_option"),
        Binding("left", "move(-1)", "Previous", show=False, id="asked.previous_option"),
        Binding("down", "climb(1)", "Next", show=False, id="asked.lower_option"),
        Binding("up", "climb(-1)", "Previous", show=False, id="asked.upper_option"),
        Binding("space", "pick", "Pick", show=False, id="asked.pick"),
    ]
    ALLOW_SELECT: ClassVar[bool] = False

    cursor: reactive[int] = reactive(0)
    """The option that space would pick."""

    def __init__(self, options: Sequence[tuple[str, Any]], picked: Iterable[int], *, many: bool) -> None:
        super().__init__()
        self._values = [value for _, value in options]
        self._labels = [visible(label, 60) for label, _ in options]
        self._many = many
        self._across = sum(cell_len(label) + 5 for label in self._labels) <= _ACROSS
        self._picked = set(picked)
        if self._picked:
            self.set_reactive(Options.cursor, min(self._picked))

    @property
    def picked(self) -> list[Any]:
        """The values that are picked, in the order of the options."""
        return [self._values[place] for place in sorted(self._picked)]

    def render(self) -> Content:
        """The options, those that are picked marked; with the focus the cursor too."""
        lines: list[Content] = []
        for place, label in enumerate(self._labels):
            on, off = ("☒", "☐") if self._many else ("●", "○")
            picked = place in self._picked
            style = "bold" if picked else "$text-muted"
            if self.has_focus and place == self.cursor:
                style += " underline"
            lines.append(Content.styled(f"{on if picked else off} {label}", style))
        return Content("   " if self._across else "\n").join(lines)

    def action_move(self, steps: int) -> None:
        """Goes to another option, and stays at the ends."""
        self.cursor = max(0, min(len(self._values) - 1, self.cursor + steps))

    def action_climb(self, steps: int) -> None:
        """Goes up or down among options that stand below each other; at the ends the key goes on."""
        if self._across or not 0 <= self.cursor + steps < len(self._values):
            raise SkipAction
        self.action_move(steps)

    def action_pick(self) -> None:
        """Picks the option at the cursor, or takes that back."""
        taken = self.cursor in self._picked
        if not self._many:
            self._picked.clear()
        (self._picked.discard if taken else self._picked.add)(self.cursor)
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Picks what is clicked."""
        place, column = (0, event.x - 1) if self._across else (event.y, 0)
        while self._across and place < len(self._labels) and column >= cell_len(self._labels[place]) + 5:
            column -= cell_len(self._labels[place]) + 5
            place += 1
        if 0 <= place < len(self._labels):
            self.cursor = place
            self.action_pick()


class AskedRow(Horizontal):
    """One field: its label, `*` where it is required, and what is filled in."""

    DEFAULT_CSS = """
    AskedRow {
        height: auto;
        & > Label { color: $text-primary; padding-right: 1; }
        & > AskedLine, & > AskedLine.-textual-compact {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0 1;
            background: $panel;
        }
        & > AskedLine:focus { background: $primary 25%; background-tint: transparent; }
    }
    """

    def __init__(self, field: AskedField, width: int) -> None:
        super().__init__()
        self.field = field
        self._width = width
        self.editor: Options | AskedLine = self._options() if field.options else self._line()

    def _options(self) -> Options:
        field = self.field
        wanted = field.default if field.kind is AskedKind.MANY else [field.default]
        wanted = wanted if isinstance(wanted, list) else []
        picked = [
            place
            for place, (_, value) in enumerate(field.options)
            if any(type(value) is type(each) and value == each for each in wanted)
        ]
        return Options(field.options, picked, many=field.kind is AskedKind.MANY)

    def _line(self) -> AskedLine:
        field = self.field
        hint = f"{'required' if field.required else 'may be left out'} · {field.form or field.kind.value}"
        default = field.default
        text = default if isinstance(default, str) and field.kind is AskedKind.TEXT else ""
        if default is not ABSENT and not isinstance(default, str):
            text = write_json(default, indent=None)
        return AskedLine(visible(text, 2000), placeholder=visible(hint, 80), compact=True)

    def compose(self) -> ComposeResult:
        """The label and the editor."""
        label = Label(label_of(self.field), markup=False)
        label.styles.width = self._width
        yield label
        yield self.editor

    def read(self) -> Any:
        """The value, `ABSENT` where there is none. Raises JsonFault where what is typed is no value."""
        if isinstance(self.editor, AskedLine):
            return self.field.read(self.editor.value)
        picked = self.editor.picked
        if self.field.kind is AskedKind.MANY:
            return picked if picked or self.field.required else ABSENT
        return picked[0] if picked else ABSENT


def label_of(field: AskedField) -> str:
    """The label as it stands before the field."""
    return f"{visible(field.label, LONGEST_LABEL)}{' *' if field.required else ''}"
