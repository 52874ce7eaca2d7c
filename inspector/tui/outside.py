"""Opens text in a person's own editor or pager, while the servers stay connected and the screen is theirs."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from textual.app import SuspendNotSupported

from inspector.host.visible import visible
from inspector.tui.base_app import BaseApp

_SLICE: Final = 1 << 16


class CannotOpen(Exception):
    """No program could be opened, or it failed. The text is one line that says why and what to do."""


def editor_command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The words of `$VISUAL`, else `$EDITOR`. Raises CannotOpen where neither is set."""
    words = _words(environment.get("VISUAL") or environment.get("EDITOR"))
    if not words:
        raise CannotOpen("No editor is set: set $VISUAL or $EDITOR, as in EDITOR=nano.")
    return words


def pager_command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The words of `$PAGER`. Raises CannotOpen where it is not set."""
    words = _words(environment.get("PAGER"))
    if not words:
        raise CannotOpen("No pager is set: set $PAGER, as in PAGER=less.")
    return words


async def open_outside(
    app: BaseApp, command: Sequence[str], text: str, *, suffix: str = ".txt", editable: bool = False
) -> str:
    """Opens a text in a program until the person leaves it. Returns the text as it was left.

    The program gets a file that the person alone can read, and no one write unless `editable`; it is gone
    afterwards. Raises CannotOpen.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="ra-inspector-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / f"text{suffix}"
            await asyncio.to_thread(_write, path, text, editable)
            await _run(app, [*command, str(path)])
            return await asyncio.to_thread(_read, path) if editable else text
    except OSError as error:
        raise CannotOpen(f"{command[0]} cannot be opened: {error.strerror or error}.") from error


async def _run(app: BaseApp, words: Sequence[str]) -> None:
    failure: OSError | None = None
    code = 0
    try:
        # Nothing is drawn meanwhile, and what runs goes on. Textual does not come back from an exception in here.
        with app.batch_update(), app.suspend():
            app.outside = True
            try:
                process = await asyncio.create_subprocess_exec(*words)
                code = await process.wait()
            except OSError as error:
                failure = error
            finally:
                app.outside = False
    except SuspendNotSupported:
        raise CannotOpen("This terminal cannot be handed to another program.") from None
    if failure is not None:
        raise failure
    if code:
        raise CannotOpen(f"{words[0]} ended with {code}: nothing was taken over.")


def _words(command: str | None) -> list[str]:
    try:
        return shlex.split(command or "")
    except ValueError as error:
        raise CannotOpen(f"The command {visible(command or '', 80)} is not well formed: {error}.") from None


def _write(path: Path, text: str, editable: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        for start in range(0, len(text), _SLICE):
            file.write(text[start : start + _SLICE])
    if not editable:
        path.chmod(0o400)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise CannotOpen(f"The text was not saved as UTF-8: byte {error.start + 1} is none.") from None
