"""Restores the state at the end of a step from the tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

import orjson

from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.storage.codec import decode_row
from hometown.storage.digest import hash_of
from hometown.storage.row_conversion import MEMORY, concept_of
from hometown.storage.vector_table import VectorBudget, VectorTable
from hometown.world.moving_in import moved_in_ids
from hometown.world.rows import Row
from hometown.world.state import State

_ROWS = """
WITH RECURSIVE keys (key) AS (
    SELECT min(key) FROM state
    UNION ALL
    SELECT (SELECT min(key) FROM state WHERE key > keys.key) FROM keys WHERE key IS NOT NULL
)
SELECT key, (SELECT value FROM state WHERE state.key = keys.key AND step <= ? ORDER BY step DESC LIMIT 1) AS value
FROM keys WHERE key IS NOT NULL AND value IS NOT NULL
"""
"""Jumps from key to key and takes the latest version of each, so that its cost does not grow with
the run's age.
"""


def restore_state(
    database: sqlite3.Connection,
    at: int,
    residents: Iterable[str],
    vectors: VectorTable,
    tiers: bool = False,
) -> State:
    """Return the state after step `at`, equal to the one that was saved. The vectors of memories
    are loaded when they are searched.

    With `tiers`, retired memories are restored as well.
    """
    rows = restore_rows(database, at)
    used = VectorBudget().record_use
    new_stream = partial(MemoryStream, vectors.load, used, is_tiered=tiers)
    memories: dict[str, MemoryStream] = {
        who: new_stream() for who in (*residents, *moved_in_ids(rows))
    }
    for who, concept, accessed, live in _memories(database, at):
        stream = memories[who] if live else memories[who].cold
        if stream is not None:
            stream.add(concept, None, accessed)
    return State(rows, memories, vectors.get, new_stream)


def restore_rows(database: sqlite3.Connection, at: int) -> dict[str, Row]:
    """Return the rows of the state after step `at`, by key."""
    return {key: decode_row(key, value) for key, value in rows_at(database, at)}


def table_hash(database: sqlite3.Connection, at: int) -> str:
    """Return the `state_hash` of the state after step `at`, from the tables alone."""
    return hash_of(rows_at(database, at), live_memories(database, at))


def rows_at(database: sqlite3.Connection, at: int) -> Iterator[tuple[str, bytes]]:
    """Yield (key, JSON) of the state rows after step `at`, sorted by key."""
    return iter(database.execute(_ROWS, (at,)))


def live_memories(database: sqlite3.Connection, at: int) -> Iterator[tuple[str, Concept, datetime]]:
    """Yield (resident, memory, last access) of the memories not retired after step `at`, by
    resident, then in the order in which they were made.
    """
    return (
        (who, concept, accessed) for who, concept, accessed, live in _memories(database, at) if live
    )


def _memories(
    database: sqlite3.Connection, at: int
) -> Iterator[tuple[str, Concept, datetime, bool]]:
    """Yield (resident, memory, last access, True if it is live after step `at`) for all memories
    made up to that step. The last access is at first the memory's creation.
    """
    accessed, retired = _memory_changes(database, at)
    for who, *row in database.execute(
        f"SELECT resident, {MEMORY} FROM memories WHERE step <= ? ORDER BY resident, id", (at,)
    ):
        key, concept = (who, row[0]), concept_of(row)
        yield (
            who,
            concept,
            datetime.fromisoformat(accessed[key]) if key in accessed else concept.created,
            key not in retired,
        )


def _memory_changes(
    database: sqlite3.Connection, at: int
) -> tuple[dict[tuple[str, int], str], set[tuple[str, int]]]:
    """Return the last access by (resident, memory id), and the retired memories, after step `at`."""
    accessed: dict[tuple[str, int], str] = {}
    retired: set[tuple[str, int]] = set()
    for who, times, gone in database.execute(
        "SELECT resident, accessed, retired FROM memory_changes WHERE step <= ? ORDER BY step",
        (at,),
    ):
        used = {(who, int(memory)): when for memory, when in orjson.loads(times).items()}
        accessed.update(used)
        retired.difference_update(used)  # a memory that was used after its retirement was recalled
        retired.update((who, memory) for memory in orjson.loads(gone))
    return accessed, retired
