"""The workspace file: `mcp.json` as people have it, and nothing ever written to it.

Relative paths count from the file's folder: `cwd` and a `command` with a slash do, and `cwd` is that folder
where the file gives none, so a script among the `args` is found there too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.workspace.fields import SERVER_FIELDS, ServerReader, read_inputs
from inspector.workspace.json_values import find_lone_surrogate, name_type
from inspector.workspace.positions import JsonPath, Positions, find_positions, show_path
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.server import InputRequest, ServerEntry

_SERVER_KEYS = ("mcpServers", "servers")
_TOP_LEVEL = frozenset({*_SERVER_KEYS, "inputs", "host", "$schema"})


class WorkspaceError(Exception):
    """A workspace file that cannot be used; the text is one line: file, line, column, field, what, what to
    do."""


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """A workspace file that was read. `host` is its object as it stands, or None; `path` is None where the
    workspace is no file of a person's. `problems` are notes on what was passed over."""

    name: str
    path: Path | None
    servers: tuple[ServerEntry, ...]
    host: Mapping[str, Any] | None
    problems: tuple[Problem, ...] = ()
    positions: Positions | None = field(default=None, repr=False)

    def error_at(self, path: JsonPath, message: str) -> WorkspaceError:
        """The error that says what is wrong with the value at a path (`("host", "maxChars")`), with its
        place."""
        return _error_at(self.name, self.positions, path, message)


def load_workspace(path: Path, environment: Mapping[str, str] | None = None) -> WorkspaceFile:
    """Read a workspace file. Variables come from `environment`, by default this process's. Raises
    WorkspaceError."""
    text = _read_text(path)
    name = str(path)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise WorkspaceError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise WorkspaceError(f"{name}: not a workspace file: nested too deeply") from None
    except ValueError:
        # All that is left of what json raises, and its text is for programmers.
        raise WorkspaceError(f"{name}: holds a number of thousands of digits: write a shorter one") from None
    positions = find_positions(text)
    if not isinstance(data, dict):
        message = f'should be an object with "mcpServers", is {name_type(data)}'
        raise _error_at(name, positions, (), message)
    read = _Reader(name, path.absolute().parent, os.environ if environment is None else environment, positions)
    return read.workspace(data, path)


def parse_workspace(
    data: Mapping[str, Any], folder: Path, name: str, environment: Mapping[str, str] | None = None
) -> WorkspaceFile:
    """A workspace that is no file: an object of the same form, whose relative paths count from `folder`.

    `name` stands for the file in messages. Raises WorkspaceError.
    """
    return _Reader(name, folder, os.environ if environment is None else environment, None).workspace(data, None)


def _read_text(path: Path) -> str:
    try:
        # With or without a byte order mark: some editors write one.
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        why = "no such file: name the workspace file with --workspace"
    except IsADirectoryError:
        why = "a folder, not a file: name the workspace file in it"
    except PermissionError:
        why = "not readable: permission denied"
    except UnicodeDecodeError as error:
        why = f"not UTF-8 (byte {error.start + 1}): save it as UTF-8"
    except (OSError, ValueError) as error:
        why = f"not readable: {getattr(error, 'strerror', None) or error}"
    raise WorkspaceError(f"{path}: {why}")


def _error_at(name: str, positions: Positions | None, path: JsonPath, message: str) -> WorkspaceError:
    place = ""
    if positions is not None:
        line, column = positions.line_and_column(path)
        place = f":{line}:{column}"
    subject = f" {show_path(path)}:" if path else ""
    return WorkspaceError(f"{name}{place}:{subject} {message}")


@dataclass(slots=True)
class _Reader:
    name: str
    folder: Path
    environment: Mapping[str, str]
    positions: Positions | None
    problems: list[Problem] = field(default_factory=list)

    def workspace(self, data: Mapping[str, Any], path: Path | None) -> WorkspaceFile:
        for duplicate in self.positions.duplicates if self.positions is not None else ():
            self._note(None, f"{show_path(duplicate)} stands twice: the last one counts")
        for key in data:
            if key not in _TOP_LEVEL:
                self._note(None, f"{show_path((key,))} is not known here and passed over")
        host = data.get("host")
        if "host" in data and not isinstance(host, dict):
            raise self._refuse(("host",), f"should be an object, is {name_type(host)}")
        inputs = read_inputs(("inputs",), data["inputs"], self._refuse) if "inputs" in data else {}
        return WorkspaceFile(
            name=self.name,
            path=path,
            servers=tuple(self._servers(data, inputs)),
            host=host,
            problems=tuple(self.problems),
            positions=self.positions,
        )

    def _servers(self, data: Mapping[str, Any], inputs: Mapping[str, InputRequest]) -> list[ServerEntry]:
        if not any(key in data for key in _SERVER_KEYS):
            raise self._refuse((), 'lacks "mcpServers": an object with a server by each name')
        entries: dict[str, ServerEntry] = {}
        for key in _SERVER_KEYS:
            servers = data.get(key, {})
            if not isinstance(servers, dict):
                raise self._refuse(
                    (key,), f"should be an object with a server by each name, is {name_type(servers)}"
                )
            for name, fields in servers.items():
                if name in entries:
                    self._note(
                        name, f"{show_path((key, name))} is passed over: mcpServers has a server of that name"
                    )
                    continue
                entries[name] = self._server((key, name), name, fields, inputs)
        return list(entries.values())

    def _server(self, path: JsonPath, name: str, fields: Any, inputs: Mapping[str, InputRequest]) -> ServerEntry:
        if not name:
            raise self._refuse(path, "a server needs a name")
        if not isinstance(fields, dict):
            raise self._refuse(path, f"should be an object, is {name_type(fields)}")
        place = find_lone_surrogate({name: fields})
        if place is not None:
            raise self._refuse(path, f"holds a lone surrogate at {place}: write the whole character")
        for key in fields:
            if key not in SERVER_FIELDS:
                self._note(name, f"{show_path((*path, key))} is not known here and passed over")
        return ServerReader(name, path, fields, self.folder, self.environment, inputs, self._refuse).read()

    def _refuse(self, path: JsonPath, message: str) -> WorkspaceError:
        return _error_at(self.name, self.positions, path, message)

    def _note(self, server: str | None, message: str) -> None:
        self.problems.append(Problem(Severity.NOTE, server, self.name, "workspace-file", message))
