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
from hometown.storage.codec import encode, encoded
from hometown.storage.tables import CONVERSATION, MEMORY, concept_of, conversation_of
from hometown.world.state import Changes, State

_SIZE = 32

_length = Struct(">Q").pack

_NOTHING = (2**64 - 1).to_bytes(8, "big")
"""In place of the length of what is not there."""


Part = bytes | str | None


@frozen
class Written:
    """What a step wrote, each part encoded and in its fixed order."""

    rows: list[tuple[str, bytes | None]]
    memories: list[tuple[str, bytes]]
    memory_changes: list[tuple[str, bytes, bytes]]
    talks: list[bytes]
    trajectories: list[tuple[str, bytes]]


def written(changes: Changes) -> Written:
    """Return the changes of a step in canonical form."""
    memories = [
        (who, memory.id, encode(memory))
        for who, each in changes.memories.items()
        for memory in each
    ]
    return Written(
        rows=sorted(encoded(changes.rows).items()),
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
    return item.id  # type: ignore[attr-defined, no-any-return]


def memory_changes(changes: Changes) -> list[tuple[str, bytes, bytes]]:
    """Which memories were accessed and retired, by resident."""
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


def written_at(database: sqlite3.Connection, step: int) -> Written:
    """What a step wrote, read back from the tables; its digest must be the same."""
    memories = database.execute(
        f"SELECT resident, {MEMORY} FROM memories WHERE step = ? ORDER BY resident, id", (step,)
    )
    changes = database.execute(
        "SELECT resident, accessed, retired FROM memory_changes WHERE step = ? ORDER BY resident",
        (step,),
    )
    return Written(
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


def step_digest(previous: str, step: Written) -> str:
    """The next link of the chain, in hex; `previous` is "" before step 0."""
    sections = [
        _section(step.rows),
        _section(step.memories),
        _section(step.memory_changes),
        _section([(talk,) for talk in step.talks]),
        _section(step.trajectories),
    ]
    return _hash(framed([bytes.fromhex(previous)]), *sections)


def _section(entries: Sequence[Sequence[Part]]) -> bytes:
    """Return how many entries there are, and each of them, framed."""
    return framed(chain([str(len(entries))], *entries))


def state_hash(state: State) -> str:
    """A hash of all rows and of all live memories with their last access, in hex."""
    memories = (
        (who, memory, stream.last_access(memory.id))
        for who, stream in sorted(state.memories.items())
        for memory in stream.concepts.values()
    )
    return hash_of(((key, encode(row)) for key, row in sorted(state.rows.items())), memories)


def hash_of(
    rows: Iterable[tuple[str, bytes]], memories: Iterable[tuple[str, Concept, datetime]]
) -> str:
    """The same from rows by key, and from memories by resident and id."""
    known = ((who, encode(concept), accessed.isoformat()) for who, concept, accessed in memories)
    return _hash(framed(chain.from_iterable(chain(rows, known))))


def framed(parts: Iterable[Part]) -> bytes:
    """Parts as a digest covers them, each with its length before it."""
    data: list[bytes] = []
    for part in parts:
        each = part.encode() if isinstance(part, str) else part
        if each is None:
            data.append(_NOTHING)
        else:
            data.append(_length(len(each)))
            data.append(each)
    return b"".join(data)


def _hash(*sections: bytes) -> str:
    state = blake2b(digest_size=_SIZE)
    for section in sections:
        state.update(section)
    return state.hexdigest()
