"""The memory stream: the live memories of a resident in the order in which they were made (Park et
al. 2023, §4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import islice, takewhile
from operator import attrgetter

from hometown.memory.arithmetic import Vector
from hometown.memory.concept import BACKGROUND, MEMORY_TYPES, Concept, MemoryType
from hometown.memory.partition import Partition

_KINDS = (*MEMORY_TYPES, BACKGROUND)
"""Kinds of memories that are listed by themselves: the types of a resident's own experience, and
background knowledge.
"""


class MemoryStream:
    """One resident's live memories. Retired ones are in the run's database only, or else, in a stream
    that `is_tiered`, in `cold` (`modules/hometown/memory/tiers.py`).

    `partition` is the resident's part of the memory store (`modules/hometown/memory/store.py`),
    with its columns and vectors. `load` returns the vectors of texts, and `used` is called at each
    search (`Partition`).
    """

    def __init__(
        self,
        load: Callable[[Sequence[str]], Vector] | None = None,
        used: Callable[[Partition, int], None] | None = None,
        *,
        is_tiered: bool = False,
    ) -> None:
        self._concepts: dict[int, Concept] = {}
        self._by_kind: dict[str, dict[int, Concept]] = {kind: {} for kind in _KINDS}
        # The partition knows the memories and not the stream, since a cycle would outlive the step.
        self.partition = Partition(
            None if load is None else partial(_load_vectors, load, self._concepts), used
        )
        self.cold: MemoryStream | None = MemoryStream(load, used) if is_tiered else None

    # changing -----------------------------------------------------------------------------

    def add(
        self, concept: Concept, vector: Vector | None, accessed: datetime | None = None
    ) -> None:
        """Append a memory. `accessed` defaults to its creation. Without a vector it is loaded on
        first use.
        """
        self.partition.add(concept, vector, accessed or concept.created)
        self.list_concept(concept)

    def list_concept(self, concept: Concept) -> None:
        """Append a memory to the lists of this stream, and not to its partition."""
        self._concepts[concept.id] = concept
        self._by_kind[_kind_of(concept)][concept.id] = concept

    def access(self, ids: Iterable[int], when: datetime) -> None:
        """Set the last access of live memories; ids of retired ones are ignored."""
        self.partition.access([number for number in ids if number in self], when)

    def retire(self, ids: Iterable[int]) -> None:
        """Take memories out of retrieval, into `cold` if there is one, or else out of RAM; ids that
        are not live are ignored.
        """
        gone = [number for number in ids if number in self]
        if not gone:
            return
        if self.cold is not None:
            self.cold.insert((self._concepts[number], self.last_access(number)) for number in gone)
        self.partition.remove(gone)
        for number in gone:
            concept = self._concepts.pop(number)
            del self._by_kind[_kind_of(concept)][number]

    def insert(self, memories: Iterable[tuple[Concept, datetime]]) -> None:
        """Insert memories, given with their last access, among the live ones in the order of their
        ids; their vectors are loaded on first use.
        """
        new = {concept.id: (concept, accessed) for concept, accessed in memories}
        if not new:
            return
        kept = {
            number: (concept, self.last_access(number))
            for number, concept in self._concepts.items()
        }
        self._concepts.clear()
        for memories_of_kind in self._by_kind.values():
            memories_of_kind.clear()
        self.partition.clear()
        for _, (concept, accessed) in sorted((kept | new).items()):
            self.add(concept, None, accessed)

    def recall(self, ids: Iterable[int], when: datetime) -> None:
        """Bring memories back from `cold` and set their last access; other ids are ignored."""
        cold = self.cold
        if cold is not None:
            back = [(cold.concept(number), when) for number in ids if number in cold]
            self.insert(back)
            cold.retire([concept.id for concept, _ in back])

    # reading ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._concepts)

    def __contains__(self, number: int) -> bool:
        """Return True if a memory is live."""
        return number in self._concepts

    def concept(self, number: int) -> Concept:
        """Return a live memory by its id. Raises KeyError for any other."""
        return self._concepts[number]

    def find(self, number: int) -> Concept | None:
        """Return a memory by its id, live or in `cold`; None if there is none."""
        if number in self:
            return self.concept(number)
        return None if self.cold is None else self.cold.find(number)

    @property
    def concepts(self) -> dict[int, Concept]:
        """All live memories by id, oldest first; a copy."""
        return dict(self._concepts)

    def last_access(self, number: int) -> datetime:
        """Return the last access of a live memory."""
        return self.partition.last_access(number)

    def recent(self, kinds: Sequence[MemoryType], count: int) -> list[Concept]:
        """Return the latest `count` live memories of these types, latest first, without background
        knowledge.
        """
        return list(islice(self._latest(kinds), count))

    def since(self, moment: datetime, kinds: Sequence[MemoryType]) -> Iterator[Concept]:
        """Yield the live memories of these types that were made at a moment or later, latest
        first, without background knowledge.
        """
        return takewhile(lambda each: each.created >= moment, self._latest(kinds))

    def _latest(self, kinds: Sequence[str]) -> Iterator[Concept]:
        """Yield the live memories of these kinds, latest first."""
        of_each = [reversed(self._by_kind[kind].values()) for kind in kinds]
        if len(of_each) == 1:
            return of_each[0]
        return merge(*of_each, key=attrgetter("id"), reverse=True)

    @property
    def background(self) -> list[Concept]:
        """Return all live background knowledge, latest first."""
        return list(self._latest([BACKGROUND]))

    def expired(self, now: datetime) -> list[int]:
        """Return the ids of live memories past their expiry."""
        return [number for number, concept in self.concepts.items() if concept.expires <= now]


def _load_vectors(
    load: Callable[[Sequence[str]], Vector], concepts: Mapping[int, Concept]
) -> Vector:
    """Return the vectors of memories, float32[n, d], in their order."""
    return load([concept.text for concept in concepts.values()])


def _kind_of(concept: Concept) -> str:
    """Return the kind of `_KINDS` of a memory."""
    return BACKGROUND if concept.is_background else concept.type
