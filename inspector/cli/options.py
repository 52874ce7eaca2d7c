"""The options that commands share. Each may stand before the command's name or after it; the later one counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from inspector.host.setup import Setup

# Written out, so that `--help` loads nothing of the host; a test holds that they are the host's profiles.
PROFILES: Final = ("workspace", "personal", "plain", "outside-client", "restricted")

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass
class Options:
    """What was asked for. `command` is what stands behind `--`, None where there is none.

    A limit, a profile or a timeout (in seconds) that is None stays what the workspace file says. `open_ui` opens
    the terminal UI on a `Setup` and returns the exit code: all that the command line knows of it.
    """

    open_ui: Callable[[Setup], int]
    command: tuple[str, ...] | None = None
    workspace: Path | None = None
    servers: list[str] = field(default_factory=list)
    eras: dict[str, str] = field(default_factory=dict)
    demo: bool = False
    profile: str | None = None
    max_chars: int | None = None
    max_size: int | None = None
    max_uris: int | None = None
    timeout: float | None = None
    json: bool = False
    debug: bool = False
    watch: bool = False


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number of seconds") from None
    if not (math.isfinite(seconds) and seconds > 0):
        raise click.BadParameter(f"{text} is no time to wait: it must be more than 0, and have an end")
    return seconds


def _named_era(text: str) -> tuple[str, str]:
    name, _, era = text.rpartition("=")
    if not name or era not in ("legacy", "modern"):
        raise click.BadParameter(f"{text!r} is not NAME=legacy or NAME=modern")
    return name, era


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Puts what was given into the `Options` at hand; what was not given leaves them as they are."""
    options: Options = context.obj
    name = parameter.name or ""
    if name == "servers":
        options.servers.extend(value)
    elif name == "eras":
        options.eras.update(value)
    elif value is not None and value is not False:
        setattr(options, name, value)


def _option(*declarations: str, **settings: Any) -> Callable[[_Command], _Command]:
    return click.option(*declarations, expose_value=False, callback=_keep, **settings)


_LIMIT: Final = click.IntRange(min=0)

_WORKSPACE_OPTIONS: Final = (
    _option(
        "-w",
        "--workspace",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="The workspace file. Default: .mcp.json in this folder, shown and confirmed before its first use.",
    ),
    _option(
        "-s",
        "--server",
        "servers",
        metavar="NAME=COMMAND|URL",
        multiple=True,
        help="A server without a file, or beside it. Repeatable. `-- COMMAND …` at the end is one, unnamed.",
    ),
    _option(
        "--era",
        "eras",
        metavar="NAME=legacy|modern",
        multiple=True,
        type=_named_era,
        help="The protocol era of one server, in place of the file's. Repeatable.",
    ),
    _option("--demo", is_flag=True, help="The bundled workspace."),
    _option("--profile", type=click.Choice(PROFILES), help="The host to play, in place of the file's."),
    _option("--max-chars", metavar="N", type=_LIMIT, help="The limit maxChars: characters of one resource."),
    _option("--max-size", metavar="N", type=_LIMIT, help="The limit maxSize: bytes of one call."),
    _option("--max-uris", metavar="N", type=_LIMIT, help="The limit maxUris: URIs of one call."),
    _option("--timeout", metavar="SECONDS", type=_seconds, help="The most that any one request may take."),
)

_JSON_OPTION: Final = _option("--json", is_flag=True, help="Print one JSON document, and nothing else.")
_DEBUG_OPTION: Final = _option("--debug", is_flag=True, help="Add the traceback to an error.")


WATCH_OPTION: Final = _option(
    "--watch", is_flag=True, help="Connect a server anew when its files change. For the terminal UI."
)


def workspace_options(command: _Command) -> _Command:
    """The options of every command: which servers, which host, how long to wait, and `--debug`."""
    for option in reversed((*_WORKSPACE_OPTIONS, _DEBUG_OPTION)):
        command = option(command)
    return command


def shared_options(command: _Command) -> _Command:
    """`workspace_options`, and `--json` for a command that prints a document."""
    return workspace_options(_JSON_OPTION(command))


ARGUMENTS_OPTION: Final = click.option(
    "--args",
    "arguments_text",
    metavar="JSON",
    help="The call's arguments: a JSON object, @FILE, or - for standard input.",
)
"""`--args`: unlike the shared ones it belongs to the commands that compose a call, and comes after their names."""
