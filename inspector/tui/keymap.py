"""A person's own keys: `keymap.toml` beside their settings. What is wrong with it is said, and is never fatal.

The file holds one table, `[keys]`: the id of a binding, and the key or keys that it is to have, as
`"call.resolve" = "ctrl+r,f5"`.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from textual.app import App
from textual.binding import Binding, BindingsMap, Keymap
from textual.dom import DOMNode
from textual.keys import Keys, key_to_character

from inspector.host.visible import visible
from inspector.tui.settings import settings_folder

_MODIFIERS: Final = frozenset(("alt", "ctrl", "hyper", "meta", "shift", "super"))
_SIGNS: Final = {
    sign: next(iter(BindingsMap([Binding(sign, "none")]).key_to_bindings))
    for sign in string.punctuation
    if sign != ","
} | {",": "comma"}
_NAMES: Final = frozenset(
    (*(key.value.rpartition("+")[2] for key in Keys if not key.value.startswith("<")), *_SIGNS.values())
) - {"esc"}
_OTHER_NAMES: Final = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown"}
"""What people call some keys."""
_FIXED: Final = {"ctrl+q": "quit", "ctrl+c": "leave", "ctrl+p": "commands"}
"""Keys of the whole app: another binding of one of them would never be reached."""


@dataclass(frozen=True, slots=True)
class Known:
    """A binding that a keymap may change: its usual keys, what it does, whether a field leaves it its key."""

    keys: tuple[str, ...]
    what: str
    priority: bool


@dataclass(frozen=True, slots=True)
class LoadedKeymap:
    """The keys that are changed, by id, and what was wrong in one line each. A faulty entry changes nothing."""

    keys: Keymap
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownBindings:
    """Every binding of ours by id, and for each class which ids count together on it."""

    by_id: Mapping[str, Known]
    together: tuple[Mapping[str, frozenset[str]], ...]
    """For each class with bindings: each usual key with the ids that have it there."""


def keymap_file(folder: Path | None = None) -> Path:
    """Where a person's keymap is. Not created by asking."""
    return (folder or settings_folder()) / "keymap.toml"


def classes_with_bindings() -> Iterator[type[DOMNode]]:
    """Every class of the terminal UI that has bindings of its own. Imports all of it."""
    package = importlib.import_module("inspector.tui")
    for module in sorted(found.name for found in pkgutil.walk_packages(package.__path__, "inspector.tui.")):
        for _, owner in sorted(inspect.getmembers(importlib.import_module(module), inspect.isclass)):
            if owner.__module__ == module and issubclass(owner, DOMNode) and "BINDINGS" in vars(owner):
                yield owner


def known_bindings() -> KnownBindings:
    """Every binding of the terminal UI that has an id. Imports all of it: not for the event loop's thread."""
    by_id: dict[str, Known] = {}
    together = []
    for owner in classes_with_bindings():
        keys: dict[str, set[str]] = {}
        # A class has the bindings of those it is made from, too.
        for part in reversed(owner.__mro__):
            for binding in _bindings_of(part):
                if binding.id is not None:
                    keys.setdefault(binding.key, set()).add(binding.id)
                    old = by_id.get(binding.id, Known((), binding.description, binding.priority))
                    if part is owner and binding.key not in old.keys:
                        by_id[binding.id] = Known((*old.keys, binding.key), old.what, old.priority)
        together.append({key: frozenset(ids) for key, ids in keys.items()})
    return KnownBindings(dict(sorted(by_id.items())), tuple(together))


def _bindings_of(owner: type) -> Iterator[Binding]:
    if not issubclass(owner, DOMNode) or issubclass(App, owner) or "BINDINGS" not in vars(owner):
        return
    for bindings in BindingsMap(vars(owner)["BINDINGS"]).key_to_bindings.values():
        yield from bindings


