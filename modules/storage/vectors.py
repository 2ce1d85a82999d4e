"""Vectors by text: in the run's database, the latest in RAM, and those of memories loaded when they are searched."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np

from modules.errors import BadRun
from modules.memory.associate import Associate, Vector
from modules.storage.journal import Arrivals
from modules.storage.tables import text_hash

RECENT = 4096
"""Vectors kept in RAM: enough for the queries and memories of a step of a large town."""

BUDGET = 2 << 30
"""Bytes that the memory streams' vectors may take before those not searched for longest are let go."""

INSERT = "INSERT OR IGNORE INTO embeddings (embedding, hash, vector) VALUES (?,?,?)"


class VectorTable:
    """The vectors of one embedding, float32[dimension]. A text that is known is never embedded again.

    Without `arrivals` (a run opened for reading) new vectors are kept in RAM only.
    """

    def __init__(self, database: sqlite3.Connection, embedding: str, dimension: int, arrivals: Arrivals | None = None) -> None:
        self._database = database
        self._embedding = embedding
        self._dimension = dimension
        self._arrivals = arrivals
        self._recent: OrderedDict[str, Vector] = OrderedDict()

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors that are known, by text; the others are left out."""
        found = {text: self._find(text) for text in dict.fromkeys(texts)}
        return {text: vector for text, vector in found.items() if vector is not None}

    def get(self, text: str) -> Vector:
        """Raises LookupError for a text whose vector is not known."""
        vector = self._find(text)
        if vector is None:
            raise LookupError(f"no vector of {self._embedding} is known for {text!r}; embed it before it is remembered")
        return vector

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        """Keeps vectors, written on arrival. Raises ValueError for one that is of another dimension or holds NaN."""
        for text, row in self.rows(vectors):
            self._keep(text, np.frombuffer(row[2], "<f4"))
            if self._arrivals is not None:
                self._arrivals.put(INSERT, row)

    def rows(self, vectors: Mapping[str, Vector]) -> list[tuple[str, tuple[str, bytes, bytes]]]:
        """Texts with the rows of the table that hold their vectors."""
        for text, vector in vectors.items():
            if vector.shape != (self._dimension,) or not np.isfinite(vector).all():
                raise ValueError(f"the vector of {text!r} should be {self._dimension} finite numbers, not an array of shape {vector.shape}")
        return [(text, (self._embedding, text_hash(text), np.asarray(vector, "<f4").tobytes())) for text, vector in vectors.items()]

    def load(self, texts: Sequence[str]) -> Vector:
        """The vectors of memories, float32[len(texts), dimension]. Raises BadRun where one is missing."""
        if self._arrivals is not None:
            self._arrivals.flush()
        matrix = np.empty((len(texts), self._dimension), np.float32)
        for at, text in enumerate(texts):
            data = self._select(text)
            if data is None:
                raise BadRun("the run's database is damaged: it has no vector of {embedding} for the memory {text!r}", embedding=self._embedding, text=text)
            matrix[at] = np.frombuffer(data, "<f4")
        return matrix

    def _find(self, text: str) -> Vector | None:
        if text in self._recent:
            self._recent.move_to_end(text)
            return self._recent[text]
        data = self._select(text)
        return None if data is None else self._keep(text, np.frombuffer(data, "<f4"))

    def _select(self, text: str) -> bytes | None:
        query = "SELECT vector FROM embeddings WHERE hash = ? AND embedding = ?"
        found = self._database.execute(query, (text_hash(text), self._embedding)).fetchone()
        return found[0] if found else None

    def _keep(self, text: str, vector: Vector) -> Vector:
        self._recent[text] = vector
        self._recent.move_to_end(text)
        if len(self._recent) > RECENT:
            if self._arrivals is not None:
                self._arrivals.flush()  # what leaves the RAM must be in the database by then
            self._recent.popitem(last=False)
        return vector


class VectorBudget:
    """Lets the vectors of the streams that were searched longest ago go, once all of them take more than `limit` bytes."""

    def __init__(self, limit: int = BUDGET) -> None:
        self._limit = limit
        self._sizes: OrderedDict[Associate, int] = OrderedDict()
        self._total = 0

    def used(self, stream: Associate, size: int) -> None:
        """A stream was searched; its vectors take `size` bytes. It keeps them, whatever the limit."""
        self._total += size - self._sizes.pop(stream, 0)
        self._sizes[stream] = size
        while self._total > self._limit and len(self._sizes) > 1:
            oldest, freed = self._sizes.popitem(last=False)
            oldest.release()
            self._total -= freed


class StoredStream(Associate):
    """A memory stream whose vectors lie in the run's database and come into RAM when it is searched."""

    def __init__(self, table: VectorTable, budget: VectorBudget) -> None:
        super().__init__(table.load)
        self._budget = budget

    def _vectors(self) -> Vector:
        vectors = super()._vectors()
        self._budget.used(self, vectors.nbytes)
        return vectors
