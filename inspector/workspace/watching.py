"""Which files a server is made of, and when they change on disk.

Watched are folders, each for itself: an editor that saves by renaming leaves no file to watch. What counts as a
change is decided by looking at the files, so that nothing else that happens in those folders does.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import os
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from inspector.workspace.server import ServerEntry, Transport

_IGNORED: Final = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})
"""Folders that hold no code of the person's; those whose name begins with a dot neither."""

_FOLDERS: Final = 200
"""Folders below a script's own that are looked into at most."""

_FILES: Final = 2_000
"""Files of one server that are looked at most."""

_QUIET: Final = 200
"""Milliseconds without another change before one is told: a save comes in several steps."""

_WAIT: Final = 500
"""Milliseconds that one wait for news takes."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is watched for one server; `server` is None for the workspace file itself.

    `files` are watched as they are, of each of `folders` every `*.py` in it and below.
    """

    server: str | None
    files: tuple[Path, ...]
    folders: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files or self.folders)


Print = Mapping[Path, tuple[int, int, int]]
"""What tells two states of a target's files apart: time of change in nanoseconds, size and inode of each."""


def target_of(entry: ServerEntry) -> Target:
    """The files named in the command of a server that there are, and the folder of a Python script or module.

    Relative ones count from the entry's `cwd`, else from the current folder. A server that is reached by a URL has
    none, nor has a command that is looked up on the PATH.
    """
    if entry.transport is not Transport.STDIO:
        return Target(entry.name, ())
    folder = Path(entry.cwd) if entry.cwd else Path.cwd()
    words = [entry.command, *entry.args] if os.sep in entry.command else list(entry.args)
    files = [path for word in words if (path := _file(folder, word)) is not None]
    if "-m" in entry.args[:-1]:
        module = entry.args[entry.args.index("-m") + 1]
        roots = [folder, *_python_path(entry, folder)]
        files += [path for root in roots if (path := _module(root, module)) is not None][:1]
    scripts = [path for path in files if path.suffix == ".py"]
    return Target(entry.name, tuple(dict.fromkeys(files)), tuple(dict.fromkeys(path.parent for path in scripts)))


def _file(folder: Path, word: str) -> Path | None:
    try:
        path = folder / word
        return path if word and path.is_file() else None
    except (OSError, ValueError):
        # A word too long for a name, or with a NUL in it, is no file.
        return None


def _python_path(entry: ServerEntry, folder: Path) -> Iterator[Path]:
    return (folder / part for part in entry.env.get("PYTHONPATH", "").split(os.pathsep) if part)


def _module(root: Path, module: str) -> Path | None:
    stem = module.replace(".", os.sep)
    return _file(root, f"{stem}.py") or _file(root, f"{stem}{os.sep}__main__.py")


async def watch(targets: Sequence[Target]) -> AsyncIterator[tuple[Target, ...]]:
    """Each time that files of these targets change: the targets they belong to. Goes on until it is closed.

    A file or a folder that vanishes is a change, and so is its coming back. Raises OSError where a folder cannot
    be watched, as where the system allows no more of it.
    """
    awatch = (await asyncio.to_thread(importlib.import_module, "watchfiles")).awatch
    seen, folders = await asyncio.to_thread(_look, targets)
    while True:
        news = awatch(
            *folders,
            watch_filter=None,
            debounce=10 * _QUIET,
            step=_QUIET,
            rust_timeout=_WAIT,
            yield_on_timeout=True,
            recursive=False,
        )
        try:
            # Looked once more after the first wait: something may have changed before it began.
            first = True
            async for changes in news:
                if not changes and not first:
                    continue
                first = False
                now, there = await asyncio.to_thread(_look, targets)
                changed = tuple(target for target in targets if now[target] != seen[target])
                seen = now
                if changed:
                    yield changed
                if there != folders:
                    folders = there
                    break
            else:
                return
        finally:
            await news.aclose()


def _look(targets: Iterable[Target]) -> tuple[Mapping[Target, Print], tuple[Path, ...]]:
    """The state of each target's files, and the folders in which a change of it shows."""
    prints: dict[Target, Print] = {}
    watched: dict[Path, None] = {}
    # Looked at once, however many servers share it: they are then told of a change together.
    walk, state = functools.cache(lambda root: tuple(_walk(root))), functools.cache(_state)
    scripts_of_others = {path for target in targets for path in target.files}
    for target in targets:
        files = dict.fromkeys(target.files)
        # A link changes where it stands, and where it leads.
        beside = (folder for path in target.files for folder in (path.parent, path.resolve().parent))
        for folder in dict.fromkeys((*target.folders, *beside)):
            watched[_nearest(folder)] = None
        for root in target.folders:
            for folder, scripts in walk(root):
                watched[folder] = None
                # What another server is started by, beside it in the folder, is no code of this one.
                own = [script for script in scripts if script not in scripts_of_others]
                files.update(dict.fromkeys(own[: max(0, _FILES - len(files))]))
        prints[target] = {path: found for path in files if (found := state(path)) is not None}
    return prints, tuple(watched)


def _nearest(folder: Path) -> Path:
    """That folder; where it is gone, the nearest above it: there it shows when it comes back."""
    return next((path for path in (folder, *folder.parents) if path.is_dir()), Path(folder.anchor or "."))


def _walk(root: Path) -> Iterator[tuple[Path, list[Path]]]:
    """That folder and those below it with their `*.py`, the nearest first."""
    # A script that lies at home has not all of it for its code.
    waiting, taken = deque([root]), _FOLDERS if root in (Path.home(), Path(root.anchor)) else 1
    while waiting:
        folder = waiting.popleft()
        try:
            with os.scandir(folder) as found:
                items: list[os.DirEntry[Any]] = sorted(found, key=lambda item: item.name)
        except OSError:
            # Gone meanwhile, or closed to this person: no code of the server is there.
            continue
        for item in items:
            code = not (item.name.startswith(".") or item.name in _IGNORED)
            if code and taken < _FOLDERS and item.is_dir(follow_symlinks=False):
                waiting.append(Path(item.path))
                taken += 1
        yield folder, [Path(item.path) for item in items if item.name.endswith(".py")]


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
