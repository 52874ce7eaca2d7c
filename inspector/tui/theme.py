"""Themes as files: `themes/*.toml`, those that are shipped and the person's own.

A file holds `name`, `dark`, `[colors]` (those of a Textual theme), `[outcomes]` (resolved, refused, error,
pending) and, where one wants more, `[variables]` of Textual's style sheets.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from textual.color import Color, ColorParseError
from textual.theme import Theme

from inspector.tui.contrast import LEAST, readable

DEFAULT_THEME: Final = "harbour"
"""The theme of a person who has not picked one."""

OUTCOMES: Final = ("resolved", "refused", "error", "pending")
"""What becomes of a string, as far as its colour goes. Each is the style variable `$outcome-NAME`."""

_COLORS: Final = (
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "foreground",
    "background",
    "surface",
    "panel",
    "boost",
)
GROUNDS: Final = ("background", "surface", "panel")
"""The colours that text is written on."""

_FIELDS: Final = ("name", "dark", "colors", "outcomes", "variables")


class ThemeError(ValueError):
    """A theme file that cannot be used. Its text is one line: the file, what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class LoadedThemes:
    """The themes that could be read, a later one of a name in the place of an earlier, and what was wrong."""

    themes: tuple[Theme, ...]
    faults: tuple[str, ...]


def shipped_folder() -> Path:
    """Where our own themes are: inside the package where it was installed, else at the checkout's top."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "themes"
    return installed if installed.is_dir() else package.parent / "themes"


def load_themes(folders: Iterable[Path]) -> LoadedThemes:
    """Reads every `*.toml` of the folders. A folder that is not there has none; a broken file is a fault."""
    themes: dict[str, Theme] = {}
    faults: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(path)
            except ThemeError as error:
                faults.append(str(error))
            else:
                themes[theme.name] = theme
    return LoadedThemes(tuple(themes.values()), tuple(faults))


def read_theme(path: Path) -> Theme:
    """Reads one theme file. Raises ThemeError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ThemeError(f"theme {path.name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ThemeError(f"theme {path.name}: is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ThemeError(f"theme {path.name}: is not TOML: {error}") from None
    return parse_theme(data, path.name)


def parse_theme(data: Mapping[str, Any], source: str) -> Theme:
    """A theme from a file's data. `source` names it in errors. Raises ThemeError."""
    _refuse_unknown(data, _FIELDS, "", source)
    name = data.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ThemeError(f'theme {source}: has no name: give it name = "…"')
    dark = data.get("dark", True)
    if not isinstance(dark, bool):
        raise ThemeError(f"theme {source}: dark must be true or false")
    colors = _read_colors(data, "colors", _COLORS, source)
    if "primary" not in colors:
        raise ThemeError(f'theme {source}: [colors] has no primary: give it primary = "#rrggbb"')
    outcomes = _read_colors(data, "outcomes", OUTCOMES, source)
    variables = _table(data, "variables", source)
    for variable, value in variables.items():
        if not isinstance(value, str):
            raise ThemeError(f"theme {source}: [variables] {variable} must be a string")
    own = {f"outcome-{outcome}": color for outcome, color in outcomes.items()}
    theme = Theme(name=name, primary=colors.pop("primary"), dark=dark, variables={**variables, **own})
    return replace(theme, **colors)  # type: ignore[arg-type]


def outcome_defaults(theme: Theme) -> dict[str, str]:
    """The outcome colours of a theme that names none, such as those that Textual ships: its own, made readable."""
    colors = theme.to_color_system().generate()
    named = {
        "outcome-resolved": colors["text-success"],
        "outcome-refused": colors["text-warning"],
        "outcome-error": colors["text-error"],
        "outcome-pending": colors["text-secondary"],
    }
    if theme.ansi:
        # The colours of the terminal itself: nobody knows what they are.
        return named
    grounds = [Color.parse(colors[ground]) for ground in GROUNDS]
    return {name: readable(Color.parse(color), grounds, LEAST).hex for name, color in named.items()}


def _table(data: Mapping[str, Any], field: str, source: str) -> Mapping[str, Any]:
    table = data.get(field, {})
    if not isinstance(table, Mapping):
        raise ThemeError(f"theme {source}: {field} must be a table: [{field}]")
    return table


def _read_colors(data: Mapping[str, Any], field: str, names: tuple[str, ...], source: str) -> dict[str, str]:
    table = _table(data, field, source)
    _refuse_unknown(table, names, f"[{field}] ", source)
    for name, value in table.items():
        try:
            if not isinstance(value, str):
                raise ThemeError(f'theme {source}: [{field}] {name} must be a string such as "#82aadc"')
            Color.parse(value)
        except ColorParseError:
            message = f'theme {source}: [{field}] {name} is no colour: write it as "#rrggbb"'
            raise ThemeError(message) from None
    return dict(table)


def _refuse_unknown(table: Mapping[str, Any], names: tuple[str, ...], where: str, source: str) -> None:
    unknown = next((name for name in table if name not in names), None)
    if unknown is not None:
        raise ThemeError(f"theme {source}: {where}{unknown} is unknown: there is {', '.join(names)}")
