"""What comes after the first frame: the host, and what the pages need. Imported in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

# For their import alone: a page that is opened later stalls no key.
import inspector.tui.screens.compose_page
import inspector.tui.screens.servers_work
import inspector.tui.widgets.browse
import inspector.tui.widgets.compose
import inspector.tui.widgets.ownership
import inspector.tui.widgets.problems
import inspector.tui.widgets.record  # noqa: F401
from inspector.host.host import Host
from inspector.tui.host_feed import HostFeed
from inspector.tui.screens.ask_input import ask_input
from inspector.tui.screens.elicitation import ElicitationDesk

if TYPE_CHECKING:
    from inspector.host.setup import Setup
    from inspector.tui.app import InspectorApp


def open_host(app: InspectorApp, setup: Setup) -> tuple[Host, HostFeed, ElicitationDesk]:
    """The host of a setup, not started; the feed that tells the app's main screen of it; what asks a person."""
    desk = ElicitationDesk(app)
    host = Host(setup.entries, setup.settings, ask_input=partial(ask_input, app), elicit=desk.ask)
    feed = HostFeed(host, lambda happened: app.main.post_message(happened))
    feed.start()
    return host, feed, desk
