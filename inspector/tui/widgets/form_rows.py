"""The rows of a form: a name, an editor, what is wrong with what was typed, and the fates of its strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.host.same_json import same_json
from inspector.host.validation import Fault
from inspector.tui.messages import Notice
from inspector.tui.text import content, visible
from inspector.tui.widgets.fate import Fate, Fates
from inspector.tui.widgets.form_area import Area
from inspector.tui.widgets.form_inputs import LineInput
from inspector.tui.widgets.form_json import JsonFault
from inspector.tui.widgets.form_model import ABSENT, MOST_ROWS, Field, FieldKind
from inspector.tui.widgets.form_words import field_help_lines

LONGEST_LABEL: Final = 24
_MOST_FAULTS: Final = 3
"""Faults that are said below one field."""


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
        & > .field--error { height: auto; color: $outcome-error; padding-left: 2; }
        & > .field--faults { height: auto; color: $outcome-refused; padding-left: 2; }
        &.-missing .field--label { color: $outcome-refused; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "template", "from a template", show=False, id="form.template"),
        Binding("f3", "take", "take the suggestion", show=False, id="form.take"),
        Binding("f2", "take_offer", "take default", id="form.take_offer"),
        Binding("f9", "blank", "empty, null", id="form.blank"),
    ]

    def __init__(self, field: Field, value: Any, label_width: int) -> None:
        super().__init__()
        self.field = field
        self.value = value
        self._label_width = label_width
        self._fates: Mapping[str, Fate] = {}
        self._shown_error: str | None = None
        self._faults: tuple[Fault, ...] = ()
        self._shown_faults: list[str] = []
        self._kept: Any = ABSENT
        self.set_class(self.missing, "-missing")

    @property
    def empty(self) -> bool:
        """Whether the argument is left out."""
        return self.value is ABSENT

    @property
    def missing(self) -> bool:
        """Whether the argument is required and left out."""
        return self.field.required and self.value is ABSENT

    def compose(self) -> ComposeResult:
        """The name and the editor side by side; below them the error and the fates."""
        with Horizontal(classes="field--line"):
            label = Static(content(label_of(self.field)), classes="field--label", markup=False)
            label.styles.width = self._label_width
            yield label
            yield self.make_editor()
        if self.field.declared:
            yield Fates(named=self.field.kind_for(self.value) is FieldKind.JSON)

    def make_editor(self) -> Widget:
        """An editor of the value as it is. Subclasses say which."""
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

    # Values that are taken whole

    async def action_take_offer(self) -> None:
        """Takes the default into a field that is left out; once more, the first example, and so on."""
        offers = self.field.offers
        at = place_among(self.value, offers)
        if at is None and self.value is not ABSENT:
            self.post_message(Notice("The field holds a value: F9 leaves it out, then F2 takes the default."))
        else:
            await self.set_value(offers[0 if at is None else (at + 1) % len(offers)])

    async def action_blank(self) -> None:
        """Leaves the argument out; once more, says its empty value, then null, and comes back to what it held."""
        if place_among(self.value, self.field.blanks) is None:
            self._kept = self.value
        steps = self.field.blanks if self._kept is ABSENT else (*self.field.blanks, self._kept)
        at = place_among(self.value, steps)
        await self.set_value(steps[0 if at is None else (at + 1) % len(steps)])

    async def set_value(self, value: Any) -> None:
        """Takes a value, whatever stands in the field, and stays in it."""
        self.value = value
        old = self.editor
        await self.query_one(".field--line").mount(new := self.make_editor(), after=old)
        new.focus()
        await old.remove()
        self.take(value)

    def show_faults(self, faults: Sequence[Fault]) -> None:
        """Says what the schema does not allow here. That the argument is left out is seen already."""
        self._faults = tuple(faults)
        said = [fault for fault in faults if not (self.missing and len(fault.path) == 1)]
        lines = [visible(f"! {_within(fault)}{fault.message}", 300) for fault in said[:_MOST_FAULTS]]
        if len(said) > _MOST_FAULTS:
            lines.append(f"! … and {len(said) - _MOST_FAULTS} more")
        if lines == self._shown_faults:
            return
        self._shown_faults = lines
        self._say_below("field--faults", Content("\n".join(lines)))

    def help_lines(self) -> list[Content]:
        """All that is known of the field, for the help."""
        return field_help_lines(self.field, self._faults)

    def show_error(self, reason: str | None) -> None:
        """Marks what was typed as no value, with the reason; or takes the mark away."""
        if reason == self._shown_error:
            return
        self._shown_error = reason
        self.query(LineInput).set_class(reason is not None, "-broken")
        self.query(Area).set_class(reason is not None, "-broken")
        self._say_below("field--error", content(f"✗ {reason}", multiline=True) if reason else Content())

    def _say_below(self, kind: str, words: Content) -> None:
        """Says something below the editor, the error first; a row has no widget for what was never said."""
        said = next(iter(self.query(f".{kind}").results(Static)), None)
        if said is None and words:
            above = ".field--line" if kind == "field--error" else ".field--line, .field--error"
            self.mount(Static(words, classes=kind, markup=False), after=self.query(above).last())
        elif said is not None:
            said.display = bool(words)
            said.update(words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A URI is built for a string that is resolved; what the schema offers can be taken where it offers."""
        if action == "take_offer":
            return bool(self.field.offers)
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
        self.set_class(self.missing, "-missing")
        self.show_error(None)
        self.post_message(ValueChanged(self.field.name, value))

    def refuse(self, text: str, reason: str, shown: str | None = None) -> None:
        """Says that what stands in the editor is no value; the one before it stays. `shown` says more of why."""
        self.show_error(shown or reason)
        self.post_message(ValueBroken(self.field.name, text, reason))


def place_among(value: Any, values: Sequence[Any]) -> int | None:
    """Where a value stands among others, to the letter; None where it does not."""
    if value is ABSENT or not isinstance(value, list | dict):
        alike = (index for index, each in enumerate(values) if type(each) is type(value) and each == value)
    else:
        alike = (index for index, each in enumerate(values) if each is not ABSENT and same_json(each, value))
    return next(alike, None)


def _within(fault: Fault) -> str:
    within = Fault(fault.path[1:], "").place
    return f"{within}: " if within else ""
