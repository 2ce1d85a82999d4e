"""The journal: the models' replies in a step that is not committed yet, so that no call is made
twice.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from hometown.errors import BadRun
from hometown.records import ReplyTable
from hometown.storage.checksum import row_checksum
from hometown.storage.database import connect_writer, transaction, translate_sqlite_errors

KEEP_REPLY = "INSERT OR REPLACE INTO journal VALUES (?,?,?,?,?,?,?,?)"
"""Stores a reply with its key, the hash of its request, and the row's checksum."""


class ImmediateWriter:
    """Writes rows as they arrive, outside the step's transaction: one small transaction per turn of
    the event loop.

    Its own connection does not wait for the disk: a power failure may lose a few replies, a killed
    process none. A reply that arrives after the end of a stopped run is not kept.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._database = connect_writer(file, "NORMAL")
        self._waiting: list[tuple[str, tuple[Any, ...]]] = []
        self._due = False
        self._is_closed = False

    def put_later(self, statement: str, row: tuple[Any, ...]) -> None:
        """Queue a row, to be written with the next row that is `put`, or by the next flush."""
        self._waiting.append((statement, row))

    def put(self, statement: str, row: tuple[Any, ...]) -> None:
        """Queue a row, to be written in the event loop's next turn, or at once if no loop runs."""
        self._waiting.append((statement, row))
        if self._due or self._is_closed:
            return
        self._due = True
        try:
            asyncio.get_running_loop().call_soon(self._flush_quietly)
        except RuntimeError:
            self.flush()

    def flush(self) -> None:
        """Write the queued rows. Raises BadRun if that fails; they stay in the queue."""
        self._due = False
        if not self._waiting or self._is_closed:
            return
        with translate_sqlite_errors(self._file), transaction(self._database):
            for statement, rows in groupby(self._waiting, key=itemgetter(0)):
                self._database.executemany(statement, (row for _, row in rows))
        self._waiting.clear()

    def _flush_quietly(self) -> None:
        """Flush without raising, since no caller could catch it; the next flush raises it again."""
        with suppress(BadRun, MemoryError):
            self.flush()

    def close(self) -> None:
        """Write the queued rows as far as possible, and close the connection."""
        with suppress(BadRun, MemoryError):
            self.flush()
        self._is_closed = True
        self._database.close()


class RunJournal(ReplyTable):
    """The replies of the step in progress, in RAM and in the run's database, whose rows the
    transaction of the step deletes.

    A reply that does not match its checksum is ignored, and requested again.
    """

    def __init__(self, database: sqlite3.Connection, writer: ImmediateWriter) -> None:
        self._writer = writer
        # Cast to the right types, so that a damaged row stops no run: its call is repeated.
        rows = database.execute(
            "SELECT CAST(step AS INTEGER), CAST(resident AS BLOB), CAST(kind AS BLOB), CAST(ordinal AS INTEGER), CAST(attempt AS INTEGER),"
            " CAST(asked AS BLOB), CAST(reply AS BLOB), checksum FROM journal"
        )
        read = (
            ((step, _text(who), _text(kind), *numbers), asked, reply, checksum)
            for step, who, kind, *numbers, asked, reply, checksum in rows
        )
        super().__init__(
            {
                key: (asked, reply)
                for key, asked, reply, checksum in read
                if checksum in (None, row_checksum(*key, asked, reply))
            }
        )

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        """Keep a reply until its step is committed; it replaces any other at the same place."""
        row = (step, who, kind, ordinal, attempt, asked, reply)
        super().put(*row)
        self._writer.put(KEEP_REPLY, (*row, row_checksum(*row)))

    def flush(self) -> None:
        """Write the replies that are queued. Raises BadRun."""
        self._writer.flush()


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
