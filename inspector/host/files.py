"""Files written whole or not at all, and never over another without being told to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[str], *, replace: bool = False) -> int:
    """Writes text as UTF-8, for its owner's eyes alone; the number of bytes written.

    It is written beside its place, made sure of, and moved there: a crash leaves what was there before. Raises
    FileExistsError where the file is there and is not to be replaced, and any OSError of the system.
    """
    if not replace and path.exists():
        raise FileExistsError(f"{path} is there already")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            size = 0
            for piece in pieces:
                # What JSON-RPC cannot carry, a lone surrogate, is no reason to lose the rest.
                size += file.write(piece.encode("utf-8", "surrogatepass"))
            file.flush()
            os.fsync(file.fileno())
        if not replace:
            # Takes the name first: between a look and a move another program might write there.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _make_sure(path.parent)
    return size


def _make_sure(folder: Path) -> None:
    """Has the folder itself written out, where the system can do so: the move is in it."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
