"""A person at a composer that a whole module of tests shares."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.host.playing import crm, outbox
from tests.tui.composing import Person, composing


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def composer(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Person]:
    """One host and one screen for all: each test composes calls of tools of its own."""
    folder = tmp_path_factory.mktemp("form")
    async with composing(folder, {"crm": crm(folder), "outbox": outbox(folder)}) as person:
        yield person


@pytest.fixture
def person(composer: Person) -> Person:
    composer.app.said.clear()
    composer.app.probed.clear()
    return composer


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing of the person who runs the tests is read or written."""
    folder = tmp_path_factory.mktemp("person")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
