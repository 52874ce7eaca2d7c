"""The editors that a form is made of. Each edits one value and knows nothing of the argument it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, TextArea

from inspector.tui.text import visible
from inspector.tui.widgets.form_call import PastedCall, read_call
from inspector.tui.widgets.form_json import JsonFault, parse_json, unseen_as_escapes, write_json
from inspector.tui.widgets.form_model import ABSENT, Absent, is_line


@dataclass
class Pasted(Message):
    """Text was pasted that `editor` alone cannot take: several lines where one goes, or unseen characters."""

    editor: Widget
    text: str


@dataclass
class CallPasted(Message):
    """A whole JSON-RPC `tools/call` was pasted into a field."""

    call: PastedCall


class LineInput(Input):
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
        Binding("ctrl+n", "many_lines", "Many lines", show=False, id="form.many_lines"),
    ]

    def __init__(self, text: str | Absent, hint: str, *, offer: str | None = None, many: bool = False) -> None:
        self.present = text is not ABSENT
        shown = "" if text is ABSENT else text
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

    def read(self) -> str | Absent:
        """The text, or `ABSENT`. Raises JsonFault where it is edited as JSON and is no string."""
        if not self.present:
            return ABSENT
        if not self.quoted:
            return self.value
        text = parse_json(self.value)
        if not isinstance(text, str):
            raise JsonFault("a string in double quotes is expected", 1, 1)
        return text

    def leave_out(self) -> None:
        """Leaves the text out, whatever it was."""
        self.present, self.quoted, self.value = False, False, ""
        self.placeholder = self._placeholder()

    def put(self, text: str) -> None:
        """Takes a text, every character of which is seen, in place of what there was; goes to its end."""
        self.quoted = False
        self.value = text
        self.cursor_position = len(text)
        self.focus()

    def watch_value(self, value: str) -> None:
        """What was typed is there, and so is the empty string that is left of it."""
        if value and not self.present:
            self.present = True
            self.placeholder = self._placeholder()
        elif not value:
            self.quoted = False

    def _placeholder(self) -> str:
        return '"" – empty; backspace leaves it out' if self.present else visible(self._hint, 200)

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


class Area(TextArea):
    """Several lines of text. Characters that are not seen cannot be typed or pasted into it as they are."""

    DEFAULT_CSS = """
    Area, Area:focus {
        border: none;
        padding: 0 1;
        width: 1fr;
        height: auto;
        min-height: 1;
        max-height: 8;
        scrollbar-size-vertical: 1;
        background: $surface;
    }
    Area:focus { background: $primary 25%; }
    Area.-broken { background: $error 15%; }
    """

    def __init__(self, text: str, hint: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(
            text,
            placeholder=visible(hint, 200),
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            compact=True,
            id=id,
            classes=classes,
        )

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        call = read_call(text)
        self.post_message(Pasted(self, text) if call is None else CallPasted(call))

    def insert_seen(self, text: str) -> None:
        """Puts text where the cursor is, in place of what is selected; what is not seen as JSON's escapes."""
        self.replace(unseen_as_escapes(text), *sorted(self.selection))


class Choice(Widget, can_focus=True):
    """One of a few values, on one row. `left` and `right` go from one to the next."""

    DEFAULT_CSS = """
    Choice {
        height: 1;
        width: 1fr;
        padding: 0 1;
        background: $surface;
        &:focus { background: $primary 25%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "step(1)", "Next", show=False, id="form.next_choice"),
        Binding("left", "step(-1)", "Previous", show=False, id="form.previous_choice"),
    ]

    @dataclass
    class Changed(Message):
        """Another value was chosen."""

        choice: Choice
        value: Any

    index: reactive[int] = reactive(0)
    """Which of the options is chosen."""

    def __init__(self, options: Sequence[tuple[str, Any]], chosen: int) -> None:
        super().__init__()
        self._options = [(visible(label, 40), value) for label, value in options]
        self.set_reactive(Choice.index, chosen)

    @property
    def value(self) -> Any:
        """The value that is chosen."""
        return self._options[self.index][1]

    def render(self) -> Content:
        """Every option where they fit, else the chosen one and how many there are."""
        pieces = [
            (("● " if index == self.index else "○ ") + label, "bold" if index == self.index else "$text-muted")
            for index, (label, _) in enumerate(self._options)
        ]
        if self._all_fit:
            parts: list[Any] = []
            for text, style in pieces:
                parts += ["   ", (text, style)] if parts else [(text, style)]
            return Content.assemble(*parts)
        label = self._options[self.index][0]
        count = f"  ◂ {self.index + 1} of {len(self._options)} ▸"
        return Content.assemble((f"● {label}", "bold"), (count, "$text-muted"))

    @property
    def _all_fit(self) -> bool:
        return sum(cell_len(label) + 5 for label, _ in self._options) - 3 <= self.content_size.width

    def validate_index(self, index: int) -> int:
        """Goes round at either end."""
        return index % len(self._options)

    def watch_index(self) -> None:
        """Tells of the new value."""
        self.post_message(self.Changed(self, self.value))

    def action_step(self, steps: int) -> None:
        """Goes to another option."""
        self.index += steps

    def on_click(self, event: events.Click) -> None:
        """Chooses what was clicked."""
        column = event.x - self.styles.padding.left
        if not self._all_fit:
            self.action_step(1)
            return
        for index, (label, _) in enumerate(self._options):
            column -= cell_len(label) + 2
            if column < 0:
                self.index = index
                return
            column -= 3
