"""A person's choices are found again, and a broken file costs no more than the choices in it."""

from pathlib import Path

from inspector.tui.settings import Settings, load_settings, save_settings


def test_what_is_saved_is_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there yet"
    save_settings(Settings(theme="linen"), folder)
    assert load_settings(folder) == (Settings(theme="linen"), None)
    assert [path.name for path in folder.iterdir()] == ["settings.json"]


def test_no_file_gives_the_defaults_and_nothing_to_say(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == (Settings(), None)


def test_a_broken_file_gives_the_defaults_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{")
    settings, fault = load_settings(tmp_path)
    assert settings == Settings()
    assert fault == "settings settings.json: is not JSON; the defaults are used until a choice is made"


def test_a_value_of_another_kind_gives_the_default(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"theme": 3}')
    assert load_settings(tmp_path) == (Settings(), None)
