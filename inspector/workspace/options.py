"""Servers given on the command line instead of in a file."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePath

from inspector.workspace.server import ServerEntry, Transport

_RUNNERS = frozenset({"python", "node", "npx", "uv", "uvx", "pipx", "deno", "bun", "bunx", "ruby", "java", "run"})
_SUFFIXES = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".jar", ".exe", ".sh"})


def server_from_option(text: str) -> ServerEntry:
    """A server from `NAME=COMMAND …` or `NAME=http://…`, paths and commands counting from this folder.

    Raises ValueError with one line for a person where it is neither.
    """
    name, separator, target = text.partition("=")
    name, target = name.strip(), target.strip()
    if not separator or not name:
        raise ValueError(f"--server {text}: should be NAME=COMMAND or NAME=URL")
    if not target:
        raise ValueError(f"--server {name}=: a command or a URL should follow")
    if re.match(r"https?://", target, re.IGNORECASE):
        return ServerEntry(name, Transport.HTTP, url=target)
    try:
        words = shlex.split(target)
    except ValueError as error:
        raise ValueError(f"--server {name}: the command is not well formed: {error}") from None
    if not words:
        raise ValueError(f"--server {name}=: a command or a URL should follow")
    return ServerEntry(name, Transport.STDIO, command=words[0], args=tuple(words[1:]))


def server_from_command(words: Sequence[str]) -> ServerEntry:
    """The server that `-- COMMAND …` means, named after what the command runs: `python crm.py` is `crm`.

    Raises ValueError where no command is given.
    """
    if not words or not words[0]:
        raise ValueError("after -- a command should follow")
    return ServerEntry(_name_of(words), Transport.STDIO, command=words[0], args=tuple(words[1:]))


def _name_of(words: Sequence[str]) -> str:
    """The first word that is neither an option nor a program that only runs others."""
    for word in words:
        name = PurePath(word.replace("\\", "/")).name
        if word.startswith("-") or not name:
            continue
        if re.sub(r"[0-9.]+$", "", PurePath(name).stem) in _RUNNERS:
            continue
        path = PurePath(name)
        return path.stem if path.suffix in _SUFFIXES else name
    return PurePath(words[0]).stem or "server"
