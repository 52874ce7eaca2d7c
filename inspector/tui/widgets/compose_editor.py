"""The upper half of the composer: the tool, its arguments as a form or as JSON, a word on the field at hand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.host.validation import SchemaVerdict, validate
from inspector.tui.base_app import BaseApp
from inspector.tui.messages import Notice
from inspector.tui.text import content, visible
from inspector.tui.widgets.compose_words import declares, title_of
from inspector.tui.widgets.form import Form
from inspector.tui.widgets.form_inputs import LineInput
from inspector.tui.widgets.form_model import Field
from inspector.tui.widgets.form_raw import LONGEST, RawEditor
from inspector.tui.widgets.form_rows import TemplateWanted
from inspector.tui.widgets.form_schema import count_properties
from inspector.tui.widgets.form_words import field_help, verdict_lines

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.widgets.compose_state import ComposedCall

_OTHER_ROWS: Final = 5
"""Rows that are not the form's: the head, what the tool is for, the line on the field."""


class CallEditor(Vertical):
    """Edits the arguments of one call. Posts `CallEditor.Changed` with every change."""

    DEFAULT_CSS = """
    CallEditor {
        height: auto;
        & > #compose-head { height: 1; padding: 0 1; }
        & > #compose-head Static { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & #compose-tool { width: 1fr; }
        & #compose-declares { width: auto; max-width: 60%; color: $text-muted; padding-left: 2; }
        & > #compose-about { height: auto; max-height: 2; padding: 0 1; color: $text-muted; display: none; }
        & > RawEditor { display: none; }
        & > #compose-faults { height: auto; max-height: 4; padding: 0 1; display: none; }
        & > #compose-faults.-said { display: block; }
        & > #compose-help { height: 1; padding: 0 1; color: $text-muted; }
        & > #compose-help { text-wrap: nowrap; text-overflow: ellipsis; }
        &.-roomy > #compose-help { height: 2; text-wrap: wrap; }
        &.-roomy > #compose-about.-said { display: block; }
        &.-alone { height: 1fr; }
        &.-alone > Form { height: 1fr; max-height: 100%; }
        &.-raw { height: 1fr; }
        &.-raw > Form { display: none; }
        &.-raw > RawEditor { display: block; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f12", "outside", "editor", show=False, id="compose.editor"),
    ]

    @dataclass
    class Changed(Message):
        """The arguments changed, or what was typed is no value."""

    ALLOW_MAXIMIZE: ClassVar[bool] = False

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._call: ComposedCall | None = None
        self._about_field = Content()
        self._last_declared: str | None = None
        self._checking = False
        self._check_again = False

    def compose(self) -> ComposeResult:
        """The tool and what it declares, the arguments, the line on the field at hand."""
        with Horizontal(id="compose-head"):
            yield Static(id="compose-tool", markup=False)
            yield Static(id="compose-declares", markup=False)
        yield Static(id="compose-about", markup=False)
        yield Form()
        yield RawEditor()
        yield Static(id="compose-faults", markup=False)
        yield Static(id="compose-help", markup=False)

    @property
    def form(self) -> Form:
        """The form."""
        return self.query_one(Form)

    @property
    def raw(self) -> RawEditor:
        """The JSON of all arguments."""
        return self.query_one(RawEditor)

    def make_room(self, rows: int | None) -> None:
        """Takes at most that many rows beside the preview; None where it has the place for itself."""
        self.set_class(rows is None, "-alone")
        self.set_class(rows is not None, "-roomy")
        self.form.styles.max_height = None if rows is None else max(3, rows - _OTHER_ROWS)

    async def load(self, call: ComposedCall) -> None:
        """Shows a call as it is filled in."""
        if call is not self._call:
            self._last_declared = None
        self._call = call
        await self.form.load(call.draft, count_properties(call.tool.input_schema))
        if call.raw_open:
            call.raw_open = self.raw.load(call.draft.arguments, call.kept_raw())
        self.set_class(call.raw_open, "-raw")
        self._about_field = Content("All arguments as JSON. ^t goes back to the form." if call.raw_open else "")
        self._show_help()
        self.show_head()

    def show_head(self) -> None:
        """Brings the tool's line up to date."""
        if self._call is None:
            return
        tool = self._call.tool
        self.query_one("#compose-tool", Static).update(title_of(tool), layout=False)
        self.query_one("#compose-declares", Static).update(declares(self._host, tool))
        about = self.query_one("#compose-about", Static)
        about.update(content(" ".join(tool.description.split()), 400))
        about.set_class(bool(tool.description), "-said")

    def focus_call(self) -> None:
        """Goes to where a person begins: the first required field that is empty, or the JSON."""
        if self._call is not None and self._call.raw_open:
            self.raw.focus_text()
        else:
            self.form.focus_first()

    def focus_broken(self) -> None:
        """Goes to the first field whose text is no value."""
        if self._call is not None and self._call.draft.broken and not self._call.raw_open:
            self.form.focus_field(next(iter(self._call.draft.broken)))

    async def reload(self) -> None:
        """Makes the form anew and stays in the field that has the focus."""
        focused = self.screen.focused
        row = next((row for row in self.form.rows if focused is not None and focused in row.walk_children()), None)
        if self._call is not None:
            await self.load(self._call)
        if row is not None:
            self.form.focus_field(row.field.name)

    async def switch(self) -> None:
        """Edits the arguments as JSON, or goes back to the form. Nothing is lost between the two."""
        call = self._call
        if call is None:
            return
        call.raw_open = not call.raw_open
        opening = call.raw_open
        left_out = ", ".join(visible(name, 40) for name in call.draft.broken) if opening else ""
        await self.load(call)
        if opening and not call.raw_open:
            self._warn(f"The arguments have over {LONGEST:,} characters: too long to edit here.")
        elif left_out:
            self._warn(f"Not in the JSON, since it is no value of its field yet: {left_out}.")
        elif not opening and call.raw_fault is not None:
            self._warn("The JSON is no object yet: the form has the call as it was before.")
        self.focus_call()

    def _show_help(self) -> None:
        # No layout: it is one row, whatever it says.
        self.query_one("#compose-help", Static).update(self._about_field, layout=False)

    def show_fates(self) -> None:
        """Shows what is known of each string of the declared arguments."""
        if self._call is not None:
            self.form.show_fates(self._call.fates(self._host))
            self._check()

    # What the schema says

    def _check(self) -> None:
        """Holds the arguments against the schema, one time after the other: the last change counts."""
        self._check_again = self._checking
        if not self._checking:
            self._checking = True
            self.run_worker(self._hold_against_schema(), group="compose-check")

    async def _hold_against_schema(self) -> None:
        try:
            while (call := self._call) is not None:
                self._check_again = False
                schema, arguments = call.tool.raw.get("inputSchema", {}), dict(call.draft.arguments)
                verdict = await asyncio.to_thread(validate, schema, arguments)
                if call is self._call and self.is_attached:
                    self._show_verdict(call, verdict)
                if not self._check_again:
                    break
        finally:
            self._checking = False

    def _show_verdict(self, call: ComposedCall, verdict: SchemaVerdict) -> None:
        unplaced = self.form.show_faults(verdict.faults)
        left_out = [f for f in verdict.faults if len(f.path) == 1 and f.path[0] not in call.draft.arguments]
        named = [f for f in verdict.faults if f not in left_out] if call.raw_open else unplaced
        lines = verdict_lines(verdict, len(left_out), named)
        said = self.query_one("#compose-faults", Static)
        said.set_class(bool(lines), "-said")
        said.update(lines)

    @work(exclusive=True, group="outside")
    async def action_outside(self) -> None:
        """Edits the text at hand, or the JSON of the call, in $VISUAL or $EDITOR; takes over what is saved."""
        from inspector.tui.outside import CannotOpen
        from inspector.tui.widgets.compose_outside import edit_call

        call, app = self._call, self.app
        if call is None or not isinstance(app, BaseApp):
            return
        try:
            changed = await edit_call(app, call, self.screen.focused)
        except CannotOpen as fault:
            self.post_message(Notice(str(fault), "error"))
            return
        if changed:
            await self.reload()
            self.post_message(self.Changed())

    # A URI from a template

    @on(TemplateWanted)
    def _template_wanted(self, event: TemplateWanted) -> None:
        event.stop()
        self._open_template_form(event.field, event.editor)

    def build_uri(self) -> None:
        """Builds a URI from a template for the first declared argument."""
        if self._call is None:
            return
        if self._call.raw_open:
            self._warn("A URI from a template goes into the form: ^t goes back to it.")
            return
        row = next((row for row in self.form.rows if row.field.declared), None)
        if row is None:
            self._warn("This tool declares no argument, so no URI of it is resolved.")
        else:
            self._open_template_form(row.field, None)

    async def cite(self, uri: str) -> None:
        """Puts a URI into the declared argument that had the focus last, else one that declares its scheme."""
        call = self._call
        if call is None:
            return
        if call.raw_open:
            self._warn("A URI is cited in the form: ^t goes back to it.")
            return
        rows = [row for row in self.form.rows if row.field.declared]
        if not rows:
            self._warn("This tool declares no argument, so no URI of it is resolved.")
            return
        scheme = uri.partition(":")[0].casefold()
        declaring = [row for row in rows if scheme in (each.casefold() for each in row.field.schemes)]
        row = next((row for row in rows if row.field.name == self._last_declared), (declaring or rows)[0])
        name, shown = visible(row.field.name, 60), visible(uri, 120)
        if uri in row.strings():
            self.form.focus_field(row.field.name)
            self.post_message(Notice(f"{name} cites {shown} already."))
        elif await row.put_uri(uri, None):
            self.post_message(Notice(f"{name} cites {shown}."))
        else:
            self._warn(f"There is no place for {shown} in {name}: put it into the JSON (^t).")

    def _open_template_form(self, field: Field, editor: Widget | None) -> None:
        from inspector.tui.screens.template_form import TemplateForm

        uri = editor.value if isinstance(editor, LineInput) else ""

        async def put(answer: str | None) -> None:
            if answer is None:
                return
            # The form may have been made anew meanwhile: the row is found by its argument.
            row = next((row for row in self.form.rows if row.field.name == field.name), None)
            if row is None or not await row.put_uri(answer, editor):
                self._warn(
                    f"There is no place for {answer} in {visible(field.name, 60)}: put it into the JSON (^t)."
                )

        self.app.push_screen(TemplateForm(self._host, field.schemes, uri), put)

    @on(Form.Changed)
    def _form_changed(self, event: Form.Changed) -> None:
        event.stop()
        if self._call is not None:
            self._call.raw = self._call.raw_fault = None
            self.post_message(self.Changed())

    @on(RawEditor.Changed)
    def _raw_changed(self, event: RawEditor.Changed) -> None:
        event.stop()
        call = self._call
        if call is None:
            return
        call.raw, call.raw_fault = self.raw.text, event.fault
        if event.arguments is not None:
            arguments: Mapping[str, Any] = event.arguments
            call.draft.replace(arguments)
        self.post_message(self.Changed())

    @on(Form.Grown)
    def _form_grown(self, event: Form.Grown) -> None:
        event.stop()
        self.show_fates()

    @on(Form.Entered)
    def _field_entered(self, event: Form.Entered) -> None:
        event.stop()
        self._about_field = field_help(event.field)
        if event.field.declared:
            self._last_declared = event.field.name
        self._show_help()

    def _warn(self, text: str) -> None:
        self.post_message(Notice(text, "warning"))
