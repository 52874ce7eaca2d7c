"""The README's table of keys, made of the bindings: `make screenshots` writes it, a test holds it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from inspector.tui.keymap import known_bindings

BEGIN: Final = "<!-- keys: made by `make screenshots` -->"
END: Final = "<!-- end of the keys -->"

PLACES: Final = {
    "app": "everywhere",
    "call": "everywhere",
    "compose": "Compose",
    "form": "a field of the form",
    "json": "preview, result, any JSON",
    "result": "a content block",
    "ownership": "Ownership",
    "browse": "Browse",
    "record": "Record",
    "traffic": "Record, messages",
    "history": "Record, history",
    "kept": "a kept call",
    "problems": "Problems",
    "servers": "the servers",
    "host": "the host panel",
}
"""Where the ids of each family count. Families that only move a cursor or leave a dialog are not listed."""

MOVES: Final = frozenset(
    ("up", "down", "pageup", "pagedown", "home", "end", "left", "right", "enter", "space", "escape", "tab")
)
WORDS: Final = {
    "app.back": "close what is open, leave the field",
    "app.cancel": "cancel what runs",
    "app.interrupt": "twice: leave the program",
    "app.page-1": "the pages",
    "app.reconnect": "reconnect the server at the cursor",
    "app.search": "search what is shown",
    "app.zoom": "one part of the screen alone, and back",
    "call.resolve": "resolve: read what the call cites, show the `_meta`",
    "call.send": "send what is shown",
    "call.template": "a URI from a template",
    "compose.raw": "the arguments as JSON, and back",
    "compose.view": "the form, the preview, the result in turn",
    "compose.editor": "the text at hand, or the call’s JSON, in `$EDITOR`",
    "compose.find": "search the preview or the result",
    "form.blank": "what an empty field says: nothing, empty, null",
    "form.take_offer": "take the default or the example",
    "form.probe": "who owns this citation",
    "form.many_lines": "a new line",
}
"""Better words where a footer has room for one only."""


def key_table() -> str:
    """The table in Markdown: where, which keys, what they do."""
    rows: dict[tuple[str, str], list[str]] = {}
    for place, binding_id in sorted(_listed(), key=lambda listed: list(PLACES.values()).index(listed[0])):
        known = known_bindings().by_id[binding_id]
        keys = [key for key in known.keys if key not in MOVES or place == "everywhere"]
        if not keys:
            continue
        what = WORDS.get(binding_id, known.what)
        rows.setdefault((place, what), []).extend(f"`{_shown(key)}`" for key in keys)
    lines = ["| where | keys | what they do |", "| --- | --- | --- |"]
    return "\n".join(
        [*lines, *(f"| {place} | {', '.join(keys)} | {what} |" for (place, what), keys in rows.items())]
    )


def _listed() -> list[tuple[str, str]]:
    hidden = {f"app.page-{number}" for number in range(2, 10)} | {"app.return"}
    families = ((binding_id.split(".")[0], binding_id) for binding_id in known_bindings().by_id)
    return [(PLACES[family], each) for family, each in families if family in PLACES and each not in hidden]


def _shown(key: str) -> str:
    names = {"colon": ":", "slash": "/", "question_mark": "?", "escape": "esc", "1": "1` to `5"}
    shown = names.get(key, key)
    return shown.upper() if shown[:1] == "f" and shown[1:].isdigit() else shown


def write_key_table(page: Path) -> None:
    """Puts the table between its marks on a page."""
    text = page.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{key_table()}\n{END}{after}", "utf-8")
