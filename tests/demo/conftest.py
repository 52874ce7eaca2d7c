"""The two servers that most tests here speak to, started once for each era."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.sessions import VERSIONS, Session, session


@pytest.fixture(scope="session", params=VERSIONS)
def mode(request: pytest.FixtureRequest) -> str:
    """How the SDK's client is told to connect."""
    return str(request.param)


@pytest.fixture(scope="session")
def folder(mode: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the servers of this era keep their data."""
    return tmp_path_factory.mktemp(f"demo-{mode}")


@pytest.fixture(scope="session")
def crm(mode: str, folder: Path) -> Iterator[Session]:
    with session(folder, "crm", mode) as opened:
        yield opened


@pytest.fixture(scope="session")
def outbox(mode: str, folder: Path) -> Iterator[Session]:
    with session(folder, "outbox", mode) as opened:
        yield opened
