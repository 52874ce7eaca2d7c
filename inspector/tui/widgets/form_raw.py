"""The whole of a call's arguments as JSON text, beside the form: nothing is lost between the two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static, TextArea

from inspector.host.same_json import same_json
from inspector.tui.text import content
from inspector.tui.widgets.form_area import Area, JsonArea
from inspector.tui.widgets.form_inputs import Pasted
from inspector.tui.widgets.form_json import JsonFault, parse_object, write_json

LONGEST: Final = 200_000
"""Characters of JSON that can be edited here; more would hold up every key."""


class RawEditor(Vertical):
    """Edits the arguments as JSON. Text that is no JSON object is marked with line and column."""

    DEFAULT_CSS = """
    RawEditor {
        height: 1fr;
        padding: 0 1;
        & > Area, & > Area:focus { height: 1fr; max-height: 100%; }
        & > Static { height: auto; color: $outcome-error; display: none; }
        & > Static.-shown { display: block; }
    }
    """

    @dataclass
    class Changed(Message):
        """The text was edited. `arguments` is None where it is no JSON object, and `fault` says why."""

        arguments: dict[str, Any] | None
        fault: str | None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._arguments: Mapping[str, Any] | None = None
        self._marked: str | None = None

    def compose(self) -> ComposeResult:
        """The text, and what is wrong with it."""
        yield JsonArea()
        yield Static("", markup=False)

    def load(self, arguments: Mapping[str, Any], kept: str | None) -> bool:
        """Shows the arguments: in the words of `kept`, where these still stand for them or for no JSON at all.

        Returns False where they are too long to be edited here.
        """
        text = write_json(arguments)
        if len(text) > LONGEST:
            return False
        self._arguments = arguments
        self.query_one(Area).text = text if kept is None else kept
        self._mark(_fault(self.text))
        return True

    @property
    def text(self) -> str:
        """What stands there."""
        return self.query_one(Area).text

    def focus_text(self) -> None:
        """Goes to the text."""
        self.query_one(Area).focus()

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        try:
            arguments = parse_object(self.text)
        except JsonFault as fault:
            self._mark(fault)
            self.post_message(self.Changed(None, str(fault)))
            return
        self._mark(None)
        if self._arguments is None or not same_json(arguments, self._arguments):
            self._arguments = arguments
            self.post_message(self.Changed(arguments, None))

    @on(Pasted)
    def _pasted(self, event: Pasted) -> None:
        event.stop()
        self.query_one(Area).insert_seen(event.text)

    def _mark(self, fault: JsonFault | None) -> None:
        said = None if fault is None else fault.in_text(self.text)
        if said == self._marked:
            return
        self._marked = said
        error = self.query_one(Static)
        error.set_class(said is not None, "-shown")
        error.update(content(f"✗ {said}", multiline=True) if said else "")
        area = self.query_one(JsonArea)
        area.set_class(said is not None, "-broken")
        area.show_mark(None if fault is None else fault.place)


def _fault(text: str) -> JsonFault | None:
    try:
        parse_object(text)
    except JsonFault as fault:
        return fault
    return None
