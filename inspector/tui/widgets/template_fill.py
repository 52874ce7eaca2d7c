"""The second half of the template form: a template's variables in one-row fields, and the URI they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Label, Static

from inspector.host.visible import visible
from inspector.templates import Expanded, Value, expand_marked
from inspector.tui.widgets.probe import answer
from inspector.tui.widgets.rows import RowList, spread
from inspector.tui.widgets.template_offers import Offers
from inspector.tui.widgets.template_rows import Choosable, expanded_lines, not_declared, title_of_choice
from inspector.tui.widgets.template_values import (
    TemplateVariable,
    item_at_end,
    read_value,
    variables_of,
    with_item,
    write_values,
)

if TYPE_CHECKING:
    from inspector.host.host import Host

_LABEL: Final = 24
"""Cells of a variable's name that are shown."""


class VariableField(Horizontal):
    """One variable: its name, and what is written for it."""

    DEFAULT_CSS = """
    VariableField {
        height: 1;
        Label { color: $text-primary; padding-right: 1; }
        Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
        Input:focus { background: $primary 25%; background-tint: transparent; }
    }
    """

    def __init__(self, variable: TemplateVariable, text: str, width: int) -> None:
        super().__init__()
        self.variable = variable
        self.input = Input(text, placeholder=variable.hint, compact=True, select_on_focus=False)
        self._width = width

    def compose(self) -> ComposeResult:
        """The name and the field."""
        label = Label(visible(self.variable.name, _LABEL), markup=False)
        label.styles.width = self._width
        yield label
        yield self.input


