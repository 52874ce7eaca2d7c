"""A terminal with sixteen colours, or none: what stands on it is read, and the cursor and the tabs are seen."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.host.playing import crm, outbox
from tests.servers.workspace import workspace_file
from tests.terminal import Terminal


def opened(folder: Path, *variables: str) -> Terminal:
    path = workspace_file(folder, {"crm": crm(folder), "outbox": outbox(folder)})
    command = ["env", "-u", "COLORTERM", *variables, sys.executable, "-m", "inspector", "open", "-w", str(path)]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    return Terminal(command, 120, 30, environment)


def leave_field_and_press(terminal: Terminal, key: str) -> None:
    """Apart in time: a key that comes right after Esc is another key."""
    terminal.press("escape")
    terminal.read(0.4)
    terminal.press(key)
    terminal.read(0.4)


def test_on_sixteen_colours_no_text_has_the_colour_of_its_ground(tmp_path: Path) -> None:
    with opened(tmp_path, "TERM=xterm") as terminal:
        terminal.until("✓ 2 of 2 connected")
        for key in "s25h":
            leave_field_and_press(terminal, key)
            colours = set()
            for row in range(30):
                for column in range(120):
                    cell = terminal.screen.buffer[row][column]
                    colours.add(cell.fg)
                    assert cell.data == " " or cell.fg != cell.bg, f"{row}, {column}:\n{terminal.text}"
            assert all(colour.isalpha() for colour in colours), "they are the terminal's own"


def test_without_colour_the_cursor_and_the_tab_are_seen_by_what_they_are(tmp_path: Path) -> None:
    with opened(tmp_path, "NO_COLOR=1", "TERM=xterm-256color") as terminal:
        terminal.until("✓ 2 of 2 connected")
        leave_field_and_press(terminal, "s")
        buffer = terminal.screen.buffer
        row = next(n for n, line in enumerate(terminal.screen.display) if "crm" in line and "20" in line)
        assert buffer[row][4].reverse, "the row with the cursor"
        tabs = terminal.screen.display[1]
        assert buffer[1][tabs.index("Compose")].underscore and not buffer[1][tabs.index("Browse")].underscore
