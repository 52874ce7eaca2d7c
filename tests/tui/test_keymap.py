"""A person's own keys: what the file may say, what is said of its faults, and that it counts everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.binding import BindingsMap
from textual.widgets import Input

from inspector.tui.keymap import (
    LoadedKeymap,
    classes_with_bindings,
    is_key,
    keymap_file,
    known_bindings,
    load_keymap,
    normal_key,
    read_keymap,
    template,
)
from inspector.tui.screens.help import HelpScreen
from inspector.tui.screens.host_panel import HostPanel
from tests.host.playing import crm
from tests.tui.driving import NARROW, driving, notices, screen_text, setup_of, until

KNOWN = known_bindings()


def test_every_binding_of_ours_has_an_id() -> None:
    for owner in classes_with_bindings():
        for bindings in BindingsMap(vars(owner)["BINDINGS"]).key_to_bindings.values():
            for binding in bindings:
                assert binding.id, f"{owner.__name__}: {binding.key} {binding.action} has none"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("?", "question_mark"),
        ("Ctrl+R", "ctrl+r"),
        (" f5 ", "f5"),
        ("esc", "escape"),
        ("shift+r", "R"),
        ("+", "plus"),
        ("ctrl+shift+up", "ctrl+shift+up"),
        ("é", "é"),
    ],
)
def test_a_key_is_understood_as_people_write_it(written: str, key: str) -> None:
    assert normal_key(written) == key
    assert is_key(key)


@pytest.mark.parametrize("written", ["", "ctrl+", "foo", "control+r", "ctrl+ctrl+r"])
def test_a_key_that_is_none_is_known_for_one(written: str) -> None:
    assert not is_key(normal_key(written))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"keyz": {}}, "k: keyz is unknown: there is only the table [keys]"),
        ({"keys": 3}, "k: keys must be a table: [keys]"),
        ({"keys": {"call.sent": "f9"}}, "k: call.sent: there is no such id; did you mean call.send?"),
        ({"keys": {"call.send": ["f9"]}}, 'k: call.send: must be a key or several, as "ctrl+r,f5"'),
        ({"keys": {"call.send": "f9,hyperspace"}}, "k: call.send: there is no key “hyperspace”"),
        (
            {"keys": {"call.send": "x"}},
            "k: call.send: “x” would be taken from what you type: it needs ctrl or a function key",
        ),
        (
            {"keys": {"call.send": "ctrl+q"}},
            "k: call.send: ctrl+q is the key of quit everywhere: the usual key stays",
        ),
        ({"keys": {"app.jump": "z"}}, "k: app.jump: z is the key of app.zoom there too: the usual key stays"),
        (
            {"keys": {"app.jump": "f9", "app.zoom": "f9"}},
            "k: app.zoom: f9 is the key of app.jump there too: the usual key stays",
        ),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_in_one_line(data: dict[str, Any], fault: str) -> None:
    loaded = read_keymap(data, KNOWN, "k")
    assert loaded.faults == (fault,)


def test_keys_may_be_swapped_and_an_id_needs_no_quotes() -> None:
    loaded = read_keymap({"keys": {"app": {"zoom": "f9", "jump": "z"}}}, KNOWN, "k")
    assert loaded.keys == {"app.zoom": "f9", "app.jump": "z"} and loaded.faults == ()


def test_a_broken_file_changes_nothing_and_is_one_fault(tmp_path: Path) -> None:
    (tmp_path / "keymap.toml").write_text("[keys\n")
    loaded = load_keymap(tmp_path / "keymap.toml", KNOWN)
    assert loaded.keys == {}
    assert len(loaded.faults) == 1 and loaded.faults[0].startswith("keymap.toml: is not TOML: ")
    assert load_keymap(tmp_path / "none.toml", KNOWN).faults == ()


def test_the_template_names_every_key_and_is_no_change_by_itself(tmp_path: Path) -> None:
    text = template(KNOWN)
    path = tmp_path / "keymap.toml"
    path.write_text(text)
    assert load_keymap(path, KNOWN) == LoadedKeymap({}, ())
    taken = "\n".join(line.removeprefix("# ") if line.startswith('# "') else line for line in text.splitlines())
    path.write_text(taken)
    loaded = load_keymap(path, KNOWN)
    assert loaded.faults == (), "the usual keys, written out, are no clash"
    assert set(loaded.keys) == set(KNOWN.by_id)


def own(folder: Path, text: str) -> Path:
    path = keymap_file(folder / "config" / "ra-inspector")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return folder / "config"


async def test_a_changed_key_counts_in_a_field_too_and_help_and_footer_show_it(tmp_path: Path) -> None:
    config = own(
        tmp_path,
        '[keys]\n"app.host" = "ctrl+y,f9"\n"dialog.help" = "f12"\n"app.help" = "f12"\n"app.cancel" = "f10"\n',
    )
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}), config=config) as (app, pilot):
        await until(pilot, lambda: app._keymap)
        await pilot.press("2")
        assert isinstance(app.screen.focused, Input)
        assert "^y host" in screen_text(app).splitlines()[-1], "where the field had hidden the letter"
        await pilot.press("ctrl+y")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
        await pilot.press("f12")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert "F12, ?  help" in screen_text(app)
        await pilot.press("escape", "escape")
        field = app.screen.focused
        await pilot.press("escape")
        assert field is not None and app.screen.focused is None, "the other binding of a moved key's key is left"
        await pilot.press("h")
        assert app.screen is app.main, "the usual key does it no more"
        assert notices(app) == []


async def test_each_fault_of_the_file_is_a_notice_and_the_rest_counts(tmp_path: Path) -> None:
    config = own(tmp_path, '[keys]\n"app.host" = "f9"\n"app.nothing" = "x"\n"app.jump" = "[b +"\n')
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}), NARROW, config=config) as (app, pilot):
        await until(pilot, lambda: len(notices(app)) == 2)
        first, second = notices(app)
        assert first.startswith("keymap.toml: app.nothing: there is no such id")
        assert second == "keymap.toml: app.jump: there is no key “[b +”"
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))


async def test_the_palette_writes_a_file_to_edit_says_where_it_is_and_reads_it_anew(tmp_path: Path) -> None:
    config = tmp_path / "config"
    path = config / "ra-inspector" / "keymap.toml"
    async with driving(setup_of(tmp_path, {"crm": crm(tmp_path)}), config=config) as (app, pilot):

        async def ask(words: str, wanted: str) -> None:
            await pilot.press("colon", *words)
            await until(pilot, lambda: wanted in screen_text(app))
            await pilot.pause(0.2)
            await pilot.press("enter")

        await ask("keys: write", "every key as a comment")
        await until(pilot, path.exists)
        await until(pilot, lambda: notices(app))
        assert str(path) in notices(app)[-1]
        path.write_text('[keys]\n"app.host" = "f9"\n')
        await ask("keys: read", "says what is wrong")
        await until(pilot, lambda: app._keymap)
        assert notices(app)[-1] == f"1 key is changed by {path}"
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, HostPanel))
