"""Detects damage as the cause of an error: damaged rows may hold anything, and code that reads them
may raise anything.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from hometown.errors import BadRun, reason_of
from hometown.storage.checksum import meta_matches, row_checksum
from hometown.storage.codec import UNDECODABLE
from hometown.storage.database import damage_error
from hometown.storage.integrity import is_step_intact
from hometown.text import Phrase


def damage_behind(
    error: BaseException | None, database: sqlite3.Connection, file: Path
) -> BadRun | None:
    """Return a BadRun to raise in place of an error if the run is damaged, or None if it is intact,
    or the error (or its absence) is none that damaged rows cause (`UNDECODABLE`).
    """
    if not isinstance(error, UNDECODABLE):
        return None
    try:
        reason: str = first_fault(database)
    except (sqlite3.Error, *UNDECODABLE) as unreadable:
        reason = reason_of(unreadable)
    return damage_error(file, reason) if reason else None


def first_fault(database: sqlite3.Connection) -> str:
    """Return the first fault of a run's database: in its pages, as SQLite describes it; in the
    chain of its steps; or in its other tables. "" if it is intact. Raises sqlite3.Error or one of
    `UNDECODABLE` where damage prevents reading.
    """
    (answer,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        return " ".join(str(answer).split())
    previous = ""
    for number, (step, digest) in enumerate(
        database.execute("SELECT step, digest FROM steps ORDER BY step").fetchall()
    ):
        if step != number or not is_step_intact(database, step, previous, digest):
            return Phrase("step {step} is not as it was written", step=number)
        previous = digest
    table = _find_altered_table(database)
    return Phrase("rows of {table} are not as they were written", table=table) if table else ""


def _find_altered_table(database: sqlite3.Connection) -> str:
    """Return the first table beside the steps with a row unlike its checksum; "" for none."""
    for table in ("journal", "embeddings"):
        if not _rows_match(database, table):
            return table
    return "" if meta_matches(database) else "meta"


def _rows_match(database: sqlite3.Connection, table: str) -> bool:
    """Return True if all rows of a table that have a checksum match it."""
    return all(
        checksum is None or checksum == row_checksum(*row)
        for *row, checksum in database.execute(f"SELECT * FROM {table}")
    )
