"""The main job through the installed program, on a real pseudo-terminal: what a person's terminal gets."""

from __future__ import annotations

import json
import os
import sys
import termios
from pathlib import Path

import pytest

from tests.terminal import Terminal, running

PROGRAM = str(Path(sys.executable).with_name("ra-inspector"))
ARGUMENTS = {
    "body": "Congratulations on the funding round.",
    "citations": ["crm://signals/42", "crm://signals/7", "mail://inbox/1"],
}
LEAVE_ALTERNATE_SCREEN = b"\x1b[?1049l"


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (140, 40)])
@pytest.mark.parametrize(("resolve", "send"), [("ctrl+r", "ctrl+j"), ("f5", "f6")])
def test_a_call_is_resolved_shown_and_sent(
    tmp_path: Path, columns: int, rows: int, resolve: str, send: str
) -> None:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    command = [PROGRAM, "demo", "outbox/send_with_citations", "--args", json.dumps(ARGUMENTS)]
    with Terminal(command, columns, rows, environment) as terminal:
        before = terminal.attributes()
        terminal.until("5 of 5")
        children = terminal.descendants()
        assert len(children) >= 5

        terminal.until("to be read")
        terminal.press(resolve)
        terminal.until("✓ resolved")
        terminal.press(send)
        terminal.until("isError")
        terminal.until("Not sent.")

        terminal.press("ctrl+q")
        assert terminal.wait(20)
        assert terminal.status == 0
        assert running(children) == []
        assert terminal.attributes() == before
        # Nothing but control sequences after the program's screen was left: no stray output.
        assert terminal.printed_after(LEAVE_ALTERNATE_SCREEN) == ""


def test_a_hangup_leaves_no_child(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    with Terminal([PROGRAM, "demo"], 80, 24, environment) as terminal:
        terminal.until("5 of 5")
        children = terminal.descendants()
        terminal.terminate()
        assert terminal.wait(20)
        assert running(children) == []


def test_terminal_attributes_are_those_of_a_cooked_terminal() -> None:
    """What the test above compares with is a terminal that echoes and reads by lines."""
    with Terminal(["cat"], 80, 24, dict(os.environ)) as terminal:
        flags = terminal.attributes()[3]
        assert isinstance(flags, int)
        assert flags & termios.ECHO
        assert flags & termios.ICANON
