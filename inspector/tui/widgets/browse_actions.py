"""What can be done on Browse with the item at the cursor, each with its key and to be clicked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from inspector.tui.widgets.action_line import LineAction
from inspector.tui.widgets.browse_items import Kind

_ASKS: Final[Mapping[Kind, str]] = {
    Kind.RESOURCE: "reads it",
    Kind.TEMPLATE: "fills it in",
    Kind.PROMPT: "gets it",
}


def offered_actions(
    kind: Kind, *, answered: bool, opened: bool, has_uri: bool, can_be_saved: bool, as_listed: bool
) -> tuple[LineAction, ...]:
    """The actions, most wanted first. `opened`: the detail has the focus, whose enter key folds."""
    words = f"{_ASKS[kind]} again" if answered else _ASKS[kind]
    offered = [LineAction("close", "Esc", "list")] if opened else []
    offered.append(LineAction("ask", "a" if opened else "Enter", words))
    if has_uri or kind is Kind.TEMPLATE:
        offered.append(LineAction("cite", "c", "cites it"))
    if has_uri:
        offered.append(LineAction("owner", "o", "who owns it"))
    if can_be_saved:
        offered.append(LineAction("save", "w", "saves it"))
    if answered:
        offered.append(LineAction("about", "i", "the answer" if as_listed else "as listed"))
    return tuple(offered)
