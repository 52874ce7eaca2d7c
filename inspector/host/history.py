"""The history of calls, kept between runs: a file for each call in a folder of the person's.

A file for each, so that two programs at once never write to the same one; each is written whole or not at all. It
holds what the call was made of and what came of it, which is the person's own; no header and no environment
variable is any part of that.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_state_path

from inspector.host.call import SentCall
from inspector.host.files import write_whole
from inspector.host.json_text import json_pieces
from inspector.host.profile import HostSettings, read_settings

CALLS_LIMIT: Final = 500
"""The most calls that are kept: the oldest go first."""

BYTES_LIMIT: Final = 100_000_000
"""The most bytes that all files have together: the oldest go first, never the newest."""

PART_LIMIT: Final = 2_000_000
"""The most characters of JSON that are kept of the arguments, of the `_meta` and of the result each."""

_HEAD: Final = 65_536
_MESSAGE: Final = 1_000
_STRAY_SECONDS: Final = 3_600
_PARTS: Final = ("arguments", "_meta", "outcomes", "result")
_SUFFIX: Final = ".jsonl"
_DAMAGED: Final = ".damaged-"


class Damaged(Exception):
    """A file is not what was written. The text says where it was put aside."""


@dataclass(frozen=True, slots=True)
class KeptCall:
    """One call as the list shows it. `key` is its file's name; `at` is in seconds since the epoch.

    `outcomes` counts the strings by outcome, empty where the key was absent (`present`). `result` is `answered`,
    `tool error`, or the failure's word; `message` what was said of a failure.
    """

    key: str
    at: float
    workspace: str
    server: str
    tool: str
    settings: HostSettings
    present: bool
    outcomes: Mapping[str, int]
    result: str
    message: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class KeptPart:
    """A JSON value as it was kept. Where it was longer than `PART_LIMIT`, or is nested too deeply to be read back,
    `text` holds what there is of it, and `value` is None."""

    value: Any
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """What is kept, newest first; the files put aside just now; why nothing can be read, if so."""

    calls: tuple[KeptCall, ...]
    damaged: tuple[str, ...] = ()
    fault: str | None = None


def history_folder() -> Path:
    """Where the calls are kept, as the person's system has it. Not created by asking."""
    return user_state_path("ra-inspector", appauthor=False) / "history"


