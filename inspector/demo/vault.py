"""The `vault` server: a picture, which is no text, and a text too long to hand over."""

import argparse
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from mcp.server.mcpserver import Context
from mcp_types import Resource

from inspector.demo._server import READS, DemoServer, not_found

_SIDE = 16
_PARAGRAPHS = 700


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def logo() -> bytes:
    """A PNG of 16 by 16 grey pixels, a gradient."""
    rows = b"".join(b"\0" + bytes(8 * (row + column) for column in range(_SIDE)) for row in range(_SIDE))
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 0, 0, 0, 0)
    image = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + image


def handbook() -> str:
    """A text of more than 49,600 characters, the default `maxChars` (R21)."""
    return "\n".join(
        f"§ {number}. A key is lent for a day, written down as number {number}, and brought back in person."
        for number in range(1, _PARAGRAPHS + 1)
    )


PRICES = "Plan, seats, a month\nBench, 1 to 5, 20\nWorkshop, 6 to 40, 90\nHall, any number, by agreement\n"

_BLOBS: dict[str, Callable[[], bytes]] = {"logo": logo}
_TEXTS: dict[str, Callable[[], str]] = {"handbook": handbook, "prices": lambda: PRICES}


def build() -> DemoServer:
    """The server over one picture and two texts."""
    server = DemoServer(
        "vault", title="Vault", instructions="Pictures and texts, vault://texts/prices.", listing=_listing
    )

    @server.resource("vault://blobs/{name}", title="A picture", mime_type="image/png")
    def blob(name: str, context: Context[Any, Any]) -> bytes:
        """A picture: its bytes are never handed on (R20)."""
        if name not in _BLOBS:
            raise not_found(context, f"no picture {name}")
        return _BLOBS[name]()

    @server.resource("vault://texts/{name}", title="A text", mime_type="text/plain")
    def text(name: str, context: Context[Any, Any]) -> str:
        """A text, of any length."""
        if name not in _TEXTS:
            raise not_found(context, f"no text {name}")
        return _TEXTS[name]()

    @server.tool(title="List the vault", annotations=READS)
    def list_vault() -> list[str]:
        """List the URIs of everything in the vault."""
        return [resource.uri for resource in _listing()]

    return server


def _listing() -> list[Resource]:
    pictures = [
        Resource(uri=f"vault://blobs/{name}", name=name, mime_type="image/png", size=len(make()))
        for name, make in _BLOBS.items()
    ]
    texts = [
        Resource(uri=f"vault://texts/{name}", name=name, mime_type="text/plain", size=len(make().encode()))
        for name, make in _TEXTS.items()
    ]
    return pictures + texts


def main(arguments: Sequence[str]) -> None:
    """Serve over stdio until stdin closes."""
    argparse.ArgumentParser(prog="vault", description=__doc__).parse_args(arguments)
    build().run()
