"""Partitions of the memory store: for each resident, the columns and vectors of the memories that
can be recalled.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometown.memory.arithmetic import Vector, dot
from hometown.memory.concept import MEMORY_TYPES, Concept
from hometown.memory.scoring import EPOCH, Columns, Prior, compute_prior, round_scores, to_seconds
from hometown.settings import RetrievalSettings

Column = NDArray[Any]

TYPE_CODES = {kind: code for code, kind in enumerate(MEMORY_TYPES)}
"""Memory types by their code in the column of types."""

_DTYPES: dict[str, type] = {
    "ids": np.int64,
    "types": np.int8,
    "poignancy": np.float64,
    "created": np.int64,
    "accessed": np.int64,
}
_EMPTY: dict[str, Column] = {name: np.empty(0, dtype) for name, dtype in _DTYPES.items()}


class Partition:
    """The columns and the quantised vectors, float32[n, d], of one resident's memories, in the
    order of their ids.

    `load` returns the vectors of all rows; it is called on first use, and again after `release`.
    `used` is called with the partition and the number of bytes of the vectors whenever they are
    searched.
    """

    def __init__(
        self,
        load: Callable[[], Vector] | None = None,
        used: Callable[[Partition, int], None] | None = None,
    ) -> None:
        self._load = load
        self._used = used
        self._columns = _EMPTY
        self._count = 0
        self._matrix: Vector | None = None
        self._new: list[tuple[Concept, datetime]] = []
        """Memories that are not in the columns yet, with their last access: many are made before
        the next search, and some residents never search.
        """
        self._new_vectors: list[Vector] = []
        """Vectors that are not in the matrix yet, if there is a matrix."""
        self._view: Columns | None = None
        self._prior: tuple[datetime, RetrievalSettings, Prior] | None = None

    # changing -----------------------------------------------------------------------------

    def add(self, concept: Concept, vector: Vector | None, accessed: datetime) -> None:
        """Append a memory with a higher id than all others. Without a vector, all vectors are
        loaded at the next search.
        """
        if vector is None:
            self._forget_vectors()
        elif self._matrix is not None or self._count == 0:
            if self._matrix is None:
                self._matrix = np.empty((0, vector.shape[0]), np.float32)
            self._new_vectors.append(vector)
        self._new.append((concept, accessed))
        self._count += 1
        self._forget_results()

    def access(self, ids: Sequence[int], when: datetime) -> None:
        """Set the last access of memories, all of which are in the partition."""
        columns = self.columns()
        columns.accessed[np.searchsorted(columns.ids, ids)] = to_seconds(when)
        self._forget_results()

    def remove(self, ids: Sequence[int]) -> None:
        """Remove memories, all of which are in the partition."""
        where = np.searchsorted(self.columns().ids, ids)
        if self._matrix is not None:
            self._matrix = np.delete(self._vectors(), where, axis=0)
        self._columns = {
            name: np.delete(column[: self._count], where) for name, column in self._columns.items()
        }
        self._count -= len(ids)
        self._forget_results()

    def clear(self) -> None:
        """Remove all memories."""
        self._columns = _EMPTY
        self._new = []
        self._count = 0
        self._forget_vectors()
        self._forget_results()

    def release(self) -> None:
        """Free the vectors; the next search loads them again. Does nothing if they cannot be
        reloaded.
        """
        if self._load is not None:
            self._forget_vectors()

    def _forget_vectors(self) -> None:
        self._matrix, self._new_vectors = None, []

    def _forget_results(self) -> None:
        self._view = self._prior = None

    # reading ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._count

    def columns(self) -> Columns:
        """Return the columns, which only the partition may change."""
        if self._view is None:
            self._view = self._make_columns()
        return self._view

    def compute_prior(self, now: datetime, settings: RetrievalSettings) -> Prior:
        """Return the part of the scores that does not depend on a query. It is computed once for
        all queries of a moment, as long as the memories stay the same.
        """
        known = self._prior
        if known is None or known[0] != now or known[1] is not settings:
            self._prior = known = (now, settings, compute_prior(self.columns(), now, settings))
        return known[2]

    def last_access(self, number: int) -> datetime:
        """Return the last access of a memory that is in the partition."""
        columns = self.columns()
        return EPOCH + timedelta(
            seconds=int(columns.accessed[np.searchsorted(columns.ids, number)])
        )

    def vectors(self, ids: Sequence[int]) -> Vector:
        """Return the quantised vectors of memories, float32[len(ids), d], in their order."""
        return self._vectors()[np.searchsorted(self.columns().ids, list(ids))]

    def dot(self, query: Vector) -> Vector:
        """Return the dot product of each memory with a quantised vector, float32[n], exact."""
        return dot(self._vectors(), query) if self._count else np.empty(0, np.float32)

    def find_least_valuable(
        self, count: int, now: datetime, settings: RetrievalSettings, spared: Container[int] = ()
    ) -> list[int]:
        """Return the ids of the `count` memories with the lowest weighted sum of recency and
        importance, older first on ties, except those in `spared`.
        """
        ids, value = self.columns().ids, round_scores(self.compute_prior(now, settings).weighted)
        ranked = (int(ids[at]) for at in np.lexsort((ids, value)))
        return list(islice((number for number in ranked if number not in spared), count))

    def _make_columns(self) -> Columns:
        """Move new memories into the columns, and return the columns up to the number of memories."""
        if self._new:
            rows = [
                (
                    new.id,
                    TYPE_CODES[new.type],
                    new.poignancy,
                    to_seconds(new.created),
                    to_seconds(accessed),
                )
                for new, accessed in self._new
            ]
            at = self._count - len(rows)
            self._new = []
            self._columns = {
                name: _make_room(column, at, len(rows)) for name, column in self._columns.items()
            }
            for column, values in zip(self._columns.values(), zip(*rows, strict=True), strict=True):
                column[at : self._count] = values
        return Columns(*[column[: self._count] for column in self._columns.values()])

    def _vectors(self) -> Vector:
        """Return the vectors of all memories, float32[n, d], loaded or with new ones added, and
        report their use. Raises LookupError if there is no way to load them.
        """
        if self._matrix is None:
            if self._load is None:
                raise LookupError(
                    "these memories have no vectors, and there is no way to load them"
                )
            self._matrix = self._load()
        elif self._new_vectors:
            at = self._count - len(self._new_vectors)
            self._matrix = _make_room(self._matrix, at, len(self._new_vectors))
            self._matrix[at : self._count] = self._new_vectors
            self._new_vectors = []
        vectors = self._matrix[: self._count]
        if self._used is not None:
            self._used(self, vectors.nbytes)
        return vectors


class LayeredPartition(Partition):
    """A base partition, unchanged, below fresh memories, removals and accesses."""

    def __init__(self, base: Partition, fresh: Partition) -> None:
        super().__init__()
        self._base = base
        self._fresh = fresh
        self._removed: set[int] = set()
        self._accessed: dict[int, int] = {}

    def add(self, concept: Concept, vector: Vector | None, accessed: datetime) -> None:
        self._fresh.add(concept, vector, accessed)
        self._forget_results()

    def access(self, ids: Sequence[int], when: datetime) -> None:
        self._accessed.update(dict.fromkeys(ids, to_seconds(when)))
        self._forget_results()

    def remove(self, ids: Sequence[int]) -> None:
        self._removed.update(ids)
        self._forget_results()

    def release(self) -> None:
        """Do nothing: the base has other users."""

    def __len__(self) -> int:
        return len(self.columns().ids) if self._removed else len(self._base) + len(self._fresh)

    def compute_prior(self, now: datetime, settings: RetrievalSettings) -> Prior:
        if self._is_base_alone() and not self._accessed:
            return self._base.compute_prior(now, settings)
        return super().compute_prior(now, settings)

    def vectors(self, ids: Sequence[int]) -> Vector:
        fresh = set(self._fresh.columns().ids.tolist())
        return np.stack(
            [
                (self._fresh if number in fresh else self._base).vectors([number])[0]
                for number in ids
            ]
        )

    def dot(self, query: Vector) -> Vector:
        if self._is_base_alone():
            return self._base.dot(query)
        return np.concatenate((self._base.dot(query), self._fresh.dot(query)))[self._find_live()]

    def _make_columns(self) -> Columns:
        columns = self._base.columns()
        if not self._is_base_alone():
            fresh, live = self._fresh.columns(), self._find_live()
            columns = Columns(
                *(
                    np.concatenate((getattr(columns, name), getattr(fresh, name)))[live]
                    for name in _NAMES
                )
            )
        accessed = _restrict(self._accessed, columns.ids)
        if not accessed:
            return columns
        moments = columns.accessed.copy()  # they may be the base's own
        moments[np.searchsorted(columns.ids, list(accessed))] = list(accessed.values())
        return replace(columns, accessed=moments)

    def _is_base_alone(self) -> bool:
        """Return True if the memories are exactly the base's."""
        return not (len(self._fresh) or self._removed)

    def _find_live(self) -> NDArray[np.bool_] | slice:
        """Return the index of the rows, of the base's and then the fresh ones, not removed."""
        if not self._removed:
            return slice(None)
        ids = np.concatenate((self._base.columns().ids, self._fresh.columns().ids))
        return ~np.isin(ids, list(self._removed))


_NAMES = [field.name for field in fields(Columns)]


def _restrict(accessed: dict[int, int], ids: NDArray[np.int64]) -> dict[int, int]:
    """Return those of the accesses whose memories are among `ids`."""
    if not accessed:
        return accessed
    present = set(ids[np.isin(ids, list(accessed))].tolist())
    return {number: moment for number, moment in accessed.items() if number in present}


def _make_room(array: Column, count: int, more: int) -> Column:
    """Return the array, enlarged by a quarter if it has no room for `more` rows after `count`;
    doubling would leave much of it empty.
    """
    if count + more <= len(array):
        return array
    grown = np.empty((16 + count + max(more, count // 4), *array.shape[1:]), array.dtype)
    grown[:count] = array[:count]
    return grown
