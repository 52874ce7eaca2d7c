"""The messages that `outbox` sent, in SQLite."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message that was sent, with what was known about each citation."""

    id: int
    body: str
    citations: list[dict[str, Any]]
    sent_at: str

    @property
    def uri(self) -> str:
        """The URI that the message is read by."""
        return f"outbox://sent/{self.id}"

    def to_json(self) -> str:
        """The message as `outbox` serves it."""
        return json.dumps(
            {"id": self.id, "sentAt": self.sent_at, "body": self.body, "citations": self.citations},
            ensure_ascii=False,
        )


class SentStore:
    """Sent messages in `folder/outbox.db`; any thread and several processes may use it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "outbox.db"
        with closing(self._open()) as database, database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS sent"
                " (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT, citations TEXT, sent_at TEXT)"
            )

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=5)

    def add(self, body: str, citations: list[dict[str, Any]]) -> SentMessage:
        """Keep a message as sent now."""
        sent_at = datetime.now(UTC).isoformat(timespec="seconds")
        with closing(self._open()) as database, database:
            row = (body, json.dumps(citations), sent_at)
            cursor = database.execute("INSERT INTO sent (body, citations, sent_at) VALUES (?, ?, ?)", row)
        return SentMessage(cursor.lastrowid or 0, body, citations, sent_at)

    def messages(self) -> list[SentMessage]:
        """All messages, oldest first."""
        with closing(self._open()) as database:
            rows = database.execute("SELECT id, body, citations, sent_at FROM sent ORDER BY id").fetchall()
        return [SentMessage(number, body, json.loads(cited), sent_at) for number, body, cited, sent_at in rows]
