"""A form for a call's arguments, one row for each, made from the tool's `inputSchema`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.host.validation import Fault
from inspector.tui.widgets.fate import Fate
from inspector.tui.widgets.form_kinds import ChoiceRow, JsonRow, NumberRow, TextRow
from inspector.tui.widgets.form_model import Draft, Field, FieldKind
from inspector.tui.widgets.form_rows import FieldRow, ValueBroken, ValueChanged, label_of
from inspector.tui.widgets.form_strings import StringsRow

_ROWS: Final[Mapping[FieldKind, type[FieldRow]]] = {
    FieldKind.TEXT: TextRow,
    FieldKind.INTEGER: NumberRow,
    FieldKind.NUMBER: NumberRow,
    FieldKind.CHOICE: ChoiceRow,
    FieldKind.STRINGS: StringsRow,
    FieldKind.JSON: JsonRow,
}

ROWS_AT_ONCE: Final = 20
"""Fields that are made at once: each costs time, whenever anything in the form moves."""

_ROWS_AT_A_TIME: Final = 4
"""Rows that are made between two pauses."""

_PAUSE: Final = 0.02
"""Seconds that a pause takes: the screen is drawn at most every sixtieth of a second."""


class MoreRow(Static, can_focus=True):
    """Stands for the fields that are not made yet. Enter, or a click, makes some of them."""

    DEFAULT_CSS = """
    MoreRow { height: 1; padding: 0 1; color: $text-muted; }
    MoreRow:focus { background: $primary 25%; color: $foreground; }
    MoreRow:hover { color: $text-primary; }
    """
    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "more", "more arguments", id="form.more")]

    @dataclass
    class Wanted(Message):
        """More fields are wanted."""

    def __init__(self, count: int) -> None:
        super().__init__(f"+ {count:,} more arguments: enter shows the next", markup=False)

    def action_more(self) -> None:
        """Asks for more fields."""
        self.post_message(self.Wanted())

    def on_click(self) -> None:
        """Asks for more fields."""
        self.action_more()


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

    @dataclass
    class Grown(Message):
        """There are more rows than before: nothing is known of their strings yet."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.draft = Draft(())
        self._limit = ROWS_AT_ONCE
        self._in_schema = 0
        self._making = asyncio.Lock()

    async def load(self, draft: Draft, fields_in_schema: int) -> None:
        """Shows the draft's fields with their values. `fields_in_schema` counts what the schema asks for.

        No more than `ROWS_AT_ONCE`: those that are required, declared or filled in come before others. A row at
        the end shows as many more.
        """
        async with self._making:
            if draft is not self.draft:
                self._limit = ROWS_AT_ONCE
            self.draft, self._in_schema = draft, fields_in_schema
            await self.remove_children()
            await self._show_rows()
            self._restore(dict(draft.broken))

    async def _show_rows(self) -> None:
        """Makes the rows that are to be seen and are not there yet, each in its place; a few at a time."""
        fields = self.draft.shown_fields()
        chosen = _choose(fields, self.draft, self._limit)
        width = max((cell_len(label_of(field)) for field in chosen), default=0) + 1
        there = {row.field.name: row for row in self.rows}
        await self.query(".form--note, MoreRow").remove()
        above: Widget | None = None
        for number, field in enumerate(chosen, start=1):
            row = there.get(field.name)
            if row is None:
                row = self._row(field, self.draft.value(field.name), width)
                await self.mount(row, **({"before": 0} if above is None else {"after": above}))
                if number % _ROWS_AT_A_TIME == 0:
                    # Lays out what is there: all at once would hold up every key.
                    await asyncio.sleep(_PAUSE)
                    if not self.is_attached:
                        return
            above = row
        await self.mount_all(self._ending(len(fields), len(chosen)))

    def _ending(self, fields: int, shown: int) -> Iterator[Widget]:
        beyond = self._in_schema - len(self.draft.fields)
        if not fields:
            yield _note("This tool takes no arguments.")
        if fields > shown:
            yield MoreRow(fields - shown)
        if beyond > 0:
            yield _note(f"… and {beyond:,} more arguments: in the JSON (^t).")

    @on(MoreRow.Wanted)
    async def _more_wanted(self, event: MoreRow.Wanted) -> None:
        event.stop()
        async with self._making:
            there = {row.field.name for row in self.rows}
            self._limit += ROWS_AT_ONCE
            await self._show_rows()
        new = [row for row in self.rows if row.field.name not in there]
        if new:
            new[0].editor.focus()
        self.post_message(self.Grown())

    def _row(self, field: Field, value: Any, width: int) -> FieldRow:
        return _ROWS[field.kind_for(value)](field, value, width)

    def _restore(self, broken: Mapping[str, tuple[str, str]]) -> None:
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

    def show_faults(self, faults: Sequence[Fault]) -> list[Fault]:
        """Shows below each field what the schema does not allow there. Returns the faults that have no field."""
        placed: dict[str | int, list[Fault]] = {row.field.name: [] for row in self.rows}
        others = [fault for fault in faults if not fault.path or fault.path[0] not in placed]
        for fault in faults:
            if fault.path and fault.path[0] in placed:
                placed[fault.path[0]].append(fault)
        for row in self.rows:
            row.show_faults(placed[row.field.name])
        return others

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


def _choose(fields: Sequence[Field], draft: Draft, limit: int) -> list[Field]:
    """As many fields as the limit, in their order: first those that a call needs or that hold something."""
    if len(fields) <= limit:
        return list(fields)
    filled = draft.arguments.keys() | draft.broken.keys()
    by_need = sorted(fields, key=lambda field: not (field.required or field.declared or field.name in filled))
    chosen = {field.name for field in by_need[:limit]}
    return [field for field in fields if field.name in chosen]


def _note(text: str) -> Static:
    return Static(text, classes="form--note", markup=False)
