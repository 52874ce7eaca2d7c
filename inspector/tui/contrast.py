"""How far two colours are apart for the eye, and a colour made readable on others: WCAG 2.2."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rich.color import Color as TerminalColor
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from textual.color import Color
from textual.filter import LineFilter

LEAST: Final = 4.5
"""The contrast that text needs."""

_ENOUGH: Final = 3.0
"""The contrast that is asked of sixteen colours, which have no finer shades."""

_STEPS: Final = 20

_HUES: Final = (1, 3, 2, 6, 4, 5)
"""Red, yellow, green, cyan, blue and magenta among a terminal's sixteen colours."""

_COLOURFUL: Final = 60
"""How far the parts of a colour (0 to 255) are apart where it has a hue to speak of."""


def luminance(color: Color) -> float:
    """The relative luminance, from 0 to 1."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def readable(color: Color, grounds: Sequence[Color], least: float) -> Color:
    """The colour, moved towards white or black only as far as it needs to be read on all of these grounds.

    Where neither end reaches `least` on all of them, the end that comes nearest.
    """
    return _readable(color, tuple(grounds), least)


@lru_cache(512)
def _readable(color: Color, grounds: tuple[Color, ...], least: float) -> Color:
    ends = sorted(
        (Color(255, 255, 255), Color(0, 0, 0)),
        key=lambda end: min(contrast(end, ground) for ground in grounds),
        reverse=True,
    )
    for step in range(_STEPS + 1):
        moved = color.blend(ends[0], step / _STEPS)
        if min(contrast(moved, ground) for ground in grounds) >= least:
            return moved
    return ends[0]


class SixteenColors(LineFilter):
    """Keeps text apart from its background where a terminal has sixteen colours, and two of a theme become one."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments in the terminal's own colours, each text with one that is read on its background."""
        ground = background.rich_color
        return [
            segment
            if segment.style is None or segment.control
            else Segment(segment.text, _in_sixteen(segment.style, ground), None)
            for segment in segments
        ]


@lru_cache(4096)
def _in_sixteen(style: Style, background: TerminalColor) -> Style:
    ground = (style.bgcolor or background).downgrade(ColorSystem.STANDARD)
    text = _nearest(style.color or TerminalColor.default(), ground)
    if contrast(_seen(text, foreground=True), _seen(ground, foreground=False)) < _ENOUGH:
        ends = (TerminalColor.from_ansi(15), TerminalColor.from_ansi(0))
        text = max(ends, key=lambda end: contrast(_seen(end), _seen(ground, foreground=False)))
    return style + Style.from_color(text, ground if style.bgcolor is not None else None)


def _nearest(color: TerminalColor, ground: TerminalColor) -> TerminalColor:
    """The colour of the sixteen that is nearest; the one of its hue where it has one that is seen."""
    if color.triplet is not None and max(color.triplet) - min(color.triplet) >= _COLOURFUL:
        hue = round(colorsys.rgb_to_hls(*color.triplet.normalized)[0] * 6) % 6
        bright = 8 if luminance(_seen(ground, foreground=False)) < 0.5 else 0
        return TerminalColor.from_ansi(_HUES[hue] + bright)
    return color.downgrade(ColorSystem.STANDARD)


def _seen(color: TerminalColor, *, foreground: bool = True) -> Color:
    red, green, blue = color.get_truecolor(DEFAULT_TERMINAL_THEME, foreground)
    return Color(red, green, blue)
