"""Text over several lines, and JSON with its colours and the place of its fault."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.widgets import TextArea

from inspector.tui.text import content
from inspector.tui.widgets.form_call import read_call
from inspector.tui.widgets.form_inputs import CallPasted, Pasted
from inspector.tui.widgets.form_json import unseen_as_escapes

_LONGEST_LINE: Final = 4_000
"""Characters of a line that is coloured; a longer one is left plain, for it is drawn anew with every key."""

_TOKEN: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<literal>true|false|null)|(?P<punctuation>[\[\]{},:])"
)


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

    def __init__(
        self, text: str = "", hint: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(
            text,
            # As content: text is taken for markup here.
            placeholder=content(hint, 200),
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


class JsonArea(Area):
    """JSON with its colours. `mark` is the place of its fault: line and column from 1."""

    DEFAULT_CSS = """
    JsonArea {
        & > .json-area--key { color: $text-primary; }
        & > .json-area--string { color: $foreground; }
        & > .json-area--number { color: $text-accent; }
        & > .json-area--literal { color: $text-accent; text-style: italic; }
        & > .json-area--punctuation { color: $text-muted; }
        & > .json-area--fault { color: $outcome-error; text-style: bold underline; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"json-area--{name}" for name in ("key", "string", "number", "literal", "punctuation", "fault")
    }

    mark: tuple[int, int] | None = None

    def show_mark(self, mark: tuple[int, int] | None) -> None:
        """Marks a place, or none."""
        if mark != self.mark:
            self.mark = mark
            # What was drawn is kept until a style changes.
            self.notify_style_update()
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        """The line in its colours."""
        line = super().get_line(line_index)
        if len(line) <= _LONGEST_LINE:
            for token in _TOKEN.finditer(line.plain):
                line.stylize(self._style(str(token.lastgroup)), *token.span())
        if self.mark is not None and self.mark[0] == line_index + 1:
            column = min(self.mark[1] - 1, max(0, len(line) - 1))
            line.stylize(self._style("fault"), column, column + 1)
        return line

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"json-area--{name}", partial=True)
