"""The one way text from a server reaches the screen: unseen characters as marks, and never through markup."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from inspector.host.visible import visible

__all__ = ["content", "visible"]


def content(text: str, limit: int | None = None, *, multiline: bool = False, style: str | Style = "") -> Content:
    """The text as `Content`, with every unseen character as a mark; `[markup]` in it is just text.

    `limit` is the most characters, the `…` of a cut included. `multiline` keeps line feeds and tabs. `style` is
    for the whole of it.
    """
    shown = visible(text, limit, multiline=multiline)
    return Content.styled(shown, style) if style else Content(shown)
