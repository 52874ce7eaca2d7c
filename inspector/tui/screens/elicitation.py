"""What a server asks of the person while it works on a call: a form, or an address to visit. One at a time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlsplit

from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from inspector.host.validation import validate
from inspector.host.visible import visible
from inspector.tui.clipboard import copy_text
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.action_line import ActionLine, LineAction
from inspector.tui.widgets.asked_fields import MOST_FIELDS, AskedField, read_asked_fields
from inspector.tui.widgets.asked_rows import AskedLine, AskedRow, label_of
from inspector.tui.widgets.form_json import JsonFault
from inspector.tui.widgets.form_model import ABSENT
from inspector.workspace.elicitation import Action, ElicitationAnswer
from inspector.workspace.json_values import find_unsendable

if TYPE_CHECKING:
    from inspector.workspace.elicitation import Elicitation

_CANCELLED: Final = ElicitationAnswer(Action.CANCEL)
_DECLINED: Final = ElicitationAnswer(Action.DECLINE)


class ElicitationScreen(Dialog[ElicitationAnswer]):
    """Answers what the person does; Esc cancels the question, not the call. Enter accepts, checked first.

    `withdraw` closes it where the server or the call ended meanwhile, whatever is over it.
    """

    DEFAULT_CSS = """
    ElicitationScreen {
        #asked-message { height: auto; max-height: 20vh; scrollbar-size-vertical: 1; margin-bottom: 1; }
        #asked-fields { height: auto; max-height: 38vh; scrollbar-size-vertical: 1; }
        #asked-url { height: auto; max-height: 8; }
        #asked-help { height: 2; color: $text-muted; margin-top: 1; }
        #asked-fault { display: none; height: auto; max-height: 2; margin-top: 1; color: $outcome-error; }
        #asked-fault.-said { display: block; }
        ActionLine { margin-top: 1; background: transparent; padding: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "accept", show=False, id="asked.accept"),
        Binding("ctrl+d", "decline", "decline", show=False, priority=True, id="asked.decline"),
        Binding("up", "step(-1)", "up", show=False, id="asked.up"),
        Binding("down", "step(1)", "down", show=False, id="asked.down"),
        Binding("ctrl+y", "copy", "copy the address", show=False, id="asked.copy"),
    ]

    def __init__(self, elicitation: Elicitation) -> None:
        super().__init__()
        self._elicitation = elicitation
        self._fields = read_asked_fields(elicitation.schema or {})
        self._withdrawn = False

    def compose(self) -> ComposeResult:
        """Who asks and what for, where to give it, and what can be done."""
        elicitation = self._elicitation
        server = visible(elicitation.server, 40)
        with Vertical(classes="dialog") as box:
            box.border_title = Content(f"{server} asks you")
            box.border_subtitle = "the call waits for you"
            with VerticalScroll(id="asked-message", can_focus=False):
                yield Static(Content(visible(elicitation.message, 4000, multiline=True)))
            if elicitation.url is not None:
                yield Static(_address(elicitation.url), id="asked-url")
                note = "Nothing opens by itself. Copy the address, look at it, and open it in your browser."
                yield Static(note, id="asked-help")
            else:
                shown = self._fields[:MOST_FIELDS]
                width = max((len(label_of(field)) for field in shown), default=0) + 2
                with VerticalScroll(id="asked-fields", can_focus=False):
                    for field in shown:
                        yield AskedRow(field, width)
                yield Static(id="asked-help", markup=False)
            yield Static(id="asked-fault", markup=False)
            yield ActionLine(self._actions())

    def _actions(self) -> list[LineAction]:
        actions = [LineAction("accept", "Enter", "accept"), LineAction("decline", "^d", "decline")]
        if self._elicitation.url is not None:
            actions.append(LineAction("copy", "^y", "copy the address"))
        return [*actions, LineAction("close", "Esc", "cancel the question")]

    def on_mount(self) -> None:
        """Begins in the first field."""
        rows = self.rows
        if rows:
            rows[0].editor.focus()
        elif self._elicitation.url is None:
            self.query_one("#asked-help", Static).update("It asks for no values: accept or decline.")
        if len(self._fields) > MOST_FIELDS:
            self._say(f"It asks for {len(self._fields)} fields: the first {MOST_FIELDS} can be filled in here.")

    @property
    def rows(self) -> list[AskedRow]:
        """The fields, from the first."""
        return list(self.query(AskedRow))

    def withdraw(self) -> None:
        """Closes it without an answer: nobody waits for one any more."""
        self._withdrawn = True
        if self.is_attached and self.is_current:
            self.dismiss(None)

    def on_screen_resume(self) -> None:
        """Goes as soon as it is seen again, where it was withdrawn under another screen."""
        if self._withdrawn:
            self.dismiss(None)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A field that is come to says what it is for."""
        row = next((node for node in event.widget.ancestors_with_self if isinstance(node, AskedRow)), None)
        if row is not None:
            self.query_one("#asked-help", Static).update(Content(_help(row.field)))

    @on(AskedLine.Cut)
    def _cut(self) -> None:
        self._say("Several lines were pasted; a field takes one: the first.")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._say("")

    def _say(self, text: str) -> None:
        line = self.query_one("#asked-fault", Static)
        line.set_class(bool(text), "-said")
        # What is wrong takes the place of what the field is for.
        self.query_one("#asked-help").display = not text
        line.update(Content(text))

    # Keys

    def action_step(self, steps: int) -> None:
        """Goes to the field above or below, and stays at the ends."""
        rows = self.rows
        place = next((n for n, row in enumerate(rows) if row.editor is self.focused), None)
        if place is not None and 0 <= place + steps < len(rows):
            rows[place + steps].editor.focus()

    def action_decline(self) -> None:
        """Tells the server that the person will not."""
        self.dismiss(_DECLINED)

    @on(Input.Submitted)
    def action_accept(self) -> None:
        """Sends what is filled in, once the server's schema allows it."""
        if self._elicitation.url is not None:
            self.dismiss(ElicitationAnswer(Action.ACCEPT))
            return
        content: dict[str, Any] = {}
        for row in self.rows:
            try:
                value = row.read()
            except JsonFault as fault:
                self._refuse(row, str(fault))
                return
            if value is not ABSENT:
                content[row.field.name] = value
            elif row.field.required:
                self._refuse(row, "it is required")
                return
        unsendable = find_unsendable(content)
        if unsendable is not None:
            self._say(f"✗ {visible(unsendable, 200)}")
            return
        self._check(content)

    @work(exclusive=True, group="asked-check")
    async def _check(self, content: dict[str, Any]) -> None:
        verdict = await asyncio.to_thread(validate, self._elicitation.schema, content)
        if not verdict.faults:
            self.dismiss(ElicitationAnswer(Action.ACCEPT, content))
            return
        fault = verdict.faults[0]
        name = fault.path[0] if fault.path else None
        row = next((row for row in self.rows if row.field.name == name), None)
        if row is not None:
            self._refuse(row, fault.message)
        else:
            self._say(f"✗ {visible(fault.message, 300)}")

    def _refuse(self, row: AskedRow, why: str) -> None:
        row.editor.focus()
        self._say(f"✗ {visible(row.field.label, 40)}: {visible(why, 300)}")

    @work(exclusive=True, group="asked-copy")
    async def action_copy(self) -> None:
        """Copies the address, where one is asked for. It is never opened from here."""
        if self._elicitation.url is not None:
            try:
                said = await copy_text(self.app, self._elicitation.url, "the address")
            except OSError as error:
                said = f"Not copied: {error.strerror}."
            self.app.notify(said, markup=False)

    @on(ActionLine.Picked)
    async def _picked(self, event: ActionLine.Picked) -> None:
        event.stop()
        await self.run_action(event.answer)


