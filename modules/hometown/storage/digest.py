"""The digest of a step, and the hash of a whole state.

digest[n] = BLAKE2b-256(digest[n-1] ‖ canonical bytes of what step n wrote), nothing before step 0

In it, in this order, each part with its length before it:

    state rows              key, JSON; nothing where the row was removed                by key
    memories                resident, JSON of the concept                               by resident, id
    memory changes          resident, JSON {id: last access}, JSON [ids retired]        by resident
    conversations           JSON of the talk                                            by id
    trajectories            resident, (tick, column, row) as little-endian uint16       by resident

Never in it: effects and calls (what led there), the run's name, parent, seed and planned end,
paths, hosts, wall time, tokens, retries, the model's name, row ids, vectors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from struct import Struct

import numpy as np

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.storage.codec import encode, encode_rows
from hometown.storage.row_conversion import CONVERSATION, MEMORY, concept_of, conversation_of
from hometown.world.state import Changes, State

_SIZE = 32
"""Bytes of a digest."""

_pack_length = Struct(">Q").pack

_NOTHING = (2**64 - 1).to_bytes(8, "big")
"""Stands for the length of a missing part."""


Part = bytes | str | None


@frozen
class CanonicalStep:
    """The data of a step that the digest covers, each part encoded and in its fixed order."""

    rows: list[tuple[str, bytes | None]]
    memories: list[tuple[str, bytes]]
    memory_changes: list[tuple[str, bytes, bytes]]
    talks: list[bytes]
    trajectories: list[tuple[str, bytes]]


def to_canonical(changes: Changes) -> CanonicalStep:
    """Return the changes of a step in canonical form: encoded, and sorted by key, resident or id."""
    memories = [
        (who, memory.id, encode(memory))
        for who, each in changes.memories.items()
        for memory in each
    ]
    return CanonicalStep(
        rows=sorted(encode_rows(changes.rows).items()),
        memories=[(who, data) for who, _, data in sorted(memories)],
        memory_changes=memory_changes(changes),
        talks=[encode(talk) for talk in sorted(changes.talks, key=_id)],
        trajectories=[
            (who, np.asarray(path, "<u2").tobytes())
            for who, path in sorted(changes.trajectories.items())
            if path
        ],
    )


def _id(item: object) -> int | str:
    """Return the `id` of a record that has one."""
    return item.id  # type: ignore[attr-defined, no-any-return]


def memory_changes(changes: Changes) -> list[tuple[str, bytes, bytes]]:
    """Return, for each resident with any, sorted: the resident's id, the JSON of the last access by
    memory, and the JSON of the retired memories.
    """
    rows = []
    for who in sorted({*changes.accessed, *changes.retired}):
        accessed, retired = changes.accessed.get(who, {}), changes.retired.get(who, [])
        if accessed or retired:
            rows.append(
                (
                    who,
                    encode({str(memory): when for memory, when in accessed.items()}),
                    encode(sorted(set(retired))),
                )
            )
    return rows


def read_canonical(database: sqlite3.Connection, step: int) -> CanonicalStep:
    """Read a step back from the tables in canonical form, from which the same digest results as
    when it was written.
    """
    memories = database.execute(
        f"SELECT resident, {MEMORY} FROM memories WHERE step = ? ORDER BY resident, id", (step,)
    )
    changes = database.execute(
        "SELECT resident, accessed, retired FROM memory_changes WHERE step = ? ORDER BY resident",
        (step,),
    )
    return CanonicalStep(
        rows=database.execute(
            "SELECT key, value FROM state WHERE step = ? ORDER BY key", (step,)
        ).fetchall(),
        memories=[(who, encode(concept_of(row))) for who, *row in memories],
        memory_changes=changes.fetchall(),
        talks=[
            encode(conversation_of(row))
            for row in database.execute(
                f"SELECT {CONVERSATION} FROM conversations WHERE step = ? ORDER BY id", (step,)
            )
        ],
        trajectories=database.execute(
            "SELECT resident, path FROM trajectories WHERE step = ? ORDER BY resident", (step,)
        ).fetchall(),
    )


def step_digest(previous: str, step: CanonicalStep) -> str:
    """Return the next link of the chain, in hex; `previous` is "" before step 0."""
    sections = [
        _section(step.rows),
        _section(step.memories),
        _section(step.memory_changes),
        _section([(talk,) for talk in step.talks]),
        _section(step.trajectories),
    ]
    return _hash(framed([bytes.fromhex(previous)]), *sections)


def _section(entries: Sequence[Sequence[Part]]) -> bytes:
    """Return the number of entries, then each of them, framed."""
    return framed(chain([str(len(entries))], *entries))


def state_hash(state: State) -> str:
    """Return a hash of all rows and of all live memories with their last access, in hex."""
    memories = (
        (who, memory, stream.last_access(memory.id))
        for who, stream in sorted(state.memories.items())
        for memory in stream.concepts.values()
    )
    return hash_of(((key, encode(row)) for key, row in sorted(state.rows.items())), memories)


def hash_of(
    rows: Iterable[tuple[str, bytes]], memories: Iterable[tuple[str, Concept, datetime]]
) -> str:
    """Return the same hash from rows (key, JSON), sorted by key, and memories (resident, memory,
    last access), sorted by resident, then in the order in which they were made.
    """
    known = ((who, encode(concept), accessed.isoformat()) for who, concept, accessed in memories)
    return _hash(framed(chain.from_iterable(chain(rows, known))))


def framed(parts: Iterable[Part]) -> bytes:
    """Return parts as a digest covers them, each after its length; `_NOTHING` for a missing one."""
    data: list[bytes] = []
    for part in parts:
        each = part.encode() if isinstance(part, str) else part
        if each is None:
            data.append(_NOTHING)
        else:
            data.append(_pack_length(len(each)))
            data.append(each)
    return b"".join(data)


def _hash(*sections: bytes) -> str:
    """Return BLAKE2b-256 of sections one after the other, in hex."""
    digest = blake2b(digest_size=_SIZE)
    for section in sections:
        digest.update(section)
    return digest.hexdigest()
