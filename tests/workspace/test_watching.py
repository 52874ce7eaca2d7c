"""Which files a server is made of, and that a change of one is told, of its server alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.workspace.server import ServerEntry, Transport
from inspector.workspace.watching import Changed, find_watched, watch


def entry(name: str, *words: str, cwd: Path | None = None) -> ServerEntry:
    command, *args = words
    return ServerEntry(name, Transport.STDIO, command, tuple(args), cwd=str(cwd) if cwd else None)


def written(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_script_brings_the_sources_of_its_folder(tmp_path: Path) -> None:
    script = written(tmp_path / "crm" / "server.py")
    watched = find_watched(entry("crm", "python", "server.py", cwd=tmp_path / "crm"), Path("/"))
    assert watched.covers(script) and watched.covers(tmp_path / "crm" / "parts" / "signals.py")
    assert not watched.covers(tmp_path / "crm" / "notes.md") and not watched.covers(tmp_path / "other.py")


def test_a_module_is_found_where_the_server_is_started(tmp_path: Path) -> None:
    written(tmp_path / "crm" / "server" / "__init__.py")
    package = find_watched(entry("crm", "python", "-m", "crm.server"), tmp_path)
    assert package.covers(tmp_path / "crm" / "server" / "tools.py") and not package.covers(tmp_path / "a.py")


def test_words_that_are_no_files_and_servers_elsewhere_have_nothing_to_watch(tmp_path: Path) -> None:
    assert not list(find_watched(entry("crm", "no-such-command", "--port", "7", "a\0b"), tmp_path).folders())
    remote = ServerEntry("mail", Transport.HTTP, url="http://127.0.0.1:1/mcp")
    assert not list(find_watched(remote, tmp_path).folders())


def test_what_is_no_source_is_passed_over_and_home_is_not_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (".venv", "node_modules", "__pycache__", "parts"):
        written(tmp_path / folder / "a.py")
    written(tmp_path / "server.py")
    watched = find_watched(entry("crm", "python", "server.py"), tmp_path)
    assert set(watched.folders()) == {tmp_path, tmp_path / "parts"}
    monkeypatch.setenv("HOME", str(tmp_path))
    assert set(watched.folders()) == {tmp_path}


async def told(
    folder: Path, change: Callable[[], object], *entries: ServerEntry, file: Path | None = None
) -> Changed:
    """The first burst of changes after `change`."""
    stop = asyncio.Event()
    changes = watch(entries, folder, file, stop)
    first = asyncio.ensure_future(anext(changes))
    await asyncio.sleep(0.5)
    change()
    try:
        return await asyncio.wait_for(first, 10)
    finally:
        stop.set()
        await changes.aclose()


async def test_a_change_is_told_of_its_server_alone(tmp_path: Path) -> None:
    crm, mail = written(tmp_path / "crm" / "crm.py"), written(tmp_path / "mail" / "mail.py")
    entries = [entry("crm", "python", str(crm)), entry("mail", "python", str(mail))]
    changed = await told(tmp_path, lambda: crm.write_text("x"), *entries)
    assert (changed.servers, changed.workspace_file) == (("crm",), False)


async def test_an_editor_that_writes_beside_and_renames_is_seen(tmp_path: Path) -> None:
    script = written(tmp_path / "crm.py")

    def rename() -> None:
        written(tmp_path / "crm.py.new", "x").replace(script)

    assert (await told(tmp_path, rename, entry("crm", "python", "crm.py"))).servers == ("crm",)


async def test_the_workspace_file_is_told_apart(tmp_path: Path) -> None:
    file = written(tmp_path / "mcp.json", "{}")
    changed = await told(tmp_path, lambda: file.write_text("{ }"), file=file)
    assert changed == Changed((), workspace_file=True)


async def test_where_nothing_is_to_be_watched_it_ends(tmp_path: Path) -> None:
    assert [change async for change in watch([], tmp_path, None, asyncio.Event())] == []
