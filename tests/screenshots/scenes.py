"""What the pictures show, and how the program gets there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from textual.pilot import Pilot

from inspector.demo.workspace import demo_workspace
from inspector.host.setup import Setup
from inspector.tui.app import InspectorApp
from inspector.workspace.config import parse_workspace
from tests.tui.driving import all_shown

SEND: Final = "outbox/send_with_citations"
CITED: Final = {
    "body": "Congratulations on the funding round.",
    "citations": ["crm://signals/42", "crm://signals/7", "mail://inbox/1"],
}


@dataclass(frozen=True)
class Scene:
    """A picture: the call to begin with and the keys that lead there. `paste` goes in before the last keys."""

    name: str
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (110, 32)
    theme: str = "harbour"
    typed: Mapping[int, str] = field(default_factory=dict)
    """Text that is typed after that many keys."""


SCENES: Final[tuple[Scene, ...]] = (
    Scene("compose", SEND, CITED, ("ctrl+r",), size=(120, 36)),
    Scene("result", SEND, CITED, ("ctrl+r", "ctrl+j"), size=(120, 36)),
    Scene("not-found", SEND, {"body": "Hi", "citations": ["crm://signal/42"]}, ()),
    Scene("ownership", None, None, ("2",), typed={1: "crm://signals/2024-17"}),
    Scene("light", SEND, CITED, ("ctrl+r",), size=(80, 24), theme="linen"),
)


async def take(scene: Scene, data: Path) -> str:
    """The picture of a scene, as SVG. `data` is a folder that the demo may write to."""
    file = parse_workspace(demo_workspace(data), data, "demo")
    setup = Setup(name="demo", entries=file.servers, tool=scene.tool, arguments=scene.arguments)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            patch.setenv(variable, str(data / variable.lower()))
        app = InspectorApp(setup)
        try:
            async with app.run_test(size=scene.size) as pilot:
                app.theme = scene.theme
                await all_shown(app, pilot)
                await _settle(app, pilot)
                for number, key in enumerate(scene.keys, 1):
                    await pilot.press(key)
                    await _settle(app, pilot)
                    if number in scene.typed:
                        await pilot.press(*scene.typed[number])
                        await _settle(app, pilot)
                return app.export_screenshot(title=f"ra-inspector {scene.name}")
        finally:
            await app.close_host()


async def _settle(app: InspectorApp, pilot: Pilot[None]) -> None:
    await pilot.pause(0.4)
    await app.workers.wait_for_complete()
    await pilot.pause(0.2)
