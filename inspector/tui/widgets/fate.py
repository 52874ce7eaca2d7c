"""What becomes of each string of a declared argument, on the line below it: before it is read, and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from inspector.extension import Admission, Code, Declaration, Outcome
from inspector.host.verdict import describe_near
from inspector.host.visible import visible
from inspector.tui.messages import ProbeRequested
from inspector.tui.words import duration

if TYPE_CHECKING:
    from inspector.templates import Claim, Near

RESOLVED: Final = "resolved"
REFUSED: Final = "refused"
PENDING: Final = "pending"

GLYPHS: Final[Mapping[str, str]] = {RESOLVED: "✓", REFUSED: "✗", PENDING: "·"}
"""What stands before the word of an outcome, so that no outcome is told by colour alone."""

_WORD_WIDTH: Final = 22
_SERVER_WIDTH: Final = 8
_REMEDY_FROM: Final = 90
"""A line with this many cells has room for what to do."""
_MOST_ROWS: Final = 4
_NOTE_ROOM: Final = 60
"""With fewer cells than this beside the columns, what to do goes below them."""
_NARROWEST: Final = 24
"""With fewer cells than this beside the columns, the words go below them."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What is known of one string, in words. `tone` is `resolved`, `refused` or `pending`:
    one for each outcome's word, whatever brought it about.

    `stale` says that it was found before something changed. `nearest` says what template comes close, where
    the string has no owner.
    """

    tone: str
    word: str
    server: str | None
    detail: str
    rule: str
    remedy: str | None = None
    stale: bool = False
    nearest: str | None = None
    suggestion: str | None = None
    """A string that has an owner and differs from this one by one change."""


def fate_of_admission(
    admission: Admission, claims: Sequence[Claim], declaration: Declaration, near: Sequence[Near] = ()
) -> Fate:
    """What admission alone says (R10 to R17). `near` is why a string without an owner has none (R14)."""
    if admission.code is None:
        return Fate(PENDING, "to be read", admission.server, describe_variables(claims), admission.rule)
    detail = _reason(admission.code, admission.reason, admission.citation.arguments, declaration)
    fate = Fate(REFUSED, admission.code.value, admission.server, detail, admission.rule, admission.remedy)
    return explained(fate, near)


def fate_while_connecting(admission: Admission, connecting: Sequence[str]) -> Fate:
    """What can be said of a string without an owner so far, while servers that may own it connect (R14)."""
    first = visible(connecting[0], 24)
    on_their_way = f"{first} is" if len(connecting) == 1 else f"{first} and {len(connecting) - 1} more are"
    return Fate(PENDING, "no owner yet", None, f"{on_their_way} still connecting", admission.rule)


def explained(fate: Fate, near: Sequence[Near]) -> Fate:
    """A fate of a string without an owner, with what comes close in the place of general advice (R14)."""
    if not near:
        return fate
    first = near[0]
    nearest = describe_near(first)
    if first.suggestion is not None:
        nearest = f"{nearest} · F3 takes {first.suggestion}"
    return replace(fate, detail="no owner", nearest=nearest, suggestion=first.suggestion, remedy=None)


def fate_of_outcome(
    outcome: Outcome, claims: Sequence[Claim], declaration: Declaration, *, stale: bool = False
) -> Fate:
    """What came of a string that was resolved (R18 to R22)."""
    time = [] if outcome.milliseconds is None else [duration(outcome.milliseconds)]
    if outcome.code is None:
        variables = describe_variables(claims)
        parts = [*([variables] if variables else []), describe_size(outcome.size), *time]
        return Fate(RESOLVED, outcome.name, outcome.server, " · ".join(parts), outcome.rule, stale=stale)
    reason = _reason(outcome.code, outcome.reason, outcome.arguments, declaration)
    detail = " · ".join([reason, *time])
    return Fate(REFUSED, outcome.name, outcome.server, detail, outcome.rule, outcome.remedy, stale=stale)


def _reason(code: Code, reason: str, arguments: Iterable[str], declaration: Declaration) -> str:
    """The reason; where a scheme is not declared, the ones that are, since these tell what to change."""
    if code is not Code.SCHEME_NOT_DECLARED:
        return reason
    holders = (declaration.argument(name) for name in arguments)
    schemes = dict.fromkeys(scheme for holder in holders if holder is not None for scheme in holder.schemes)
    return f"never read; declared here: {', '.join(schemes)}"


def describe_variables(claims: Sequence[Claim]) -> str:
    """The variables of a string's template, as `id=42`; empty where no one template gives them."""
    if not claims:
        return ""
    return " ".join(f"{name}={_value(value)}" for name, value in claims[0].variables.items())


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value or '""'
    return "[" + ", ".join(item if isinstance(item, str) else f"{item[0]}: {item[1]}" for item in value) + "]"


