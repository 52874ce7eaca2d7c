"""Edits the composed call in a person's own editor: the text at the cursor, or all arguments as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from textual.widget import Widget

from inspector.host.json_text import write_json_text
from inspector.tui.outside import editor_command, open_outside
from inspector.tui.widgets.form_area import Area
from inspector.tui.widgets.form_inputs import LineInput
from inspector.tui.widgets.form_json import JsonFault, parse_object
from inspector.tui.widgets.form_kinds import TextRow
from inspector.tui.widgets.form_rows import FieldRow
from inspector.tui.widgets.form_strings import StringsRow

if TYPE_CHECKING:
    from inspector.tui.base_app import BaseApp
    from inspector.tui.widgets.compose_state import ComposedCall


class EditedText(NamedTuple):
    """A string of the argument `name`: among its `strings` that at `place`; None where it is the only one."""

    name: str
    strings: list[str]
    place: int | None

    @property
    def text(self) -> str:
        """The string as it stands."""
        return self.strings[self.place or 0] if self.strings else ""

    def replaced(self, text: str) -> Any:
        """The argument's value with another text in its place."""
        if self.place is None:
            return text
        return [*self.strings[: self.place], text, *self.strings[self.place + 1 :]]


def text_at(focused: Widget | None) -> EditedText | None:
    """The string that the focus is in; None where it is in none, or what stands there is no string yet."""
    row = next((row for row in focused.ancestors if isinstance(row, FieldRow)), None) if focused else None
    if isinstance(row, TextRow) and isinstance(focused, LineInput | Area):
        return EditedText(row.field.name, [row.value] if isinstance(row.value, str) else [], None)
    if isinstance(row, StringsRow) and isinstance(focused, LineInput):
        try:
            texts = [(line.input, line.input.read()) for line in row.lines]
        except JsonFault:
            return None
        present = [(editor, text) for editor, text in texts if isinstance(text, str) or editor is focused]
        place = next(index for index, (editor, _) in enumerate(present) if editor is focused)
        return EditedText(row.field.name, [text if isinstance(text, str) else "" for _, text in present], place)
    return None


async def edit_call(app: BaseApp, call: ComposedCall, focused: Widget | None) -> bool:
    """Edits it and takes over what was saved. Returns whether anything changed. Raises CannotOpen.

    JSON that is no object is kept as it was typed, with its fault: the JSON editor shows it.
    """
    command = editor_command()
    edited = None if call.raw_open else text_at(focused)
    if edited is not None:
        text = _without_added_end(edited.text, await open_outside(app, command, edited.text, editable=True))
        if text != edited.text:
            call.draft.put(edited.name, edited.replaced(text))
        return text != edited.text
    before = call.kept_raw() if call.raw_open else None
    before = write_json_text(call.draft.arguments) if before is None else before
    after = _without_added_end(before, await open_outside(app, command, before, suffix=".json", editable=True))
    if after == before:
        return False
    call.raw, call.raw_fault = after, None
    try:
        call.draft.replace(parse_object(after))
    except JsonFault as fault:
        call.raw_fault, call.raw_open = str(fault), True
    return True


def _without_added_end(before: str, after: str) -> str:
    """Editors end a file with a line feed: where there was none before, it is not the person's."""
    return after if before.endswith("\n") else after.removesuffix("\n")
