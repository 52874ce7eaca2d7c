"""One server of a workspace: where its connection stands, what it publishes, and requests to it.

Importing this costs nothing: the SDK is loaded when a connection starts.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from inspector.workspace.catalog import Catalog
from inspector.workspace.change import Change, compare_catalogs
from inspector.workspace.collecting import keep_from_collecting
from inspector.workspace.elicitation import Elicit
from inspector.workspace.events import (
    Announce,
    CatalogChanged,
    LogMessage,
    ProblemFound,
    Progress,
    StateChanged,
    StderrLine,
)
from inspector.workspace.inputs import InputMissing, Inputs
from inspector.workspace.listing import ReadList, make_catalog, order_notes, read_lists
from inspector.workspace.problem import Problem, Severity
from inspector.workspace.reply import Failure, Reply
from inspector.workspace.server import ServerEntry, State, Transport
from inspector.workspace.traffic import Traffic
from inspector.workspace.turns import Turns

if TYPE_CHECKING:
    from inspector.workspace.handshake import Handshake
    from inspector.workspace.session import Session


logger = logging.getLogger(__name__)


class ProgressCallback(Protocol):
    """Takes a request's progress: how far, of how much where that is known, and a message."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        """Called with each notification."""


STDERR_LINES = 1_000
PROBLEM_LIMIT = 200
DEBOUNCE_SECONDS = 0.1
STOP_SECONDS = 10.0


