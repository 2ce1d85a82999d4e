"""Reading a database that may be damaged anywhere: what can be read is, and whatever can't raises one of `UNREADABLE`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import zstandard
from pydantic import ValidationError

from modules.errors import BadRun, reason_of
from modules.storage.codec import decode
from modules.storage.run import Run
from modules.world.interventions import Intervention

UNREADABLE = (sqlite3.Error, BadRun, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, MemoryError, zstandard.ZstdError)
"""What reading and decoding a row raises that nobody wrote so."""

_FAULTS = 5
"""Faults of pages that are told; one damaged page brings many."""

_NOT_UNIT = 1e-3
"""By how much the length of a unit vector may miss 1."""

_KEYS = {"meta": "key", "memory_changes": "step resident", "trajectories": "step resident", "journal": "step resident kind ordinal attempt"}
"""Primary keys of the tables without rowid, in whose order their rows lie."""


def lenient(file: Path) -> sqlite3.Connection:
    """A connection for reading that takes files which were cut off, or whose schema can't be read in full."""
    database = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")  # which is what makes SQLite so patient
    return database


def page_faults(database: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the file's pages, a line each; nothing if they hold together."""
    try:
        found = [" ".join(str(line).split()) for (line,) in database.execute(f"PRAGMA integrity_check({_FAULTS})")]
    except sqlite3.Error as error:
        return [reason_of(error)]
    return [] if found == ["ok"] else found


def rows(database: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """Rows of a table, from both ends towards the damage."""
    key = _KEYS.get(table, "rowid")
    for way in ("ASC", "DESC"):
        try:
            yield from database.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY {', '.join(f'{column} {way}' for column in key.split())}")
        except (sqlite3.Error, UnicodeDecodeError):
            continue
        return


def vectors(run: Run) -> dict[bytes, bytes]:
    """The run's vectors by the hash of their text: those that can be read and are unit vectors of its dimension."""
    return {
        text: vector
        for embedding, text, vector in rows(run.database, "embeddings")
        if embedding == run.manifest.embedding and isinstance(vector, bytes) and _is_unit(vector, run.manifest.dimension)
    }


def _is_unit(data: bytes, dimension: int) -> bool:
    if len(data) != 4 * dimension:
        return False
    with np.errstate(all="ignore"):
        length = float(np.linalg.norm(np.frombuffer(data, "<f4").astype(np.float64)))
    return abs(length - 1) <= _NOT_UNIT or length == 0


def calls_readable(run: Run, step: int) -> bool:
    """Whether a step's calls, their prompts and its statistics are there to be read."""
    try:
        for _ in run.calls(step, step):
            pass
        (stats,) = run.database.execute("SELECT stats FROM steps WHERE step = ?", (step,)).fetchone()
        return isinstance(orjson.loads(stats), dict)
    except UNREADABLE:
        return False


def journalled(run: Run, step: int) -> list[tuple[Any, ...]]:
    """Rows of the journal for a step that was under way; those that can be read."""
    return list(dict.fromkeys(row for row in rows(run.database, "journal") if row[0] == step))


def requests(file: Path) -> Iterator[Intervention]:
    """The requests of an inbox; those that can be read."""
    with suppress(OSError):
        for line in file.read_bytes().split(b"\n"):
            with suppress(ValidationError):
                yield decode(Intervention, line)
