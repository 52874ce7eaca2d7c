"""Which servers a command works with: the file that is named or found, `--server`, `--`, and what is wrong."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from inspector.cli.trust import confirm, content_hash
from inspector.host.profile import Profile
from inspector.host.setup import Setup
from inspector.workspace.config import WorkspaceError
from inspector.workspace.server import Era
from tests.cli.conftest import Run, Servers
from tests.servers.workspace import SCRIPT

CRM = {"mcpServers": {"crm": {"command": "crm-server", "env": {"TOKEN": "planted"}}}}


def written(name: str, content: Any) -> Path:
    path = Path(name)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (None, "w.json: no such file: name the workspace file with --workspace"),
        ("{", "w.json:1:2: not JSON: Expecting property name enclosed in double quotes"),
        ("[]", 'w.json:1:1: should be an object with "mcpServers", is an array'),
        ({"mcpServers": 1}, None),
        ({"mcpServers": {"crm": {"command": 1}}}, None),
        ({"mcpServers": {}, "host": {"maxUris": "many"}}, None),
        ({"mcpServers": {}, "host": {"profile": "other"}}, None),
        ({"mcpServers": {}, "host": {"budget": {"burst": -1}}}, None),
    ],
)
def test_a_workspace_file_that_is_none_is_said_in_one_line(run: Run, content: Any, line: str | None) -> None:
    if content is not None:
        written("w.json", content)
    ended = run("show", "-w", "w.json")
    assert (ended.code, ended.out) == (3, "")
    assert ended.error.startswith("w.json:")
    assert line in (None, ended.error)


def test_a_fault_in_the_host_object_is_placed(run: Run) -> None:
    written("w.json", '{"mcpServers": {},\n "host": {"maxUris": "many"}}')
    assert run("show", "-w", "w.json").error == "w.json:2:22: host.maxUris: must be a whole number, 0 or more"


def test_without_a_workspace_the_person_is_told_how_to_name_one(run: Run) -> None:
    ended = run("show")
    assert (ended.code, ended.out) == (3, "")
    assert ended.error == (
        f"no .mcp.json in {Path.cwd()}: name a workspace file with -w, a server with -s NAME=COMMAND, "
        "or try --demo"
    )


def test_a_variable_that_is_not_set_fails_its_server_by_name(run: Run, workspace: Servers) -> None:
    workspace.entries["crm"]["env"] = {"TOKEN": "${SURELY_NOT_SET}"}
    ended = run("preview", "-w", workspace.file, "outbox/send", "--json")
    assert ended.code == 0
    assert "SURELY_NOT_SET" in ended.error
    assert ended.error.startswith("crm: ")


def test_servers_without_a_file(run: Run, workspace: Servers) -> None:
    command = " ".join(map(str, (sys.executable, "-I", "-S", SCRIPT, workspace.folder / "crm.spec.json")))
    ended = run("read", "crm://signals/42", "-s", f"crm={command}", "--json")
    assert (ended.code, ended.document["server"]) == (0, "crm")
    ended = run("read", "crm://signals/42", "--json", "--", *command.split())
    assert (ended.code, ended.document["server"]) == (0, "scripted")


def test_servers_beside_a_file(run: Run, opened: list[Setup]) -> None:
    written("w.json", CRM)
    run("-w", "w.json", "-s", "mail=http://127.0.0.1:1/mcp", "--", "vault-server", "--verbose")
    (setup,) = opened
    assert [entry.name for entry in setup.entries] == ["crm", "mail", "vault-server"]
    assert setup.entries[2].args == ("--verbose",)
    assert (setup.name, setup.path) == ("w.json", Path("w.json"))


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["-s", "crm"], "--server crm: should be NAME=COMMAND or NAME=URL"),
        (["-s", "crm="], "--server crm=: a command or a URL should follow"),
        (["-s", "a=x", "-s", "a=y"], "two servers are named a: give one of them another name"),
        (
            ["-w", "w.json", "-s", "crm=x"],
            "two servers are named crm (one is in w.json): give one of them another name",
        ),
        (["--"], "after -- a command should follow"),
    ],
)
def test_servers_that_cannot_be_are_said_in_one_line(run: Run, words: list[str], line: str) -> None:
    written("w.json", CRM)
    ended = run("show", *words)
    assert (ended.code, ended.out, ended.error) == (2, "", line)


def test_the_file_can_be_read_anew_with_the_same_options(run: Run, opened: list[Setup]) -> None:
    written("w.json", CRM)
    run("-w", "w.json", "--timeout", "2")
    written("w.json", {"mcpServers": {"other": {"command": "x"}}})
    assert opened[0].reload is not None
    again = opened[0].reload()
    assert [(entry.name, entry.request_timeout) for entry in again.entries] == [("other", 2.0)]


def test_options_stay_in_force_when_the_file_is_read_anew(run: Run, opened: list[Setup]) -> None:
    written("w.json", CRM)
    run("--watch", "-w", "w.json", "-s", "beside=x", "--era", "beside=legacy", "--max-uris", "3")
    (setup,) = opened
    written("w.json", {"mcpServers": {"other": {"command": "x"}}, "host": {"maxUris": 9, "profile": "plain"}})
    assert setup.watch and setup.reload is not None
    again = setup.reload()
    assert [(entry.name, entry.era) for entry in again.entries] == [("other", Era.AUTO), ("beside", Era.LEGACY)]
    assert (again.settings.limits.max_uris, again.settings.profile) == (3, Profile.PLAIN)


@pytest.mark.parametrize(
    ("text", "fault"), [('{"mcpServers": {', "w.json:1:17: not JSON: "), (None, "w.json: no such file: ")]
)
def test_a_file_that_is_broken_by_now_is_said_with_its_place(
    run: Run, opened: list[Setup], text: str | None, fault: str
) -> None:
    written("w.json", CRM)
    run("open", "--watch", "-w", "w.json")
    assert opened[0].reload is not None
    Path("w.json").write_text(text, encoding="utf-8") if text is not None else Path("w.json").unlink()
    with pytest.raises(WorkspaceError) as raised:
        opened[0].reload()
    assert str(raised.value).startswith(fault)


def test_a_file_that_was_found_starts_nothing_new_in_the_run(
    run: Run, opened: list[Setup], tmp_path: Path
) -> None:
    path = Path(".mcp.json")
    written(".mcp.json", CRM)
    confirm(path, content_hash(path), tmp_path / "state" / "ra-inspector" / "confirmed.json")
    run("open")
    reload = opened[0].reload
    assert reload is not None and reload().entries == opened[0].entries
    written(".mcp.json", {"mcpServers": {"other": {"command": "x"}}})
    with pytest.raises(WorkspaceError, match="was found, not named"):
        reload()
    path.unlink()
    with pytest.raises(WorkspaceError, match="cannot be read"):
        reload()


def test_watch_goes_with_the_terminal_ui(run: Run, opened: list[Setup]) -> None:
    written("w.json", CRM)
    assert run("--watch", "show", "-w", "w.json").code == 2
    assert run("show", "--watch", "-w", "w.json").code == 2
    assert run("demo", "--watch").code == 0 and opened[0].watch


def test_a_file_that_was_found_is_not_used_without_a_person(run: Run) -> None:
    written(".mcp.json", CRM)
    ended = run("open")
    assert (ended.code, ended.out) == (3, "")
    assert ended.error == (
        f".mcp.json in {Path.cwd()} was found, not named, and there is no terminal to confirm it on: "
        "name it with -w .mcp.json"
    )


class Terminal:
    """The program in a pseudo-terminal of its own."""

    def __init__(self, *words: str) -> None:
        # `open` and not `show`: what is confirmed is whether anything may start at all.
        code = (
            "import sys\nfrom inspector.cli.main import main\n"
            "def open_ui(setup):\n    print('opened', setup.name)\n    return 0\n"
            "sys.exit(main(sys.argv[1:], open_ui))\n"
        )
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execv(sys.executable, [sys.executable, "-c", code, *words])
        self.text = ""

    def until(self, expected: str) -> None:
        """Reads until the terminal shows that."""
        deadline = time.monotonic() + 30
        while expected not in self.text:
            assert time.monotonic() < deadline, self.text
            if select.select([self.descriptor], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.descriptor, 65536).decode()
                except OSError:
                    break
        assert expected in self.text

    def type(self, keys: bytes) -> None:
        os.write(self.descriptor, keys)

    def ended(self) -> int:
        """The exit code, once the program has ended."""
        _, status = os.waitpid(self.process, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)


def test_a_file_that_was_found_is_shown_and_confirmed_before_its_first_use(run: Run, tmp_path: Path) -> None:
    servers = {
        "crm": {"command": "crm-server", "args": ["--fast mode", "${HOME}"], "env": {"TOKEN": "planted"}},
        "mail": {"url": "http://me:planted@127.0.0.1:1/mcp?key=planted"},
        "odd": {"command": "\x1b[2Jodd"},
    }
    written(".mcp.json", {"mcpServers": servers})

    def asked(answer: bytes) -> tuple[int, str]:
        terminal = Terminal("open")
        terminal.until("Use it? [y/N]: ")
        # A person answers once the program waits, which is a moment after it asked.
        time.sleep(0.3)
        terminal.type(answer)
        if answer.strip() == b"y":
            terminal.until("opened .mcp.json")
        return terminal.ended(), terminal.text

    code, shown = asked(b"\n")
    assert code == 3
    assert f"{Path.cwd()}/.mcp.json would start or reach:" in shown
    assert "  crm: crm-server '--fast mode' '${HOME}'  (env: TOKEN)" in shown
    assert "  mail: http://…@127.0.0.1:1/mcp?…" in shown
    assert "  odd: '␛[2Jodd'" in shown
    assert "planted" not in shown
    assert asked(b"\x03")[0] == 130
    assert asked(b"y\n")[0] == 0

    terminal = Terminal("open")
    terminal.until("opened .mcp.json")
    assert (terminal.ended(), "Use it?" in terminal.text) == (0, False)
    (store,) = (tmp_path / "state").rglob("confirmed.json")
    assert list(json.loads(store.read_text())) == [str(Path(".mcp.json").resolve())]

    written(".mcp.json", {"mcpServers": {"crm": {"command": "another"}}})
    assert asked(b"n\n")[0] == 3


def test_an_input_is_asked_for_on_the_terminal_and_never_shown(run: Run, servers: Servers, tmp_path: Path) -> None:
    servers.add("crm")
    servers.entries["crm"]["args"] += ["${input:key}"]
    servers.entries["crm"]["env"] = {"REGION": "${input:region}"}
    servers.beside["inputs"] = [
        {"id": "key", "type": "promptString", "description": "the \x1b[2Jkey", "password": True},
        {"id": "region", "type": "promptString", "description": "the region", "default": "north"},
    ]
    terminal = Terminal("show", "-w", str(servers.file))
    terminal.until("crm asks for the ␛[2Jkey: ")
    terminal.type(b"planted\n")
    terminal.until("crm asks for the region [north]: ")
    terminal.type(b"\n")
    terminal.until("  connected  ")
    assert terminal.ended() == 0
    assert "planted" not in terminal.text


def test_an_input_that_nobody_can_give_fails_its_server_by_name(run: Run, servers: Servers) -> None:
    servers.add("crm")
    servers.entries["crm"]["args"] += ["${input:key}"]
    servers.beside["inputs"] = [{"id": "key", "type": "promptString", "description": "the key"}]
    ended = run("read", "crm://1", "--from", "crm", "-w", servers.file)
    assert (ended.code, ended.error) == (3, "crm: needs the input key, which was not given")
