"""The state of a town as shards get it: first the whole of it, then the changes of each step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector
from hometown.memory.stream import MemoryStream
from hometown.records import Replies
from hometown.world.keys import resident_of
from hometown.world.pending import Unsummed
from hometown.world.rows import Row
from hometown.world.state import Changes, State

Rows = dict[str, Row | None]
"""State rows by key; None for one that was removed."""


@frozen
class Update:
    """Changes for one shard: its residents, what has changed of their own, the vectors of their new
    memories by text, and replies that the run has kept of an interrupted step.
    """

    residents: list[str] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)
    vectors: dict[str, Vector] = field(default_factory=dict)
    replies: dict[tuple[Any, ...], tuple[bytes, bytes]] = field(default_factory=dict)


def make_updates(
    changes: Changes,
    homes: Mapping[str, int],
    count: int,
    vectors_of: Callable[[Sequence[str]], Iterable[Vector]],
    replies: Replies,
) -> tuple[Rows, list[Update]]:
    """Return the public rows among changes, and an update for each of `count` shards; `homes` has
    the number of each resident's shard, from 0, and `vectors_of` returns the vectors of texts. A
    conversation that is not summed up yet belongs to those who took part.
    """
    public, updates = Rows(), [Update() for _ in range(count)]
    for key, row in changes.rows.items():
        owner = resident_of(key)
        people = row.talk.people if isinstance(row, Unsummed) else (owner,) if owner else ()
        for number in {homes[who] for who in people}:
            updates[number].changes.rows[key] = row
        if not people:
            public[key] = row
    for who, number in homes.items():
        part = updates[number].changes
        updates[number].residents.append(who)
        part.memories[who] = changes.memories.get(who, [])
        part.accessed[who] = changes.accessed.get(who, {})
        part.retired[who] = changes.retired.get(who, [])
        texts = [memory.text for memory in part.memories[who]]
        updates[number].vectors.update(zip(texts, vectors_of(texts), strict=True))
    for request, reply in replies.items():
        if request[1] in homes:
            updates[homes[request[1]]].replies[request] = reply
    return public, updates


def collect_state(state: State) -> Changes:
    """Return a whole state as changes; memories that can come back count as retired."""
    changes = Changes(dict(state.rows))
    for who, stream in state.memories.items():
        parts = [stream, stream.cold or MemoryStream()]
        known = {number: part for part in parts for number in part.concepts}
        changes.memories[who] = [known[number].concept(number) for number in sorted(known)]
        changes.accessed[who] = {number: part.last_access(number) for number, part in known.items()}
        changes.retired[who] = [*parts[1].concepts]
    return changes


def merge(first: Changes, second: Changes) -> Changes:
    """Return changes that follow one another as one: the later row counts, and memories, accesses
    and retirements add up. Conversations and paths, which shards do not need, are left out.
    """
    both = Changes(first.rows | second.rows)
    for each in (first, second):
        for who, memories in each.memories.items():
            both.memories.setdefault(who, []).extend(memories)
        for who, accessed in each.accessed.items():
            both.accessed.setdefault(who, {}).update(accessed)
        for who, retired in each.retired.items():
            both.retired.setdefault(who, []).extend(retired)
    return both


def update_stream(update: Update, who: str, stream: MemoryStream) -> None:
    """Carry changes out on a resident's memory stream: whatever was accessed is live, until it is
    retired. Memories that are there already stay.
    """
    for memory in update.changes.memories[who]:
        if stream.find(memory.id) is None:
            stream.add(memory, update.vectors[memory.text])
    for number, when in update.changes.accessed[who].items():
        stream.recall([number], when)
        stream.access([number], when)
    stream.retire(update.changes.retired[who])