def describe_size(size: int) -> str:
    """Bytes in a person's units: `53 B`, `4.9 kB`, `5.0 MB`."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 999_950 else f"{size / 1_000_000:.1f} MB"


class Fates(Widget):
    """The fates of one or more strings, each over as few rows as its words take. A click asks who owns it."""

    DEFAULT_CSS = """
    Fates {
        height: auto;
        width: 1fr;
        padding-left: 2;
    }
    """

    ALLOW_SELECT: ClassVar[bool] = False

    entries: reactive[tuple[tuple[str, Fate], ...]] = reactive((), layout=True)
    """Each string with its fate."""

    def __init__(self, *, named: bool = False) -> None:
        super().__init__()
        self._named = named
        self.more = 0
        """How many strings there are beside the entries."""
        self._owners: list[str] = []

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the words take at that width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The lines of every string."""
        lines = self._lines(self.content_size.width)
        self._owners = [uri for uri, _ in lines]
        return Content("\n").join(line for _, line in lines)

    def on_click(self, event: events.Click) -> None:
        """Asks the Ownership tab about the string that was clicked."""
        if 0 <= event.y < len(self._owners):
            self.post_message(ProbeRequested(self._owners[event.y]))

    def _lines(self, width: int) -> list[tuple[str, Content]]:
        lines: list[tuple[str, Content]] = []
        for uri, fate in self.entries:
            if self._named:
                lines.append((uri, Content(visible(uri, max(8, width)))))
            lines += [(uri, line) for line in fate_lines(fate, width)]
        if self.more and self.entries:
            lines.append((self.entries[-1][0], Content.styled(f"… and {self.more:,} more strings", "$text-muted")))
        return lines


def fate_lines(fate: Fate, width: int) -> list[Content]:
    """A fate over rows of that many cells: glyph and word, server, what is known, the rule; then what to do."""
    style = "$text-muted" if fate.stale else f"$outcome-{fate.tone}"
    word = f"{GLYPHS[fate.tone]} {fate.word}".ljust(_WORD_WIDTH)
    server = (visible(fate.server, 24) if fate.server else "–").ljust(_SERVER_WIDTH)
    columns = cell_len(word) + cell_len(server) + 1
    ending = f"{fate.rule} · before the change" if fate.stale else fate.rule
    detail = visible(fate.detail, 400)
    if width - columns < _NARROWEST:
        head = Content.assemble((word.rstrip(), style), f"  {server.rstrip()}  ", (ending, "$text-muted"))
        return [head, *(Content(f"  {row}") for row in _wrap(detail, width - 2) if row)]
    rows = [Content(row) for row in _wrap(detail, width - columns)]
    if rows[-1].cell_length + len(ending) + 2 <= width - columns:
        gap = "  " if rows[-1] else ""
        rows[-1] = Content.assemble(rows[-1], gap, (ending, "$text-muted"))
    else:
        rows.append(Content.styled(ending, "$text-muted"))
    first = Content.assemble((word, style), f"{server} ")
    indent = Content(" " * columns)
    lines = [first + rows[0], *(indent + row for row in rows[1:])]
    room = width - columns if width - columns >= _NOTE_ROOM else width - 2
    for note in (fate.nearest, fate.remedy if width >= _REMEDY_FROM else None):
        if note:
            wrapped = _wrap(f"→ {visible(note, 400)}", room)
            lines += [Content.assemble(" " * (width - room), (row, "$text-muted")) for row in wrapped]
    return lines


def _wrap(text: str, width: int) -> list[str]:
    """The text over rows of at most that many cells, parted at spaces where there are any; cut after a few."""
    width = max(width, 8)
    rows: list[str] = [""]
    for word in text.split(" "):
        row = f"{rows[-1]} {word}" if rows[-1] else word
        if cell_len(row) <= width:
            rows[-1] = row
            continue
        if rows[-1]:
            rows.append("")
        while cell_len(word) > width:
            taken = max(1, _fitting(word, width))
            rows[-1], word = word[:taken], word[taken:]
            rows.append("")
        rows[-1] = word
    if len(rows) > _MOST_ROWS:
        rows = [*rows[: _MOST_ROWS - 1], rows[_MOST_ROWS - 1][: width - 1] + "…"]
    return rows


def _fitting(text: str, width: int) -> int:
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return index
    return len(text)
