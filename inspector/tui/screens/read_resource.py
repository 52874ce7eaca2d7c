"""A resource that was opened from a result, as its server answered just now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.messages import CiteRequested, ViewRequested
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Prose
from inspector.tui.widgets.result import contents_blocks
from inspector.tui.words import duration
from inspector.workspace.reply import Reply


class ResourceScreen(Dialog[None]):
    """What a read gave. It can be cited, copied, saved and opened outside like a result."""

    DEFAULT_CSS = """
    ResourceScreen > .dialog { width: 96%; height: 90%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "cite", "cite this", id="resource.cite"),
        Binding("w", "save", "save as", id="resource.save"),
    ]

    def __init__(self, uri: str, server: str, reply: Reply) -> None:
        super().__init__()
        self._uri = uri
        self._server = server
        self._reply = reply

    def compose(self) -> ComposeResult:
        """The contents in a box."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(visible(self._uri, 100))
            box.border_subtitle = "c cites it · w saves what is at the cursor · Esc closes"
            yield JsonView()

    def on_mount(self) -> None:
        """Shows what came."""
        view = self.query_one(JsonView)
        view.show_blocks(reply_blocks(self._server, self._reply))
        view.focus()

    def action_cite(self) -> None:
        """Cites it in the composed call."""
        self.dismiss(None)
        self.app.screen_stack[0].post_message(CiteRequested(self._uri))

    def action_save(self) -> None:
        """Saves the entry at the cursor."""
        self.post_message(ViewRequested(self.query_one(JsonView), "save"))


def reply_blocks(server: str, reply: Reply) -> Sequence[Block]:
    """The answer to a read: its contents, or why there are none."""
    blocks: list[Block] = [Heading(f"read from {server} · {duration(reply.milliseconds)}")]
    result = reply.result
    if result is None:
        blocks = [Heading(f"✗ not read from {server} · {duration(reply.milliseconds)}", "error")]
        return [*blocks, Prose(reply.message or "The server gave no reason.", "error")]
    contents = result.get("contents")
    if not isinstance(contents, list) or not contents:
        return [*blocks, Prose("The server returned no contents.", "note"), Json(dict(result), folded=True)]
    blocks += contents_blocks(contents)
    others = {name: value for name, value in result.items() if name not in ("contents", "resultType")}
    for name, value in others.items():
        blocks += [Heading(name, subject=None), Json(value, folded=True)]
    return blocks
