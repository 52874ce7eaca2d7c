"""However a command ends, no child is left, and nothing is printed that nobody asked for."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Servers, program
from tests.servers.workspace import is_running, received, tool


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_hanging_call_quietly(servers: Servers, number: signal.Signals, code: int) -> None:
    stubborn = number == signal.SIGINT
    servers.add("outbox", tools=[tool("send")], calls={"send": {"hang": True}}, stubborn=stubborn, child=True)
    process = program("call", "-w", servers.file, "outbox/send")
    deadline = time.monotonic() + 60
    while not received(servers.log("outbox"), "tools/call"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (code, "", "")
    assert len(servers.processes()) == 2
    assert not any(map(is_running, servers.processes()))


def test_a_server_that_never_answers_its_handshake_does_not_hang_the_command(run: Run, workspace: Servers) -> None:
    workspace.add("silent", entry={"connectionTimeout": 500}, startup={"hang": True})
    ended = run("preview", "-w", workspace.file, "outbox/send", "--json")
    assert ended.code == 0
    assert ended.error.startswith("silent: no answer")


def test_a_reader_that_goes_away_is_no_fault(servers: Servers) -> None:
    servers.add("crm", templates=[f"crm://{number}/{{id}}" for number in range(5000)])
    process = program("owners", "-w", servers.file, "--json")
    assert process.stdout is not None
    os.read(process.stdout.fileno(), 1)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(timeout=30) == 141


def test_nothing_but_the_document_stands_on_standard_output(workspace: Servers) -> None:
    """A server that writes noise to both of its streams is no exception."""
    workspace.add("crm", startup={"stdout": "starting up", "stderr": "hello\n"}, templates=["crm://{id}"])
    process = program("owners", "crm://1", "-w", workspace.file, "--json")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("{\n")
    assert out.endswith("}\n")


def test_a_fault_of_its_own_is_one_line_and_debug_adds_the_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("inspector.cli.show.make_setup", broken)
    ended = run("show", "--demo")
    assert (ended.code, ended.error) == (
        3,
        "a fault of this program's own: RuntimeError: planted; --debug shows where",
    )
    ended = run("--debug", "show", "--demo")
    assert "Traceback (most recent call last)" in ended.err
    assert ended.err.endswith("ra-inspector: a fault of this program's own: RuntimeError: planted\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_before_anything_runs_leaves_no_folder_of_the_demo(
    tmp_path: Path, number: signal.Signals
) -> None:
    process = program("show", "--demo", env={**os.environ, "TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 30
    while not list(tmp_path.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (128 + number, "", "")
    assert list(tmp_path.iterdir()) == []


def test_closed_standard_streams_are_no_fault(workspace: Servers) -> None:
    """The document goes nowhere, and no child's pipe stands where a stream is looked for."""
    words = ["preview", "-w", str(workspace.file), "outbox/send", "--args", "-"]
    command = shlex.join([sys.executable, "-m", "inspector", *words])

    def run(redirections: str) -> subprocess.CompletedProcess[str]:
        shell = ["sh", "-c", f"{command} {redirections}"]
        return subprocess.run(shell, capture_output=True, text=True, timeout=60, check=False)

    ended = run("<&-")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "ra-inspector: --args -: is not JSON: expecting value at line 1, column 1\n"
    ended = run("0>/dev/null 2>&-")
    assert (ended.returncode, ended.stdout) == (2, "")


def test_the_terminal_ui_needs_a_terminal(workspace: Servers) -> None:
    process = program("open", "-w", workspace.file)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.startswith("ra-inspector: the terminal UI needs a terminal")
    assert workspace.processes() == []
