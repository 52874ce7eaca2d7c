"""Where Textual's app is not quite what is wanted here: how keys are written, its palette, and how it fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual.app import App
from textual.binding import Binding
from textual.command import CommandList, CommandPalette, Provider
from textual.css.query import NoMatches
from textual.filter import LineFilter
from textual.widget import MountError
from textual.worker import WorkerFailed

from inspector.tui.contrast import SixteenColors

_SIXTEEN: Final = SixteenColors()


class Palette(CommandPalette):
    """Textual's palette, which also stands a paging key that comes before its list is laid out."""

    def _action_command_list(self, action: str) -> None:
        commands = self.query_one(CommandList)
        if commands.option_count and commands.size.height:
            super()._action_command_list(action)


def _commands() -> type[Provider]:
    from inspector.tui.commands import InspectorCommands

    return InspectorCommands


class BaseApp(App[None]):
    """An app with our palette, with `F1` for `f1`, and whose failures show no values."""

    COMMANDS: ClassVar[set[Any]] = {_commands}
    CSS = """
    CommandPalette > Vertical { width: 76; max-width: 96%; margin-top: 2; background: $surface; }
    CommandPalette #--input { border: none; padding: 0 1; }
    CommandPalette #--input SearchIcon { display: none; }
    CommandPalette CommandInput { border: none; height: 1; padding: 0 1; margin: 1 0; background: $panel; }
    Toast { width: 70; max-width: 80%; }
    """

    outside = False
    """Whether another program, a person's editor say, has the terminal."""

    def action_command_palette(self) -> None:
        """Opens the palette of commands and tools."""
        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            self.push_screen(Palette(id="--command-palette"))

    def get_key_display(self, binding: Binding) -> str:
        """How a key is written: `^r`, `F1`."""
        shown = super().get_key_display(binding)
        return shown.upper() if shown[:1] == "f" and shown[1:].isdigit() else shown

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What changes each line before it is drawn; last, to the sixteen colours of a terminal with no more."""
        filters = super().get_line_filters()
        few = not self.is_headless and self.console.color_system == "standard"
        return [*filters, _SIXTEEN] if few else filters

    def _handle_exception(self, error: Exception) -> None:
        # Leaving takes the widgets away under whatever was about to use them: that is no fault.
        cause = error.error if isinstance(error, WorkerFailed) else error
        if not (self._exit and isinstance(cause, NoMatches | MountError)):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # Textual's own shows the values of local variables, and those may hold a server's secrets.
        from rich.traceback import Traceback

        self.bell()
        self._exit_renderables.append(Traceback(show_locals=False, width=None))
        self._close_messages_no_wait()
