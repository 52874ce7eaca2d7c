"""Which servers and which host a command works with: from the workspace file, `--server`, `--` and the options."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from inspector.cli.errors import CommandError, RunFailed, WrongWords
from inspector.cli.options import Options
from inspector.cli.trust import confirm, content_hash, described_servers, is_confirmed, trust_store
from inspector.host.profile import HostSettings, Profile, read_settings
from inspector.host.setup import Setup
from inspector.host.visible import visible
from inspector.workspace.config import (
    WorkspaceError,
    WorkspaceFile,
    load_workspace,
    parse_workspace,
)
from inspector.workspace.options import server_from_command, server_from_option
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.server import Era, ServerEntry

DEFAULT_FILE: Final = ".mcp.json"
"""The workspace file that is looked for in the current folder where nothing is named."""


def make_setup(options: Options, *, tool: str | None = None, arguments: Mapping[str, Any] | None = None) -> Setup:
    """What the options describe, with the call to begin with.

    A default workspace file is shown and confirmed here. Raises WrongWords and RunFailed.
    """
    if options.demo and options.workspace is not None:
        raise WrongWords("--demo and -w/--workspace each name a workspace: give one of them")
    if options.demo:
        context = click.get_current_context()
        folder = context.with_resource(
            tempfile.TemporaryDirectory(prefix="ra-inspector-", ignore_cleanup_errors=True)
        )
        return _described(options, None, Path(folder), tool, arguments)
    path = options.workspace
    try:
        if path is None and not options.servers and options.command is None:
            path = _default_file()
        return _described(options, path, None, tool, arguments)
    except WorkspaceError as error:
        raise RunFailed(str(error)) from error


def _described(
    options: Options,
    path: Path | None,
    demo_folder: Path | None,
    tool: str | None,
    arguments: Mapping[str, Any] | None,
) -> Setup:
    file = _workspace_file(path, demo_folder)
    beside = _servers_beside(options)
    entries = _distinct((*(file.servers if file else ()), *beside), path)
    settings, notes = HostSettings(), tuple[Problem, ...]()
    if file is not None:
        settings, unknown = read_settings(file.host, file.error_at)
        notes = (*file.problems, *(_unknown_field(file.name, field) for field in unknown))
    name = "demo" if demo_folder else path.name if path else ", ".join(entries)
    return Setup(
        name=name,
        entries=_adjusted(entries, options),
        settings=_played(settings, options),
        path=path,
        notes=notes,
        tool=tool,
        arguments=arguments,
        options=_typed(options, path),
        watch=options.watch,
        reload=partial(_read_anew, options, path) if path else None,
    )


def _read_anew(options: Options, path: Path) -> Setup:
    """The workspace file as it is now, with the same options. Raises WorkspaceError.

    One that was found, not named, starts nothing of its new content before the person has seen that.
    """
    found = options.workspace is None
    try:
        digest = content_hash(path) if found else None
        if digest is not None and not is_confirmed(path, digest, trust_store()):
            raise WorkspaceError(
                f"{path} changed, and was found, not named: leave and start again to see what it would start"
            )
        setup = _described(options, path, None, None, None)
        if digest is not None and content_hash(path) != digest:
            raise WorkspaceError(f"{path} changed while it was read: read it once more")
    except CommandError as error:
        raise WorkspaceError(str(error)) from error
    return setup


def _typed(options: Options, path: Path | None) -> tuple[str, ...]:
    """The options that name these servers again. The file by its full path: a copy is used in any folder."""
    words = ["--demo"] if options.demo else []
    words += ["-w", str(path.absolute())] if path is not None else []
    words += [word for server in options.servers for word in ("-s", server)]
    words += [word for name, era in options.eras.items() for word in ("--era", f"{name}={era}")]
    words += ["--timeout", f"{options.timeout:g}"] if options.timeout is not None else []
    words += ["--", *options.command] if options.command is not None else []
    return tuple(words)


def _workspace_file(path: Path | None, demo_folder: Path | None) -> WorkspaceFile | None:
    if demo_folder is not None:
        from inspector.demo.workspace import demo_workspace

        return parse_workspace(demo_workspace(demo_folder), demo_folder, "demo")
    return load_workspace(path) if path is not None else None


def _servers_beside(options: Options) -> Iterable[ServerEntry]:
    try:
        yield from map(server_from_option, options.servers)
        if options.command is not None:
            yield server_from_command(options.command)
    except ValueError as error:
        raise WrongWords(str(error)) from error


def _distinct(entries: Iterable[ServerEntry], path: Path | None) -> dict[str, ServerEntry]:
    found: dict[str, ServerEntry] = {}
    for entry in entries:
        if entry.name in found:
            where = f" (one is in {path})" if path else ""
            raise WrongWords(f"two servers are named {entry.name}{where}: give one of them another name")
        found[entry.name] = entry
    return found


def _adjusted(entries: Mapping[str, ServerEntry], options: Options) -> tuple[ServerEntry, ...]:
    changed = dict(entries)
    for name, era in options.eras.items():
        if name not in changed:
            there = ", ".join(entries) or "none"
            raise WrongWords(f"--era {name}={era}: no server is named {name}: there is {there}")
        changed[name] = replace(changed[name], era=Era(era))
    if options.timeout is not None:
        changed = {name: replace(entry, request_timeout=options.timeout) for name, entry in changed.items()}
    return tuple(changed.values())


def _played(settings: HostSettings, options: Options) -> HostSettings:
    limits = {
        name: value
        for name in ("max_chars", "max_size", "max_uris")
        if (value := getattr(options, name)) is not None
    }
    return replace(
        settings,
        profile=settings.profile if options.profile is None else Profile(options.profile),
        limits=replace(settings.limits, **limits),
    )


def _unknown_field(file: str, field: str) -> Problem:
    message = f"host.{field} is not known here and passed over"
    return Problem(Severity.NOTE, None, file, "workspace-file", message)


def _default_file() -> Path:
    """The workspace file of the current folder, once a person has seen what it starts and said yes."""
    path = Path(DEFAULT_FILE)
    if not path.is_file():
        raise RunFailed(
            f"no {DEFAULT_FILE} in {Path.cwd()}: name a workspace file with -w, a server with -s NAME=COMMAND, "
            "or try --demo"
        )
    store, digest = trust_store(), content_hash(path)
    if is_confirmed(path, digest, store):
        return path
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RunFailed(
            f"{DEFAULT_FILE} in {Path.cwd()} was found, not named, and there is no terminal to confirm it on: "
            f"name it with -w {DEFAULT_FILE}"
        )
    lines = described_servers(path)
    print(f"{visible(str(path.absolute()))} would start or reach:", *lines, sep="\n  ", file=sys.stderr)
    if not click.confirm("Use it?", default=False, err=True):
        raise RunFailed(f"{DEFAULT_FILE} was not confirmed: nothing was started")
    if content_hash(path) != digest:
        raise RunFailed(f"{DEFAULT_FILE} changed while it was shown: look at it again")
    confirm(path, digest, store)
    return path
