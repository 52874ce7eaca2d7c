"""What the terminal UI knows of the words it was started with, so that a copied command names the same servers."""

from __future__ import annotations

from pathlib import Path

from inspector.host.setup import Setup
from tests.cli.conftest import Run
from tests.servers.workspace import workspace_file


def test_the_options_that_name_the_servers_are_kept_as_they_were_typed(
    run: Run, opened: list[Setup], tmp_path: Path
) -> None:
    path = workspace_file(tmp_path, {"crm": {"command": "python", "args": ["crm.py"]}})
    beside = ("-s", "a=http://localhost:9/mcp", "--era", "a=legacy", "--timeout", "5")
    run("-w", path, *beside, "--max-uris", "3", "open", "--", "python", "b.py")
    assert opened[0].options == ("-w", str(path), *beside, "--", "python", "b.py")
    run("demo")
    assert opened[1].options == ("--demo",)
