"""The terminal UI over real scripted servers, driven by keys, for tests that ask what a person sees."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from inspector.host.profile import read_settings
from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.rows import RowList
from inspector.workspace.config import load_workspace
from inspector.workspace.server import State
from tests.servers.workspace import workspace_file

WIDE = (140, 40)
NARROW = (80, 24)

LIMIT = 10.0
"""Seconds that anything may take: far more than it does, so that a loaded machine fails no test."""


def setup_of(folder: Path, servers: Mapping[str, Any], *, host: Any = None, **fields: Any) -> Setup:
    """What the command line would make of a workspace file with these servers."""
    beside = {} if host is None else {"host": host}
    workspace = load_workspace(workspace_file(folder, dict(servers), **beside))
    settings, _ = read_settings(workspace.host, workspace.error_at)
    return Setup(name="test", entries=workspace.servers, settings=settings, notes=workspace.problems, **fields)


@asynccontextmanager
async def driving(
    setup: Setup,
    size: tuple[int, int] = WIDE,
    *,
    config: Path = Path("/nonexistent"),
    state: Path | None = None,
    ready: Callable[[InspectorApp], bool] | None = None,
) -> AsyncIterator[tuple[InspectorApp, Pilot[None]]]:
    """The app as soon as it is `ready`: by default with every server connected or failed, and all of that shown.

    `config` is the person's configuration folder, `state` the one that their history is kept in: by default
    one that is gone afterwards.
    """
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory(ignore_cleanup_errors=True) as passing:
        patch.setenv("XDG_CONFIG_HOME", str(config))
        patch.setenv("XDG_STATE_HOME", str(state or passing))
        app = InspectorApp(setup)
        try:
            async with app.run_test(size=size) as pilot:
                if ready is None:
                    await all_shown(app, pilot)
                else:
                    await until(pilot, lambda: ready(app))
                yield app, pilot
        finally:
            await app.close_host()


async def all_shown(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Waits until every server is connected or failed, and the screen shows all that is known of them."""
    await until(pilot, lambda: app.main.is_ready and not waiting(app))
    await app.host.settled()
    await until(pilot, lambda: app.main.is_up_to_date)


def waiting(app: InspectorApp) -> bool:
    """Whether a server is still on its way."""
    states = [connection.state for connection in app.host.workspace.connections.values()]
    return State.IDLE in states or State.CONNECTING in states


def page_key(app: InspectorApp, page: str) -> str:
    """The key that shows a page."""
    return str(app.main.pages.ids.index(page) + 1)


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Waits until that holds. Fails where it does not within the limit."""
    async with asyncio.timeout(LIMIT):
        while not holds():
            await pilot.pause(0.02)
    await pilot.pause()


def screen_text(app: InspectorApp) -> str:
    """What is on the whole screen."""
    height = app.size.height
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines[:height])


def row_texts(rows: RowList, width: int = 200) -> list[str]:
    """Every row of a list, in view or not."""
    return [row.draw(width).plain.rstrip() for row in rows.rows]


def static_text(widget: Static) -> str:
    """The text of a static widget."""
    return str(widget.visual)


def notices(app: InspectorApp) -> list[str]:
    """The notices that are up, oldest first."""
    return [notification.message for notification in app._notifications]
