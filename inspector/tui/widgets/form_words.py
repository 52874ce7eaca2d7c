"""The words about a field: in a line below the form, whole in the help; and what the schema says of them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual.content import Content

from inspector.tui.text import content, visible
from inspector.tui.widgets.form_json import show_json
from inspector.tui.widgets.form_model import ABSENT, Field, FieldKind
from inspector.tui.words import count

if TYPE_CHECKING:
    from inspector.host.validation import Fault, SchemaVerdict

_LONGEST_HELP: Final = 20_000
_MOST_CHOICES: Final = 50
_MOST_NAMED: Final = 3
_DOUBT: Final = "$outcome-refused"


def field_help(field: Field) -> Content:
    """What is known of a field, in a line; F1 has the whole of it."""
    parts = [*_kind_words(field), *([field.note] if field.note else [])]
    about = f" – {' '.join(field.description[:1_000].split())}" if field.description else ""
    keys = " · ".join(_key_words(field))
    return content(f"{visible(field.name, 60)}: {' · '.join(parts)}{visible(about, 300)} · {keys}")


def field_help_lines(field: Field, faults: Sequence[Fault] = ()) -> list[Content]:
    """All that is known of a field: its schema's words whole, what it offers, what the schema does not allow."""
    words = [*_kind_words(field), *field.facts]
    lines = [Content.assemble((visible(field.name, 1_000), "bold"), f"  {' · '.join(words)}")]
    if field.title:
        lines.append(content(field.title, 400))
    if field.description:
        lines.append(content(field.description, _LONGEST_HELP, multiline=True))
    for value, title in zip(field.choices[:_MOST_CHOICES], field.titles[:_MOST_CHOICES], strict=False):
        lines.append(Content(f"  {show_json(value, 200)}{f'  {visible(title, 200)}' if title else ''}"))
    if len(field.choices) > _MOST_CHOICES:
        lines.append(Content(f"  … and {len(field.choices) - _MOST_CHOICES:,} more choices"))
    for word, value in [("default", field.default), *(("example", example) for example in field.examples)]:
        if value is not ABSENT:
            lines.append(Content(f"{word}: {show_json(value, 1_000)}"))
    if field.note:
        lines.append(content(field.note, 400))
    lines += [Content.styled(f"! {visible(_said(fault), 400)}", "$outcome-refused") for fault in faults]
    lines.append(Content.styled(" · ".join(_key_words(field)), "$text-muted"))
    return lines


def verdict_lines(verdict: SchemaVerdict, missing: int, named: Sequence[Fault]) -> Content:
    """How many faults the schema finds, and what was not checked; empty where all is well.

    `missing` of the faults are arguments left out. `named` are those that are to be said here.
    """
    if verdict.unsupported is not None:
        return Content.styled(f"! not checked against inputSchema: {visible(verdict.unsupported, 300)}", _DOUBT)
    parts: list[str] = []
    if missing:
        parts.append(f"{missing} required left out")
    if len(verdict.faults) > missing:
        others = count(len(verdict.faults) - missing, "fault")
        parts.append(f"more than {others} by inputSchema" if verdict.more else f"{others} by inputSchema")
    said = [Content(f"! {' · '.join(parts)}: sent all the same")] if parts else []
    said += [Content(f"! {visible(_said(fault), 200)}") for fault in named[:_MOST_NAMED]]
    said += [Content(f"! not checked: {visible(what, 200)}") for what in verdict.unchecked[:1]]
    return Content("\n").join(said).stylize_before(_DOUBT)


def _said(fault: Fault) -> str:
    return f"{fault.place} {fault.message}".strip()


def _kind_words(field: Field) -> list[str]:
    words = [field.word, *(["or null"] if field.nullable else []), "required" if field.required else "optional"]
    if not field.known:
        words.append("not in the schema")
    if field.declared:
        words.append(f"resolved: {', '.join(field.schemes)}")
    return words


def _key_words(field: Field) -> list[str]:
    words = ["^g template"] if field.declared else []
    if field.kind is FieldKind.STRINGS:
        words += [*(["^o owner"] if field.declared else []), "F8 deletes the row"]
    if field.kind is FieldKind.TEXT:
        words.append("^n new line")
    if field.offers:
        words.append(f"F2 takes the {'example' if field.default is ABSENT else 'default'}")
    return [*words, "F9 empty, null"]
