"""The words around a composed call: the title line's names and status, and the line on the field at hand."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual.content import Content

from inspector.tui.text import content, visible
from inspector.tui.widgets.compose_view import FORM, PREVIEW, RESULT
from inspector.tui.widgets.result import result_mark, result_word
from inspector.tui.words import STATES, count
from inspector.workspace.server import State

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.host.resolution import Resolution
    from inspector.tui.widgets.compose_state import ComposedCall
    from inspector.workspace.catalog import Tool


def describe_age(resolution: Resolution) -> str:
    """How long ago a call was resolved (R29): `just now`, `2 s old`, `3 min old`."""
    seconds = int(time.monotonic() - resolution.resolved_at)
    if seconds < 1:
        return "just now"
    if seconds < 60:
        return f"{seconds} s old"
    return f"{seconds // 60} min old" if seconds < 3600 else f"{seconds // 3600} h old"


def view_names(call: ComposedCall, *, turns: bool) -> tuple[tuple[str, Content], ...]:
    """The views that there are, by name: the preview with its age, the result with how it ended.

    `turns`: the form is one of them, since they are seen one at a time.
    """
    age = f" · {describe_age(call.resolution)}" if call.resolution is not None else ""
    names = [(FORM, Content("Form"))] if turns else []
    names.append((PREVIEW, Content(f"Preview{age}")))
    if call.sent is not None:
        tone = result_word(call.sent)[1]
        names.append((RESULT, Content.assemble("Result", (f" {result_mark(call.sent)}", f"$outcome-{tone}"))))
    return tuple(names)


def resting_status(call: ComposedCall, stale: str | None, *, can_send: bool) -> tuple[Content, ...]:
    """What the keys would do now: why the preview is stale, or that it can be sent. The longest wording first."""
    if stale is not None:
        why = Content.styled(f"! stale: {stale}", "$outcome-refused")
        return why + Content("   ^r resolve anew"), why, Content.styled("! stale", "$outcome-refused")
    resting = (
        (Content("^r resolve   ^j send this"), Content("^j send this")) if can_send else (Content("^r resolve"),)
    )
    if call.logged:
        return Content(f"{count(call.logged, 'log line')}: L   ") + resting[0], *resting
    return resting


def title_of(tool: Tool) -> Content:
    """The tool's name after its server's."""
    return Content.assemble((visible(tool.server, 40), "$text-muted"), " / ", (visible(tool.name, 80), "bold"))


def declares(host: Host, tool: Tool) -> Content:
    """What the tool declares (R4); where its server is not connected, that."""
    connection = host.workspace.connections.get(tool.server)
    state = connection.state if connection is not None else State.STOPPED
    if state is not State.CONNECTED:
        mark = STATES[state]
        return Content.styled(f"{mark.glyph} {visible(tool.server, 40)} {mark.word}", mark.style)
    if connection is not None and connection.catalog.tool(tool.name) is None:
        return Content.styled(f"✗ {visible(tool.server, 40)} does not list it now", "$outcome-error")
    declaration = host.declaration(tool)
    if not declaration:
        return Content("declares nothing")
    named = (f"{argument.name}: {', '.join(argument.schemes)}" for argument in declaration.arguments)
    return content(f"declares {' · '.join(named)}", 200)
