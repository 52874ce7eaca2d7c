"""The command's words: what is wrong with them is one line and exit code 2, and costs no SDK."""

from __future__ import annotations

import subprocess
import sys

import pytest

from inspector.cli.options import PROFILES
from inspector.host.profile import Profile
from inspector.host.setup import Setup
from tests.cli.conftest import Run

HELP = "(see ra-inspector --help)"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["sohw"],
            "no command sohw: there is open, demo, show, owners, preview, call, read, replay, drill, check "
            f"{HELP}",
        ),
        (["--foo"], "no such option '--foo' (see ra-inspector --help)"),
        (["--foo\x1b[31m"], "no such option '--foo\\x1b[31m' (see ra-inspector --help)"),
        (["call"], "missing argument 'SERVER/TOOL' (see ra-inspector call --help)"),
        (["read"], "missing argument 'URI' (see ra-inspector read --help)"),
        (["show", "extra"], "got unexpected extra argument (extra) (see ra-inspector show --help)"),
        (["show", "-w"], "option '-w' requires an argument (see ra-inspector --help)"),
        (
            ["show", "--profile", "other"],
            "invalid value for '--profile': 'other' is not one of 'workspace', 'personal', 'plain', "
            "'outside-client', 'restricted' (see ra-inspector show --help)",
        ),
        (
            ["show", "--max-uris", "-1"],
            "invalid value for '--max-uris': -1 is not in the range x>=0 (see ra-inspector show --help)",
        ),
        (
            ["--timeout", "soon"],
            "invalid value for '--timeout': 'soon' is not a number of seconds (see ra-inspector --help)",
        ),
        (
            ["--timeout", "0"],
            "invalid value for '--timeout': 0 is no time to wait: it must be more than 0, and have an end "
            "(see ra-inspector --help)",
        ),
        (
            ["--timeout", "inf"],
            "invalid value for '--timeout': inf is no time to wait: it must be more than 0, and have an end "
            "(see ra-inspector --help)",
        ),
        (
            ["--era", "crm=auto"],
            "invalid value for '--era': 'crm=auto' is not NAME=legacy or NAME=modern (see ra-inspector --help)",
        ),
        (
            ["--era", "legacy"],
            "invalid value for '--era': 'legacy' is not NAME=legacy or NAME=modern (see ra-inspector --help)",
        ),
        (["show", "--demo", "-w", "x.json"], "--demo and -w/--workspace each name a workspace: give one of them"),
        (["demo", "-w", "x.json"], "--demo and -w/--workspace each name a workspace: give one of them"),
        (
            ["--json", "open"],
            "--json goes with show, owners, preview, call, read, replay, drill, check: this opens the terminal UI",
        ),
        (["open", "--args", "{}"], "--args goes with a tool: name it, as SERVER/TOOL"),
        (
            ["call", "--demo", "outbox/send", "--args", "[1]"],
            '--args: is an array, not a JSON object: write {"NAME": VALUE, …}',
        ),
        (
            ["show", "--demo", "--era", "nobody=legacy"],
            "--era nobody=legacy: no server is named nobody: there is crm, mail, outbox, archive, vault",
        ),
        (
            ["read", "crm://\udcff", "--demo"],
            "URI: holds a lone surrogate at character 7, and no request can carry half a character",
        ),
    ],
)
def test_wrong_words_are_said_in_one_line(run: Run, words: list[str], line: str) -> None:
    ended = run(*words)
    assert (ended.code, ended.out, ended.error) == (2, "", line)


def test_the_profiles_of_the_help_are_the_hosts() -> None:
    assert tuple(Profile) == PROFILES


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["sohw"], ["call", "--help"], ["call", "--nothing"]])
def test_help_version_and_bad_words_load_nothing_heavy(words: list[str]) -> None:
    """The SDK takes the better part of a second to import, and Textual its share."""
    code = (
        "import sys\n"
        "from inspector.__main__ import main\n"
        f"sys.argv = ['ra-inspector', *{words!r}]\n"
        "main()\n"
        "heavy = {'mcp', 'mcp_types', 'textual', 'pydantic', 'httpx2', 'anyio', 'jsonschema'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [["--help"], ["show", "--help"], ["--version"]])
def test_help_and_version_go_to_standard_output(run: Run, words: list[str]) -> None:
    ended = run(*words)
    assert ended.code == 0
    assert "ra-inspector" in ended.out
    assert ended.err == ""


@pytest.mark.parametrize(
    "words",
    [
        ["--demo"],
        ["open", "--demo"],
        ["--demo", "open"],
        ["demo"],
    ],
)
def test_no_command_is_open(run: Run, opened: list[Setup], words: list[str]) -> None:
    assert run(*words).code == 0
    assert [(setup.name, setup.tool) for setup in opened] == [("demo", None)]
    assert [entry.name for entry in opened[0].entries] == ["crm", "mail", "outbox", "archive", "vault"]


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "outbox/send", "--args", '{"a": 1}'],
        ["open", "--demo", "outbox/send", "--args", '{"a": 1}'],
        ["--demo", "outbox/send", "--args", '{"a": 1}'],
    ],
)
def test_the_ui_opens_with_a_call_composed(run: Run, opened: list[Setup], words: list[str]) -> None:
    assert run(*words).code == 0
    assert [(setup.tool, setup.arguments) for setup in opened] == [("outbox/send", {"a": 1})]


def test_options_stand_before_the_command_or_after_it(run: Run, opened: list[Setup]) -> None:
    run("--demo", "--max-uris", "3", "--profile", "plain", "open", "--max-uris", "4", "--timeout", "2.5")
    (setup,) = opened
    assert (setup.settings.limits.max_uris, setup.settings.profile) == (4, Profile.PLAIN)
    assert {entry.request_timeout for entry in setup.entries} == {2.5}
