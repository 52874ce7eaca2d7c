"""Tells when the files that a server is made of change, or the workspace file: for `--watch`.

It uses watchfiles, whose thread ends with the watching. What is watched is bounded: the folder of a script that a
server's command names, and the folders below it, as far as they are source.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from inspector.workspace.server import ServerEntry, Transport

MOST_FOLDERS: Final = 500
"""Folders that are watched for one server at most."""

_DEEPEST: Final = 6
_PASSED_OVER: Final = frozenset(("node_modules", "__pycache__", "site-packages", "venv", "dist", "build"))
_DEBOUNCE: Final = 300
"""Milliseconds of quiet after a change: an editor writes a file in steps."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched for one server: single files, and below a folder the files of some suffixes."""

    files: frozenset[Path] = frozenset()
    sources: tuple[tuple[Path, str], ...] = ()

    def covers(self, path: Path) -> bool:
        """Whether a change of that file is a change of the server."""
        return path in self.files or any(
            path.suffix == suffix and path.is_relative_to(folder) for folder, suffix in self.sources
        )

    def folders(self) -> Iterator[Path]:
        """The folders in which something of it may change."""
        yield from {file.parent for file in self.files}
        for folder, _ in self.sources:
            yield from _source_folders(folder)


@dataclass(frozen=True, slots=True)
class Changed:
    """What changed on the disk: servers by name, and whether the workspace file did."""

    servers: tuple[str, ...]
    workspace_file: bool = False
    lost: tuple[Path, ...] = field(default=())
    """Folders that were watched and are gone."""


def find_watched(entry: ServerEntry, base: Path) -> Watched:
    """The files of a server's command: what its words name, from `base` or its own folder.

    A script brings the sources of its folder, as a module that `-m` names does; a server that is reached over the
    network has none.
    """
    if entry.transport is not Transport.STDIO:
        return Watched()
    folder = base / entry.cwd if entry.cwd else base
    files: set[Path] = set()
    sources: dict[tuple[Path, str], None] = {}
    words = [entry.command, *entry.args]
    for index, word in enumerate(words):
        module = _module(folder, word) if index > 0 and words[index - 1] == "-m" else None
        if module is not None:
            sources[module, ".py"] = None
            continue
        path = _existing_file(folder, word)
        if path is None:
            continue
        files.add(path)
        if index > 0 and path.suffix:
            sources[path.parent, path.suffix] = None
    return Watched(frozenset(files), tuple(sources))


def _existing_file(folder: Path, word: str) -> Path | None:
    if not word or word.startswith("-") or "\0" in word:
        return None
    try:
        path = (folder / word).absolute()
        return path if path.is_file() else None
    except OSError:
        return None


def _module(folder: Path, name: str) -> Path | None:
    path = folder.absolute().joinpath(*name.split("."))
    if path.is_dir():
        return path
    return path.parent if path.with_suffix(".py").is_file() else None


def _source_folders(root: Path) -> Iterator[Path]:
    yield root
    if root in (Path.home(), Path(root.anchor)):
        # A script that lies at home has not all of it for its sources.
        return
    found = 1
    for folder, below, _ in os.walk(root):
        depth = len(Path(folder).relative_to(root).parts)
        below[:] = [name for name in below if name not in _PASSED_OVER and not name.startswith(".")]
        if depth >= _DEEPEST:
            below.clear()
        for name in below:
            found += 1
            if found > MOST_FOLDERS:
                return
            yield Path(folder) / name


async def watch(
    entries: Iterable[ServerEntry], base: Path, workspace_file: Path | None, stop: asyncio.Event
) -> AsyncIterator[Changed]:
    """Gives each burst of changes until `stop` is set. `base` is what relative paths of entries count from.

    `workspace_file` is an absolute path, or None. Ends by itself where there is nothing to watch.
    """
    from watchfiles import awatch

    watched, folders = await asyncio.to_thread(_plan, tuple(entries), base, workspace_file)
    if not folders:
        return
    async for changes in awatch(
        *folders,
        watch_filter=None,
        debounce=_DEBOUNCE,
        recursive=False,
        stop_event=stop,
        ignore_permission_denied=True,
    ):
        paths = [Path(path) for _, path in changes]
        servers = tuple(name for name, what in watched.items() if any(map(what.covers, paths)))
        lost = tuple(path for path in paths if path in folders and not path.exists())
        own = workspace_file in paths
        if servers or lost or own:
            yield Changed(servers, own, lost)


def _plan(
    entries: Iterable[ServerEntry], base: Path, workspace_file: Path | None
) -> tuple[Mapping[str, Watched], frozenset[Path]]:
    watched = {entry.name: find_watched(entry, base) for entry in entries}
    found = {folder for what in watched.values() for folder in what.folders()}
    if workspace_file is not None:
        found.add(workspace_file.parent)
    return watched, frozenset(folder for folder in found if folder.is_dir())
