"""Workspace files that a person confirmed, remembered by path and content.

A file that is merely found in the folder names commands to run, and anybody may have put it there: nothing of it
is started before the person has seen it and said yes. A file that was named is used as it is.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from inspector.cli.errors import RunFailed
from inspector.cli.output import complain
from inspector.host.files import write_whole
from inspector.host.visible import visible
from inspector.workspace.config import load_workspace

_CREDENTIALS: Final = re.compile(r"(?<=//)[^/?#]*(?=@)|(?<=\?).*", re.DOTALL)


def trust_store() -> Path:
    """Where confirmed files are remembered: a file in the person's state folder."""
    import platformdirs

    return Path(platformdirs.user_state_dir("ra-inspector", appauthor=False)) / "confirmed.json"


def content_hash(path: Path) -> str:
    """What a file holds, as a SHA-256 in hexadecimal. Raises RunFailed where it cannot be read."""
    return hashlib.sha256(_bytes(path)).hexdigest()


def described_servers(path: Path) -> list[str]:
    """A line for each server of a workspace file: what it starts or reaches, as it is written there.

    Variables are not filled in, and of `env` and `headers` only the names are shown: the values may be secrets.
    Raises RunFailed and `WorkspaceError` where the file is none.
    """
    names = [entry.name for entry in load_workspace(path).servers]
    file = json.loads(_bytes(path).decode("utf-8-sig"))
    servers = file.get("mcpServers") or file.get("servers") or {}
    return [f"{visible(name)}: {visible(_described(servers.get(name, {})))}" for name in names]


def _described(server: Mapping[str, Any]) -> str:
    if "command" in server:
        text = shlex.join([server["command"], *server.get("args", ())])
    else:
        text = _CREDENTIALS.sub("…", str(server.get("url", "")))
    for field in ("env", "headers"):
        if server.get(field):
            text += f"  ({field}: {', '.join(server[field])})"
    return text


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RunFailed(f"{path}: cannot be read: {error.strerror or error}") from error


def is_confirmed(path: Path, digest: str, store: Path) -> bool:
    """Whether that file, with that content, was confirmed before."""
    return _read(store).get(str(path.resolve())) == digest


def confirm(path: Path, digest: str, store: Path) -> None:
    """Remembers that file with that content. What cannot be written is said, and asked again next time."""
    kept = {**_read(store), str(path.resolve()): digest}
    try:
        store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(store, [json.dumps(kept, indent=2)], replace=True)
    except OSError as error:
        complain(f"your yes cannot be kept in {store}: {error.strerror or error}; you will be asked again")


def _read(store: Path) -> dict[str, Any]:
    try:
        kept = json.loads(store.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        complain(f"{store} cannot be read, so no file counts as confirmed: {error}")
        return {}
    if not isinstance(kept, dict):
        complain(f"{store} holds no JSON object, so no file counts as confirmed")
        return {}
    return kept
