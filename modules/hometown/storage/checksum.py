"""Checksums over a run's records, which detect later changes to its file, by a faulty disk or by
hand.

    checksum[n] = BLAKE2b-128(checksum[n-1] ‖ all rows of step n in all tables that belong to steps)

They cover data outside of the digests: times, statistics, effects, calls, prompts. Rows that are
written one by one (replies in the journal, vectors) have a checksum each, and the manifest and the
planned end have one together. A checksum has no key: it detects damage, not forgery.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

_SIZE = 16
"""Bytes of a checksum."""

_ROWS = {
    "steps": "SELECT * FROM steps WHERE step = ?",
    "effects": "SELECT * FROM effects WHERE step = ?",
    "state": "SELECT * FROM state WHERE step = ? ORDER BY key",
    "memories": "SELECT * FROM memories WHERE step = ? ORDER BY resident, id",
    "memory_changes": "SELECT * FROM memory_changes WHERE step = ? ORDER BY resident",
    "conversations": "SELECT * FROM conversations WHERE step = ? ORDER BY id",
    "trajectories": "SELECT * FROM trajectories WHERE step = ? ORDER BY resident",
    "calls": "SELECT * FROM calls WHERE step = ? ORDER BY resident, kind, ordinal",
    "prompts": "SELECT * FROM prompts WHERE step = ?",
}
"""Queries by table that read back the rows of a step, for writing a checksum and for comparing it.
"""

UNKNOWN = b""
"""The checksum of a step whose rows may have been altered."""

Section = tuple[int, bytes]
"""The number of rows of one table in one step, and their bytes as a checksum covers them."""

NOTHING_KNOWN: Mapping[str, Section] = {}

_KINDS = {int: "i", float: "f", str: "s", bytes: "b"}


def row_checksum(*values: object) -> bytes:
    """Return the checksum of one row."""
    return blake2b(_bytes(values), digest_size=_SIZE).digest()


def step_checksum(
    database: sqlite3.Connection,
    step: int,
    previous: bytes,
    known: Mapping[str, Section] = NOTHING_KNOWN,
) -> bytes:
    """Return the checksum of all rows of a step.

    Args:
        database: The run's database.
        step: The number of the step.
        previous: The checksum of the step before, empty if it has none.
        known: Sections of tables that need not be read.
    """
    checksum = blake2b(previous, digest_size=_SIZE)
    for table, query in _ROWS.items():
        if table in known:
            count, data = known[table]
        else:
            count, data = make_section(database.execute(query, (step,)).fetchall())
        checksum.update(b"%d;" % count + data)
    return checksum.digest()


def make_section(rows: Sequence[Sequence[Any]]) -> Section:
    """Return the rows of a table as a checksum covers them."""
    return len(rows), b"".join(map(_bytes, rows))


def make_state_section(rows: Sequence[tuple[str, int, bytes | None]]) -> Section:
    """Return the section of the table `state`, as `make_section` does, from rows (key, step, value)
    of one step, in half the time.
    """
    if not rows:
        return make_section(rows)
    step = _bytes((None, rows[0][1]))
    keyed = [(key.encode(), value) for key, _, value in rows]
    return len(rows), b"".join(
        [
            b"0s%d:%b%b" % (len(key), key, step)
            if value is None
            else b"0s%d:%b%b2b%d:%b" % (len(key), key, step, len(value), value)
            for key, value in keyed
        ]
    )


def _bytes(row: Sequence[Any]) -> bytes:
    """Encode a row so that the start and type of each value are unambiguous. NULL adds nothing, so
    that a column may be added later.
    """
    parts: list[bytes] = []
    for at, value in enumerate(row):
        if value is not None:
            kind = type(value)
            if kind is bytes:
                data = value
            elif kind is str:
                data = value.encode()
            else:
                data = repr(value).encode()
            parts += (_head(at, _KINDS[kind], len(data)), data)
    return b"".join(parts)


@lru_cache(maxsize=1 << 13)
def _head(at: int, kind: str, length: int) -> bytes:
    """Return the bytes before a value: its column (from 0), its type, and its length in bytes."""
    return f"{at}{kind}{length}:".encode()


def seal(
    database: sqlite3.Connection, step: int, known: Mapping[str, Section] = NOTHING_KNOWN
) -> None:
    """Write the checksum of a step, within its transaction; `known` as for `step_checksum`."""
    checksum = step_checksum(database, step, _recorded(database, step - 1) or UNKNOWN, known)
    database.execute("INSERT OR REPLACE INTO checksums VALUES (?,?)", (step, checksum))


def reseal(database: sqlite3.Connection, last: int, trusted: Iterable[int]) -> None:
    """Write the checksums of steps 0 to `last`. Steps that are not `trusted` get `UNKNOWN`."""
    known = set(trusted)
    for step in range(last + 1):
        if step in known:
            seal(database, step)
        else:
            database.execute("INSERT OR REPLACE INTO checksums VALUES (?,?)", (step, UNKNOWN))


def seal_meta(database: sqlite3.Connection) -> None:
    """Write the checksum of manifest, planned end and the world's hash; within the transaction that
    changes one of them.
    """
    database.execute("INSERT OR REPLACE INTO meta VALUES ('checksum', ?)", (_of_meta(database),))


def _of_meta(database: sqlite3.Connection) -> bytes:
    """Return the checksum of all rows of `meta` except the one that holds it."""
    rows = database.execute(
        "SELECT key, value FROM meta WHERE key != 'checksum' ORDER BY key"
    ).fetchall()
    return row_checksum(*(value for row in rows for value in row))


def meta_matches(database: sqlite3.Connection) -> bool:
    """Return True if manifest, planned end and the world's hash match their checksum; True for a
    run from before checksums.
    """
    recorded = database.execute("SELECT value FROM meta WHERE key = 'checksum'").fetchone()
    return _recorded(database, 0) is None if recorded is None else recorded[0] == _of_meta(database)


def step_matches(database: sqlite3.Connection, step: int) -> bool | None:
    """Return True if the rows of a step match its checksum; None if checksums began later, or its
    is `UNKNOWN`. A step that has lost its checksum does not match.
    """
    recorded = _recorded(database, step)
    if recorded == UNKNOWN:
        return None
    if recorded is None:
        earlier = database.execute("SELECT 1 FROM checksums WHERE step < ?", (step,)).fetchone()
        return False if earlier else None
    return recorded == step_checksum(database, step, _recorded(database, step - 1) or UNKNOWN)


def _recorded(database: sqlite3.Connection, step: int) -> bytes | None:
    """Return the recorded checksum of a step; None if it has none."""
    row = database.execute("SELECT checksum FROM checksums WHERE step = ?", (step,)).fetchone()
    return bytes(row[0]) if row else None
