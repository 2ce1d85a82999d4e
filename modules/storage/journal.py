"""The journal: what models answered in a step that has not been committed yet, so that nothing is asked twice."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from modules.errors import BadRun
from modules.storage.database import connect_writer, guarded, transaction


class Arrivals:
    """Rows that are written as they come, outside the step's transaction: one small transaction per turn of the event loop.

    It has a connection of its own that doesn't wait for the disk: a power cut may cost a few
    replies, a killed process none.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._database = connect_writer(file, "NORMAL")
        self._waiting: list[tuple[str, tuple[Any, ...]]] = []

    def put(self, statement: str, row: tuple[Any, ...]) -> None:
        """Written in the event loop's next turn; at once where no loop runs."""
        self._waiting.append((statement, row))
        if len(self._waiting) > 1:
            return
        try:
            asyncio.get_running_loop().call_soon(self._flush_quietly)
        except RuntimeError:
            self.flush()

    def flush(self) -> None:
        """Writes what waits. Raises BadRun where that fails; it goes on waiting then."""
        if not self._waiting:
            return
        with guarded(self._file), transaction(self._database):
            for statement, rows in groupby(self._waiting, key=itemgetter(0)):
                self._database.executemany(statement, (row for _, row in rows))
        self._waiting.clear()

    def _flush_quietly(self) -> None:
        """In the event loop nobody could catch the error; whoever flushes next meets it again."""
        with suppress(BadRun):
            self.flush()

    def close(self) -> None:
        with suppress(BadRun):
            self.flush()
        self._database.close()


class Journal:
    """Replies by what they answer: (step, resident, prompt kind, ordinal, attempt). `asked` is a hash of the request."""

    def __init__(self, database: sqlite3.Connection, arrivals: Arrivals) -> None:
        self._arrivals = arrivals
        rows = database.execute("SELECT step, resident, kind, ordinal, attempt, asked, reply FROM journal")
        self._kept: dict[tuple[Any, ...], tuple[bytes, bytes]] = {tuple(key): (asked, reply) for *key, asked, reply in rows}

    def get(self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes) -> bytes | None:
        """The reply to this very request, from before an interruption; None where something else was asked."""
        kept_for, reply = self._kept.get((step, who, kind, ordinal, attempt), (b"", b""))
        return reply if kept_for == asked else None

    def put(self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes) -> None:
        """Keeps a reply until its step is committed, in place of any other under the same key."""
        self._kept[step, who, kind, ordinal, attempt] = (asked, reply)
        self._arrivals.put("INSERT OR REPLACE INTO journal VALUES (?,?,?,?,?,?,?)", (step, who, kind, ordinal, attempt, asked, reply))

    def flush(self) -> None:
        self._arrivals.flush()

    def forget(self, step: int) -> None:
        """A step is committed, and its transaction has deleted what was kept for it."""
        self._kept = {key: kept for key, kept in self._kept.items() if key[0] > step}