def _help(field: AskedField) -> str:
    keys = "Space picks" if field.options else ""
    parts = [field.kind.value if not field.form else visible(field.form, 40), keys]
    parts.insert(1, "required" if field.required else "may be left out")
    about = " ".join(field.about.split())
    return " · ".join(part for part in parts if part) + (f" – {visible(about, 300)}" if about else "")


def _address(url: str) -> Content:
    """The whole address, and apart from it the host that it leads to: that is what a person should look at."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    lines = Content.assemble(("It asks you to open this address yourself:\n", "$text-muted"), visible(url, 2000))
    leads = visible(host, 253) if host else "no host that can be read: do not open it"
    lines += Content.assemble(("\nIt leads to ", "$text-muted"), (leads, "bold"))
    if "xn--" in host.lower() or not host.isascii():
        lines += Content.styled(
            "\n! This host is written in letters that may be mistaken for others.", "$outcome-refused"
        )
    return lines


class ElicitationDesk:
    """Asks a person for every server of a workspace, one question after the other. Used on the app's loop."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._turn = asyncio.Lock()
        self._open: set[asyncio.Future[ElicitationAnswer | None]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many questions wait for an answer, the one on the screen included."""
        return len(self._open)

    async def ask(self, elicitation: Elicitation) -> ElicitationAnswer:
        """Asks over whatever is on the screen, when it is its turn. Cancelled, it closes; leaving declines."""
        if self._closed:
            return _DECLINED
        answered: asyncio.Future[ElicitationAnswer | None] = asyncio.get_running_loop().create_future()
        self._open.add(answered)
        try:
            async with self._turn:
                answer = await self._show(elicitation, answered)
        finally:
            self._open.discard(answered)
        if answer is None:
            said = f"Cancelled what {visible(elicitation.server, 40)} asked; the call goes on."
            self._app.call_later(partial(self._app.notify, said, markup=False))
        return answer or _CANCELLED

    async def _show(
        self, elicitation: Elicitation, answered: asyncio.Future[ElicitationAnswer | None]
    ) -> ElicitationAnswer | None:
        if answered.done():
            return answered.result()
        screen = ElicitationScreen(elicitation)

        def answer(value: ElicitationAnswer | None) -> None:
            if not answered.done():
                answered.set_result(value)

        # Screens are pushed in the app's own context; the caller's task is a server's connection.
        self._app.call_later(partial(self._app.push_screen, screen, answer))
        try:
            return await answered
        finally:
            self._app.call_later(screen.withdraw)

    async def close(self) -> None:
        """Declines what is open: the person leaves. Lets the servers be told before their connections end."""
        self._closed = True
        for answered in self._open:
            if not answered.done():
                answered.set_result(_DECLINED)
        if self._open:
            # The answers go out by the connections' own tasks.
            await asyncio.sleep(_TOLD)


_TOLD: Final = 0.1
"""Seconds that answers given while leaving have to go out."""
