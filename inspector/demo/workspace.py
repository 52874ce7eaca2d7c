"""The workspace file of the demo. Imports nothing heavy: it is read before the SDK is."""

import sys
from pathlib import Path
from typing import Any

SERVERS = ("crm", "mail", "outbox", "archive", "vault")
"""The servers of the demo, in the order in which they are shown."""


def demo_workspace(folder: Path) -> dict[str, Any]:
    """The demo as a workspace file's JSON: `{"mcpServers": {name: entry}}`.

    `folder` holds the records and the sent messages; it is made, and seeded, when a server first starts.
    Every server is `python -P -m inspector.demo NAME …` with the interpreter that runs this program. `-P`
    keeps the folder the person stands in off the import path. `outbox` is told which schemes it may cite:
    the extension advises that the scheme list comes from configuration. `mail` is kept on the 2025 era.
    """
    data = str(folder.absolute())
    return {
        "mcpServers": {
            "crm": _entry("crm", "--data", data),
            "mail": {**_entry("mail"), "protocolEra": "legacy"},
            "outbox": _entry("outbox", "--data", data, "--cite", "crm", "--report", "crm,vault,mail,files"),
            "archive": _entry("archive"),
            "vault": _entry("vault"),
        }
    }


def _entry(name: str, *arguments: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-P", "-m", "inspector.demo", name, *arguments]}
