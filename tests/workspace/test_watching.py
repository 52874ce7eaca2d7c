"""Which files belong to a server, and that a change of them is told: on disk, with a real watcher."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.workspace.server import ServerEntry, Transport
from inspector.workspace.watching import Target, target_of, watch

LIMIT = 10.0


def entry(folder: Path, *args: str, command: str = "python", env: dict[str, str] | None = None) -> ServerEntry:
    return ServerEntry("crm", Transport.STDIO, command=command, args=args, cwd=str(folder), env=env or {})


def made(folder: Path, *names: str) -> list[Path]:
    """These files below the folder, with something in them."""
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n", encoding="utf-8")
    return paths


class Watched:
    """What a watcher told so far."""

    def __init__(self) -> None:
        self.told: list[str | None] = []
        self.news = asyncio.Event()

    async def until(self, *servers: str | None) -> None:
        async with asyncio.timeout(LIMIT):
            while self.told != list(servers):
                await self.news.wait()
                self.news.clear()


@asynccontextmanager
async def watching(*targets: Target) -> AsyncIterator[Watched]:
    watched = Watched()

    async def follow() -> None:
        async for changed in watch(targets):
            watched.told += [target.server for target in changed]
            watched.news.set()

    task = asyncio.create_task(follow())
    try:
        await asyncio.sleep(0.3)
        yield watched
    finally:
        task.cancel()
        await asyncio.wait([task])


def test_files_named_in_a_command_belong_to_the_server_as_does_the_folder_of_a_script(tmp_path: Path) -> None:
    script, data, tool = made(tmp_path, "code/server.py", "data.json", "bin/serve")
    assert target_of(entry(tmp_path, "-u", "code/server.py", "--data", "data.json", "gone.py")) == Target(
        "crm", (script, data), (script.parent,)
    )
    assert target_of(entry(tmp_path, command="./bin/serve")).files == (tmp_path / "bin/serve",) == (tool,)
    assert not target_of(entry(tmp_path, "x" * 10_000, "a\0b", "", "."))
    assert not target_of(ServerEntry("crm", Transport.HTTP, url="http://127.0.0.1:1/mcp"))


def test_a_python_module_is_found_where_python_finds_it(tmp_path: Path) -> None:
    module, package = made(tmp_path, "app/server.py", "src/crm/__main__.py")
    assert target_of(entry(tmp_path, "-m", "app.server")) == Target("crm", (module,), (module.parent,))
    assert target_of(entry(tmp_path, "-m", "crm", env={"PYTHONPATH": "src"})).files == (package,)
    assert not target_of(entry(tmp_path, "-m"))


async def test_only_code_of_the_server_counts(tmp_path: Path) -> None:
    script, module, *others = made(
        tmp_path,
        "server.py",
        "deep/er/module.py",
        "notes.txt",
        ".venv/x.py",
        "node_modules/x.py",
        "__pycache__/x.py",
    )
    async with watching(target_of(entry(tmp_path, "server.py"))) as watched:
        for path in others:
            path.write_text("other", encoding="utf-8")
        await asyncio.sleep(0.6)
        assert watched.told == []
        module.write_text("changed", encoding="utf-8")
        await watched.until("crm")
        fresh = tmp_path / "server.py.new"
        fresh.write_text("saved by an editor that renames", encoding="utf-8")
        fresh.rename(script)
        await watched.until("crm", "crm")


async def test_a_folder_that_vanishes_and_comes_back_is_told_of_and_watched_on(tmp_path: Path) -> None:
    (script,) = made(tmp_path, "code/server.py")
    (file,) = made(tmp_path, "mcp.json")
    async with watching(target_of(entry(tmp_path, str(script))), Target(None, (file,))) as watched:
        shutil.rmtree(script.parent)
        await watched.until("crm")
        made(tmp_path, "code/server.py")
        await watched.until("crm", "crm")
        file.write_text("{}", encoding="utf-8")
        await watched.until("crm", "crm", None)


async def test_a_link_is_followed_and_a_folder_made_later_is_watched(tmp_path: Path) -> None:
    (script,) = made(tmp_path, "real/server.py")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/server.py").symlink_to(script)
    async with watching(target_of(entry(tmp_path / "bin", "server.py"))) as watched:
        script.write_text("changed", encoding="utf-8")
        await watched.until("crm")
        (module,) = made(tmp_path, "bin/parts/module.py")
        await watched.until("crm", "crm")
        module.write_text("changed", encoding="utf-8")
        await watched.until("crm", "crm", "crm")


async def test_a_script_at_home_has_not_all_of_it_for_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    _, beside, below = made(tmp_path, "server.py", "beside.py", "letters/old.py")
    async with watching(target_of(entry(tmp_path, "server.py"))) as watched:
        below.write_text("no code of the server", encoding="utf-8")
        await asyncio.sleep(0.6)
        assert watched.told == []
        beside.write_text("changed", encoding="utf-8")
        await watched.until("crm")


async def test_servers_that_share_a_folder_are_told_together(tmp_path: Path) -> None:
    (script,) = made(tmp_path, "server.py")
    names = [f"s{number}" for number in range(50)]
    async with watching(
        *(replace(target_of(entry(tmp_path, "server.py")), server=name) for name in names)
    ) as watched:
        script.write_text("changed", encoding="utf-8")
        await watched.until(*names)


async def test_a_script_that_another_server_is_started_by_is_no_code_of_its_neighbour(tmp_path: Path) -> None:
    one, _, shared = made(tmp_path, "one.py", "two.py", "shared.py")
    targets = [replace(target_of(entry(tmp_path, f"{name}.py")), server=name) for name in ("one", "two")]
    async with watching(*targets) as watched:
        one.write_text("changed", encoding="utf-8")
        await watched.until("one")
        shared.write_text("changed", encoding="utf-8")
        await watched.until("one", "one", "two")
