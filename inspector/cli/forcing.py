"""Reads `--force` and `--meta`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import click

from inspector.cli.arguments import parse_json, read_text_file
from inspector.cli.errors import WrongWords
from inspector.extension import Code, RawEntry
from inspector.host.forcing import (
    Forced,
    ForcedCode,
    ForcedEntry,
    ForcedText,
    ForceFault,
    Forces,
    check_added_meta,
)
from inspector.host.resolution import Resolution

_MISSING: Final = "missing"


_Command = TypeVar("_Command", bound=Callable[..., Any])


def meta_options(command: _Command) -> _Command:
    """`--force` and `--meta`, for a command that makes a call's `_meta`."""
    added = click.option(
        "--meta", "added_meta", metavar="KEY=JSON", multiple=True, help="A key more in _meta. Repeatable."
    )
    force = click.option(
        "--force",
        "forces",
        metavar="URI=CODE|@FILE|{…}|missing",
        multiple=True,
        help="Puts a code, a file's text as contents, an entry of any shape, or no entry in the place of a "
        "string's outcome. Repeatable.",
    )
    return force(added(command))


def read_forces(words: Iterable[str]) -> dict[str, Forced]:
    """What each `--force` puts in the place of which string's outcome. Raises WrongWords.

    `URI=CODE`, `URI=@FILE` for contents, `URI={…}` for an entry of any shape, `URI=missing` for none; the last `=`
    parts the two, or the one before `{`.
    """
    forces: dict[str, Forced] = {}
    for word in words:
        uri, forced = _read_force(word)
        if uri in forces:
            raise WrongWords(f"--force: {uri} is forced twice: leave one")
        forces[uri] = forced
    return forces


def _read_force(word: str) -> tuple[str, Forced]:
    uri, brace, rest = word.partition("={")
    if brace and uri:
        return uri, ForcedEntry(RawEntry(parse_json("{" + rest, f"--force {uri}")))
    uri, _, value = word.rpartition("=")
    if not uri:
        raise WrongWords(f"--force {word}: write URI=CODE, URI=@FILE, URI={{…}} or URI={_MISSING}")
    if value.startswith("@"):
        return uri, ForcedText(read_text_file(value[1:], f"--force {value}"))
    if value == _MISSING:
        return uri, ForcedEntry(RawEntry(present=False))
    try:
        return uri, ForcedCode(Code(value))
    except ValueError:
        raise WrongWords(
            f"--force {word}: there is no code {value}: {', '.join(Code)}, or {_MISSING}, @FILE, {{…}}"
        ) from None


def read_added_meta(words: Iterable[str]) -> dict[str, Any]:
    """The keys that `--meta KEY=JSON` adds to `_meta`. Raises WrongWords."""
    added: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise WrongWords(f"--meta {word}: write KEY=JSON")
        if key in added:
            raise WrongWords(f"--meta {key}: is given twice: leave one")
        added[key] = parse_json(value, f"--meta {key}")
    try:
        check_added_meta(added)
    except ForceFault as fault:
        raise WrongWords(f"--meta {fault}") from fault
    return added


@dataclass(frozen=True, slots=True)
class Changes:
    """What a person puts in the place of what the host would deliver, and beside it."""

    forces: Forces
    added_meta: Mapping[str, Any]

    @classmethod
    def read(cls, forces: Iterable[str], added_meta: Iterable[str]) -> Changes:
        """What `--force` and `--meta` say. Raises WrongWords."""
        return cls(read_forces(forces), read_added_meta(added_meta))

    def apply(self, resolution: Resolution) -> Resolution:
        """The resolution with that. Raises WrongWords where a force is for no string of the call."""
        try:
            return resolution.with_forces(self.forces).with_meta(self.added_meta)
        except ForceFault as fault:
            raise WrongWords(f"--force: {fault}") from fault
