"""The digest of a step, and the hash of a whole state.

    digest[n] = BLAKE2b-256(digest[n-1] ‖ canonical bytes of what step n wrote), nothing before step 0

In it, in this order, each part with its length before it:

    state rows              key, JSON; nothing where the row was removed                by key
    memories                resident, JSON of the concept                               by resident, id
    memory changes          resident, JSON {id: last access}, JSON [ids retired]        by resident
    conversations           JSON of the talk                                            by id
    trajectories            resident, (tick, column, row) as little-endian uint16       by resident

Never in it: effects and calls (what led there), the run's name, parent, seed and planned end, paths,
hosts, wall time, tokens, retries, the model's name, row ids, vectors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import field
from datetime import datetime
from hashlib import blake2b
from typing import Any

import numpy as np

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.storage.codec import encode, encoded
from hometown.storage.tables import CONVERSATION, MEMORY, concept_of, conversation_of
from hometown.world.state import Changes, State

_SIZE = 32

_NOTHING = (2**64 - 1).to_bytes(8, "big")
"""In place of the length of what is not there."""


@frozen
class Written:
    """What a step wrote, each part encoded and in its fixed order."""

    rows: list[tuple[str, bytes | None]]
    memories: list[tuple[str, bytes]]
    memory_changes: list[tuple[str, bytes, bytes]]
    talks: list[bytes]
    trajectories: list[tuple[str, bytes]]


@frozen
class Streams:
    """Changes of memory streams that another process has encoded: of each resident, its new memories as (id, canonical form, row of the table), in order of
    their ids, `memory_changes`, and of each resident what the checksum covers of its new memories."""

    memories: dict[str, list[tuple[int, bytes, tuple[Any, ...]]]]
    changes: list[tuple[str, bytes, bytes]]
    sealed: dict[str, bytes] = field(default_factory=dict)


NO_STREAMS = Streams({}, [])


def written(changes: Changes, filed: Streams = NO_STREAMS) -> Written:
    """The changes of a step in canonical form; `filed` are changes of memory streams that are in it already."""
    rows = changes.encoded | encoded(changes.rows)
    memories = [(who, memory.id, encode(memory)) for who, each in changes.memories.items() for memory in each]
    memories += [(who, number, data) for who, each in filed.memories.items() for number, data, _ in each]
    return Written(
        rows=sorted(rows.items()),
        memories=[(who, data) for who, _, data in sorted(memories)],
        memory_changes=sorted(memory_changes(changes) + filed.changes),
        talks=[encode(talk) for talk in sorted(changes.talks, key=_id)],
        trajectories=[(who, np.asarray(path, "<u2").tobytes()) for who, path in sorted(changes.trajectories.items()) if path],
    )


def _id(item: object) -> int | str:
    return item.id  # type: ignore[attr-defined, no-any-return]


def memory_changes(changes: Changes) -> list[tuple[str, bytes, bytes]]:
    """Which memories were accessed and retired, by resident."""
    rows = []
    for who in sorted({*changes.accessed, *changes.retired}):
        accessed, retired = changes.accessed.get(who, {}), changes.retired.get(who, [])
        if accessed or retired:
            rows.append((who, encode({str(memory): when for memory, when in accessed.items()}), encode(sorted(set(retired)))))
    return rows


def written_at(database: sqlite3.Connection, step: int) -> Written:
    """What a step wrote, read back from the tables; its digest must be the same."""
    memories = database.execute(f"SELECT resident, {MEMORY} FROM memories WHERE step = ? ORDER BY resident, id", (step,))
    changes = database.execute("SELECT resident, accessed, retired FROM memory_changes WHERE step = ? ORDER BY resident", (step,))
    return Written(
        rows=database.execute("SELECT key, value FROM state WHERE step = ? ORDER BY key", (step,)).fetchall(),
        memories=[(who, encode(concept_of(row))) for who, *row in memories],
        memory_changes=changes.fetchall(),
        talks=[encode(conversation_of(row)) for row in database.execute(f"SELECT {CONVERSATION} FROM conversations WHERE step = ? ORDER BY id", (step,))],
        trajectories=database.execute("SELECT resident, path FROM trajectories WHERE step = ? ORDER BY resident", (step,)).fetchall(),
    )


def step_digest(previous: str, step: Written) -> str:
    """The next link of the chain, in hex; `previous` is "" before step 0."""
    parts: list[bytes | str | None] = [bytes.fromhex(previous)]
    for section in (step.rows, step.memories, step.memory_changes, [(talk,) for talk in step.talks], step.trajectories):
        parts.append(str(len(section)))
        for entry in section:
            parts.extend(entry)
    return _hash(parts)


def state_hash(state: State) -> str:
    """A hash of all rows and of all live memories with their last access, in hex."""
    memories = ((who, memory, stream.last_access(memory.id)) for who, stream in sorted(state.memories.items()) for memory in stream.concepts.values())
    return hash_of(((key, encode(row)) for key, row in sorted(state.rows.items())), memories)


def hash_of(rows: Iterable[tuple[str, bytes]], memories: Iterable[tuple[str, Concept, datetime]]) -> str:
    """The same from rows by key, and from memories by resident and id."""
    parts: list[bytes | str | None] = []
    for entry in rows:
        parts.extend(entry)
    for who, concept, accessed in memories:
        parts.extend((who, encode(concept), accessed.isoformat()))
    return _hash(parts)


def _hash(parts: Iterable[bytes | str | None]) -> str:
    data: list[bytes] = []
    for part in parts:
        if part is None:
            data.append(_NOTHING)
        else:
            each = part.encode() if isinstance(part, str) else part
            data += (len(each).to_bytes(8, "big"), each)
    return blake2b(b"".join(data), digest_size=_SIZE).hexdigest()
