"""The records of the `crm` server, in SQLite."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import quote

Kind = Literal["acquisition", "expansion", "funding", "hiring", "launch", "leadership", "partnership"]
KINDS: tuple[str, ...] = get_args(Kind)

# id, kind, account, days before today, the words that were said. There is no signal 7: the extension's own
# example cites it and gets not_found.
_SEED = (
    (3, "hiring", "Aldermoor Robotics", 21, "We are opening forty positions in Leeds this winter."),
    (8, "launch", "Fennick Foods", 190, "The oat range reaches every shop in the country in May."),
    (11, "launch", "Quillon Health", 35, "Our home test is now cleared for sale."),
    (17, "funding", "Fennick Foods", 400, "The round gives us eighteen months to prove the model."),
    (23, "leadership", "Ærø Shipping", 75, "Maja Lindqvist takes over as managing director on the first."),
    (29, "partnership", "Quillon Health", 170, "We will share the laboratory in Ghent for three years."),
    (31, "expansion", "Aldermoor Robotics", 260, "A second hall doubles what we can build."),
    (36, "acquisition", "Ærø Shipping", 95, "Both ferries and their crews join us."),
    (
        42,
        "funding",
        "Aldermoor Robotics",
        12,
        "We have raised 30 million to bring the arm to small workshops.",
    ),
    (51, "expansion", "Fennick Foods", 5, "The new mill runs at night from next week."),
)

_ACCOUNTS = (
    ("Aldermoor Robotics", "Leeds", 210),
    ("Fennick Foods", "Cork", 85),
    ("Quillon Health", "Ghent", 40),
    ("Ærø Shipping", "Marstal", 130),
)

ACCOUNT_FIELDS = ("name", "city", "employees")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS signals (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, account TEXT NOT NULL,
    observed_at TEXT NOT NULL, quote TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, city TEXT NOT NULL, employees INTEGER NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Signal:
    """Something that was observed about an account, on a day, in someone's words."""

    id: int
    kind: str
    account: str
    observed_at: date
    quote: str

    @property
    def uri(self) -> str:
        """The URI that the signal is read by."""
        return f"crm://signals/{self.id}"

    def to_json(self) -> str:
        """The record as `crm` serves it: a JSON object with an ISO date."""
        return json.dumps(
            {
                "id": self.id,
                "kind": self.kind,
                "observedAt": self.observed_at.isoformat(),
                "account": self.account,
                "quote": self.quote,
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )


def account_uri(name: str) -> str:
    """The URI of the account `name`."""
    return f"crm://accounts/{quote(name, safe='')}"


class SignalStore:
    """Signals and accounts in `folder/crm.db`, seeded when the file is new.

    Every method opens the database for itself, so it may be called from any thread, and several processes
    may share the file.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "crm.db"
        with self._open() as database:
            self._seed(database)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=5, isolation_level=None)) as database:
            # One transaction, taken before anything is read: two servers that start at once seed once.
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")

    @staticmethod
    def _seed(database: sqlite3.Connection) -> None:
        for statement in _SCHEMA.split(";"):
            database.execute(statement)
        if database.execute("SELECT count(*) FROM accounts").fetchone() != (0,):
            return
        today = date.today()
        database.executemany("INSERT INTO accounts VALUES (?, ?, ?)", _ACCOUNTS)
        database.executemany(
            "INSERT INTO signals VALUES (?, ?, ?, ?, ?)",
            [
                (number, kind, account, (today - timedelta(days=days)).isoformat(), words)
                for number, kind, account, days, words in _SEED
            ],
        )

    def signals(self, *, kind: str | None = None, words: str = "") -> list[Signal]:
        """The signals of one kind, or of all, whose account or quote contains `words`; newest first."""
        with self._open() as database:
            rows = database.execute("SELECT * FROM signals ORDER BY observed_at DESC, id").fetchall()
        wanted = words.casefold()
        found = (_signal(row) for row in rows)
        return [
            signal
            for signal in found
            if (kind is None or signal.kind == kind) and wanted in f"{signal.account} {signal.quote}".casefold()
        ]

    def signal(self, number: int) -> Signal | None:
        """The signal of that number, or None."""
        with self._open() as database:
            row = database.execute("SELECT * FROM signals WHERE id = ?", (number,)).fetchone()
        return None if row is None else _signal(row)

    def age(self, number: int, days: int) -> Signal | None:
        """Move a signal's date `days` into the past, or into the future where `days` is negative."""
        with self._open() as database:
            row = database.execute("SELECT * FROM signals WHERE id = ?", (number,)).fetchone()
            if row is None:
                return None
            moved = date.fromisoformat(row[3]) - timedelta(days=days)
            database.execute("UPDATE signals SET observed_at = ? WHERE id = ?", (moved.isoformat(), number))
        return _signal((*row[:3], moved.isoformat(), row[4]))

    def delete(self, number: int) -> bool:
        """Delete a signal; False where there was none."""
        with self._open() as database:
            return database.execute("DELETE FROM signals WHERE id = ?", (number,)).rowcount > 0

    def account_names(self) -> list[str]:
        """The names of all accounts."""
        with self._open() as database:
            return [name for (name,) in database.execute("SELECT name FROM accounts ORDER BY name")]

    def account(self, name: str) -> dict[str, str | int] | None:
        """An account's fields by name (`ACCOUNT_FIELDS`), or None."""
        with self._open() as database:
            row = database.execute("SELECT name, city, employees FROM accounts WHERE name = ?", (name,)).fetchone()
        return None if row is None else dict(zip(ACCOUNT_FIELDS, row, strict=True))


def _signal(row: tuple[int, str, str, str, str]) -> Signal:
    number, kind, account, observed_at, words = row
    return Signal(number, kind, account, date.fromisoformat(observed_at), words)
