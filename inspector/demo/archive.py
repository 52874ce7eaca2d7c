"""The `archive` server: old records, some of them under URIs that `crm` claims as well."""

import argparse
import json
from collections.abc import Sequence
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import Resource
from pydantic import Field

from inspector.demo._server import READS, DemoServer, not_found

# year, number within the year, kind, account, what was said.
_ARCHIVED = (
    (2023, 4, "hiring", "Quillon Health", "We look for two chemists."),
    (2023, 9, "launch", "Fennick Foods", "The first mill is open."),
    (2024, 3, "funding", "Quillon Health", "A grant pays for the study."),
    (2024, 17, "funding", "Aldermoor Robotics", "The seed round is complete."),
)

YEARS = sorted({year for year, *_ in _ARCHIVED})


def _text(year: int, number: int, kind: str, account: str, words: str) -> str:
    return json.dumps({"year": year, "id": number, "kind": kind, "account": account, "quote": words})


def build() -> DemoServer:
    """The server over its few records.

    Its first template lies within `crm`'s `crm://signals/{id}` for every URI with a hyphen: both servers
    claim `crm://signals/2024-17`, and neither is read (R15). `crm://signals/42` stays crm's own.
    """
    server = DemoServer(
        "archive",
        title="Archive",
        instructions="Signals of past years, crm://signals/2024-17, and the boxes they lie in.",
        listing=_listing,
    )

    @server.resource("crm://signals/{year}-{id}", title="A signal of a past year", mime_type="application/json")
    def archived_signal(year: str, id: str, context: Context[Any, Any]) -> str:
        """A signal that was moved to the archive."""
        for each in _ARCHIVED:
            if (str(each[0]), str(each[1])) == (year, id):
                return _text(*each)
        raise not_found(context, f"no signal {id} in {year}")

    @server.resource("archive://boxes{/path*}", title="A box", mime_type="text/plain")
    def box(context: Context[Any, Any], path: list[str] | None = None) -> str:
        """What lies in a box: archive://boxes, archive://boxes/2024, archive://boxes/2024/funding."""
        match path or []:
            case []:
                return "\n".join(f"archive://boxes/{year}" for year in YEARS)
            case [year]:
                return _contents(year, None, context)
            case [year, kind]:
                return _contents(year, kind, context)
            case deeper:
                raise not_found(context, f"no box {'/'.join(deeper)}")

    @server.tool(title="List a box", annotations=READS)
    def list_box(
        year: Annotated[int, Field(title="Year", description="The box of this year.", ge=1900, le=2999)],
    ) -> list[str]:
        """List the URIs of the signals archived in a year."""
        return [f"crm://signals/{each[0]}-{each[1]}" for each in _ARCHIVED if each[0] == year]

    return server


def _contents(year: str, kind: str | None, context: Context[Any, Any]) -> str:
    lines = [
        f"crm://signals/{each[0]}-{each[1]} {each[2]}: {each[3]}"
        for each in _ARCHIVED
        if str(each[0]) == year and kind in (None, each[2])
    ]
    if not lines:
        raise not_found(context, f"no box {year}" if kind is None else f"nothing of the kind {kind} in {year}")
    return "\n".join(lines)


def _listing() -> list[Resource]:
    return [
        Resource(uri=f"archive://boxes/{year}", name=f"box-{year}", title=f"Box {year}", mime_type="text/plain")
        for year in YEARS
    ]


def main(arguments: Sequence[str]) -> None:
    """Serve over stdio until stdin closes."""
    argparse.ArgumentParser(prog="archive", description=__doc__).parse_args(arguments)
    build().run()
