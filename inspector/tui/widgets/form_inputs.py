"""The editors that a form is made of. Each edits one value and knows nothing of the argument it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from inspector.tui.text import visible
from inspector.tui.widgets.form_call import PastedCall, read_call
from inspector.tui.widgets.form_json import JsonFault, parse_json, write_json
from inspector.tui.widgets.form_model import ABSENT, is_line
from inspector.tui.widgets.steady_input import SteadyInput


@dataclass
class Pasted(Message):
    """Text was pasted that `editor` alone cannot take: several lines where one goes, or unseen characters."""

    editor: Widget
    text: str


@dataclass
class CallPasted(Message):
    """A whole JSON-RPC `tools/call` was pasted into a field."""

    call: PastedCall


class LineInput(SteadyInput):
    """One line of text, which may be left out. A text with characters that are not seen is edited as JSON.

    Empty is two things: left out, or the empty string. What was typed and deleted is the empty string; one more
    backspace leaves it out. The field says which.
    """

    DEFAULT_CSS = """
    LineInput, LineInput.-textual-compact {
        border: none;
        height: 1;
        width: 1fr;
        padding: 0 1;
        background: $surface;
        &:focus { background: $primary 25%; border: none; background-tint: transparent; }
        &.-broken { background: $error 15%; }
    }
    """

    @dataclass
    class LeftOut(Message):
        """Backspace was pressed where nothing is left to delete."""

        line: LineInput

    @dataclass
    class ManyLines(Message):
        """The text is to go on over several lines."""

        line: LineInput

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "many_lines", "new line", id="form.many_lines"),
    ]

    def __init__(
        self, value: Any, hint: str, *, offer: str | None = None, many: bool = False, emptied: Any = ""
    ) -> None:
        """`value` is the text, or what the line stands for while empty: `ABSENT`, `""`, null or an empty list.

        `emptied` is what it stands for once a person deleted what was there.
        """
        shown = value if isinstance(value, str) else ""
        self.blank: Any = "" if isinstance(value, str) else value
        self._emptied = emptied
        self.quoted = not is_line(shown)
        self._hint = hint if offer is None else f"{hint}  (→ takes it)"
        self._offer = offer
        self._many = many
        super().__init__(
            write_json(shown) if self.quoted else shown,
            compact=True,
            select_on_focus=False,
            placeholder=self._placeholder(),
        )

    @property
    def present(self) -> bool:
        """Whether it is there at all, be it empty."""
        return bool(self.value) or self.blank is not ABSENT

    def read(self) -> Any:
        """The text, or what stands for none. Raises JsonFault where it is edited as JSON and is no string."""
        if not self.value:
            return self.blank
        if not self.quoted:
            return self.value
        text = parse_json(self.value)
        if not isinstance(text, str):
            raise JsonFault("a string in double quotes is expected", 1, 1)
        return text

    def leave_out(self, blank: Any = ABSENT) -> None:
        """Empties the line, whatever it held; `blank` is what it stands for then."""
        self.quoted, self.value = False, ""
        self.blank = blank
        self.placeholder = self._placeholder()

    def put(self, text: str) -> None:
        """Takes a text, every character of which is seen, in place of what there was; goes to its end."""
        self.quoted = False
        self.value = text
        self.cursor_position = len(text)
        self.focus()

    def watch_value(self, value: str) -> None:
        """What was typed is there, and so is the empty string that is left of it."""
        if value:
            self.blank = self._emptied
            self.placeholder = self._placeholder()
        else:
            self.quoted = False

    def _placeholder(self) -> str:
        if self.blank is ABSENT:
            return visible(self._hint, 200)
        return f"{write_json(self.blank)}{' – empty' if self.blank is not None else ''}; backspace leaves it out"

    def action_delete_left(self) -> None:
        """Deletes a character; with none there, leaves the text out."""
        if self.value:
            super().action_delete_left()
        else:
            self.post_message(self.LeftOut(self))

    def action_cursor_right(self, select: bool = False) -> None:
        """Moves right; with nothing there, takes what the field offers."""
        if not self.value and self._offer is not None:
            self.value = self._offer
            self.cursor_position = len(self.value)
        else:
            super().action_cursor_right(select)

    def action_many_lines(self) -> None:
        """Asks for room for several lines, where the argument may have them."""
        if self._many and not self.quoted:
            self.post_message(self.ManyLines(self))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Some lines stay one line."""
        if action == "many_lines":
            return self._many and not self.quoted
        return super().check_action(action, parameters)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        call = read_call(text)
        if call is not None:
            self.post_message(CallPasted(call))
            return
        if "\n" in text.strip("\n"):
            self.post_message(Pasted(self, text))
            return
        text = text.strip("\n")
        if is_line(text):
            self._insert(text)
        elif self.quoted:
            self._insert(write_json(text)[1:-1])
        else:
            start, end = sorted(self.selection)
            self.quoted = True
            self.value = write_json(self.value[:start] + text + self.value[end:])
            self.cursor_position = len(self.value)

    def _insert(self, text: str) -> None:
        start, end = sorted(self.selection)
        self.replace(text, start, end)
