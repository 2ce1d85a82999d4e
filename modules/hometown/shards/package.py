"""What a shard is founded with: what stays as it is, and the town as it stands with the memories of
the shard's own residents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import zstandard

from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept, MemoryType
from hometown.memory.stream import MemoryStream
from hometown.settings import Settings
from hometown.shards.pickling import pickled, unpickled
from hometown.storage.codec import RowData
from hometown.world.keys import OWN
from hometown.world.pending import Unsummed
from hometown.world.rows import Row
from hometown.world.state import State
from hometown.world.world import World


@frozen
class Charter:
    """What stays as it is. `settings.machine.slots` are the shard's own; `listens`: somebody
    follows what is said; `leased`: calls are granted.
    """

    number: int
    world: World
    settings: Settings
    seed: int
    llm: str
    embedding: str
    listens: bool = False
    leased: bool = False


@frozen
class Memories:
    """A memory stream as it travels: concepts, their last accesses, and their vectors, float32[n,
    d].
    """

    concepts: tuple[Concept, ...]
    accessed: tuple[datetime, ...]
    vectors: Vector


@frozen
class Package:
    """The town as it stands: rows that concern the shard, its residents' live memories and, where
    those can come back, retired ones, and kept replies.
    """

    rows: dict[str, Row]
    live: dict[str, Memories]
    cold: dict[str, Memories]
    replies: dict[tuple[Any, ...], tuple[bytes, bytes]]


def owner_of(key: str) -> str:
    """The resident whose own a row is; "" where it is the town's."""
    kind, _, rest = key.partition("/")
    return rest.partition("/")[0] if kind in OWN else ""


def split(
    rows: Mapping[str, Row | None], of: Mapping[str, int], count: int
) -> tuple[dict[str, Row | None], list[dict[str, Row | None]]]:
    """Rows for everybody, and those for each of `count` shards, by the number of each resident's.
    What was said is for those who took part.
    """
    public: dict[str, Row | None] = {}
    own: list[dict[str, Row | None]] = [{} for _ in range(count)]
    for key, row in rows.items():
        who = owner_of(key)
        if who:
            own[of[who]][key] = row
        elif isinstance(row, Unsummed):
            for number in {of[each] for each in row.talk.people}:
                own[number][key] = row
        else:
            public[key] = row
    return public, own


def compressed(rows: RowData) -> bytes:
    """Rows as they travel to everybody."""
    return zstandard.ZstdCompressor(level=1).compress(pickled(rows))


def expanded(data: bytes) -> RowData:
    """Rows that have travelled."""
    rows: RowData = unpickled(zstandard.ZstdDecompressor().decompress(data))
    return rows


def packed(
    state: State,
    people: Iterable[str],
    rows: dict[str, Row],
    replies: Mapping[tuple[Any, ...], tuple[bytes, bytes]],
) -> Package:
    """A package for the shard of these people."""
    own = list(people)
    mine = frozenset(own)
    streams = {who: state.memories[who] for who in own}
    return Package(
        rows,
        {who: _memories(stream) for who, stream in streams.items()},
        {who: _memories(stream.cold) for who, stream in streams.items() if stream.cold is not None},
        {key: kept for key, kept in replies.items() if key[1] in mine},
    )


def _memories(stream: MemoryStream) -> Memories:
    concepts = tuple(stream.concepts.values())
    vectors = (
        stream.partition.vectors([concept.id for concept in concepts])
        if concepts
        else np.empty((0, 0), np.float32)
    )
    return Memories(
        concepts, tuple(stream.last_access(concept.id) for concept in concepts), vectors
    )


def filled(stream: MemoryStream, memories: Memories) -> MemoryStream:
    """A stream with these memories."""
    for concept, accessed, vector in zip(
        memories.concepts, memories.accessed, memories.vectors, strict=True
    ):
        stream.add(concept, vector, accessed)
    return stream


class Register(MemoryStream):
    """Which live memories somebody has who thinks elsewhere, and those of conversations and
    background knowledge: all that the rules of the town ask for.
    """

    def __init__(self, memories: Iterable[Concept]) -> None:
        super().__init__()
        self._ids: set[int] = set()
        self._asked_for: dict[int, Concept] = {}
        for memory in memories:
            self.add(memory, None)

    def add(
        self, concept: Concept, vector: Vector | None, accessed: datetime | None = None
    ) -> None:
        self._ids.add(concept.id)
        if concept.type == "chat" or concept.is_background:
            self._asked_for[concept.id] = concept

    def access(self, ids: Iterable[int], when: datetime) -> None:
        pass

    def retire(self, ids: Iterable[int]) -> None:
        self._ids.difference_update(ids)

    def recall(self, ids: Iterable[int], when: datetime) -> None:
        self._ids.update(ids)

    def _latest(self) -> Iterator[Concept]:
        return (
            concept for number, concept in reversed(self._asked_for.items()) if number in self._ids
        )

    def recent(self, kinds: Sequence[MemoryType], count: int) -> list[Concept]:
        if set(kinds) != {"chat"}:
            raise LookupError(
                f"of the memories of somebody who thinks elsewhere, only those of conversations are known here, not {kinds}"
            )
        return super().recent(kinds, count)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, number: int) -> bool:
        return number in self._ids
