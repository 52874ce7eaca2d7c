"""An array of strings as rows: each string on its own line, what becomes of it below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.host.same_json import same_json
from inspector.tui.messages import Notice, ProbeRequested
from inspector.tui.text import content
from inspector.tui.widgets.fate import Fate, Fates
from inspector.tui.widgets.form_inputs import LineInput, Pasted
from inspector.tui.widgets.form_json import JsonFault
from inspector.tui.widgets.form_model import ABSENT, MOST_ROWS, Field
from inspector.tui.widgets.form_rows import FieldRow, label_of


class Mark(Static, can_focus=False):
    """A mark to click."""

    ALLOW_SELECT: ClassVar[bool] = False

    @dataclass
    class Clicked(Message):
        """The mark was clicked."""

        mark: Mark

    def on_click(self, event: events.Click) -> None:
        """Tells of the click."""
        event.stop()
        self.post_message(self.Clicked(self))


class StringLine(Vertical):
    """One string of an array, with its fate."""

    DEFAULT_CSS = """
    StringLine {
        height: auto;
        padding-left: 2;
        & > Horizontal { height: 1; }
        & Mark { width: 3; padding: 0 1; color: $text-disabled; }
        &:focus-within Mark { color: $foreground; }
        & Mark:hover { color: $outcome-error; }
    }
    """

    def __init__(self, value: Any, hint: str, *, declared: bool) -> None:
        super().__init__()
        self.input = LineInput(value, hint)
        self._fates = Fates() if declared else None

    def compose(self) -> ComposeResult:
        """The line, a mark that deletes it, and its fate."""
        with Horizontal():
            yield self.input
            yield Mark("✕")
        if self._fates is not None:
            yield self._fates

    def show_fate(self, fates: Mapping[str, Fate]) -> None:
        """Shows what is known of the string, if anything is."""
        if self._fates is None:
            return
        try:
            text = self.input.read()
        except JsonFault:
            text = ABSENT
        self._fates.entries = ((text, fates[text]),) if isinstance(text, str) and text in fates else ()


class StringsRow(FieldRow):
    """An array of strings. `enter` goes to the next row and adds one after the last; a row is deleted with F8."""

    DEFAULT_CSS = """
    StringsRow {
        & .strings--add { width: auto; padding: 0 1 0 3; color: $text-muted; }
        & .strings--add:hover { color: $text-primary; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f8", "delete", "delete row", id="form.delete_row"),
        Binding("ctrl+o", "probe", "who owns it", show=False, id="form.probe"),
    ]

    def __init__(self, field: Field, value: Any, label_width: int) -> None:
        super().__init__(field, value, label_width)
        self._initial = _lines_of(value)

    def compose(self) -> ComposeResult:
        """The name, a row for each string, and a way to add one."""
        yield Static(content(label_of(self.field)), classes="field--label", markup=False)
        with Vertical(classes="field--line"):
            for text in self._initial:
                yield self._line(text)
        yield Mark("+ add", classes="strings--add")

    def _line(self, value: Any) -> StringLine:
        hint = f"a URI of {' or '.join(self.field.schemes)}" if self.field.declared else self.field.hint
        return StringLine(value, hint, declared=self.field.declared)

    @property
    def lines(self) -> list[StringLine]:
        """The rows, from the first."""
        return list(self.query(StringLine))

    @property
    def editor(self) -> Widget:
        """The first row that is empty, else the first."""
        inputs = [line.input for line in self.lines]
        return next((line for line in inputs if not line.present), inputs[0])

    def show_fates(self, fates: Mapping[str, Fate]) -> None:
        """Shows under each row what is known of its string."""
        self._fates = fates
        for line in self.lines:
            line.show_fate(fates)

    def restore(self, text: str) -> bool:
        """A row that is no string yet is not kept: the array before it stands."""
        return False

    # Editing

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._collect()

    def _collect(self) -> None:
        lines = self.lines
        alone = lines[0].input if len(lines) == 1 and not lines[0].input.value else None
        if alone is not None and (alone.blank is None or alone.blank == []):
            # The row stands for the whole of the array.
            if not same_json(alone.blank, self.value):
                self.take(alone.blank)
            return
        texts: list[str] = []
        for line in lines:
            try:
                text = line.input.read()
            except JsonFault as fault:
                self.refuse(line.input.value, str(fault))
                return
            if isinstance(text, str):
                texts.append(text)
        value: Any = texts or ABSENT
        if not texts and self.field.required and self.value is not ABSENT:
            value = []
            if alone is not None:
                alone.leave_out([])
        if value != self.value or self._shown_error is not None:
            self.take(value)

    @on(LineInput.LeftOut)
    async def _left_out(self, event: LineInput.LeftOut) -> None:
        event.stop()
        await self._delete(event.line, step=-1)

    @on(Input.Submitted)
    async def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        lines = self.lines
        index = self._index(event.input)
        if index + 1 < len(lines):
            lines[index + 1].input.focus()
        elif event.input.value:
            await self._add()

    @on(Mark.Clicked)
    async def _mark_clicked(self, event: Mark.Clicked) -> None:
        event.stop()
        if event.mark.has_class("strings--add"):
            await self._add()
        else:
            line = next(line for line in self.lines if event.mark in line.walk_children())
            await self._delete(line.input, step=0)

    async def action_delete(self) -> None:
        """Deletes the row that has the focus."""
        focused = self.screen.focused
        if isinstance(focused, LineInput) and focused in self.walk_children():
            await self._delete(focused, step=0)

    def action_probe(self) -> None:
        """Asks the Ownership tab who owns the string that has the focus."""
        focused = self.screen.focused
        if isinstance(focused, LineInput) and focused.value:
            self.post_message(ProbeRequested(focused.value))

    @on(Pasted)
    async def _pasted(self, event: Pasted) -> None:
        """Each line of what was pasted becomes a row, after the row it was pasted into; an empty row is filled."""
        event.stop()
        assert isinstance(event.editor, LineInput)
        texts = [text.strip() for text in event.text.split("\n") if text.strip()]
        room = MOST_ROWS - len(self.lines) + 1
        if len(texts) > room:
            text = f"{len(texts)} lines pasted, and room for {room} rows: paste them in the JSON (^t)"
            self.post_message(Notice(text, "warning"))
            return
        index = self._index(event.editor)
        at = self.lines[index]
        new = [self._line(text) for text in texts]
        await self.query_one(".field--line").mount_all(new, after=at)
        if not event.editor.value:
            await at.remove()
        new[-1].input.focus()
        self._collect()

    async def set_value(self, value: Any) -> None:
        """Takes a value, whatever stands in the rows, and stays in the last one."""
        self.value = value
        old, new = self.lines, [self._line(item) for item in _lines_of(value)]
        await self.query_one(".field--line").mount_all(new)
        new[-1].input.focus()
        for line in old:
            await line.remove()
        self.take(value)

    async def put_uri(self, uri: str, editor: Widget | None) -> bool:
        """Puts a URI into a row: that of `editor`, else one that is empty, else a new one."""
        line = next((line.input for line in self.lines if line.input is editor), None)
        if line is None:
            line = next((line.input for line in self.lines if not line.input.value), None)
        if line is None:
            await self._add()
            line = self.lines[-1].input
            if line.value:
                return False
        line.put(uri)
        return True

    async def _add(self) -> None:
        lines = self.lines
        if not lines[-1].input.present:
            lines[-1].input.focus()
            return
        if len(lines) >= MOST_ROWS:
            self.post_message(Notice(f"{MOST_ROWS} rows are the most here: add more in the JSON (^t)", "warning"))
            return
        line = self._line(ABSENT)
        await self.query_one(".field--line").mount(line)
        line.input.focus()

    async def _delete(self, editor: LineInput, *, step: int) -> None:
        lines = self.lines
        index = self._index(editor)
        if len(lines) == 1:
            editor.leave_out()
        else:
            keep = index + step if step and index else index + 1 if index + 1 < len(lines) else index - 1
            neighbour = lines[keep].input
            neighbour.focus()
            if step:
                neighbour.cursor_position = len(neighbour.value)
            await lines[index].remove()
        self._collect()
        self.show_fates(self._fates)

    def _index(self, editor: Widget) -> int:
        return next(index for index, line in enumerate(self.lines) if line.input is editor)


def _lines_of(value: Any) -> list[Any]:
    """What each row holds: a string; where there is but one, what stands for the array: `ABSENT`, `[]`, null."""
    return list(value) if isinstance(value, list) and value else [value]
