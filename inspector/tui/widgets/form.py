"""A form for a call's arguments, one row for each, made from the tool's `inputSchema`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.tui.widgets.fate import Fate
from inspector.tui.widgets.form_model import Draft, Field, FieldKind
from inspector.tui.widgets.form_rows import (
    ChoiceRow,
    FieldRow,
    JsonRow,
    NumberRow,
    TextRow,
    ValueBroken,
    ValueChanged,
    label_of,
)
from inspector.tui.widgets.form_strings import StringsRow

_ROWS: Final[Mapping[FieldKind, type[FieldRow]]] = {
    FieldKind.TEXT: TextRow,
    FieldKind.INTEGER: NumberRow,
    FieldKind.NUMBER: NumberRow,
    FieldKind.CHOICE: ChoiceRow,
    FieldKind.STRINGS: StringsRow,
    FieldKind.JSON: JsonRow,
}


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Edits a `Draft`. Posts `Form.Changed` with every change, and `Form.Entered` as fields are come to."""

    DEFAULT_CSS = """
    Form {
        height: auto;
        padding: 0 1;
        scrollbar-size-vertical: 1;
        & > .form--note { color: $text-muted; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "Previous field", show=False, id="form.previous"),
        Binding("down", "step(1)", "Next field", show=False, id="form.next"),
        Binding("pageup", "page_up", "Scroll up", show=False, id="form.page_up"),
        Binding("pagedown", "page_down", "Scroll down", show=False, id="form.page_down"),
    ]

    @dataclass
    class Changed(Message):
        """The draft has changed, or what was typed is no value."""

    @dataclass
    class Entered(Message):
        """Another field has the focus."""

        field: Field

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.draft = Draft(())

    async def load(self, draft: Draft, fields_in_schema: int) -> None:
        """Shows the draft's fields with their values. `fields_in_schema` counts what the schema asks for."""
        self.draft = draft
        fields = draft.shown_fields()
        width = max((cell_len(label_of(field)) for field in fields), default=0) + 1
        children: list[Widget] = [self._row(field, draft.value(field.name), width) for field in fields]
        more = fields_in_schema - len(draft.fields)
        if not fields:
            children.append(_note("This tool takes no arguments."))
        elif more > 0:
            children.append(_note(f"… and {more:,} more arguments: in the JSON (^t)."))
        async with self.batch():
            await self.remove_children()
            await self.mount_all(children)
        self._restore()

    def _row(self, field: Field, value: Any, width: int) -> FieldRow:
        return _ROWS[field.kind_for(value)](field, value, width)

    def _restore(self) -> None:
        broken = dict(self.draft.broken)
        self.draft.broken.clear()
        for row in self.rows:
            if row.field.name in broken and row.restore(broken[row.field.name][0]):
                self.draft.broken[row.field.name] = broken[row.field.name]

    @property
    def rows(self) -> list[FieldRow]:
        """The rows, in order."""
        return list(self.query(FieldRow))

    def show_fates(self, fates: Mapping[str, Fate]) -> None:
        """Shows what is known of each string of the declared arguments."""
        for row in self.rows:
            if row.field.declared:
                row.show_fates(fates)

    def focus_first(self) -> None:
        """Goes to the first required field that is empty; else to a declared one, else to the first."""
        rows = self.rows
        wanted = (
            [row for row in rows if row.field.required and row.empty]
            or [row for row in rows if row.field.declared]
            or rows
        )
        if wanted:
            wanted[0].editor.focus()

    def focus_field(self, name: str) -> None:
        """Goes to an argument's field."""
        for row in self.rows:
            if row.field.name == name:
                row.editor.focus()

    def action_step(self, steps: int) -> None:
        """Goes to the field above (-1) or below (1), and stays at the ends."""
        mine = set(self.walk_children())
        chain = [widget for widget in self.screen.focus_chain if widget in mine]
        focused = self.screen.focused
        if focused in chain:
            index = chain.index(focused) + steps
            if 0 <= index < len(chain):
                chain[index].focus()
            else:
                (self.scroll_home if steps < 0 else self.scroll_end)(animate=False)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Tells which field is come to."""
        for ancestor in event.widget.ancestors_with_self:
            if isinstance(ancestor, FieldRow):
                self.post_message(self.Entered(ancestor.field))
                return

    @on(ValueChanged)
    def _value_changed(self, event: ValueChanged) -> None:
        event.stop()
        self.draft.put(event.name, event.value)
        self.post_message(self.Changed())

    @on(ValueBroken)
    def _value_broken(self, event: ValueBroken) -> None:
        event.stop()
        self.draft.spoil(event.name, event.text, event.reason)
        self.post_message(self.Changed())


def _note(text: str) -> Static:
    return Static(text, classes="form--note", markup=False)
