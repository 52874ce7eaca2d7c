"""The rows of a form: a name, an editor, what is wrong with what was typed, and the fates of its strings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from inspector.host.same_json import same_json
from inspector.tui.text import content, visible
from inspector.tui.widgets.fate import Fate, Fates
from inspector.tui.widgets.form_inputs import Area, Choice, LineInput, Pasted
from inspector.tui.widgets.form_json import JsonFault, parse_json, write_json
from inspector.tui.widgets.form_model import ABSENT, MOST_ROWS, Field, FieldKind, is_prose, read_number

LONGEST_LABEL: Final = 24


@dataclass
class ValueChanged(Message):
    """An argument has another value, `ABSENT` where it is left out now."""

    name: str
    value: Any


@dataclass
class ValueBroken(Message):
    """What was typed for an argument is no value: the text, and why."""

    name: str
    text: str
    reason: str


@dataclass
class TemplateWanted(Message):
    """A person wants to build a URI from a template, for the string that is edited in `editor`."""

    field: Field
    editor: Widget


def label_of(field: Field) -> str:
    """How a field is named: `*` for required, `⧉` for one whose strings are resolved."""
    mark = (" *" if field.required else "") + (" ⧉" if field.declared else "")
    return visible(field.name, LONGEST_LABEL - cell_len(mark)) + mark


class FieldRow(Vertical):
    """One argument. Its subclasses edit one kind of value each."""

    DEFAULT_CSS = """
    FieldRow {
        height: auto;
        & > .field--line { height: auto; }
        & .field--label { width: auto; padding-right: 1; color: $text-primary; }
        & .field--error { height: auto; color: $outcome-error; padding-left: 2; display: none; }
        & .field--error.-shown { display: block; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "template", "from a template", show=False, id="form.template"),
        Binding("f3", "take", "take the suggestion", show=False, id="form.take"),
    ]

    def __init__(self, field: Field, value: Any, label_width: int) -> None:
        super().__init__()
        self.field = field
        self.value = value
        self._label_width = label_width
        self._fates: Mapping[str, Fate] = {}
        self._shown_error: str | None = None

    @property
    def empty(self) -> bool:
        """Whether the argument is left out."""
        return self.value is ABSENT

    def compose(self) -> ComposeResult:
        """The name and the editor side by side; below them the error and the fates."""
        with Horizontal(classes="field--line"):
            label = Static(content(label_of(self.field)), classes="field--label", markup=False)
            label.styles.width = self._label_width
            yield label
            yield from self.compose_editor()
        yield Static("", classes="field--error", markup=False)
        if self.field.declared:
            yield Fates(named=self.field.kind_for(self.value) is FieldKind.JSON)

    def compose_editor(self) -> ComposeResult:
        """The editor. Subclasses say which."""
        raise NotImplementedError

    @property
    def editor(self) -> Widget:
        """The widget that takes the focus."""
        return self.query_one("LineInput, Area, Choice", Widget)

    def strings(self) -> tuple[str, ...]:
        """The strings whose fates are shown (R6)."""
        if isinstance(self.value, str):
            return (self.value,)
        return tuple(item for item in self.value if isinstance(item, str)) if isinstance(self.value, list) else ()

    def show_fates(self, fates: Mapping[str, Fate]) -> None:
        """Shows what is known of each string of this argument."""
        self._fates = fates
        known = [(uri, fates[uri]) for uri in dict.fromkeys(self.strings()) if uri in fates]
        for widget in self.query(Fates):
            widget.more = max(0, len(known) - MOST_ROWS)
            widget.entries = tuple(known[:MOST_ROWS])

    def action_take(self) -> None:
        """Puts the suggested URI in the place of the string that has the focus and has no owner."""
        line = self.screen.focused
        if not isinstance(line, LineInput) or line not in self.walk_children():
            return
        try:
            text = line.read()
        except JsonFault:
            return
        fate = self._fates.get(text) if isinstance(text, str) else None
        if fate is not None and fate.suggestion is not None:
            line.value = fate.suggestion
            line.cursor_position = len(line.value)

    def show_error(self, reason: str | None) -> None:
        """Marks what was typed as no value, with the reason; or takes the mark away."""
        if reason == self._shown_error:
            return
        self._shown_error = reason
        self.query(LineInput).set_class(reason is not None, "-broken")
        self.query(Area).set_class(reason is not None, "-broken")
        error = self.query_one(".field--error", Static)
        error.set_class(reason is not None, "-shown")
        error.update(content(f"✗ {reason}") if reason else Content())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A URI is built for a string that is resolved."""
        return self.field.declared if action == "template" else True

    def action_template(self) -> None:
        """Asks for a URI that is built from a template, for the editor that has the focus."""
        focused = self.screen.focused
        if focused is not None:
            self.post_message(TemplateWanted(self.field, focused))

    async def put_uri(self, uri: str, editor: Widget | None) -> bool:
        """Puts a URI in place of what `editor` holds; None: where there is room. False where it has no place."""
        return False

    def restore(self, text: str) -> bool:
        """Puts back what a person typed before that is no value yet; False where that cannot be."""
        for line in self.query(LineInput):
            line.value = text
        for area in self.query(Area):
            area.text = text
        return True

    def take(self, value: Any) -> None:
        """Takes a new value from the editor and tells of it."""
        self.value = value
        self.show_error(None)
        self.post_message(ValueChanged(self.field.name, value))

    def refuse(self, text: str, reason: str) -> None:
        """Says that what stands in the editor is no value; the one before it stays."""
        self.show_error(reason)
        self.post_message(ValueBroken(self.field.name, text, reason))


class TextRow(FieldRow):
    """A string: on one line, or over several where it has them or a person asks for them."""

    def compose_editor(self) -> ComposeResult:
        """A line, or an area where the text has several."""
        if isinstance(self.value, str) and "\n" in self.value and is_prose(self.value):
            yield Area(self.value)
        else:
            yield LineInput(self.value, self.field.hint, offer=self.field.offer, many=True)

    async def put_uri(self, uri: str, editor: Widget | None) -> bool:
        """Puts a URI in place of the text."""
        if isinstance(self.editor, LineInput):
            self.editor.put(uri)
        else:
            await self._edit_over_lines(uri, "")
        return True

    @on(Input.Changed)
    def _line_changed(self, event: Input.Changed) -> None:
        event.stop()
        if not isinstance(event.input, LineInput) or event.value != event.input.value:
            return
        try:
            value = event.input.read()
        except JsonFault as fault:
            self.refuse(event.value, str(fault))
        else:
            if value != self.value:
                self.take(value)

    @on(LineInput.LeftOut)
    def _left_out(self, event: LineInput.LeftOut) -> None:
        event.stop()
        event.line.leave_out()
        if self.value is not ABSENT:
            self.take(ABSENT)

    @on(TextArea.Changed)
    def _area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if event.text_area.text != self.value:
            self.take(event.text_area.text)

    @on(LineInput.ManyLines)
    async def _many_lines(self, event: LineInput.ManyLines) -> None:
        event.stop()
        start, end = sorted(event.line.selection)
        text = event.line.value
        await self._edit_over_lines(f"{text[:start]}\n", text[end:])

    @on(Pasted)
    async def _pasted(self, event: Pasted) -> None:
        event.stop()
        editor = event.editor
        if isinstance(editor, Area) and is_prose(event.text):
            editor.insert_seen(event.text)
            return
        if isinstance(editor, Area):
            start, end = sorted(editor.selection)
            before, after = editor.get_text_range((0, 0), start), editor.get_text_range(end, editor.document.end)
        else:
            assert isinstance(editor, LineInput)
            first, last = sorted(editor.selection)
            before, after = editor.value[:first], editor.value[last:]
        await self._edit_over_lines(before + event.text, after)

    async def _edit_over_lines(self, before: str, after: str) -> None:
        """Edits the text in the kind of editor that it needs now, the cursor where the two halves meet."""
        text = before + after
        area: Widget = Area(text) if is_prose(text) else LineInput(text, self.field.hint)
        line = self.query_one(".field--line")
        await self.editor.remove()
        await line.mount(area)
        if isinstance(area, Area):
            lines = before.split("\n")
            area.move_cursor((len(lines) - 1, len(lines[-1])))
        area.focus()
        self.take(text)


class NumberRow(FieldRow):
    """A number or a whole number, of any size."""

    def compose_editor(self) -> ComposeResult:
        """A line with the number as JSON writes it."""
        text = ABSENT if self.value is ABSENT else write_json(self.value)
        yield LineInput(text, self.field.hint, offer=self.field.offer)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if not event.value.strip():
            self._left_out()
            return
        try:
            value = read_number(event.value, self.field.kind)
        except JsonFault as fault:
            self.refuse(event.value, str(fault))
        else:
            if value != self.value or type(value) is not type(self.value) or self._shown_error is not None:
                self.take(value)

    @on(LineInput.LeftOut)
    def _left_out(self) -> None:
        broken = self._shown_error is not None
        self.query_one(LineInput).leave_out()
        if self.value is not ABSENT or broken:
            self.take(ABSENT)

    @on(Pasted)
    def _pasted(self, event: Pasted) -> None:
        event.stop()
        self.refuse(event.text, "one number is expected, and several lines were pasted")


class ChoiceRow(FieldRow):
    """One of a few values, or none of them."""

    def compose_editor(self) -> ComposeResult:
        """The choices, left out first."""
        options: list[tuple[str, Any]] = [("left out", ABSENT)]
        options += [(c if isinstance(c, str) else write_json(c, indent=None), c) for c in self.field.choices]
        chosen = next(
            (
                index
                for index, (_, option) in enumerate(options)
                if type(option) is type(self.value) and option == self.value
            ),
            0,
        )
        yield Choice(options, chosen)

    @on(Choice.Changed)
    def _changed(self, event: Choice.Changed) -> None:
        event.stop()
        self.take(event.value)


class JsonRow(FieldRow):
    """Anything else, as JSON. What is no JSON yet is marked, and the value before it stands."""

    def compose_editor(self) -> ComposeResult:
        """The JSON as text."""
        yield Area("" if self.value is ABSENT else write_json(self.value), self.field.hint)

    async def put_uri(self, uri: str, editor: Widget | None) -> bool:
        """Adds a URI to a list. Any other value stays as it is, and has no place for one."""
        if self.value is not ABSENT and not isinstance(self.value, list):
            return False
        area = self.query_one(Area)
        area.text = write_json([uri] if self.value is ABSENT else [*self.value, uri])
        area.focus()
        return True

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        text = event.text_area.text
        if not text.strip():
            if self.value is not ABSENT or self._shown_error is not None:
                self.take(ABSENT)
            return
        try:
            value = parse_json(text)
        except JsonFault as fault:
            self.refuse(text, str(fault))
        else:
            if self.value is ABSENT or not same_json(value, self.value) or self._shown_error is not None:
                self.take(value)

    @on(Pasted)
    def _pasted(self, event: Pasted) -> None:
        event.stop()
        assert isinstance(event.editor, Area)
        event.editor.insert_seen(event.text)
