"""However the program is left, no server stays behind."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.host.playing import crm, outbox
from tests.servers.workspace import workspace_file
from tests.terminal import Terminal, running

ENTER_ALTERNATE_SCREEN, LEAVE_ALTERNATE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
CALL = '{"citations": ["crm://signals/1", "mail://1"]}'


def opened(folder: Path, size: tuple[int, int]) -> Terminal:
    made = {"crm": crm(folder), "outbox": outbox(folder)}
    path = workspace_file(folder, made)
    command = [sys.executable, "-m", "inspector", "open", "outbox/send", "-w", str(path), "--args", CALL]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    return Terminal(command, *size, environment)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_program_and_every_server(tmp_path: Path, number: signal.Signals) -> None:
    with opened(tmp_path, (80, 24)) as terminal:
        terminal.until("✓ 2 of 2 connected")
        children = terminal.descendants()
        os.kill(terminal.pid, number)
        assert terminal.wait(15)
        assert terminal.status == 128 + number, terminal.text
        assert not running(children)


def test_leaving_while_servers_start_leaves_none(tmp_path: Path) -> None:
    with opened(tmp_path, (80, 24)) as terminal:
        terminal.until("Compose")
        terminal.press("ctrl+q")
        assert terminal.wait(15)
        assert terminal.status == 0, terminal.text
        assert not terminal.descendants()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_with_the_first_frame_leaves_without_a_trace(tmp_path: Path, number: signal.Signals) -> None:
    """The widgets are being made then, and not all of them find each other any more."""
    for _ in range(3):
        with opened(tmp_path, (80, 24)) as terminal:
            terminal.until_bytes(ENTER_ALTERNATE_SCREEN)
            os.kill(terminal.pid, number)
            assert terminal.wait(15) and terminal.status == 128 + number
            assert terminal.printed_after(LEAVE_ALTERNATE_SCREEN) == ""
