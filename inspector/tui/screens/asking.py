"""Ask anyway: reads the probe line's URI from a server that a person chooses, whoever owns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from inspector.host.visible import visible
from inspector.tui.messages import Notice
from inspector.tui.screens.choices import Choice, ChoicesScreen
from inspector.tui.widgets.asked import asked_lines
from inspector.workspace.server import State

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.tui.screens.main import MainScreen
    from inspector.tui.widgets.ownership import OwnershipPane


def ask_anyway(screen: MainScreen, pane: OwnershipPane) -> None:
    """Lets a person choose a server, reads from it, and shows its answer below the verdict."""
    uri = pane.probed
    choices = _servers(screen.host, uri)
    if not uri or not choices:
        words = "Type a URI into the probe line first." if not uri else "No server is connected."
        screen.post_message(Notice(words, "warning"))
        return

    def ask(server: str | None) -> None:
        if server is not None:
            screen.servers_work.run(_ask(screen.host, pane, uri, server), "ask anyway")

    facts = [("URI", visible(uri, 200)), ("", "read from this server, whoever owns it")]
    screen.app.push_screen(ChoicesScreen("Ask anyway", facts, choices), ask)


def _servers(host: Host, uri: str) -> list[Choice]:
    """The connected servers, those that claim the URI first, each with the key of its place."""
    claiming = {claim.server: claim.template for claim in host.lookup(uri).claims} if uri else {}
    connections = host.workspace.connections.items()
    names = [name for name, connection in connections if connection.state is State.CONNECTED]
    choices: list[Choice] = []
    for place, name in enumerate(sorted(names, key=lambda name: name not in claiming), start=1):
        why = f"claims it: {visible(claiming[name], 80)}" if name in claiming else "publishes no template for it"
        if not host.owns(name):
            why = "outside the workspace: owns nothing"
        choices.append(Choice(name, str(place) if place < 10 else "", f"{visible(name, 40)}  {why}"))
    return choices


async def _ask(host: Host, pane: OwnershipPane, uri: str, server: str) -> None:
    waits = Content.styled(f"asking {visible(server, 40)} …", "$outcome-pending")
    pane.show_asked(uri, waits + Content(" · Esc cancels"))
    try:
        read = await host.read_uri(uri, server)
    except BaseException:
        pane.show_asked(uri, Content())
        raise
    owns = server in host.workspace.connections and host.owns(server)
    pane.show_asked(uri, asked_lines(read, server, owns=owns))
