"""The keys of the main screen. Each has an id: a person's keymap names it by that."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

MAIN_BINDINGS: Final[tuple[Binding, ...]] = (
    Binding("escape", "cancel", "cancel", priority=True, id="app.cancel"),
    Binding("ctrl+r,f5", "resolve", "resolve", priority=True, id="call.resolve"),
    Binding("ctrl+j,f6", "send", "send", priority=True, id="call.send"),
    Binding("ctrl+t,f4", "offer('json')", "JSON", priority=True, id="compose.raw"),
    Binding("ctrl+l,f7", "offer('view')", "view", priority=True, id="compose.view"),
    Binding("escape", "back", "leave", id="app.back"),
    Binding("t", "offer('template')", "template", id="call.template"),
    Binding("a", "offer('ask')", "ask anyway", id="ownership.ask"),
    Binding("d", "offer('draft')", "draft", id="ownership.draft"),
    Binding("s", "servers", "servers", id="app.servers"),
    Binding("g", "jump", "jump", id="app.jump"),
    Binding("colon", "app.command_palette", "commands", id="app.commands"),
    Binding("h", "host", "host", id="app.host"),
    Binding("slash", "search", "search", id="app.search"),
    Binding("z", "zoom", "zoom", show=False, id="app.zoom"),
    Binding("L", "logs", "logs", show=False, id="app.logs"),
    Binding("R", "reconnect_all", "reconnect all", show=False, id="app.reconnect-all"),
    Binding("r", "reconnect", "reconnect", show=False, id="app.reconnect"),
    Binding("enter", "return", "back to the field", show=False, id="app.return"),
    *(Binding(str(n), f"page({n})", "tabs", show=False, id=f"app.page-{n}") for n in (1, 2, 3, 4, 5)),
    Binding("f1", "help", "help", priority=True, id="app.help"),
    Binding("question_mark", "help", "help", show=False, id="app.help-too"),
)
"""In the order of the footer. A plain letter counts only where no field takes it as text."""

NEEDS_HOST: Final = frozenset(
    (
        "cancel",
        "resolve",
        "send",
        "host",
        "page",
        "jump",
        "reconnect",
        "reconnect_all",
        "offer",
        "servers",
        "logs",
    )
)
"""Actions that count only once there is a host."""
