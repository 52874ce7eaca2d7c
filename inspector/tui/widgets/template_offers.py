"""What a server offers for a template's variable or a prompt's argument: its completions, as a person types."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from inspector.host.visible import visible
from inspector.tui.widgets.rows import Row, RowList

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.workspace.reply import Reply

_PAUSE: Final = 0.15
"""Seconds without a key before a server is asked."""

_MOST: Final = 100
"""Offers that are shown at most; the protocol has a server send no more."""

_HEIGHT: Final = 5
"""Rows that they take at most."""

_SLOW: Final = 0.3
"""Seconds after which what is waited for is named."""


class Offers(RowList):
    """The completions of one variable or argument. Not seen where there are none."""

    DEFAULT_CSS = """
    Offers { height: auto; display: none; background: $panel; }
    Offers.-some { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move_or_leave", "up", show=False, id="offers.up"),
    ]

    @dataclass
    class Left(Message):
        """The cursor went up from the first offer: back to the field."""

    @dataclass
    class Failed(Message):
        """A server did not complete, and why; None: it did."""

        reason: str | None

    def __init__(self, host: Host) -> None:
        super().__init__(id="template-offers")
        self._host = host

    def are_made_by(self, server: str) -> bool:
        """Whether a server says that it completes at all."""
        connection = self._host.workspace.connections.get(server)
        return connection is not None and "completions" in connection.capabilities

    def show(self, values: tuple[str, ...]) -> None:
        """Shows what is offered."""
        self.set_rows([Row((place, value), partial(_draw, value), value) for place, value in enumerate(values)])
        self.styles.height = min(_HEIGHT, len(values))
        self.set_class(bool(values), "-some")
        self.can_focus = bool(values)

    def _say_waiting(self, server: str) -> None:
        """One line that cannot be chosen: what is waited for. Leaving the dialog cancels it."""
        self.show(())
        self.set_rows([Row("waiting", partial(_draw, f"asking {visible(server, 40)} how it may go on …"))])
        self.styles.height = 1
        self.add_class("-some")

    @work(exclusive=True, group="offers")
    async def ask(
        self, server: str, about: Mapping[str, str], name: str, value: str, others: Mapping[str, str]
    ) -> None:
        """Asks a server how the value of `name` may go on, after a pause.

        `about` is the protocol's reference to the template or prompt, `others` what its other names have already.
        """
        self.show(())
        if not self.are_made_by(server):
            return
        await asyncio.sleep(_PAUSE)
        connection = self._host.workspace.connections.get(server)
        if connection is None:
            return
        waiting = self.set_timer(_SLOW, partial(self._say_waiting, server))
        try:
            reply = await connection.request_complete(about, {"name": name, "value": value}, others)
        finally:
            waiting.stop()
        values = _values(reply)
        self.post_message(self.Failed(None if values is not None else reply.message or "no list of values"))
        self.show(tuple(offer for offer in values or () if offer != value)[:_MOST])

    def action_move_or_leave(self) -> None:
        """Goes up; from the first offer back to the field."""
        if self.cursor == 0:
            self.post_message(self.Left())
        else:
            self.action_move(-1)


def _values(reply: Reply) -> list[str] | None:
    """The completions of a reply; None where it holds none."""
    completion = reply.result.get("completion") if reply.result is not None else None
    values = completion.get("values") if isinstance(completion, Mapping) else None
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else None


def _draw(value: str, _: int) -> Content:
    return Content(f" {visible(value, 200)}")
