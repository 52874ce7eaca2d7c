"""What Browse asks of servers: a read, a template filled in and read, a prompt. One at a time; Esc cancels it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from textual.content import Content

from inspector.host.visible import visible
from inspector.templates import InvalidTemplate, UriTemplate
from inspector.tui.clipboard import copy_text
from inspector.tui.messages import CiteRequested, Notice
from inspector.tui.widgets.browse_answers import answer_of_prompt, answer_of_read
from inspector.tui.widgets.browse_items import Item, Kind
from inspector.tui.widgets.template_rows import Choosable
from inspector.tui.words import duration
from inspector.workspace.catalog import Prompt

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.screens.uri_form import MadeUri
    from inspector.tui.widgets.browse import BrowsePane
    from inspector.tui.widgets.content_items import ContentItem

Run = Callable[[Coroutine[Any, Any, None], str], None]
"""Runs something as a worker of a group, so that Esc cancels it; what ran in that group is cancelled."""

READ: Final = "read"
CITE: Final = "cite"

Came = TypeVar("Came")

_SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PER_SECOND: Final = 10


class Asking:
    """Asks for a pane, and shows there what is waited for and what came."""

    def __init__(self, pane: BrowsePane, host: Host, run: Run) -> None:
        self._pane = pane
        self._host = host
        self._run = run

    def read(self, item: Item, uri: str) -> None:
        """Reads a URI from the server that offers the item, whoever owns it."""
        self._run(self._read(item, uri), "browse")
        self._pane.open_detail()

    async def _read(self, item: Item, uri: str) -> None:
        what = f"reading from {visible(item.server, 20)}"
        read = await self._wait(self._host.read_uri(uri, item.server), what)
        owns = item.server in self._host.workspace.connections and self._host.owns(item.server)
        self._pane.show_answer(item, answer_of_read(read, item.server, owns=owns))

    def fill_in(self, item: Item, first: str) -> None:
        """Lets a person fill in a template. `first` is what enter does then: read it, or cite it."""
        from inspector.tui.screens.uri_form import UriForm

        try:
            template = UriTemplate.parse(item.text)
        except InvalidTemplate as fault:
            words = f"It is no RFC 6570 template, so there is no URI to make of it: {visible(fault.message, 200)}."
            self._pane.post_message(Notice(words, "warning"))
            return
        wishes = [(READ, "reads it"), (CITE, "cites it")]
        answer = self._pane.answer_to(item)
        claims = self._host.lookup(answer.uri).claims if answer is not None else ()
        mine = next((c for c in claims if (c.server, c.template) == (item.server, item.text)), None)
        form = UriForm(
            self._host,
            Choosable(item.server, template, item.name, declared=True),
            sorted(wishes, key=lambda wish: wish[0] != first),
            mine.variables if mine is not None else None,
        )
        self._pane.app.push_screen(form, lambda made: self._made(item, made))

    def _made(self, item: Item, made: MadeUri | None) -> None:
        if made is not None and made.wish == CITE:
            self._pane.post_message(CiteRequested(made.uri))
        elif made is not None:
            self.read(item, made.uri)

    def get(self, item: Item) -> None:
        """Gets a prompt; where it takes arguments, a person gives them first."""
        from inspector.tui.screens.prompt_form import PromptForm, prompt_arguments

        if not prompt_arguments(item.raw):
            self._get_with(item, {})
            return
        form = PromptForm(self._host, Prompt(item.server, item.text, item.raw), self._pane.arguments_of(item))
        self._pane.app.push_screen(form, lambda arguments: self._get_with(item, arguments))

    def _get_with(self, item: Item, arguments: dict[str, str] | None) -> None:
        if arguments is not None:
            self._run(self._get(item, arguments), "browse")
            self._pane.open_detail()

    async def _get(self, item: Item, arguments: dict[str, str]) -> None:
        self._pane.keep_arguments(item, arguments)
        connection = self._host.workspace.connections.get(item.server)
        if connection is None:
            self._pane.post_message(
                Notice(f"{visible(item.server, 60)} is not in the workspace any more.", "warning")
            )
            return
        what = f"getting it from {visible(item.server, 20)}"
        reply = await self._wait(connection.request_prompt(item.text, arguments), what)
        self._pane.show_answer(item, answer_of_prompt(reply, item.server, item.text, arguments))

    async def _wait(self, work: Awaitable[Came], what: str) -> Came:
        """Waits, and says meanwhile for what and since when."""
        since = time.monotonic()

        def tell() -> None:
            seconds = time.monotonic() - since
            spinner = _SPINNER[int(seconds * _PER_SECOND) % len(_SPINNER)]
            self._pane.status = Content.assemble(
                (f"{spinner} {what}", "$outcome-pending"), f" · {duration(seconds * 1000)} · Esc cancels"
            )

        tell()
        timer = self._pane.set_interval(1 / _PER_SECOND, tell)
        try:
            return await work
        finally:
            timer.stop()
            self._pane.status = Content()

    def save(self, items: Sequence[ContentItem]) -> None:
        """Saves one of these in a file; where there are several, a person chooses which."""
        from inspector.tui.screens.choices import Choice, ChoicesScreen

        if len(items) == 1:
            self._save(items[0])
            return
        choices = [
            Choice(
                str(place),
                str(place + 1) if place < 9 else "",
                f"{visible(item.uri or item.kind, 60)}  {visible(item.mime_type or '', 40)}",
            )
            for place, item in enumerate(items)
        ]
        screen = ChoicesScreen("Save which one?", [], choices)
        self._pane.app.push_screen(
            screen, lambda answer: None if answer is None else self._save(items[int(answer)])
        )

    def _save(self, item: ContentItem) -> None:
        from inspector.tui.screens.save_as import SaveScreen

        def tell(saved: str | None) -> None:
            if saved is not None:
                self._pane.post_message(Notice(saved))

        self._pane.app.push_screen(SaveScreen(item.saveable), tell)

    async def copy(self, item: Item) -> None:
        """Copies the item's URI, template or name, and says where to."""
        what = "the URI" if item.kind is Kind.RESOURCE else f"the {item.kind.value}"
        try:
            notice = Notice(await copy_text(self._pane.app, item.text, what))
        except OSError as error:
            notice = Notice(f"Cannot copy {what}: there is no clipboard, and no file: {error.strerror}.", "error")
        self._pane.post_message(notice)
