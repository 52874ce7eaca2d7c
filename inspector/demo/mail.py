"""The `mail` server: messages. The demo's workspace keeps it on the 2025 era."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp_types import Resource
from pydantic import BaseModel, Field

from inspector.demo._server import READS, DemoServer, not_found


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it lies in a folder."""

    folder: str
    number: int
    sender: str
    subject: str
    days: int
    body: str

    @property
    def uri(self) -> str:
        """The URI that the message is read by."""
        return f"mail://{self.folder}/{self.number}"

    def to_text(self) -> str:
        """The message with its headers."""
        day = date.today() - timedelta(days=self.days)
        return f"From: {self.sender}\nDate: {day.isoformat()}\nSubject: {self.subject}\n\n{self.body}\n"


_MESSAGES = (
    Message(
        "inbox",
        1,
        "Ines Okafor, Aldermoor Robotics",
        "Our news",
        11,
        "The round is closed. Shall we talk on Tuesday?",
    ),
    Message("inbox", 2, "Tom Reilly, Fennick Foods", "Samples", 6, "Two boxes are on their way to you."),
    Message(
        "inbox",
        3,
        "Maja Lindqvist, Ærø Shipping",
        "Timetable",
        2,
        "Winter sailings attached: 07:10 and 15:40.",
    ),
    Message("sent", 1, "You", "Re: Our news", 10, "Congratulations! Tuesday at ten suits me."),
)

Folder = Literal["inbox", "sent"]


class FoundMessage(BaseModel):
    """A message as a tool's result shows it."""

    uri: str
    sender: str
    subject: str


class FoundMessages(BaseModel):
    """The messages of a folder."""

    messages: list[FoundMessage]


def build() -> DemoServer:
    """The server over its few messages."""
    server = DemoServer(
        "mail", title="Mail", instructions="Messages are read by their URI, mail://inbox/1.", listing=_listing
    )

    @server.resource("mail://{folder}/{id}", title="A message", mime_type="text/plain")
    def message(folder: str, id: str, context: Context[Any, Any]) -> str:
        """A message with its headers."""
        for each in _MESSAGES:
            if (each.folder, str(each.number)) == (folder, id):
                return each.to_text()
        raise not_found(context, f"no message {id} in {folder}")

    @server.tool(title="List messages", annotations=READS)
    def list_messages(
        folder: Annotated[Folder, Field(title="Folder", description="The folder to list.")] = "inbox",
    ) -> FoundMessages:
        """List the messages of a folder, with the URI to read each by."""
        return FoundMessages(
            messages=[
                FoundMessage(uri=each.uri, sender=each.sender, subject=each.subject)
                for each in _MESSAGES
                if each.folder == folder
            ]
        )

    @server.prompt(title="Draft a reply")
    def draft_reply(
        message: Annotated[str, Field(description="The message's URI.")],
        tone: Annotated[str, Field(description="How it should sound.")] = "friendly",
    ) -> str:
        """Ask for a reply to a message."""
        return f"Read {message} and draft a {tone} reply of no more than five sentences."

    return server


def _listing() -> list[Resource]:
    return [
        Resource(uri=each.uri, name=f"{each.folder}-{each.number}", title=each.subject, mime_type="text/plain")
        for each in _MESSAGES
    ]


def main(arguments: Sequence[str]) -> None:
    """Serve over stdio until stdin closes."""
    argparse.ArgumentParser(prog="mail", description=__doc__).parse_args(arguments)
    build().run()
