"""Fills the preview and the result of a composed call; what takes long is worked out in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from inspector.tui.widgets.compose_view import PREVIEW, RESULT, CallView
from inspector.tui.widgets.difference import difference_blocks
from inspector.tui.widgets.form_call import compare_meta
from inspector.tui.widgets.json_view_lines import Prose
from inspector.tui.widgets.preview import preview_blocks
from inspector.tui.widgets.result import judge_output, result_blocks

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.widgets.compose_state import ComposedCall

BESIDE: Final = 120
"""With as many columns as this, two results are compared side by side; else one below the other."""

_UNRESOLVED: Final = "Nothing is resolved yet. ^r reads what the call cites and shows what would be delivered."


def show_preview(view: CallView, host: Host, call: ComposedCall, *, outcomes: bool) -> None:
    """Shows what was resolved. `outcomes` adds a line for each string, for where the form is not seen."""
    resolution = call.resolution
    if resolution is None:
        view.show(PREVIEW, (Prose(_UNRESOLVED, "note"),))
        return
    differences = () if call.pasted_meta is None else compare_meta(call.pasted_meta, resolution.meta)
    view.show(PREVIEW, preview_blocks(host, resolution, outcomes=outcomes, differences=differences))


async def show_result(view: CallView, call: ComposedCall, is_current: Callable[[], bool]) -> None:
    """Shows what came of the call, held against the tool's schema, unless it is not the current one by then."""
    sent = call.sent
    verdict = None if sent is None else await asyncio.to_thread(judge_output, sent)
    if is_current() and call.sent is sent:
        view.show(RESULT, () if sent is None else result_blocks(sent, verdict))


async def show_difference(view: CallView, call: ComposedCall, is_current: Callable[[], bool]) -> None:
    """Adds what differs from the last result of the tool, once that is known."""
    sent, previous = call.sent, call.previous
    if sent is None or previous is None:
        return
    wide = view.app.size.width >= BESIDE
    blocks = await asyncio.to_thread(difference_blocks, previous, sent, wide=wide)
    if is_current() and call.sent is sent:
        view.append(RESULT, blocks)
