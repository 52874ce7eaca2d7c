"""What widgets tell each other. A widget knows its own children and these; the app passes them on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from textual.message import Message

if TYPE_CHECKING:
    # Annotations only: the host's modules are not needed to draw the first frame.
    from inspector.host.history import KeptCall
    from inspector.host.host import HostChanged
    from inspector.tui.widgets.json_view import JsonView
    from inspector.workspace.catalog import Tool
    from inspector.workspace.events import Event
    from inspector.workspace.problem import Problem

NoticeSeverity = Literal["information", "warning", "error"]


@dataclass
class ToolChosen(Message):
    """A person wants to compose a call of this tool."""

    tool: Tool


@dataclass
class ProbeRequested(Message):
    """A person asks who owns a URI: the Ownership tab answers in its probe line."""

    uri: str


@dataclass
class CiteRequested(Message):
    """A person wants a URI cited in the composed call.

    Any widget of a page may post it. The main screen takes it: it shows the composer, which puts the URI into a
    declared argument and says into which.
    """

    uri: str


ViewRequest = Literal["copy", "edit", "page", "save", "open"]
"""What is wanted of what a view shows: copied, opened in the editor or the pager, saved to a file, or read."""


@dataclass
class ViewRequested(Message):
    """A person wants something done with what stands at the cursor of a JSON view. The app takes it."""

    view: JsonView
    what: ViewRequest


@dataclass
class RecallRequested(Message):
    """A person wants a call of the history in the composer; with `send`, resolved anew, to be sent again."""

    call: KeptCall
    arguments: dict[str, Any]
    send: bool


@dataclass
class SubjectRequested(Message):
    """A person wants to see what a problem is about."""

    problem: Problem


@dataclass
class ReconnectRequested(Message):
    """A server is to be connected anew; None means all of them."""

    server: str | None


@dataclass
class HostEvents(Message):
    """What happened at the host and at the servers since the last of these, in order. A burst makes one."""

    events: tuple[Event | HostChanged, ...]


@dataclass
class Notice(Message):
    """Something to tell the person, in one short sentence."""

    text: str
    severity: NoticeSeverity = "information"


@dataclass
class ComposeState(Message):
    """What the composer is at: `stale` says why the preview is not what would be sent now, None where it is.

    `running` is True while it resolves or sends. `can_send` says whether the next send key sends what is shown.
    """

    running: bool
    stale: str | None
    can_send: bool
