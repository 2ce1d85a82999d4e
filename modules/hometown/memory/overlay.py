"""Views of a memory stream that a mind, or a copy of the town, can change without changing the
stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain

from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept
from hometown.memory.partition import LayeredPartition
from hometown.memory.stream import MemoryStream


class Overlay(MemoryStream):
    """A base stream, unchanged, below the memories added in this step."""

    def __init__(
        self, base: MemoryStream, load: Callable[[Sequence[str]], Vector] | None = None
    ) -> None:
        super().__init__()
        self.base = base
        self.fresh = MemoryStream(load)
        self.partition = LayeredPartition(base.partition, self.fresh.partition)
        self.gone: set[int] = set()
        self.cold = base.cold

    def add(
        self, concept: Concept, vector: Vector | None, accessed: datetime | None = None
    ) -> None:
        """Append a memory above the base."""
        self.partition.add(concept, vector, accessed or concept.created)
        self.fresh.list_concept(concept)

    def access(self, ids: Iterable[int], when: datetime) -> None:
        """Do nothing: accesses take effect at commit, and scores stay the same within the step."""

    def retire(self, ids: Iterable[int]) -> None:
        """Hide memories, of the base or added above it, from retrieval; none moves to `cold`."""
        gone = list(ids)
        self.partition.remove(gone)
        self.gone.update(gone)

    def recall(self, ids: Iterable[int], when: datetime) -> None:
        """Do nothing: recalls take effect at commit."""

    def __len__(self) -> int:
        return (
            len(self.base)
            + len(self.fresh)
            - sum(number in self.base or number in self.fresh for number in self.gone)
        )

    def __contains__(self, number: int) -> bool:
        return number not in self.gone and (number in self.fresh or number in self.base)

    def concept(self, number: int) -> Concept:
        return self.fresh.concept(number) if number in self.fresh else self.base.concept(number)

    @property
    def concepts(self) -> dict[int, Concept]:
        live = self.base.concepts | self.fresh.concepts
        return {number: concept for number, concept in live.items() if number not in self.gone}

    def _latest(self, kinds: Sequence[str]) -> Iterator[Concept]:
        """Yield the live memories of these kinds, latest first: the added ones, then the base's."""
        latest = chain(self.fresh._latest(kinds), self.base._latest(kinds))
        if not self.gone:
            return latest
        return (concept for concept in latest if concept.id not in self.gone)


class Fork(Overlay):
    """An overlay that lives for several steps, so that accesses take effect in it; recalls still do
    nothing.
    """

    def access(self, ids: Iterable[int], when: datetime) -> None:
        self.partition.access(list(ids), when)
