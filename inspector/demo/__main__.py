"""Starts one server of the demo, or prints the demo's workspace file.

python -m inspector.demo NAME …             NAME is crm, mail, outbox, archive or vault
python -m inspector.demo workspace FOLDER   the workspace file, to keep and to change
"""

import gc
import importlib
import json
import signal
import sys
from pathlib import Path

from inspector.demo.workspace import SERVERS, demo_workspace


def main(arguments: list[str]) -> int:
    """Run what `arguments` name; 2 where they name nothing."""
    match arguments:
        case ["workspace", folder]:
            print(json.dumps(demo_workspace(Path(folder)), indent=2))
            return 0
        case [name, *rest] if name in SERVERS:
            _serve(name, rest)
            return 0
        case _:
            print((__doc__ or "").strip(), file=sys.stderr)
            return 2


def _serve(name: str, arguments: list[str]) -> None:
    # Ctrl+C reaches the whole process group; a server that is told to go leaves without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Five servers start at once. The SDK's import is nearly all of it, a tenth of that garbage collection
    # which finds nothing.
    gc.disable()
    server = importlib.import_module(f"inspector.demo.{name}")
    gc.freeze()
    gc.enable()
    server.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
