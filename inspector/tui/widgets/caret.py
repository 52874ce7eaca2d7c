"""A text with a caret under a place in it."""

from __future__ import annotations

from textual.content import Content

from inspector.host.visible import visible

_BEFORE = 400
"""Characters that are shown before the place, where there are more."""


def caret_lines(text: str, position: int, style: str = "$outcome-error") -> tuple[Content, Content]:
    """The text in one line, and the line below it with a caret under `position`, an offset in characters from 0.

    A position at the text's end is behind its last character. What lies far before the position is cut.
    """
    position = max(0, min(position, len(text)))
    cut = max(0, position - _BEFORE)
    before = ("…" if cut else "") + visible(text[cut:position])
    return (
        Content(before + visible(text[position:], 400)),
        Content.assemble((" " * Content(before).cell_length + "▲", style)),
    )
