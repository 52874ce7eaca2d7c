"""What the app does with a person's keymap file: reads it, says what is wrong with it, writes one to edit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from textual.app import App

from inspector.host.visible import visible
from inspector.tui.keymap import (
    KnownBindings,
    LoadedKeymap,
    keymap_file,
    known_bindings,
    load_keymap,
    write_template,
)

_MOST: Final = 4
"""Faults that are said one by one."""


def read_own_keys(app: App[Any], *, asked: bool = False) -> None:
    """Takes the keys of the person's file. `asked`: they asked for it, so that it is said when all is well too."""
    if asked or keymap_file().exists():
        app.run_worker(_read(app, asked), group="keymap", exclusive=True)


async def _read(app: App[Any], asked: bool) -> None:
    loaded = await asyncio.to_thread(_load)
    app.set_keymap(loaded.keys)
    _say_faults(app, loaded.faults)
    if asked and not loaded.faults:
        path = visible(str(keymap_file()), 300)
        changed = len(loaded.keys)
        if keymap_file().exists():
            text = f"{changed} {'key is' if changed == 1 else 'keys are'} changed by {path}"
        else:
            text = f"There is no {path}: the usual keys count."
        app.notify(text, markup=False)


def _load() -> LoadedKeymap:
    return load_keymap(keymap_file(), known_bindings())


def _say_faults(app: App[Any], faults: Sequence[str]) -> None:
    for fault in faults[:_MOST]:
        app.notify(fault, severity="warning", markup=False)
    if len(faults) > _MOST:
        app.notify(
            f"{keymap_file().name}: and {len(faults) - _MOST} more entries that are not used",
            severity="warning",
            markup=False,
        )


def tell_where(app: App[Any]) -> None:
    """Says where the keymap file is, and whether it is there."""
    path = keymap_file()
    there = "It is there." if path.exists() else "It is not there: “Keys: write a keymap file” makes one to edit."
    app.notify(f"The keymap file is {visible(str(path), 300)}. {there}", timeout=15, markup=False)


def write_own_keys(app: App[Any]) -> None:
    """Writes a keymap file with every key as a comment, where there is none yet; says where it is."""
    app.run_worker(_write(app), group="keymap", exclusive=True)


async def _write(app: App[Any]) -> None:
    path = keymap_file()
    known: KnownBindings = await asyncio.to_thread(known_bindings)
    try:
        await asyncio.to_thread(write_template, path, known)
    except FileExistsError:
        app.notify(f"{visible(str(path), 300)} is there already and was left as it is.", markup=False)
    except OSError as error:
        app.notify(f"the keymap file was not written: {error.strerror}", severity="warning", markup=False)
    else:
        app.notify(
            f"Written: {visible(str(path), 300)}. Every line is a comment: edit it.", timeout=15, markup=False
        )
