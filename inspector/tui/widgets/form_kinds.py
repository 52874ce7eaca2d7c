"""The rows of a form by kind: text, numbers, choices, JSON."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.widget import Widget
from textual.widgets import Input, TextArea

from inspector.host.same_json import same_json
from inspector.tui.widgets.form_area import Area, JsonArea
from inspector.tui.widgets.form_choice import Choice, Option
from inspector.tui.widgets.form_inputs import LineInput, Pasted
from inspector.tui.widgets.form_json import JsonFault, parse_json, show_json, write_json
from inspector.tui.widgets.form_model import ABSENT, is_prose, read_number
from inspector.tui.widgets.form_rows import FieldRow, place_among


class TextRow(FieldRow):
    """A string: on one line, or over several where it has them or a person asks for them."""

    def make_editor(self) -> Widget:
        """A line, or an area where the text has several."""
        if isinstance(self.value, str) and "\n" in self.value and is_prose(self.value):
            return Area(self.value)
        return LineInput(self.value, self.field.hint, offer=self.field.offer, many=True)

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

    def make_editor(self) -> Widget:
        """A line with the number as JSON writes it."""
        shown = self.value if self.value is ABSENT or self.value is None else write_json(self.value)
        return LineInput(shown, self.field.hint, offer=self.field.offer, emptied=ABSENT)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if not event.value.strip():
            if self.query_one(LineInput).blank is ABSENT:
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

    def make_editor(self) -> Widget:
        """The choices, left out first."""
        field = self.field
        titles = field.titles or ("",) * len(field.choices)
        options = [Option("left out", ABSENT)]
        for value, title in zip(field.choices, titles, strict=True):
            default = " (default)" if place_among(value, [field.default]) == 0 else ""
            options.append(Option(f"{title or _label(value)}{default}", value, bool(title)))
        if (field.nullable or self.value is None) and None not in field.choices:
            options.append(Option("null", None))
        at = place_among(self.value, [option.value for option in options])
        return Choice(options, at or 0)

    @on(Choice.Changed)
    def _changed(self, event: Choice.Changed) -> None:
        event.stop()
        self.take(event.value)


class JsonRow(FieldRow):
    """Anything else, as JSON. What is no JSON yet is marked, and the value before it stands."""

    def make_editor(self) -> Widget:
        """The JSON as text."""
        return JsonArea("" if self.value is ABSENT else write_json(self.value), self.field.hint)

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
            self.query_one(JsonArea).show_mark(None)
            if self.value is not ABSENT or self._shown_error is not None:
                self.take(ABSENT)
            return
        try:
            value = parse_json(text)
        except JsonFault as fault:
            self.query_one(JsonArea).show_mark(fault.place)
            self.refuse(text, str(fault), fault.in_text(text))
        else:
            self.query_one(JsonArea).show_mark(None)
            if self.value is ABSENT or not same_json(value, self.value) or self._shown_error is not None:
                self.take(value)

    @on(Pasted)
    def _pasted(self, event: Pasted) -> None:
        event.stop()
        assert isinstance(event.editor, Area)
        event.editor.insert_seen(event.text)


def _label(value: Any) -> str:
    return value if isinstance(value, str) and value else show_json(value, 60)
