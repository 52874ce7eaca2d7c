"""What a face is started with: which servers, which host, and which call, wherever they came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.host.profile import HostSettings
from inspector.workspace.problem import Problem
from inspector.workspace.server import ServerEntry


@dataclass(frozen=True, slots=True)
class Setup:
    """A workspace to open. `name` is shown for it: `demo`, a file's name, or the servers' names.

    `path` is the workspace file, None where there is none. `notes` are what the file holds that is passed over.
    `tool` and `arguments` are a call to begin with. `reload` reads the workspace file anew. `options` are the
    words of a command line that name these servers again, as they were typed; a URL among them may hold secrets.
    `watch`: a server is connected anew when its files change. `reload` raises WorkspaceError.
    """

    name: str
    entries: tuple[ServerEntry, ...]
    settings: HostSettings = field(default_factory=HostSettings)
    path: Path | None = None
    notes: tuple[Problem, ...] = ()
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    options: tuple[str, ...] = field(default=(), repr=False)
    watch: bool = False
    reload: Callable[[], Setup] | None = field(default=None, repr=False, compare=False)
