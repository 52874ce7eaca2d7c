"""Takes the pictures anew and writes the README's table of keys: `make screenshots`.

Each picture is the program on the bundled workspace, driven by keys.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.screenshots.key_table import write_key_table
from tests.screenshots.scenes import SCENES, take


async def main(names: list[str]) -> None:
    """Takes the named scenes, or all of them, into `docs/screenshots`."""
    root = Path(__file__).parents[2]
    write_key_table(root / "README.md")
    folder = root / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if names and scene.name not in names:
            continue
        with tempfile.TemporaryDirectory() as data:
            picture = await take(scene, Path(data))
        (folder / f"{scene.name}.svg").write_text(picture, encoding="utf-8")
        print(f"docs/screenshots/{scene.name}.svg")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
