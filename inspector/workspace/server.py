"""One server of a workspace, as the workspace file or the command line describes it, with defaults filled
in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Transport(StrEnum):
    """How a server is reached."""

    STDIO = "stdio"
    HTTP = "http"
    SSE = "sse"


class Era(StrEnum):
    """Which protocol era is asked for: `auto` probes for 2026-07-28 and falls back to the 2025 handshake."""

    AUTO = "auto"
    LEGACY = "legacy"
    MODERN = "modern"


class Connector(StrEnum):
    """Whose server it is. A personal connector is beside the workspace: it claims, resolves and owns
    nothing."""

    WORKSPACE = "workspace"
    PERSONAL = "personal"


class State(StrEnum):
    """Where a connection stands."""

    IDLE = "idle"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class InputRequest:
    """A value that an entry leaves to be asked for: `${input:identifier}` stands where it goes.

    `password` says that what is typed is not to be seen. `options` are the only answers there are, where
    any are given. The answer is never saved.
    """

    server: str
    identifier: str
    description: str = ""
    password: bool = False
    default: str | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """What is needed to reach one server. `env`, `headers`, `args` and `url` may hold secrets: never shown,
    never written.

    Timeouts are in seconds: `connection_timeout` bounds start and handshake, `request_timeout` each request.
    `unset` names a variable that the entry needs and that is not set: the server then fails by that name.
    `inputs` are asked for when the server connects.
    """

    name: str
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    era: Era = Era.AUTO
    connector: Connector = Connector.WORKSPACE
    connection_timeout: float = 15.0
    request_timeout: float = 30.0
    unset: str | None = None
    inputs: tuple[InputRequest, ...] = ()
