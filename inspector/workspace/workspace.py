"""All the servers of a workspace, side by side, and what happens to them.

Importing this loads no SDK: `Workspace.start` does, in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from inspector.workspace.change import Change
from inspector.workspace.connection import Connection
from inspector.workspace.elicitation import Elicit
from inspector.workspace.events import Event, TrafficAdded
from inspector.workspace.inputs import AskInput, Inputs
from inspector.workspace.sdk import capture_logs, load_sdk
from inspector.workspace.server import ServerEntry, State
from inspector.workspace.traffic import Traffic
from inspector.workspace.turns import Turns

Claims = Callable[[ServerEntry], Mapping[str, Mapping[str, Any]]]
"""The extensions that a server's connection advertises: identifier to settings."""


class Workspace:
    """The servers of a workspace by name, in the entries' order.

    `extensions` says what each connection claims; `ask_input` asks a person for an entry's inputs. `elicit`
    asks a person what a server asks for while it works: only with it is elicitation claimed. Two entries of
    one name are a ValueError.
    """

    def __init__(
        self,
        entries: Sequence[ServerEntry],
        *,
        extensions: Claims,
        ask_input: AskInput | None = None,
        elicit: Elicit | None = None,
    ) -> None:
        self.traffic = Traffic()
        self._extensions = extensions
        self._inputs = Inputs(ask_input)
        self._elicit = elicit
        self._turns = Turns()
        self._subscribers: list[Callable[[Event], None]] = []
        self._started = False
        self._release_logs: Callable[[], None] | None = None
        self._loaded: asyncio.Task[None] | None = None
        self.traffic.subscribe(lambda message: self._announce(TrafficAdded(message)))
        self._connections: dict[str, Connection] = {}
        for entry in entries:
            if entry.name in self._connections:
                raise ValueError(f"two servers are named {entry.name}")
            self._connections[entry.name] = self._make(entry)

    @property
    def connections(self) -> Mapping[str, Connection]:
        """Each server's connection, in the entries' order."""
        return MappingProxyType(self._connections)

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call back with every event from now on, in the event loop; returns what ends that."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    async def start(self, only: Collection[str] | None = None) -> None:
        """Load the SDK and begin to connect, all side by side; `only` names those to connect.

        Returns before they are connected: await `settled`.
        """
        if self._release_logs is None:
            self._release_logs = capture_logs(self._announce)
        self._started = True
        await self._load()
        for name, connection in self._connections.items():
            if only is None or name in only:
                if connection.state not in (State.CONNECTING, State.CONNECTED):
                    connection.claims = self._extensions(connection.entry)
                connection.start()

    @property
    def connecting(self) -> tuple[str, ...]:
        """The servers that are on their way: neither connected with their lists read, nor failed, nor stopped."""
        return tuple(name for name, connection in self._connections.items() if not connection.is_settled)

    async def settled(self) -> None:
        """Wait until no connection is on its way: each is connected with its lists read, failed, or not
        started."""
        await asyncio.gather(*(connection.settled() for connection in self._connections.values()))

    async def reconnect(self, name: str) -> Change:
        """Stop and start one server; what differs in what it publishes. Raises KeyError where there is
        none."""
        connection = self._connections[name]
        await self._load()
        connection.claims = self._extensions(connection.entry)
        return await connection.reconnect()

    async def reconnect_all(self) -> tuple[Change, ...]:
        """Stop and start every server, side by side; what differs in each, in order."""
        return tuple(await asyncio.gather(*(self.reconnect(name) for name in list(self._connections))))

    async def renew_claims(self) -> tuple[Change, ...]:
        """Reconnect the servers that should now be claimed something else; a claim is fixed while
        connected."""
        names = [
            name
            for name, connection in self._connections.items()
            if connection.state in (State.CONNECTING, State.CONNECTED)
            and connection.claims != self._extensions(connection.entry)
        ]
        return tuple(await asyncio.gather(*(self.reconnect(name) for name in names)))

    async def stop(self, name: str) -> None:
        """Disconnect one server, and leave it so. Raises KeyError where there is none."""
        await self._connections[name].stop()

    async def set_entries(self, entries: Sequence[ServerEntry]) -> tuple[str, ...]:
        """Take on other entries: unchanged ones keep their connection, the others stop, or start anew.

        The names of those that are new or changed; they begin to connect where the workspace was started.
        """
        wanted = {entry.name: entry for entry in entries}
        gone = [connection for name, connection in self._connections.items() if name not in wanted]
        changed = [
            connection
            for name, connection in self._connections.items()
            if name in wanted and connection.entry != wanted[name]
        ]
        await asyncio.gather(*(connection.stop() for connection in [*gone, *changed]))
        renewed = [name for name in wanted if name not in self._connections]
        for connection in changed:
            connection.entry = wanted[connection.name]
            connection.claims = self._extensions(connection.entry)
            renewed.append(connection.name)
        self._connections = {name: self._connections.get(name) or self._make(wanted[name]) for name in wanted}
        if self._started:
            await self._load()
            for name in renewed:
                self._connections[name].start()
        return tuple(name for name in wanted if name in renewed)

    async def close(self) -> None:
        """Disconnect all; every process they started is gone afterwards. Bounded."""
        self._started = False
        try:
            await asyncio.gather(*(connection.stop() for connection in self._connections.values()))
        finally:
            if self._release_logs is not None:
                self._release_logs()
                self._release_logs = None

    async def _load(self) -> None:
        if self._loaded is None:
            self._loaded = asyncio.create_task(load_sdk(), name="load the SDK")
        # Shielded: who waits may give up, the import goes on for the others.
        await asyncio.shield(self._loaded)

    def _make(self, entry: ServerEntry) -> Connection:
        claims = self._extensions(entry)
        return Connection(entry, claims, self.traffic, self._announce, self._inputs, self._turns, self._elicit)

    def _announce(self, event: Event) -> None:
        for callback in list(self._subscribers):
            try:
                callback(event)
            except Exception as error:
                # A subscriber's fault is not the server's: the connection goes on, and the fault is reported.
                context = {"message": "a workspace subscriber failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
