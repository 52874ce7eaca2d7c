"""Builds a URI from a template: choose one, fill in its variables, see what it expands to and who owns that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Input, Label

from inspector.templates import Value
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.template_fill import TemplateFill
from inspector.tui.widgets.template_rows import Choosable, choice_rows, choosable_templates

if TYPE_CHECKING:
    from inspector.host.host import Host

_NONE_FOUND: Final = Content("No template is found by that.")
_NONE_THERE: Final = Content("No connected server of the workspace publishes a template that is one (R14, R27).")


class TemplateForm(Dialog[str]):
    """Answers the URI, or None. `schemes` are those that the argument declares; `uri` is what stands there now."""

    DEFAULT_CSS = """
    TemplateForm {
        #template-choice { height: auto; }
        #template-find { height: 1; margin-bottom: 1; }
        #template-find Label { width: 6; color: $text-muted; }
        #template-find Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
        #template-list { height: 14; }
        TemplateFill { display: none; }
        &.-filling #template-choice { display: none; }
        &.-filling TemplateFill { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "take the URI", show=False, id="template.take"),
        Binding("up", "step(-1)", "up", show=False, id="template.up"),
        Binding("down", "step(1)", "down", show=False, id="template.down"),
        Binding("pageup", "page(-1)", "page up", show=False, id="template.page-up"),
        Binding("pagedown", "page(1)", "page down", show=False, id="template.page-down"),
    ]

    filling: reactive[bool] = reactive(False)
    """Whether a template is filled in; else one is chosen."""

    def __init__(self, host: Host, schemes: Sequence[str], uri: str) -> None:
        super().__init__()
        self._host = host
        self._schemes = schemes
        self._uri = uri
        self._choices = choosable_templates(host, schemes)

    def compose(self) -> ComposeResult:
        """The templates with a line to find one by, and the fields of the one that is chosen."""
        with Vertical(classes="dialog") as box:
            box.border_title = "A URI from a template"
            with Vertical(id="template-choice"):
                with Horizontal(id="template-find"):
                    yield Label("Find")
                    yield Input(placeholder="server or template", compact=True, id="template-sought")
                yield RowList(id="template-list")
            yield TemplateFill(self._host, self._schemes)

    async def on_mount(self) -> None:
        """Begins with the template that the URI at hand expands from, where there is one."""
        self._find("")
        claims = self._host.lookup(self._uri).claims if self._uri else ()
        for claim in claims:
            for choice in self._choices:
                if (choice.server, choice.template.text) == (claim.server, claim.template):
                    await self._fill(choice, claim.variables)
                    return
        self.watch_filling()

    @property
    def fill(self) -> TemplateFill:
        """The fields of the template that is chosen."""
        return self.query_one(TemplateFill)

    @property
    def templates(self) -> RowList:
        """The templates."""
        return self.query_one("#template-list", RowList)

    def watch_filling(self) -> None:
        """Says which keys count, and goes to where a person begins."""
        self.set_class(self.filling, "-filling")
        box = self.query_one(".dialog")
        if self.filling:
            box.border_subtitle = "Enter takes the URI · ↓ offers · ↑ another template · Esc leaves"
        else:
            box.border_subtitle = "Enter chooses · Esc leaves"
            self.query_one("#template-sought", Input).focus()

    # Choosing

    def _find(self, sought: str) -> None:
        rows = choice_rows(self._choices, self._schemes, sought)
        self.templates.set_rows(rows, _NONE_FOUND if self._choices else _NONE_THERE)

    @on(Input.Changed, "#template-sought")
    def _sought(self, event: Input.Changed) -> None:
        event.stop()
        self._find(event.value)

    @on(RowList.Chosen, "#template-list")
    async def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        await self._fill(event.row.subject)

    async def _fill(self, choice: Choosable, values: Mapping[str, Value] | None = None) -> None:
        self.filling = True
        await self.fill.begin(choice, values)

    # Keys

    def action_step(self, steps: int) -> None:
        """Goes up or down: in the list while one is chosen, else from field to field, and from the first back."""
        if not self.filling:
            self.templates.action_move(steps)
        elif not self.fill.step(steps):
            self.filling = False

    def action_page(self, direction: int) -> None:
        """Moves by a page in the list."""
        if not self.filling:
            self.templates.action_page(direction)

    @on(Input.Submitted)
    def action_take(self) -> None:
        """Chooses the template under the cursor; once one is filled in, answers its URI."""
        if not self.filling:
            self.templates.action_choose()
        elif self.fill.uri is not None:
            self.dismiss(self.fill.uri)