class History:
    """The calls in a folder. Every method waits for the disk: call them in a thread."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or history_folder()
        self._known: dict[str, KeptCall] = {}

    def add(self, sent: SentCall, workspace: str, at: float) -> None:
        """Keeps a call that was sent, at that many seconds since the epoch. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # By time, so that names in order are calls in order; and by chance, so that no two are the same.
        name = f"{int(at * 1000):015d}-{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
        write_whole(self.folder / name, _write(sent, workspace, at))
        self._shed()

    def calls(self) -> Listing:
        """The calls that are kept. A file that is damaged is put aside."""
        try:
            names = self._names()
        except FileNotFoundError:
            return Listing(())
        except OSError as error:
            return Listing((), fault=f"{self.folder}: {error.strerror}")
        found: list[KeptCall] = []
        damaged: list[str] = []
        for name in names:
            try:
                found.append(self._head(name))
            except FileNotFoundError:
                continue  # Another program took it away since.
            except OSError as error:
                damaged.append(f"{self.folder / name} cannot be read: {error.strerror}")
            except Damaged as fault:
                damaged.append(str(fault))
        self._known = {call.key: call for call in found}
        return Listing(tuple(found), tuple(damaged))

    def read(self, key: str) -> Mapping[str, KeptPart]:
        """The call's `arguments`, `_meta`, `outcomes` and `result`. Raises Damaged, and OSError where it is
        gone."""
        text = (self.folder / key).read_text(encoding="utf-8", errors="replace")
        lines = text.split("\n")[1:-1]
        try:
            if len(lines) != len(_PARTS):
                raise ValueError
            return {name: _part(name, line) for name, line in zip(_PARTS, lines, strict=True)}
        except (ValueError, KeyError, TypeError) as error:
            raise self._put_aside(key) from error

    def remove(self, key: str) -> None:
        """Takes one call away. Raises OSError."""
        (self.folder / key).unlink(missing_ok=True)

    def clear(self) -> None:
        """Takes all calls away, those put aside too. Raises OSError."""
        for path in (*self.folder.glob(f"*{_SUFFIX}"), *self.folder.glob(f"{_DAMAGED}*")):
            path.unlink(missing_ok=True)

    def _names(self) -> list[str]:
        """The files of calls, newest first; what a crash left half written long ago is taken away."""
        names: list[str] = []
        for entry in os.scandir(self.folder):
            if entry.name.endswith(_SUFFIX) and not entry.name.startswith("."):
                names.append(entry.name)
            elif entry.name.startswith(".writing-") and _is_stray(entry):
                Path(entry.path).unlink(missing_ok=True)
        return sorted(names, reverse=True)

    def _head(self, name: str) -> KeptCall:
        if name in self._known:
            return self._known[name]
        with (self.folder / name).open("rb") as file:
            line = file.readline(_HEAD)
            whole = bool(line) and file.seek(-1, os.SEEK_END) >= 0 and file.read(1) == b"\n"
        try:
            if not whole:
                raise ValueError
            return _read_head(name, json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._put_aside(name) from error

    def _put_aside(self, name: str) -> Damaged:
        aside = self.folder / f"{_DAMAGED}{name}"
        try:
            (self.folder / name).replace(aside)
        except OSError as error:
            return Damaged(f"{self.folder / name} is damaged and stays where it is: {error.strerror}")
        return Damaged(f"a call of the history is damaged and was put aside as {aside}")

    def _shed(self) -> None:
        total = 0
        for number, name in enumerate(self._names()):
            try:
                total += (self.folder / name).stat().st_size
            except FileNotFoundError:
                continue
            if number and (number >= CALLS_LIMIT or total > BYTES_LIMIT):
                (self.folder / name).unlink(missing_ok=True)


def _write(sent: SentCall, workspace: str, at: float) -> Iterator[str]:
    """The lines of a file: what the list shows, then each part."""
    resolution, reply = sent.resolution, sent.reply
    settings = resolution.settings
    counts: dict[str, int] = {}
    for outcome in resolution.outcomes:
        counts[outcome.name] = counts.get(outcome.name, 0) + 1
    result = reply.failure.value if reply.failure is not None else "tool error" if sent.tool_error else "answered"
    head = {
        "at": at,
        "workspace": workspace[:_MESSAGE],
        "server": resolution.tool.server[:_MESSAGE],
        "tool": resolution.tool.name[:_MESSAGE],
        "host": {
            "profile": settings.profile.value,
            **settings.limits.claim(),
            "budget": {"ratePerSecond": settings.budget.per_second, "burst": settings.budget.burst},
        },
        "present": resolution.present,
        "outcomes": counts,
        "result": result,
        "message": reply.message[:_MESSAGE],
        "milliseconds": round(reply.milliseconds, 3),
    }
    outcomes = [
        {
            "uri": outcome.uri,
            "outcome": outcome.name,
            "rule": outcome.rule,
            "reason": outcome.reason,
            "server": outcome.server,
            "bytes": outcome.size,
            "milliseconds": outcome.milliseconds,
            "forced": outcome.forced,
        }
        for outcome in resolution.outcomes
    ]
    answer = reply.result
    if answer is None:
        answer = {"failure": result, "message": reply.message, "code": reply.code, "data": reply.data}
    yield json.dumps(head) + "\n"
    values = (resolution.arguments, resolution.meta, outcomes, answer)
    for name, value in zip(_PARTS, values, strict=True):
        yield f'{{"name": "{name}", {_bounded(value)}}}\n'


def _bounded(value: Any) -> str:
    pieces: list[str] = []
    size = 0
    for piece in json_pieces(value, indent=None):
        pieces.append(piece)
        size += len(piece)
        if size > PART_LIMIT:
            return f'"cut": {json.dumps("".join(pieces)[:PART_LIMIT])}'
    return f'"value": {"".join(pieces)}'


def _part(name: str, line: str) -> KeptPart:
    try:
        part = json.loads(line)
    except RecursionError:
        return KeptPart(None, line)
    if part["name"] != name:
        raise ValueError
    return KeptPart(None, str(part["cut"])) if "cut" in part else KeptPart(part["value"])


def _read_head(name: str, head: Any) -> KeptCall:
    settings, _ = read_settings(head["host"], lambda _, fault: ValueError(fault))
    return KeptCall(
        key=name,
        at=float(head["at"]),
        workspace=str(head["workspace"]),
        server=str(head["server"]),
        tool=str(head["tool"]),
        settings=settings,
        present=bool(head["present"]),
        outcomes={str(word): int(number) for word, number in head["outcomes"].items()},
        result=str(head["result"]),
        message=str(head["message"]),
        milliseconds=float(head["milliseconds"]),
    )


def _is_stray(entry: os.DirEntry[str]) -> bool:
    """Whether that file was begun long ago; not so where another program has just put it in its place."""
    try:
        return time.time() - entry.stat().st_mtime > _STRAY_SECONDS
    except FileNotFoundError:
        return False