def load_keymap(path: Path, known: KnownBindings) -> LoadedKeymap:
    """Reads the file. One that is not there changes nothing; a broken one changes nothing and is a fault."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return LoadedKeymap({}, ())
    except OSError as error:
        return LoadedKeymap({}, (f"{path.name}: cannot be read: {error.strerror}",))
    except UnicodeDecodeError:
        return LoadedKeymap({}, (f"{path.name}: is not UTF-8; the usual keys count",))
    except tomllib.TOMLDecodeError as error:
        return LoadedKeymap({}, (f"{path.name}: is not TOML: {error}; the usual keys count",))
    return read_keymap(data, known, path.name)


def read_keymap(data: Mapping[str, Any], known: KnownBindings, source: str) -> LoadedKeymap:
    """The keys of a file's data. `source` names it in faults."""
    faults = [
        f"{source}: {visible(name, 60)} is unknown: there is only the table [keys]"
        for name in data
        if name != "keys"
    ]
    table = data.get("keys", {})
    if not isinstance(table, Mapping):
        return LoadedKeymap({}, (*faults, f"{source}: keys must be a table: [keys]"))
    changed: dict[str, tuple[str, ...]] = {}
    for name, value in _flat(table):
        fault = _fault_of(name, value, known)
        if fault is None:
            keys = tuple(normal_key(key) for key in value.split(","))
            other = _clash(name, keys, changed, known)
            if other is None:
                changed[name] = keys
                continue
            fault = f"{other[0]} is the key of {other[1]} there too: the usual key stays"
        faults.append(f"{source}: {visible(name, 60)}: {fault}")
    return LoadedKeymap({name: ",".join(keys) for name, keys in changed.items()}, tuple(faults))


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The ids with their values: TOML reads `call.send = …` without quotes as a table in a table."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def _fault_of(name: str, value: Any, known: KnownBindings) -> str | None:
    binding = known.by_id.get(name)
    if binding is None:
        near = difflib.get_close_matches(name, known.by_id, 1)
        return "there is no such id" + (f"; did you mean {near[0]}?" if near else "")
    if not isinstance(value, str) or not value.strip():
        return 'must be a key or several, as "ctrl+r,f5"'
    for key in value.split(","):
        normal = normal_key(key)
        if not is_key(normal):
            return f"there is no key “{visible(key.strip(), 30)}”"
        if normal in _FIXED and normal not in binding.keys:
            return f"{normal} is the key of {_FIXED[normal]} everywhere: the usual key stays"
        if binding.priority and (key_to_character(normal) or "\0").isprintable():
            return f"“{key.strip()}” would be taken from what you type: it needs ctrl or a function key"
    return None


def normal_key(text: str) -> str:
    """A key as bindings have it: `?` is `question_mark`, `Ctrl+R` is `ctrl+r`, `shift+r` is `R`."""
    *modifiers, key = [part.strip() for part in text.strip().split("+")] if text.strip() != "+" else ["+"]
    if len(key) == 1 and key.isalpha():
        if modifiers and modifiers[-1].lower() == "shift" and len(modifiers) == 1:
            return key.upper()
        key = key.lower() if modifiers else key
    else:
        key = _SIGNS.get(key, _OTHER_NAMES.get(key.lower(), key.lower()))
    return "+".join((*(modifier.lower() for modifier in modifiers), key))


def is_key(key: str) -> bool:
    """Whether there is such a key, on some keyboard."""
    *modifiers, last = key.split("+")
    exists = len(last) == 1 or last in _NAMES or key_to_character(last) is not None
    return bool(last) and exists and len(set(modifiers)) == len(modifiers) and _MODIFIERS.issuperset(modifiers)


def _clash(
    name: str, keys: tuple[str, ...], changed: Mapping[str, tuple[str, ...]], known: KnownBindings
) -> tuple[str, str] | None:
    """A key with what else has it wherever this one counts; None where nothing has."""
    for usual in known.together:
        here = frozenset[str]().union(*usual.values())
        if name not in here:
            continue
        for key in keys:
            rivals = {other for other in usual.get(key, ()) if other not in changed}
            rivals |= {other for other in here if key in changed.get(other, ())}
            # Two that share their usual key stand each other by design.
            sharing = {other for ids in usual.values() if name in ids for other in ids}
            if others := sorted(rivals - sharing - {name}):
                return key, others[0]
    return None


def template(known: KnownBindings) -> str:
    """A keymap file in which every line is a comment: each id with its usual keys and what it does."""
    lines = [
        "# Keys of ra-inspector. Take the # away from a line and change its key; several stand with commas.",
        "# The program reads this file when it starts, and by “Keys: read the keymap file anew” in the palette.",
        "",
        "[keys]",
    ]
    group = ""
    for name, binding in known.by_id.items():
        if (part := name.partition(".")[0]) != group:
            group = part
            lines.append("")
        entry = f'# "{name}" = "{",".join(binding.keys)}"'
        lines.append(f"{entry.ljust(48)}  # {binding.what}" if binding.what else entry)
    return "\n".join(lines) + "\n"


def write_template(path: Path, known: KnownBindings) -> None:
    """Writes the template where there is no file yet. Raises FileExistsError, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(template(known))
