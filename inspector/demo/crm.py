"""The `crm` server: records that other servers' tools cite."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    Resource,
    ResourceTemplateReference,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

from inspector.demo._server import READS, DemoServer, not_found, serve_over
from inspector.demo.signals import ACCOUNT_FIELDS, Kind, Signal, SignalStore, account_uri

SIGNAL_TEMPLATE = "crm://signals/{id}"
DIGEST_TEMPLATE = "crm://digests/{kind}"
ACCOUNT_TEMPLATE = "crm://accounts/{name}{?fields}"

SignalNumber = Annotated[
    int, Field(title="Signal", description="The number of a signal: 42 for crm://signals/42.")
]


class FoundSignal(BaseModel):
    """A signal as a tool's result shows it."""

    uri: str
    kind: str
    account: str
    observed: str = Field(description="The day of its event, an ISO date.")


class FoundSignals(BaseModel):
    """The signals that a search found, newest first."""

    signals: list[FoundSignal]


def _found(signal: Signal) -> FoundSignal:
    return FoundSignal(
        uri=signal.uri, kind=signal.kind, account=signal.account, observed=signal.observed_at.isoformat()
    )


def build(folder: Path) -> DemoServer:
    """The server over the records in `folder`."""
    store = SignalStore(folder)
    server = DemoServer(
        "crm",
        title="Customer records",
        instructions="Signals are cited by their URI, crm://signals/42.",
        listing=lambda: _listing(store),
    )
    _add_resources(server, store)
    _add_tools(server, store)
    return server


def _listing(store: SignalStore) -> list[Resource]:
    signals = [
        Resource(
            uri=signal.uri,
            name=f"signal-{signal.id}",
            title=f"{signal.account}: {signal.kind}",
            mime_type="application/json",
        )
        for signal in store.signals()
    ]
    accounts = [
        Resource(uri=account_uri(name), name=name, title=name, mime_type="application/json")
        for name in store.account_names()
    ]
    return signals + accounts


def _add_resources(server: DemoServer, store: SignalStore) -> None:
    @server.resource(SIGNAL_TEMPLATE, title="A signal", mime_type="application/json")
    def signal(id: str, context: Context[Any, Any]) -> str:
        """Something observed about an account, with its date and exact wording."""
        found = store.signal(int(id)) if id.isascii() and id.isdigit() and len(id) < 10 else None
        if found is None:
            raise not_found(context, f"no signal {id}")
        return found.to_json()

    @server.resource(DIGEST_TEMPLATE, title="Signals of one kind", mime_type="text/plain")
    def digest(kind: str, context: Context[Any, Any]) -> str:
        """All signals of one kind, a line each."""
        found = store.signals(kind=kind)
        if not found:
            raise not_found(context, f"no signals of the kind {kind}")
        return "\n".join(f"{each.observed_at} {each.account}: {each.quote} ({each.uri})" for each in found)

    @server.resource(ACCOUNT_TEMPLATE, title="An account", mime_type="application/json")
    def account(name: str, context: Context[Any, Any], fields: str = ",".join(ACCOUNT_FIELDS)) -> str:
        """An account; `fields` picks some of name, city and employees."""
        found = store.account(name)
        if found is None:
            raise not_found(context, f"no account {name}")
        return json.dumps({key: found[key] for key in fields.split(",") if key in found}, ensure_ascii=False)

    # The SDK's decorator carries no types.
    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        if not isinstance(reference, ResourceTemplateReference):
            return None
        values = _values(store, reference.uri, argument.name)
        matching = [value for value in values if value.startswith(argument.value)]
        return Completion(values=matching[:100], total=len(matching), has_more=len(matching) > 100)


def _values(store: SignalStore, template: str, variable: str) -> list[str]:
    if (template, variable) == (SIGNAL_TEMPLATE, "id"):
        return [str(number) for number in sorted(signal.id for signal in store.signals())]
    if (template, variable) == (DIGEST_TEMPLATE, "kind"):
        return sorted({signal.kind for signal in store.signals()})
    if (template, variable) == (ACCOUNT_TEMPLATE, "name"):
        return store.account_names()
    if (template, variable) == (ACCOUNT_TEMPLATE, "fields"):
        return list(ACCOUNT_FIELDS)
    return []


def _add_tools(server: DemoServer, store: SignalStore) -> None:
    @server.tool(title="Find signals", annotations=READS)
    def find_signals(
        words: Annotated[
            str,
            Field(title="Words", description="Text in the account's name or in what was said. Empty: all."),
        ] = "",
        kind: Annotated[
            Kind | None, Field(title="Kind", description="Signals of this kind only.", examples=["funding"])
        ] = None,
    ) -> FoundSignals:
        """Find signals by their words and kind, newest first, with the URI to cite each by."""
        return FoundSignals(signals=[_found(signal) for signal in store.signals(kind=kind, words=words)])

    @server.tool(
        title="Age a signal",
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
        ),
    )
    async def age_signal(
        id: SignalNumber,
        context: Context[Any, Any],
        days: Annotated[
            int,
            Field(
                title="Days",
                description="How far its date moves into the past; a negative number moves it back again.",
                ge=-4000,
                le=4000,
            ),
        ] = 180,
    ) -> FoundSignal:
        """Make a signal older: its date moves into the past. A citation of it may then be refused."""
        aged = store.age(id, days)
        if aged is None:
            raise ToolError(f"There is no signal {id}.")
        await context.notify_resource_updated(aged.uri)
        return _found(aged)

    @server.tool(
        title="Delete a signal",
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
        ),
    )
    async def delete_signal(id: SignalNumber, context: Context[Any, Any]) -> str:
        """Delete a signal for good. Its URI is then not found."""
        if not store.delete(id):
            return f"There is no signal {id}."
        await context.notify_resources_changed()
        return f"Signal {id} is deleted."


def main(arguments: Sequence[str]) -> None:
    """Serve over stdio until stdin closes."""
    parser = argparse.ArgumentParser(prog="crm", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the records")
    serve_over(parser.parse_args(arguments).data, build)
