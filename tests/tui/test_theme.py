"""Themes are files: ours are readable, a person's own replace them, a broken one is a notice."""

from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from inspector.tui.contrast import LEAST, SixteenColors, contrast, readable
from inspector.tui.theme import (
    DEFAULT_THEME,
    GROUNDS,
    OUTCOMES,
    ThemeError,
    load_themes,
    outcome_defaults,
    parse_theme,
    shipped_folder,
)

SHIPPED = load_themes([shipped_folder()])


def test_a_dark_a_light_and_a_high_contrast_theme_are_shipped_and_none_is_broken() -> None:
    assert SHIPPED.faults == ()
    assert {theme.name: theme.dark for theme in SHIPPED.themes} == {
        "contrast": True,
        "harbour": True,
        "linen": False,
    }
    assert DEFAULT_THEME == "harbour"


def colors_of(theme: Theme) -> dict[str, Color]:
    generated = {**outcome_defaults(theme), **theme.to_color_system().generate(), **theme.variables}
    return {
        name: Color.parse(value) for name, value in generated.items() if value.startswith("#") and " " not in value
    }


@pytest.mark.parametrize("theme", SHIPPED.themes, ids=lambda theme: theme.name)
def test_text_and_outcomes_stand_out_from_everything_they_are_written_on(theme: Theme) -> None:
    colors = colors_of(theme)
    least = 7.0 if theme.name == "contrast" else 4.5
    for name in ("foreground", "text-muted", "primary", "accent", *(f"outcome-{name}" for name in OUTCOMES)):
        for ground in ("background", "surface", "panel"):
            ratio = contrast(colors[name], colors[ground])
            assert ratio >= least, f"{theme.name}: {name} on {ground} is {ratio:.2f}:1"
    for cursor in ("block-cursor", "block-cursor-blurred"):
        ratio = contrast(colors[f"{cursor}-foreground"], colors[f"{cursor}-background"])
        assert ratio >= least, f"{theme.name}: {cursor} is {ratio:.2f}:1"


@pytest.mark.parametrize("theme", [t for t in BUILTIN_THEMES.values() if not t.ansi], ids=lambda theme: theme.name)
def test_the_outcomes_are_read_in_every_theme_of_textual(theme: Theme) -> None:
    colors = colors_of(theme)
    for outcome in OUTCOMES:
        for ground in GROUNDS:
            ratio = contrast(colors[f"outcome-{outcome}"], colors[ground])
            assert ratio >= LEAST, f"{theme.name}: {outcome} on {ground} is {ratio:.2f}:1"


def test_a_colour_that_is_read_already_stays_as_it_is() -> None:
    ground = Color.parse("#12161d")
    assert readable(Color.parse("#86cd9e"), [ground], LEAST) == Color.parse("#86cd9e")
    assert contrast(readable(Color.parse("#222222"), [ground], LEAST), ground) >= LEAST


@pytest.mark.parametrize("theme", SHIPPED.themes, ids=lambda theme: theme.name)
def test_text_and_its_ground_never_become_one_of_sixteen_colours(theme: Theme) -> None:
    colors = colors_of(theme)
    sixteen = SixteenColors()
    for name in (
        "foreground",
        "text-muted",
        "text-disabled",
        "primary",
        "accent",
        *(f"outcome-{o}" for o in OUTCOMES),
    ):
        for ground in (*GROUNDS, "block-cursor-background", "block-cursor-blurred-background"):
            style = Style(color=colors[name].rich_color, bgcolor=colors[ground].rich_color)
            (segment,) = sixteen.apply([Segment("x", style)], colors["background"])
            shown = segment.style
            assert shown is not None and shown.color is not None and shown.bgcolor is not None
            assert shown.color.number != shown.bgcolor.number, f"{name} on {ground}"


def test_a_theme_that_names_no_outcome_colours_gets_them_from_its_own() -> None:
    for theme in BUILTIN_THEMES.values():
        assert set(outcome_defaults(theme)) == {f"outcome-{name}" for name in OUTCOMES}


def test_a_persons_own_theme_takes_the_place_of_ours_of_the_same_name(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('name = "harbour"\n[colors]\nprimary = "#ff0000"\n')
    loaded = load_themes([shipped_folder(), tmp_path])
    assert next(theme for theme in loaded.themes if theme.name == "harbour").primary == "#ff0000"
    assert load_themes([tmp_path / "not there"]).themes == ()


def test_a_broken_file_is_a_fault_in_one_line_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text('name = "x\n')
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"\n')
    (tmp_path / "sound.toml").write_text('name = "sound"\n[colors]\nprimary = "#ffffff"\n')
    loaded = load_themes([tmp_path])
    assert [theme.name for theme in loaded.themes] == ["sound"]
    broken, latin = loaded.faults
    assert broken.startswith("theme broken.toml: is not TOML: ") and "\n" not in broken
    assert latin == "theme latin.toml: is not UTF-8"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, 'theme t.toml: has no name: give it name = "…"'),
        ({"name": "t", "dark": "yes"}, "theme t.toml: dark must be true or false"),
        ({"name": "t", "colors": "red"}, "theme t.toml: colors must be a table: [colors]"),
        ({"name": "t"}, 'theme t.toml: [colors] has no primary: give it primary = "#rrggbb"'),
        (
            {"name": "t", "colors": {"primary": "#12"}},
            'theme t.toml: [colors] primary is no colour: write it as "#rrggbb"',
        ),
        (
            {"name": "t", "colors": {"primary": 3}},
            'theme t.toml: [colors] primary must be a string such as "#82aadc"',
        ),
        (
            {"name": "t", "colors": {"primary": "red"}, "outcomes": {"fine": "red"}},
            "theme t.toml: [outcomes] fine is unknown: there is resolved, refused, error, pending",
        ),
        (
            {"name": "t", "author": "me"},
            "theme t.toml: author is unknown: there is name, dark, colors, outcomes, variables",
        ),
        (
            {"name": "t", "colors": {"primary": "red"}, "variables": {"border": 1}},
            "theme t.toml: [variables] border must be a string",
        ),
    ],
)
def test_what_is_wrong_with_a_theme_is_said_in_one_line(data: dict[str, object], message: str) -> None:
    with pytest.raises(ThemeError) as error:
        parse_theme(data, "t.toml")
    assert str(error.value) == message
