"""A choice of one of a few values, on one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from inspector.tui.text import visible
from inspector.tui.widgets.form_json import show_json

_MOST_SIDE_BY_SIDE: Final = 12


class Option(NamedTuple):
    """One value: how it is named, and whether that is a title rather than the value itself."""

    label: str
    value: Any
    titled: bool = False


class Choice(Widget, can_focus=True):
    """One of a few values, on one row. `left` and `right` go from one to the next, `enter` shows them all."""

    DEFAULT_CSS = """
    Choice {
        height: 1;
        width: 1fr;
        padding: 0 1;
        background: $surface;
        &:focus { background: $primary 25%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "step(1)", "Next", show=False, id="form.next_choice"),
        Binding("left", "step(-1)", "Previous", show=False, id="form.previous_choice"),
        Binding("enter", "list", "all choices", id="form.list_choices"),
    ]

    @dataclass
    class Changed(Message):
        """Another value was chosen."""

        choice: Choice
        value: Any

    index: reactive[int] = reactive(0)
    """Which of the options is chosen."""

    def __init__(self, options: Sequence[Option], chosen: int) -> None:
        super().__init__()
        self._options = [option._replace(label=visible(option.label, 40)) for option in options]
        self.set_reactive(Choice.index, chosen)

    @property
    def value(self) -> Any:
        """The value that is chosen."""
        return self._options[self.index].value

    def render(self) -> Content:
        """Every option where they fit, else the chosen one and how many there are."""
        chosen = self._options[self.index]
        said = f" = {show_json(chosen.value, 40)}" if chosen.titled else ""
        if self._all_fit:
            parts: list[Any] = []
            for index, option in enumerate(self._options):
                if parts:
                    parts.append("   ")
                if index == self.index:
                    parts += [(f"● {option.label}", "bold"), (said, "$text-muted")]
                else:
                    parts.append((f"○ {option.label}", "$text-muted"))
            return Content.assemble(*parts)
        count = f"  ◂ {self.index + 1:,} of {len(self._options):,} ▸  enter lists them"
        return Content.assemble((f"● {chosen.label}", "bold"), (said + count, "$text-muted"))

    @property
    def _all_fit(self) -> bool:
        if len(self._options) > _MOST_SIDE_BY_SIDE:
            return False
        # As much room as the longest choice takes, so that nothing moves from one to the next.
        said = max((len(show_json(option.value, 40)) + 3 for option in self._options if option.titled), default=0)
        return sum(cell_len(option.label) + 5 for option in self._options) - 3 + said <= self.content_size.width

    def validate_index(self, index: int) -> int:
        """Goes round at either end."""
        return index % len(self._options)

    def watch_index(self) -> None:
        """Tells of the new value."""
        self.post_message(self.Changed(self, self.value))

    def action_step(self, steps: int) -> None:
        """Goes to another option."""
        self.index += steps

    def action_list(self) -> None:
        """Shows all choices in a list that can be searched."""
        from inspector.tui.screens.pick import PickScreen

        names = [f"{o.label}  {show_json(o.value, 60)}" if o.titled else o.label for o in self._options]

        def take(index: int | None) -> None:
            if index is not None and self.is_attached:
                self.index = index

        self.app.push_screen(PickScreen("Choices", names, self.index), take)

    def on_click(self, event: events.Click) -> None:
        """Chooses what was clicked."""
        column = event.x - self.styles.padding.left
        if not self._all_fit:
            self.action_step(1)
            return
        for index, option in enumerate(self._options):
            column -= cell_len(option.label) + 2
            if column < 0:
                self.index = index
                return
            if index == self.index and option.titled:
                column -= len(show_json(option.value, 40)) + 3
            column -= 3
