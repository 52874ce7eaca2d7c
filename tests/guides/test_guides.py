"""What the README and the guides say, held against the program."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli.main import main
from inspector.host.setup import Setup
from tests.screenshots.key_table import BEGIN, END, key_table

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    """Each command line of the program on a page, its continued lines joined."""
    found = []
    for language, block in FENCE.findall(page.read_text("utf-8")):
        if not language:
            joined = re.sub(r"\\\n\s*\|?", " ", block)
            lines = [line.replace(".venv/bin/", "") for line in joined.splitlines()]
            found += [line for line in lines if line.startswith("ra-inspector ")]
    return found


def heading_anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as a forge makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_is_there(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        path = (page.parent / target) if target else page
        assert path.exists(), f"{page.name} names {target}"
        if anchor:
            assert anchor in heading_anchors(path), f"{page.name} names {target}{anchor}"


def test_the_table_of_keys_is_that_of_the_bindings() -> None:
    assert f"{BEGIN}\n{key_table()}\n{END}" in (ROOT / "README.md").read_text("utf-8")


def opening(line: str) -> bool:
    words = shlex.split(line)[1:]
    return words[:1] in (["demo"], ["open"]) or words[:1] == [] or words[0].startswith("-")


@pytest.mark.parametrize("line", [line for page in PAGES for line in commands(page) if opening(line)])
def test_what_opens_the_terminal_program_opens_it(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"crm": {"command": "crm"}}}), "utf-8")
    opened: list[Setup] = []

    def open_ui(setup: Setup) -> int:
        opened.append(setup)
        return 0

    assert main(shlex.split(line)[1:], open_ui) == 0
    assert opened[0].entries


def test_the_example_of_a_tool_that_declares_does_as_it_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "hand-test-a-citation-tool.md").read_text("utf-8")
    (code,) = (block for language, block in FENCE.findall(page) if language == "python")
    server = tmp_path / "server.py"
    server.write_text(code, "utf-8")

    def call(uri: str) -> dict[str, object]:
        words = ["call", "-s", f"crm={shlex.join([sys.executable, str(server)])}", "send", "--json"]
        arguments = json.dumps({"body": "x", "citations": [uri]})
        run = [sys.executable, "-m", "inspector", *words, "--args", arguments]
        done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
        document: dict[str, object] = json.loads(done.stdout)
        return document

    resolved, missing = call("crm://signals/1"), call("crm://signal/1")
    assert resolved["outcomes"][0]["outcome"] == "resolved"  # type: ignore[index]
    assert resolved["result"]["isError"] is False  # type: ignore[index]
    assert missing["outcomes"][0]["outcome"] == "not_found"  # type: ignore[index]
    assert missing["result"]["isError"] is True  # type: ignore[index]
