"""Reading a database that may be damaged anywhere: what is readable is read, anything else raises
one of `UNREADABLE`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from hometown.errors import BadRun, reason_of
from hometown.frozen import frozen
from hometown.memory.arithmetic import is_intact
from hometown.storage.checksum import meta_matches, row_checksum, step_matches
from hometown.storage.codec import UNDECODABLE, decode
from hometown.storage.database import refuse_open_wal
from hometown.storage.run import Run
from hometown.world.interventions import Intervention

UNREADABLE = (sqlite3.Error, BadRun, MemoryError, *UNDECODABLE)
"""What reading and decoding a damaged row may raise."""

_PAGE_FAULTS = 5
"""The number of page faults that are reported; one damaged page causes many."""

_KEYS = {
    "meta": "key",
    "memory_changes": "step resident",
    "trajectories": "step resident",
    "journal": "step resident kind ordinal attempt",
}
"""Primary keys of the tables without rowid, which order their rows."""

WIDTHS = {"journal": 7, "embeddings": 3}
"""The tables whose rows carry a checksum each, and the number of columns before it."""


def lenient(file: Path) -> sqlite3.Connection:
    """Return a connection for reading that opens files which were truncated, or whose schema can't
    be read in full.

    Raises BadRun for a run on a network drive that was not closed.
    """
    refuse_open_wal(file)
    database = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")  # with this, SQLite tolerates a damaged schema
    return database


def page_faults(database: sqlite3.Connection) -> list[str]:
    """The faults that SQLite reports in the file's pages, a line each; empty if it is intact."""
    try:
        lines = [
            " ".join(str(line).split())
            for (line,) in database.execute(f"PRAGMA integrity_check({_PAGE_FAULTS})")
        ]
    except sqlite3.Error as error:
        return [reason_of(error)]
    return [] if lines == ["ok"] else lines


def rows(database: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """Rows of a table of the file, as its version has them, from both ends towards the damage."""
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
    """Return whether a query stands in the place of a table, as it does in no run: it may give rows
    without end.
    """
    try:
        return (
            database.execute(
                "SELECT 1 FROM main.sqlite_master WHERE name = ? AND type = 'view'", (table,)
            ).fetchone()
            is not None
        )
    except sqlite3.Error:
        return False


def vectors(run: Run) -> dict[bytes, bytes]:
    """The run's vectors by the hash of their text: those that are as they were written, and unit
    vectors of its dimension.
    """
    return {
        text: vector
        for embedding, text, vector in _unaltered(run, "embeddings", WIDTHS["embeddings"])
        if embedding == run.manifest.embedding
        and isinstance(vector, bytes)
        and is_intact(vector, run.manifest.dimension)
    }


def _unaltered(run: Run, table: str, width: int) -> Iterator[tuple[Any, ...]]:
    """Rows of a table, without their checksum, which follows `width` columns: those that match it,
    or have none.
    """
    for row in rows(run.database, table):
        if not _is_altered(row, width):
            yield row[:width]


def _is_altered(row: tuple[Any, ...], width: int) -> bool:
    checksum = row[width] if len(row) > width else None
    return checksum is not None and checksum != row_checksum(*row[:width])


@frozen
class Checksums:
    """What the checksums say: steps that are not as they were written, how many have no checksum,
    and how many rows differ by table.
    """

    steps: tuple[int, ...] = ()
    without: int = 0
    rows: tuple[tuple[str, int], ...] = ()


def compare_checksums(run: Run, last: int) -> Checksums:
    """Compares all checksums of a run up to a step. Never raises for damage."""
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


def _step_matches(run: Run, step: int) -> bool | None:
    try:
        return step_matches(run.database, step)
    except UNREADABLE:
        return False


def unaltered_steps(run: Run, last: int) -> list[int]:
    """Steps up to `last` that match their checksum."""
    return [step for step in range(last + 1) if _step_matches(run, step)]


def calls_readable(run: Run, step: int) -> bool:
    """Whether a step's calls, their prompts and its statistics are readable."""
    try:
        for _ in run.calls(step, step):
            pass
        (stats,) = run.database.execute(
            "SELECT stats FROM steps WHERE step = ?", (step,)
        ).fetchone()
        return isinstance(orjson.loads(stats), dict)
    except UNREADABLE:
        return False


def journal_rows(run: Run, step: int) -> list[tuple[Any, ...]]:
    """The readable rows of the journal for a step that was in progress."""
    return list(
        dict.fromkeys(
            row for row in _unaltered(run, "journal", WIDTHS["journal"]) if row[0] == step
        )
    )


def requests(file: Path) -> Iterator[Intervention]:
    """The readable interventions of an inbox."""
    with suppress(OSError):
        for line in file.read_bytes().split(b"\n"):
            with suppress(ValidationError):
                yield decode(Intervention, line)
