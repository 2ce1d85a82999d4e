"""Reads a database that may be damaged anywhere: rows that cannot be read are passed over, and
decoding the others may raise one of `UNREADABLE`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from hometown.errors import BadRun, reason_of
from hometown.frozen import frozen
from hometown.memory.arithmetic import is_intact
from hometown.storage.checksum import meta_matches, row_checksum, step_matches
from hometown.storage.codec import UNDECODABLE
from hometown.storage.database import refuse_open_wal
from hometown.storage.inbox import parse_entry
from hometown.storage.run import RunFile

UNREADABLE = (sqlite3.Error, BadRun, MemoryError, *UNDECODABLE)
"""Exceptions that may be raised by reading and decoding a damaged row."""

_PAGE_FAULTS = 5
"""Page faults that are reported, at most; one damaged page causes many."""

_KEYS = {
    "meta": "key",
    "memory_changes": "step resident",
    "trajectories": "step resident",
    "journal": "step resident kind ordinal attempt",
}
"""Primary keys of the tables without rowid, which order their rows."""

WIDTHS = {"journal": 7, "embeddings": 3}
"""Tables whose rows carry a checksum each, with the number of columns before it."""


def connect_leniently(file: Path) -> sqlite3.Connection:
    """Open a read-only connection that tolerates truncated files and a partly unreadable schema.

    Raises:
        BadRun: The run is on a network drive and was not closed.
    """
    refuse_open_wal(file)
    database = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")  # with this, SQLite tolerates a damaged schema
    return database


def page_faults(database: sqlite3.Connection) -> list[str]:
    """Return the first `_PAGE_FAULTS` faults that SQLite reports in the file's pages, one line
    each.
    """
    try:
        lines = [
            " ".join(str(line).split())
            for (line,) in database.execute(f"PRAGMA integrity_check({_PAGE_FAULTS})")
        ]
    except sqlite3.Error as error:
        return [reason_of(error)]
    return [] if lines == ["ok"] else lines


def rows(database: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table in the version of its file: from its beginning up to the damage
    and, if there is any, from its end back to it. Nothing for a view in its place.
    """
    key = _KEYS.get(table, "rowid")
    if _is_view(database, table):
        return
    for direction in ("ASC", "DESC"):
        try:
            ordered = ", ".join(f"{column} {direction}" for column in key.split())
            yield from map(
                tuple,
                database.execute(f"SELECT * FROM main.{table} NOT INDEXED ORDER BY {ordered}"),
            )
        except (sqlite3.Error, UnicodeDecodeError):
            continue
        return


def _is_view(database: sqlite3.Connection, table: str) -> bool:
    """Return True if a view has the name of a table, as in no run: it may yield rows without end."""
    try:
        return (
            database.execute(
                "SELECT 1 FROM main.sqlite_master WHERE name = ? AND type = 'view'", (table,)
            ).fetchone()
            is not None
        )
    except sqlite3.Error:
        return False


def vectors(run: RunFile) -> dict[bytes, bytes]:
    """Return the run's vectors by the hash of their text: those that match their checksum and are
    unit vectors of the run's dimension.
    """
    return {
        text: vector
        for embedding, text, vector in _unaltered(run, "embeddings", WIDTHS["embeddings"])
        if embedding == run.manifest.embedding
        and isinstance(vector, bytes)
        and is_intact(vector, run.manifest.dimension)
    }


def _unaltered(run: RunFile, table: str, width: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table that match their checksum or have none, without the checksum, which
    follows `width` columns.
    """
    for row in rows(run.database, table):
        if not _is_altered(row, width):
            yield row[:width]


def _is_altered(row: tuple[Any, ...], width: int) -> bool:
    """Return True if a row has a checksum, in the column behind `width` others, that it does not
    match.
    """
    checksum = row[width] if len(row) > width else None
    return checksum is not None and checksum != row_checksum(*row[:width])


@frozen
class Checksums:
    """The result of comparing checksums: steps that do not match, the number of steps without a
    checksum, and the number of differing rows by table.
    """

    steps: tuple[int, ...] = ()
    without: int = 0
    rows: tuple[tuple[str, int], ...] = ()


def compare_checksums(run: RunFile, last: int) -> Checksums:
    """Compare all checksums of a run up to a step. Never raises for damage."""
    matches = [_step_matches(run, step) for step in range(last + 1)]
    altered = {
        table: sum(_is_altered(row, width) for row in rows(run.database, table))
        for table, width in WIDTHS.items()
    }
    with suppress(*UNREADABLE):
        altered["meta"] = int(not meta_matches(run.database))
    steps = tuple(step for step, same in enumerate(matches) if same is False)
    return Checksums(
        steps,
        matches.count(None),
        tuple((table, count) for table, count in altered.items() if count),
    )


def _step_matches(run: RunFile, step: int) -> bool | None:
    """Return the result of `step_matches`, True, False or None; False for a step that cannot be
    read.
    """
    try:
        return step_matches(run.database, step)
    except UNREADABLE:
        return False


def list_verified_steps(run: RunFile, last: int) -> list[int]:
    """Return the steps up to `last` that match their checksum; one without a checksum is left out."""
    return [step for step in range(last + 1) if _step_matches(run, step)]


def calls_readable(run: RunFile, step: int) -> bool:
    """Return True if a step's calls, their prompts and its statistics are readable."""
    try:
        for _ in run.calls(step, step):
            pass
        (stats,) = run.database.execute(
            "SELECT stats FROM steps WHERE step = ?", (step,)
        ).fetchone()
        return isinstance(orjson.loads(stats), dict)
    except UNREADABLE:
        return False


def journal_rows(run: RunFile, step: int) -> list[tuple[Any, ...]]:
    """Return the readable rows of the journal for a step that was in progress."""
    return list(
        dict.fromkeys(
            row for row in _unaltered(run, "journal", WIDTHS["journal"]) if row[0] == step
        )
    )


def inbox_lines(file: Path) -> bytes:
    """Return the readable lines of an inbox: interventions, and withdrawals of them."""
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError:
        return b""
    return b"".join(line + b"\n" for line in lines if parse_entry(line) is not None)