class Connection:
    """One server, from starting it to stopping it, any number of times. It implements the session's hooks.

    `claims` are the extensions that it advertises, by identifier; they are fixed while it is connected.
    """

    def __init__(
        self,
        entry: ServerEntry,
        claims: Mapping[str, Mapping[str, Any]],
        traffic: Traffic,
        announce: Announce,
        inputs: Inputs,
        turns: Turns,
        elicit: Elicit | None = None,
    ) -> None:
        self.entry = entry
        self.claims = claims
        self.state = State.IDLE
        self.error: str | None = None
        self.starts = 0
        """How often it was started: what a server holds may be another thing after each."""
        self.catalog = Catalog()
        self.handshake: Handshake | None = None
        self._traffic = traffic
        self._announce = announce
        self._inputs = inputs
        self._elicit = elicit
        self._starting_at: float | None = None
        self._turns = turns
        self._end_turn: Callable[[], None] | None = None
        self._session: Session | None = None
        self._task: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._settled.set()
        self._lists: dict[str, ReadList] = {}
        self._last_catalog = Catalog()
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._problems: deque[Problem] = deque(maxlen=PROBLEM_LIMIT)
        self._dirty: set[str] = set()
        self._reading = asyncio.Lock()
        self._readers: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        """The server's name in the workspace."""
        return self.entry.name

    @property
    def protocol_version(self) -> str | None:
        """The negotiated version; None while not connected."""
        return self.handshake.protocol_version if self.handshake is not None else None

    @property
    def server_info(self) -> Mapping[str, Any] | None:
        """What the server says it is, as it came; None where it says nothing."""
        return self.handshake.server_info if self.handshake is not None else None

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """The server's capabilities as they came; empty while not connected."""
        return self.handshake.capabilities if self.handshake is not None else {}

    @property
    def instructions(self) -> str | None:
        """The server's instructions, where it gave any."""
        return self.handshake.instructions if self.handshake is not None else None

    @property
    def era_reason(self) -> str:
        """Why this protocol era: asked for, answered server/discover, or fell back and why."""
        return self.handshake.era_reason if self.handshake is not None else ""

    @property
    def connect_milliseconds(self) -> float | None:
        """From starting the server to the end of the handshake."""
        return self.handshake.milliseconds if self.handshake is not None else None

    @property
    def connecting_seconds(self) -> float | None:
        """How long it has been on its way; None where it is not."""
        if self.state is not State.CONNECTING or self._starting_at is None:
            return None
        return time.monotonic() - self._starting_at

    @property
    def is_asking(self) -> bool:
        """Whether the server asked something (elicitation) that a person has not answered yet."""
        return self._session is not None and self._session.is_asking

    def waiting_seconds(self, method: str) -> float | None:
        """How long the oldest open request of a method has waited; None where none is open."""
        return self._session.waiting_seconds(method) if self._session is not None else None

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last lines of standard error of this start, oldest first."""
        return tuple(self._stderr)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong: what was found while it ran, then what its lists show."""
        return (*self._problems, *self.catalog.problems)

    @property
    def pid(self) -> int | None:
        """The process id of a stdio server, while it runs."""
        return self._session.pid if self._session is not None else None

    def start(self) -> None:
        """Begin to connect; does nothing where that has begun. Await `settled` for what comes of it."""
        if self._task is not None and not self._task.done():
            return
        self.starts += 1
        self._settled.clear()
        self._stderr.clear()
        self._problems.clear()
        self._starting_at = time.monotonic()
        self._set_state(State.CONNECTING)
        self._task = asyncio.create_task(self._live(), name=f"connection {self.name}")

    @property
    def is_settled(self) -> bool:
        """Whether it is connected with its lists read, or failed, or was stopped; or never started."""
        return self._settled.is_set()

    async def settled(self) -> None:
        """Wait until it is connected and its lists are read, or it failed, or was stopped."""
        await self._settled.wait()

    async def stop(self) -> None:
        """Disconnect; the server is gone afterwards. Bounded."""
        task = self._task
        if task is not None and not task.done():
            if self._session is not None:
                self._session.stop()
            else:
                task.cancel()
            _, still_running = await asyncio.wait([task], timeout=STOP_SECONDS)
            if still_running:
                task.cancel()
                await asyncio.wait([task], timeout=STOP_SECONDS)
        # Where two asked for it at once, the other may have started it again by now.
        if self._task is task and self.state is not State.FAILED:
            self._set_state(State.STOPPED)

    async def reconnect(self) -> Change:
        """Stop, start, wait until settled; what differs from when its lists were last read."""
        before = self._last_catalog
        await self.stop()
        self.start()
        await self.settled()
        if self.state is not State.CONNECTED:
            return Change(self.name, error=self.error or "stopped")
        return compare_catalogs(self.name, before, self.catalog)

    async def request_read(self, uri: str, *, timeout: float | None = None) -> Reply:
        """`resources/read`: the result as it came. `timeout` in seconds; by default the entry's."""
        session = self._session
        return await session.read(uri, timeout) if session is not None else self._unconnected("resources/read")

    async def request_call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        meta: Mapping[str, Any],
        *,
        timeout: float | None = None,
        progress: ProgressCallback | None = None,
    ) -> Reply:
        """`tools/call` with these arguments, in their order, and these keys in `_meta`. `timeout` in
        seconds."""
        session = self._session
        if session is None:
            return self._unconnected("tools/call")
        return await session.call(name, dict(arguments), meta, timeout, progress)

    async def request_complete(
        self, ref: Mapping[str, str], argument: Mapping[str, str], context: Mapping[str, str] | None = None
    ) -> Reply:
        """`completion/complete`. `ref` is `{"type": "ref/resource", "uri": …}` or `{"type": "ref/prompt",
        "name": …}`, `argument` is `{"name": …, "value": …}`, `context` the arguments that have their value
        already."""
        session = self._session
        if session is None:
            return self._unconnected("completion/complete")
        return await session.complete(ref, argument, context)

    async def request_prompt(self, name: str, arguments: Mapping[str, str]) -> Reply:
        """`prompts/get`."""
        session = self._session
        return await session.prompt(name, arguments) if session is not None else self._unconnected("prompts/get")

    async def read_again(self) -> Change:
        """Read all lists anew, over the connection as it stands; what differs."""
        return await self._read_lists(frozenset(self.handshake.offered_lists()) if self.handshake else frozenset())

    async def _live(self) -> None:
        entry = self.entry
        try:
            if entry.unset is not None:
                self._fail(f"the variable {entry.unset} is not set")
                return
            session_module = importlib.import_module("inspector.workspace.session")
            tap_module = importlib.import_module("inspector.workspace.tap")
            tap = tap_module.Tap(self.name, self._traffic, self._note)
            try:
                filled = await self._inputs.fill(entry)
                self._end_turn = await self._turns.take()
                self._session = session_module.Session(filled, self.claims, tap, self, self._elicit)
                await self._session.hold()
            except (session_module.SessionFailed, InputMissing) as failure:
                if self.state is not State.CONNECTED:
                    self._inputs.forget(entry)
                self._fail(str(failure), getattr(failure, "remedy", None))
        except Exception as error:
            # Ours, not the server's: it still has to be told, and the other servers go on.
            self._fail(f"internal error: {type(error).__name__}: {error}")
            logger.exception("the connection to %s failed from within", self.name)
        finally:
            self._make_room()
            self._session = None
            self.handshake = None
            self.catalog = Catalog()
            self._dirty.clear()
            for reader in list(self._readers):
                reader.cancel()
            if self.state in (State.CONNECTING, State.CONNECTED):
                self._set_state(State.STOPPED)
            self._settled.set()

    def _fail(self, reason: str, remedy: str | None = None) -> None:
        self.error = reason
        self.handshake = None
        self.catalog = Catalog()
        remedy = remedy or self._what_to_do()
        self._problems.append(Problem(Severity.ERROR, self.name, "connection", "protocol", reason, remedy))
        self._set_state(State.FAILED)

    def _what_to_do(self) -> str:
        if self._stderr:
            return "See what it wrote to standard error, mend it, and reconnect."
        where = "command" if self.entry.transport is Transport.STDIO else "URL, and that it runs"
        return f"Check its {where}, and reconnect."

    def _set_state(self, state: State) -> None:
        if state is not State.FAILED:
            self.error = None
        if state is not self.state:
            self.state = state
            self._announce(StateChanged(self.name, state))

    def _unconnected(self, method: str) -> Reply:
        reason = f"not connected: {self.error}" if self.error else f"not connected ({self.state})"
        return Reply(method, None, 0.0, failure=Failure.CLOSED, message=reason)

    def _note(self, problem: Problem) -> None:
        self._problems.append(problem)
        self._announce(ProblemFound(self.name, problem))

    async def _read_lists(self, methods: frozenset[str]) -> Change:
        async with self._reading:
            session, handshake = self._session, self.handshake
            if session is None or handshake is None:
                return Change(self.name, error=self.error or "not connected")
            offered = [method for method in handshake.offered_lists() if method in methods]
            read = await read_lists(self.name, offered, session.ask_page)
            if self._session is not session or self.handshake is None:
                return Change(self.name, error=self.error or "not connected")
            self._lists.update(read)
            before = self._last_catalog
            catalog = make_catalog(self.name, self._lists)
            for note in order_notes(self.name, before, catalog):
                if note not in self._problems:
                    self._note(note)
            change = compare_catalogs(self.name, before, catalog)
            self.catalog = self._last_catalog = catalog
            keep_from_collecting(sum(len(listed.items) for listed in read.values()))
            self._announce(CatalogChanged(self.name, change))
            return change

    def _spawn(self, work: Awaitable[Any]) -> None:
        async def run() -> None:
            await work

        task = asyncio.create_task(run(), name=f"lists of {self.name}")
        self._readers.add(task)
        task.add_done_callback(self._readers.discard)

    async def _read_first(self, handshake: Handshake) -> None:
        self._lists.clear()
        try:
            await self._read_lists(frozenset(handshake.offered_lists()))
        finally:
            self._make_room()
            self._settled.set()

    def _make_room(self) -> None:
        """Makes room for the next server to start."""
        if self._end_turn is not None:
            self._end_turn()
            self._end_turn = None

    async def _read_dirty(self) -> None:
        # Servers that add ten tools say so ten times.
        await asyncio.sleep(DEBOUNCE_SECONDS)
        methods = frozenset(self._dirty)
        self._dirty.clear()
        await self._read_lists(methods)

    # What the session tells

    def connected(self, handshake: Handshake) -> None:
        """The handshake is done: the lists follow."""
        self.handshake = handshake
        self._set_state(State.CONNECTED)
        self._spawn(self._read_first(handshake))

    def list_changed(self, methods: frozenset[str]) -> None:
        """These lists are read anew, once the server has been quiet for a moment."""
        waiting = bool(self._dirty)
        self._dirty |= methods
        if not waiting and self._dirty:
            self._spawn(self._read_dirty())

    def stderr_line(self, line: str) -> None:
        """A line of standard error is kept."""
        self._stderr.append(line)
        self._announce(StderrLine(self.name, line))

    def logged(self, level: str, data: Any, logger: str | None) -> None:
        """A log notification is passed on."""
        self._announce(LogMessage(self.name, level, data, logger))

    def progressed(self, token: int | str, progress: float, total: float | None, message: str | None) -> None:
        """A progress notification is passed on."""
        self._announce(Progress(self.name, token, progress, total, message))
