"""A request and its answer, each in full: what went over the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.fate import describe_size
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Number, Prose
from inspector.tui.widgets.traffic_rows import ARROWS, clock_time
from inspector.tui.words import duration
from inspector.workspace.collecting import without_collecting
from inspector.workspace.traffic import MESSAGE_LIMIT, Kind, Message

_SPELT: Final = 200_000
"""Characters of a message up to which its numbers are shown in the spelling that they came in."""


class BlocksScreen(Dialog[str]):
    """A title, and what a `JsonView` shows. The search is the view's own."""

    HINT: ClassVar[str] = "/ searches · Enter folds · Esc closes"

    DEFAULT_CSS = """
    BlocksScreen > .dialog { width: 96%; height: 92%; }
    """

    def __init__(self, title: str, blocks: Sequence[Block] = ()) -> None:
        super().__init__()
        self._title = title
        self._blocks = blocks

    def compose(self) -> ComposeResult:
        """The view in a box."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(visible(self._title, 100))
            box.border_subtitle = self.HINT
            yield JsonView()

    async def on_mount(self) -> None:
        """Shows what is there, and goes to it."""
        view = self.query_one(JsonView)
        view.focus()
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.run_worker(self._fill(), exclusive=True)

    async def _fill(self) -> None:
        self.query_one(JsonView).show_blocks(await self.read())

    async def read(self) -> Sequence[Block]:
        """What is shown."""
        return self._blocks


class PairScreen(BlocksScreen):
    """A message and what answers it, laid out in a thread: the screen takes keys meanwhile."""

    def __init__(self, first: Message, second: Message | None) -> None:
        what = first.method or ("not JSON-RPC" if first.kind is Kind.NOISE else first.kind.value)
        super().__init__(f"{what} · {visible(first.server, 40)}")
        self._pair = (first, second)

    async def read(self) -> Sequence[Block]:
        """The request, and its answer where there is one."""
        return await asyncio.to_thread(pair_blocks, *self._pair)


def pair_blocks(first: Message, second: Message | None) -> tuple[Block, ...]:
    """A message and its answer as blocks. Where a request has no answer, that is said."""
    blocks = _message_blocks(first)
    if second is not None:
        blocks += _message_blocks(second)
    elif first.kind is Kind.REQUEST:
        blocks.append(Prose("There is no answer to it so far, or it is no longer kept.", "note"))
    elif first.kind in (Kind.RESULT, Kind.ERROR):
        blocks.append(Prose("The request that it answers is no longer kept, or never was.", "note"))
    return tuple(blocks)


def _message_blocks(message: Message) -> list[Block]:
    took = f" · after {duration(message.milliseconds)}" if message.milliseconds is not None else ""
    number = f" · id {message.id}" if message.id is not None else ""
    heading = f"{ARROWS[message.direction]} {message.kind.value}{number} · {clock_time(message.at)}{took}"
    tone = {Kind.ERROR: "error", Kind.NOISE: "refused"}.get(message.kind, "heading")
    blocks: list[Block] = [Heading(f"{heading} · {describe_size(message.size)}", tone)]
    if message.cut:
        blocks.append(Prose(f"✂ Only its first {MESSAGE_LIMIT:,} characters were kept.", "refused"))
    value = None if message.cut else _parse(message.text)
    blocks.append(Prose(message.text) if value is None else Json(value))
    return blocks


def _parse(text: str) -> Any:
    """The JSON that a text is, numbers as they are spelt where it is not long; None where it is none."""
    spelt: dict[str, Any] = {"parse_int": Number, "parse_float": Number} if len(text) <= _SPELT else {}
    try:
        with without_collecting():
            return json.loads(text, **spelt)
    except (ValueError, RecursionError):
        return None
