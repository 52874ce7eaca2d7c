"""Runs the command line: in this process for most tests, since the SDK then loads once, else as a program."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from inspector.cli.main import main
from inspector.host.setup import Setup
from tests.servers.workspace import is_running, process_ids, scripted, text, tool, workspace_file


@dataclass(frozen=True)
class Ended:
    """How a run ended: the exit code, and what stood on standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output, in printable ASCII."""
        assert all(" " <= character <= "~" or character == "\n" for character in self.out)
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one line on standard error."""
        assert self.err.startswith("ra-inspector: ")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("ra-inspector: ").rstrip("\n")


Run = Callable[..., Ended]


@pytest.fixture
def opened() -> list[Setup]:
    """The setups that the terminal UI was opened on."""
    return []


@pytest.fixture
def run(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, opened: list[Setup]
) -> Run:
    """Runs the program with these words, in an empty folder of its own, with no terminal at hand."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def open_ui(setup: Setup) -> int:
        opened.append(setup)
        return 0

    def run(*words: str | Path, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        code = main([str(word) for word in words], open_ui)
        out, err = capfd.readouterr()
        return Ended(code, out, err)

    return run


class Servers:
    """Scripted servers, and the workspace file that names them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: dict[str, Any] = {}
        self.beside: dict[str, Any] = {}

    def add(self, name: str, *, entry: dict[str, Any] | None = None, **spec: Any) -> None:
        """Adds a server that does as `spec` says, with the fields of `entry` in the workspace file."""
        self.entries[name] = scripted(self.folder, name, **spec) | (entry or {})

    @property
    def file(self) -> Path:
        """The workspace file, as it now stands."""
        return workspace_file(self.folder, self.entries, **self.beside)

    def log(self, name: str) -> Path:
        """What the server received."""
        return self.folder / f"{name}.log"

    def processes(self) -> list[int]:
        """Every process that any of them started."""
        return [number for name in self.entries for number in process_ids(self.folder, name)]


@pytest.fixture
def servers(tmp_path: Path) -> Any:
    """An empty workspace to add servers to. None of their processes may be left at the end."""
    folder = tmp_path / "servers"
    folder.mkdir()
    found = Servers(folder)
    yield found
    assert [number for number in found.processes() if is_running(number)] == []


@pytest.fixture
def workspace(servers: Servers) -> Servers:
    """`outbox`, whose tool `send` cites `crm`, and `crm`, which has `crm://signals/42`."""
    servers.add(
        "crm", templates=["crm://signals/{id}"], reads={"crm://signals/42": text("crm://signals/42", "fünf")}
    )
    servers.add("outbox", tools=[tool("send", ["crm"])])
    return servers


def program(*words: str | Path, **settings: Any) -> subprocess.Popen[str]:
    """Starts the program as a child, with pipes for its three streams."""
    return subprocess.Popen(
        [sys.executable, "-m", "inspector", *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **settings,
    )