class TemplateFill(Vertical):
    """Fills in one template. `uri` is what it expands to now."""

    DEFAULT_CSS = """
    TemplateFill {
        height: auto;
        #template-title { height: auto; max-height: 2; margin-bottom: 1; }
        #template-fields { height: auto; max-height: 6; scrollbar-size-vertical: 1; }
        #template-help { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
        .template--line { height: auto; margin-top: 1; }
        .template--line Label { width: 5; color: $text-muted; }
        #template-uri { width: 1fr; height: auto; max-height: 5; }
        #template-owner { height: auto; max-height: 5; padding-left: 5; }
        #template-note { height: auto; max-height: 2; display: none; margin-top: 1; }
        #template-note.-said { display: block; }
    }
    """

    def __init__(self, host: Host, schemes: Sequence[str] = ()) -> None:
        """`schemes`: those that the argument declares, where the URI is for one."""
        super().__init__()
        self._host = host
        self._schemes = schemes
        self._choice: Choosable | None = None
        self._field: VariableField | None = None
        self._taken: tuple[VariableField, str] | None = None
        self.uri: str | None = None
        """The URI that is built; None where the values cannot be expanded."""

    def compose(self) -> ComposeResult:
        """The template, its fields, what its server offers, the URI, who owns it."""
        yield Static(id="template-title", markup=False)
        yield VerticalScroll(id="template-fields", can_focus=False)
        yield Offers(self._host)
        yield Static(id="template-help", markup=False)
        with Horizontal(classes="template--line"):
            yield Label("URI")
            yield Static(id="template-uri", markup=False)
        yield Static(id="template-owner", markup=False)
        yield Static(id="template-note", classes="dialog--note", markup=False)

    @property
    def choice(self) -> Choosable | None:
        """The template that is filled in."""
        return self._choice

    @property
    def fields(self) -> list[VariableField]:
        """The fields, from the first."""
        return list(self.query(VariableField))

    @property
    def offers(self) -> Offers:
        """What the server offers."""
        return self.query_one(Offers)

    async def begin(self, choice: Choosable, values: Mapping[str, Value] | None = None) -> None:
        """Fills in that template, from these values. The same template again keeps what was written."""
        if choice != self._choice:
            variables = variables_of(choice.template)
            texts = write_values(variables, values or {}) or {}
            width = max((cell_len(visible(v.name, _LABEL)) for v in variables), default=0) + 2
            box = self.query_one("#template-fields")
            async with self.batch():
                await box.remove_children()
                await box.mount_all([VariableField(v, texts.get(v.name, ""), width) for v in variables])
            self._choice, self._field, self._taken = choice, None, None
            self.offers.show(())
            self._note(None)
            self._help("" if variables else "This template has no variables: it stands for one URI.")
        self._draw_title()
        self._expand()
        first = next((field for field in self.fields if not field.input.value), next(iter(self.fields), None))
        if first is not None:
            first.input.focus()
        else:
            self.screen.set_focus(None)

    def on_resize(self) -> None:
        """The title is drawn for the width that there is."""
        self._draw_title()

    def _draw_title(self) -> None:
        if self._choice is not None:
            server = Content.styled(visible(self._choice.server, 30), "bold")
            title = spread(title_of_choice(self._choice), server, self.content_size.width)
            self.query_one("#template-title", Static).update(title)

    # What is written

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._expand()
        field = self._field_of(event.input)
        if field is not None and event.input.has_focus:
            self._ask(field)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A field that is come to says what can be written in it, and its server offers values."""
        field = self._field_of(event.widget)
        if field is not None:
            self._field = field
            self._help(field.variable.help)
            self._ask(field)

    def _field_of(self, widget: object) -> VariableField | None:
        return next((field for field in self.fields if field.input is widget), None)

    def _ask(self, field: VariableField) -> None:
        """Offers values for a field; not for one that an offer was just taken for."""
        assert self._choice is not None
        if (field, field.input.value) == self._taken:
            return
        self._taken = None
        others = {f.variable.name: f.input.value for f in self.fields if f is not field and f.input.value}
        item = item_at_end(field.variable, field.input.value)
        about = {"type": "ref/resource", "uri": self._choice.template.text}
        self.offers.ask(self._choice.server, about, field.variable.name, item, others)

    @on(Offers.Failed)
    def _failed(self, event: Offers.Failed) -> None:
        event.stop()
        self._note(event.reason)

    @on(Offers.Left)
    def _left(self, event: Offers.Left) -> None:
        event.stop()
        if self._field is not None:
            self._field.input.focus()

    @on(RowList.Chosen, "#template-offers")
    def _offer_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        field = self._field
        if field is not None:
            field.input.value = with_item(field.variable, field.input.value, event.row.subject)
            field.input.cursor_position = len(field.input.value)
            self._taken = (field, field.input.value)
            self.offers.show(())
            field.input.focus()

    def step(self, steps: int) -> bool:
        """Goes to the field above (-1) or below (1), from a field down to its offers first. False at the top."""
        fields, focused = self.fields, self.screen.focused
        place = next((n for n, field in enumerate(fields) if field.input is focused), None)
        if place is None:
            return bool(fields)
        if steps > 0 and self.offers.rows:
            self.offers.focus()
        elif 0 <= place + steps < len(fields):
            fields[place + steps].input.focus()
        return place + steps >= 0

    def _help(self, text: str) -> None:
        self.query_one("#template-help", Static).update(Content(text), layout=False)

    def _note(self, reason: str | None) -> None:
        line = self.query_one("#template-note", Static)
        line.set_class(reason is not None, "-said")
        if reason is not None and self._choice is not None:
            server = visible(self._choice.server, 30)
            line.update(Content(f"No completions from {server}: {visible(reason, 200)}"))

    def _expand(self) -> None:
        assert self._choice is not None
        values = {f.variable.name: read_value(f.variable, f.input.value) for f in self.fields}
        shown, owner = self.query_one("#template-uri", Static), self.query_one("#template-owner", Static)
        try:
            expanded: Expanded = expand_marked(self._choice.template, values)
        except ValueError as fault:
            self.uri = None
            shown.update(Content.styled(f"✗ {visible(str(fault), 200)}", "$outcome-error"))
            owner.update(Content())
            return
        self.uri = expanded.uri
        shown.update(expanded_lines(expanded))
        lines = [answer(self._host.verdict(expanded.uri))]
        refused = not_declared(expanded.uri, self._schemes) if self._schemes else None
        owner.update(Content("\n").join([refused, *lines] if refused is not None else lines))
