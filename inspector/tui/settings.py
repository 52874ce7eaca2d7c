"""What a person picked and wants to find again: so far, the theme. One JSON file in their configuration folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_config_dir

from inspector.host.files import write_whole
from inspector.tui.theme import DEFAULT_THEME


@dataclass(frozen=True, slots=True)
class Settings:
    """A person's choices. `theme` is a theme's name, not known to be there."""

    theme: str = DEFAULT_THEME


def settings_folder() -> Path:
    """Where a person's settings and own themes are, as their system has it. Not created by asking."""
    return Path(user_config_dir("ra-inspector", appauthor=False))


def own_themes_folder(folder: Path | None = None) -> Path:
    """Where a person's own theme files go."""
    return (folder or settings_folder()) / "themes"


def load_settings(folder: Path | None = None) -> tuple[Settings, str | None]:
    """The settings, and what was wrong with their file in one line. A broken file gives the defaults."""
    path = (folder or settings_folder()) / "settings.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), f"settings {path.name}: cannot be read: {error.strerror}; the defaults are used"
    except ValueError:
        return Settings(), f"settings {path.name}: is not JSON; the defaults are used until a choice is made"
    theme = data.get("theme") if isinstance(data, dict) else None
    return (Settings(theme) if isinstance(theme, str) and theme else Settings()), None


def save_settings(settings: Settings, folder: Path | None = None) -> None:
    """Writes the settings whole or not at all. Raises OSError."""
    folder = folder or settings_folder()
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "settings.json", [json.dumps(asdict(settings), indent=2), "\n"], replace=True)
