"""How a call of this run is drawn in a line, and each thing that happened while it was made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from textual.content import Content

from inspector.host.timeline import Happening, Timeline, What
from inspector.host.visible import visible
from inspector.tui.widgets.result import describe_delivery, result_word
from inspector.tui.widgets.rows import Row, spread
from inspector.tui.widgets.traffic_rows import clock_time
from inspector.tui.words import duration
from inspector.workspace.traffic import Direction, Kind

_SERVER: Final = 14
_SUBJECT: Final = 300
_BAR: Final = 20
"""Cells of the bar that shows when and how long, where there is room for it."""

_ROOMY: Final = 64
"""Cells from which a call is drawn with its server and what it delivered."""

_TONES: Final = {"resolved": "$outcome-resolved", "refused": "$outcome-refused", "error": "$outcome-error"}


def call_state(timeline: Timeline) -> tuple[str, str]:
    """How a call stands, in a glyph and a few words, and the style of it."""
    if timeline.running:
        return ("◌ sending" if timeline.sending_at is not None else "◌ resolving"), "$outcome-pending"
    if timeline.sent is not None:
        word, tone = result_word(timeline.sent)
        return ("✗ tool error" if timeline.sent.tool_error else word), _TONES[tone]
    if timeline.given_up:
        return "✗ cancelled", "$outcome-refused"
    return "· not sent", "$text-muted"


def call_row(timeline: Timeline) -> Row:
    """A call as a row, known by its timeline."""
    return Row(timeline.number, partial(_draw_call, timeline), timeline)


def _draw_call(timeline: Timeline, width: int) -> Content:
    word, style = call_state(timeline)
    at = clock_time(timeline.began if timeline.sending_at is None else timeline.sending_at)
    roomy = width >= _ROOMY
    left = Content.assemble(
        (at if roomy else at.partition(".")[0], "$text-muted"),
        f" {visible(timeline.server, 20)} / " if roomy else " ",
        (visible(timeline.tool, 40), "bold"),
    )
    if timeline.resolution is not None and roomy:
        left += Content.assemble((f"  {describe_delivery(timeline.resolution)}", "$text-muted"))
    return spread(left, Content.assemble((word, style)), width)


def timeline_rows(timeline: Timeline) -> Sequence[Row]:
    """What happened, in time order; where it was sent later than resolved, a line says by how much."""
    happenings = timeline.happenings
    ends = [_end(happening) for happening in happenings]
    whole = max((end - timeline.began for end in ends), default=0.0)
    rows: list[Row] = []
    reads_end = max(
        (
            end
            for end, h in zip(ends, happenings, strict=True)
            if timeline.sending_at and h.at < timeline.sending_at
        ),
        default=timeline.began,
    )
    waited = False
    for number, happening in enumerate(happenings):
        if timeline.sending_at is not None and not waited and happening.at >= timeline.sending_at:
            waited = True
            rows.append(Row("waited", partial(_draw_waiting, timeline.sending_at - reads_end)))
        rows.append(Row(number, partial(_draw, timeline, happening, whole), happening))
    if timeline.dropped:
        rows.append(Row("dropped", lambda _: Content(f"… {timeline.dropped:,} more were not kept")))
    return rows


def _end(happening: Happening) -> float:
    return happening.answer.at if happening.answer is not None else happening.at


def _draw_waiting(seconds: float, _: int) -> Content:
    return Content.styled(f"{'─' * 9} sent {duration(seconds * 1000)} after it was resolved", "$text-muted")


def offset(timeline: Timeline, happening: Happening) -> str:
    """When it happened, in ms from the beginning of the call: `+9 ms`; `≈` where only the time is known."""
    return f"{'+' if happening.certain else '≈'}{(happening.at - timeline.began) * 1000:,.0f} ms"


def _draw(timeline: Timeline, happening: Happening, whole: float, width: int) -> Content:
    word, style = _state(timeline, happening)
    left = Content.assemble(
        (offset(timeline, happening).rjust(10), "$text-muted"),
        f" {_glyph(happening)} ",
        (happening.what.value.ljust(8), "$text-muted" if not happening.certain else "bold"),
        f" {visible(happening.server, _SERVER)}  ",
        (visible(happening.subject, _SUBJECT), "" if happening.certain else "$text-muted"),
    )
    right = Content.assemble((word, style))
    if width >= 80 and happening.message is not None and whole > 0:
        right = Content.assemble(right, " ", (_bar(timeline, happening, whole), "$accent"))
    return spread(left, right, width)


def _glyph(happening: Happening) -> str:
    if happening.message is None:
        return "▏"
    return "→" if happening.message.direction is Direction.SENT else "←"


def _state(timeline: Timeline, happening: Happening) -> tuple[str, str]:
    asked, answer = happening.message, happening.answer
    if asked is None or asked.kind is not Kind.REQUEST or asked.direction is not Direction.SENT:
        return "", ""
    if answer is None:
        return ("◌ waiting", "$outcome-pending") if timeline.running else ("✗ no answer", "$outcome-error")
    took = duration(answer.milliseconds) if answer.milliseconds is not None else ""
    if happening.what is What.CALL and timeline.sent is not None and timeline.sent.tool_error:
        return f"✗ isError {took}", "$outcome-refused"
    if answer.kind is Kind.RESULT:
        return f"✓ {took}", "$outcome-resolved"
    return f"✗ {answer.kind.value} {took}", "$outcome-error"


def _bar(timeline: Timeline, happening: Happening, whole: float) -> str:
    start = min(_BAR - 1, int((happening.at - timeline.began) / whole * _BAR))
    end = max(start + 1, min(_BAR, round((_end(happening) - timeline.began) / whole * _BAR)))
    mark = "━" if happening.what is not What.PROGRESS else "·"
    return (" " * start + mark * (end - start)).ljust(_BAR)
