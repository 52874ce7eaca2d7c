"""Puts what a server sent into a file that a person names."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

_LONGEST: Final = 80
"""Characters of a file's name that is proposed."""


class SaveError(Exception):
    """It could not be saved. Its text is one line: the file and why."""


@dataclass(frozen=True, slots=True)
class Saveable:
    """Something to save: where it is from (a URI or a name), its media type, its data; `encoded`: in base64."""

    source: str
    media_type: str
    data: str = field(repr=False)
    encoded: bool

    @property
    def file_name(self) -> str:
        """A name to propose: of the source's last segment nothing that could lead elsewhere, and a suffix."""
        last = PurePosixPath(re.split(r"[?#]", self.source[-2000:])[0].rstrip("/")).name
        stem = re.sub(r"[^A-Za-z0-9._-]+", "_", last)[-_LONGEST:].lstrip("._-") or "resource"
        if "." in stem:
            return stem
        bare = self.media_type.partition(";")[0].strip().lower()
        return stem + (mimetypes.guess_extension(bare) or (".bin" if self.encoded else ".txt"))


def save(piece: Saveable, target: str, *, replace: bool) -> tuple[Path, int]:
    """Writes it to a file; `~` is the person's home. Returns the whole path and the bytes written.

    Raises FileExistsError where there is one and `replace` is False, SaveError where it cannot be written.
    """
    path = Path(target).expanduser().absolute()
    if piece.encoded:
        try:
            data = base64.b64decode(piece.data, validate=True)
        except (binascii.Error, ValueError):
            raise SaveError("not saved: the blob is no base64") from None
    else:
        data = piece.data.encode("utf-8", "surrogatepass")
    try:
        with path.open("wb" if replace else "xb") as file:
            file.write(data)
    except FileExistsError:
        raise
    except (OSError, ValueError) as error:
        raise SaveError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from None
    return path, len(data)
