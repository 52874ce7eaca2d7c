"""Imports beside the event loop: the loop goes first, all that is imported is there, and nothing stays behind."""

import asyncio
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.workspace.importing import import_beside


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    folder = tmp_path / "imported_beside"
    folder.mkdir()
    (folder / "__init__.py").write_text("from imported_beside import one, two\n")
    (folder / "one.py").write_text("value = 1\n")
    (folder / "two.py").write_text("value = 2\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield "imported_beside"
    for name in [name for name in sys.modules if name.startswith("imported_beside")]:
        del sys.modules[name]


async def test_a_module_is_imported_with_all_it_imports(package: str) -> None:
    finders = list(sys.meta_path)
    module = await import_beside(package)
    assert (module.one.value, module.two.value) == (1, 2)
    assert sys.meta_path == finders


async def test_the_loop_has_a_turn_before_every_module(package: str) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await import_beside(package)
    counting.cancel()
    assert turns >= 3


async def test_a_loop_that_waits_for_the_same_module_has_it(package: str) -> None:
    importing = asyncio.create_task(import_beside(package))
    await asyncio.sleep(0)
    # Blocks the loop, whose leave the other thread then asks for in vain.
    module = importlib.import_module(package)
    assert await importing is module


async def test_what_an_import_raises_comes_back() -> None:
    finders = list(sys.meta_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        await import_beside("no_such_module")
    assert sys.meta_path == finders
