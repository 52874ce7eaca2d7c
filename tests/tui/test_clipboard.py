"""Copied text goes where the person can paste it from, and the notice says where that is."""

from __future__ import annotations

import stat
from pathlib import Path

import pyperclip
import pytest
from textual.app import App

from inspector.tui.clipboard import copy_text


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    for name in ("SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return monkeypatch


async def test_the_systems_clipboard_takes_it_where_there_is_one(local: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    local.setattr(pyperclip, "is_available", lambda: True)
    local.setattr(pyperclip, "copy", taken.append)
    assert await copy_text(App(), "text", "the _meta") == "Copied the _meta to the clipboard."
    assert taken == ["text"]


async def test_over_ssh_the_terminal_takes_it(local: pytest.MonkeyPatch) -> None:
    local.setenv("SSH_TTY", "/dev/pts/1")
    app = App[None]()
    async with app.run_test():
        assert await copy_text(app, "text", "the value") == "Copied the value by way of the terminal (OSC 52)."
        assert app.clipboard == "text"


@pytest.mark.parametrize("remote", [False, True])
async def test_else_a_private_file_takes_it(local: pytest.MonkeyPatch, tmp_path: Path, remote: bool) -> None:
    local.setattr(pyperclip, "is_available", lambda: False)
    if remote:
        local.setenv("SSH_CONNECTION", "a b c d")
    text = "é" * 100_000
    said = await copy_text(App(), text, "the result", suffix=".json")
    (path,) = (tmp_path / "ra-inspector" / "copies").iterdir()
    assert said == f"Copied the result to {path}: there is no clipboard that takes it."
    assert path.read_text("utf-8") == text
    assert path.name.startswith("the-result-") and path.suffix == ".json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_clipboard_that_fails_is_passed_over(local: pytest.MonkeyPatch) -> None:
    def fails(text: str) -> None:
        raise pyperclip.PyperclipException("gone")

    local.setattr(pyperclip, "is_available", lambda: True)
    local.setattr(pyperclip, "copy", fails)
    assert "there is no clipboard" in await copy_text(App(), "text", "the _meta")
