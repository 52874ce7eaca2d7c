"""Where copied text goes: the system's clipboard, the terminal's over SSH, or a file. Says which it was."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from platformdirs import user_state_path
from textual.app import App

_TERMINAL_LIMIT: Final = 74_000
"""Bytes that terminals take by OSC 52: many pass over more in silence."""

_LIMIT: Final = 5.0
"""Seconds that the system's clipboard may take."""


async def copy_text(app: App[Any], text: str, what: str, *, suffix: str = ".txt") -> str:
    """Copies a text and returns what to tell the person, in a sentence. `what` names it: `the _meta`.

    `suffix` is that of the file, where no clipboard takes it. Raises OSError where no file can be written either.
    """
    if not _is_remote(os.environ) and await _to_system(text):
        return f"Copied {what} to the clipboard."
    size = len(text.encode("utf-8", "surrogatepass"))
    if _is_remote(os.environ) and size <= _TERMINAL_LIMIT:
        app.copy_to_clipboard(text)
        return f"Copied {what} by way of the terminal (OSC 52)."
    path = await asyncio.to_thread(_to_file, text, what, suffix)
    return f"Copied {what} to {path}: there is no clipboard that takes it."


def _is_remote(environment: Mapping[str, str]) -> bool:
    """Over SSH the system's clipboard is another machine's: the terminal has the person's."""
    return bool(environment.get("SSH_CONNECTION") or environment.get("SSH_TTY"))


async def _to_system(text: str) -> bool:
    try:
        async with asyncio.timeout(_LIMIT):
            return await asyncio.to_thread(_copy, text)
    except TimeoutError:
        return False


def _copy(text: str) -> bool:
    import pyperclip

    if not pyperclip.is_available():
        return False
    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        # No clipboard after all: the caller goes on to the next place and says which.
        return False
    return True


def _to_file(text: str, what: str, suffix: str) -> Path:
    """A new file, readable by the person alone, in the folder of copies."""
    folder = user_state_path("ra-inspector", appauthor=False) / "copies"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9_]+", "-", what).strip("-")[:40]
    handle, name = tempfile.mkstemp(suffix=suffix, prefix=f"{stem}-", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return Path(name)
