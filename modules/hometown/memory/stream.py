"""The memory stream: the live memories of a resident, and their retrieval (Park et al. 2023, §4.1)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometown.memory.arithmetic import Floats, Vector, dot, to_cosines
from hometown.memory.concept import MEMORY_TYPES, Concept, MemoryType
from hometown.memory.scoring import EPOCH, Columns, Scored, round_scores, seconds, terms
from hometown.settings import RetrievalSettings

Column = NDArray[Any]

_TYPE_CODE = {kind: code for code, kind in enumerate(MEMORY_TYPES)}


_DTYPES: dict[str, type] = {"ids": np.int64, "types": np.int8, "poignancy": np.float64, "created": np.int64, "accessed": np.int64}
_EMPTY: dict[str, Column] = {name: np.empty(0, dtype) for name, dtype in _DTYPES.items()}


class MemoryStream:
    """One resident's live memories. Retired ones are kept in the run's database only, or else in `cold` (`modules/hometown/memory/tiers.py`).

    Vectors are quantised (`modules/hometown/memory/arithmetic.py`), float32[n, d], in the order of `columns()`. `load` brings them in on first
    use, given the texts; `release` lets them go again.
    """

    def __init__(self, load: Callable[[Sequence[str]], Vector] | None = None) -> None:
        self._concepts: dict[int, Concept] = {}
        self._load = load
        self._columns = _EMPTY
        self._count = 0
        self._matrix: Vector | None = None
        self._new: list[tuple[Concept, datetime]] = []
        """Memories that are not in the columns yet, with their last access: many are made before the next search, and some streams are never searched."""
        self._new_vectors: list[Vector] = []
        """Vectors that are not in the matrix yet, where there is one."""
        self.cold: MemoryStream | None = None

    # changing -----------------------------------------------------------------------------

    def add(self, concept: Concept, vector: Vector | None, accessed: datetime | None = None) -> None:
        """Appends a memory. `accessed` defaults to its creation. Without a vector it is loaded on first use."""
        if vector is None:
            self._forget_vectors()
        elif self._matrix is not None or self._count == 0:
            self._matrix = self._matrix if self._matrix is not None else np.empty((0, vector.shape[0]), np.float32)
            self._new_vectors.append(vector)
        self._new.append((concept, accessed or concept.created))
        self._concepts[concept.id] = concept
        self._count += 1

    def access(self, ids: Iterable[int], when: datetime) -> None:
        """Sets the last access of live memories; ids of retired ones are ignored."""
        columns = self.columns()
        where = np.searchsorted(columns.ids, [number for number in ids if number in self])
        columns.accessed[where] = seconds(when)

    def retire(self, ids: Iterable[int]) -> None:
        """Takes memories out of retrieval and out of RAM."""
        gone = [number for number in ids if number in self]
        if not gone:
            return
        where = np.searchsorted(self.columns().ids, gone)
        if self.cold is not None:
            self.cold.insert((self._concepts[number], self.last_access(number)) for number in gone)
        self._columns = {name: np.delete(column[: self._count], where) for name, column in self._columns.items()}
        if self._matrix is not None:
            self._matrix = np.delete(self._vectors(), where, axis=0)
        for number in gone:
            del self._concepts[number]
        self._count -= len(gone)

    def insert(self, memories: Iterable[tuple[Concept, datetime]]) -> None:
        """Puts in memories with their last access, at their places in the order in which they were made; their vectors are loaded on first use."""
        new = {concept.id: (concept, accessed) for concept, accessed in memories}
        if not new:
            return
        kept = {number: (concept, self.last_access(number)) for number, concept in self._concepts.items()}
        self._concepts, self._new, self._count = {}, [], 0
        for _, (concept, accessed) in sorted((kept | new).items()):
            self.add(concept, None, accessed)

    def recall(self, ids: Iterable[int], when: datetime) -> None:
        """Brings memories back from `cold`, with their last access; ids of others are ignored."""
        cold = self.cold
        if cold is not None:
            back = [(cold.concept(number), when) for number in ids if number in cold]
            self.insert(back)
            cold.retire([concept.id for concept, _ in back])

    def release(self) -> None:
        """Frees the vectors; the next search loads them again. Does nothing if they cannot be reloaded."""
        if self._load is not None:
            self._forget_vectors()

    def _forget_vectors(self) -> None:
        self._matrix, self._new_vectors = None, []

    # reading ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        """Whether a memory is live."""
        return number in self._concepts

    def concept(self, number: int) -> Concept:
        """A live memory by its id; raises KeyError for any other."""
        return self._concepts[number]

    def find(self, number: int) -> Concept | None:
        """A live memory by its id, or a retired one that is in `cold`; None where there is neither."""
        if number in self:
            return self.concept(number)
        return None if self.cold is None else self.cold.find(number)

    @property
    def concepts(self) -> dict[int, Concept]:
        """All live memories by id, oldest first; a copy."""
        return {number: self.concept(number) for number in self.columns().ids.tolist()}

    def columns(self) -> Columns:
        if self._new:
            self._place_new()
        return Columns(*[column[: self._count] for column in self._columns.values()])

    def _place_new(self) -> None:
        """Puts the new memories into the columns."""
        rows = [(new.id, _TYPE_CODE[new.type], new.poignancy, seconds(new.created), seconds(accessed)) for new, accessed in self._new]
        at, self._new = self._count - len(rows), []
        self._columns = {name: _room(column, at, len(rows)) for name, column in self._columns.items()}
        for column, values in zip(self._columns.values(), zip(*rows, strict=True), strict=True):
            column[at : self._count] = values

    def last_access(self, number: int) -> datetime:
        columns = self.columns()
        return EPOCH + timedelta(seconds=int(columns.accessed[np.searchsorted(columns.ids, number)]))

    def recent(self, kinds: Sequence[MemoryType], count: int) -> list[Concept]:
        """The latest `count` live memories of these types, latest first."""
        return list(islice((concept for concept in self._latest() if concept.type in kinds), count))

    def since(self, moment: datetime, kinds: Sequence[MemoryType]) -> Iterator[Concept]:
        """The live memories of these types that were made at a moment or later, latest first."""
        return (concept for concept in takewhile(lambda each: each.created >= moment, self._latest()) if concept.type in kinds)

    def _latest(self) -> Iterator[Concept]:
        """All live memories, latest first."""
        return reversed(self._concepts.values())

    def vectors(self, ids: Sequence[int]) -> Vector:
        """The vectors of live memories, float32[len(ids), d], in their order."""
        return self._vectors()[np.searchsorted(self.columns().ids, list(ids))]

    def dot(self, query: Vector) -> Vector:
        """Return the dot product of each live memory with a vector, float32[n], exact."""
        return dot(self._vectors(), query) if self._count else np.empty(0, np.float32)

    def relevance(self, query: Vector) -> Floats:
        """Return the cosine similarity of each live memory to a vector, float64[n]."""
        return to_cosines(self.dot(query))

    def _vectors(self) -> Vector:
        if self._matrix is None:
            if self._load is None:
                raise LookupError("this memory stream holds no vectors and knows no way to load them")
            self._matrix = self._load([concept.text for concept in self._concepts.values()])
        elif self._new_vectors:
            at = self._count - len(self._new_vectors)
            self._matrix = _room(self._matrix, at, len(self._new_vectors))
            self._matrix[at : self._count] = self._new_vectors
            self._new_vectors = []
        return self._matrix[: self._count]

    def retrieve(
        self,
        query: Vector,
        now: datetime,
        settings: RetrievalSettings,
        *,
        count: int,
        kinds: Sequence[MemoryType] | None = None,
    ) -> list[Scored]:
        """The `count` best memories for a query, best first: w_r·recency + w_i·importance + w_v·relevance.

        All live memories are scored, whatever `kinds` are asked for, so that the scale of
        the terms does not depend on it. Ties go to the newer memory.
        """
        columns = self.columns()
        if not len(columns.ids):
            return []
        recency, importance, relevance = terms(columns, self.relevance(query), now, settings)
        total = round_scores(settings.recency_weight * recency + settings.importance_weight * importance + settings.relevance_weight * relevance)
        order = total.argsort(kind="stable")[::-1]  # the newer memory stands behind the older one
        if kinds is not None:
            order = order[_among(kinds)[columns.types[order]]]
        return [
            Scored(self.concept(int(columns.ids[at])), float(total[at]), float(recency[at]), float(importance[at]), float(relevance[at]))
            for at in order[:count]
        ]

    def least_valuable(self, count: int, now: datetime, settings: RetrievalSettings, spared: Container[int] = ()) -> list[int]:
        """Ids of the `count` memories that matter least by recency and importance, older first on ties; `spared` ones are not among them."""
        columns = self.columns()
        recency, importance, _ = terms(columns, np.zeros(len(columns.ids)), now, settings)
        value = round_scores(settings.recency_weight * recency + settings.importance_weight * importance)
        ranked = (int(columns.ids[at]) for at in np.lexsort((columns.ids, value)))
        return list(islice((number for number in ranked if number not in spared), count))

    def expired(self, now: datetime) -> list[int]:
        """Ids of live memories past their expiry."""
        return [number for number in self.columns().ids.tolist() if self.concept(number).expires <= now]


def _among(kinds: Sequence[MemoryType]) -> NDArray[np.bool_]:
    """By the code of a type, whether it is one of these."""
    return np.array([kind in kinds for kind in MEMORY_TYPES])


def _room(array: Column, count: int, more: int) -> Column:
    """The array, enlarged by a quarter if it has no room for `more` rows after `count`; doubling would leave much of it empty."""
    if count + more <= len(array):
        return array
    grown = np.empty((16 + count + max(more, count // 4), *array.shape[1:]), array.dtype)
    grown[:count] = array[:count]
    return grown
