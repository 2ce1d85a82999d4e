"""Vectors by text: in the run's database, the latest in RAM; those of memories are loaded when they
are searched.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np

from hometown.errors import BadRun
from hometown.memory.arithmetic import Vector, pack, unpack
from hometown.memory.partition import Partition
from hometown.storage.checksum import row_checksum
from hometown.storage.journal import ImmediateWriter
from hometown.storage.row_conversion import text_hash

CACHED_VECTORS = 4096
"""Vectors kept in RAM: enough for the queries and memories of one step of a large town."""

EVICTED_AT_ONCE = CACHED_VECTORS // 8
"""Vectors, the least recently used, that leave the RAM at once when there are more; before that,
all are written to the database.
"""

STREAM_BYTES = 2 << 30
"""Bytes that the vectors of all memories may take before the least recently searched are released.
"""

INSERT = "INSERT OR IGNORE INTO embeddings (embedding, hash, vector, checksum) VALUES (?,?,?,?)"


def vector_row(embedding: str, text: bytes, vector: bytes) -> tuple[str, bytes, bytes, bytes]:
    """Return a row for `INSERT`: the vector of the text with the hash `text`."""
    return embedding, text, vector, row_checksum(embedding, text, vector)


class VectorTable:
    """The quantised vectors of one embedding, float32[dimension]. A known text is never embedded
    again.

    Without a `writer` (in a run opened for reading) new vectors are kept in RAM only. With one they
    are written with the next reply, which may depend on them, or with the step.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        embedding: str,
        dimension: int,
        writer: ImmediateWriter | None = None,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._dimension = dimension
        self._writer = writer
        self._recent: OrderedDict[str, Vector] = OrderedDict()
        self._stored = None if writer is None else self._hashes()
        """Hashes of all texts whose vectors are in the database; None if they are too many, or
        another process adds some.
        """

    @property
    def is_persistent(self) -> bool:
        """Return True if new vectors are written to the database."""
        return self._writer is not None

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the known vectors by text."""
        return {text: vector for text in texts if (vector := self._lookup(text)) is not None}

    def get(self, text: str) -> Vector:
        """Return the vector of a text. Raises LookupError if it is unknown."""
        vector = self._lookup(text)
        if vector is None:
            raise LookupError(
                f"no vector of {self._embedding} is known for {text!r}; embed it before it is remembered"
            )
        return vector

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        """Add vectors. Raises ValueError for a wrong dimension or a vector that is not quantised."""
        for text, row in self.rows(vectors):
            self._remember(text, vectors[text])
            if self._writer is not None:
                self._writer.put_later(INSERT, row)

    def rows(
        self, vectors: Mapping[str, Vector]
    ) -> list[tuple[str, tuple[str, bytes, bytes, bytes]]]:
        """Return each text with a new row of the table for its vector. Raises ValueError for a
        wrong dimension.
        """
        for text, vector in vectors.items():
            if vector.shape != (self._dimension,):
                raise ValueError(
                    f"the vector of {text!r} should be {self._dimension} numbers, not an array of shape {vector.shape}"
                )
        return [
            (text, vector_row(self._embedding, text_hash(text), pack(vector)))
            for text, vector in vectors.items()
        ]

    def load(self, texts: Sequence[str]) -> Vector:
        """Return the vectors of memories, float32[len(texts), dimension]. Raises BadRun if one is
        missing.
        """
        self.flush()
        matrix = np.empty((len(texts), self._dimension), np.float32)
        for at, text in enumerate(texts):
            data = self._select(text_hash(text))
            if data is None:
                raise BadRun(
                    "the run's database is damaged: the {embedding} embedding of the memory {text!r} is missing",
                    embedding=self._embedding,
                    text=text,
                )
            matrix[at] = unpack(data, self._dimension)
        return matrix

    def flush(self) -> None:
        """Write new vectors to the database; in a run opened for reading, do nothing."""
        if self._writer is not None:
            self._writer.flush()

    def _lookup(self, text: str) -> Vector | None:
        """Return the vector of a text from RAM or from the database, and keep it in RAM; None if
        there is none.
        """
        if text in self._recent:
            self._recent.move_to_end(text)
            return self._recent[text]
        hashed = text_hash(text)
        data = self._select(hashed) if self._stored is None or hashed in self._stored else None
        return None if data is None else self._remember(text, unpack(data, self._dimension))

    def _hashes(self) -> frozenset[bytes] | None:
        """Return the hashes of all texts with a vector in the database, or None for CACHED_VECTORS
        or more.
        """
        rows = self._database.execute(
            "SELECT hash FROM embeddings WHERE embedding = ? LIMIT ?",
            (self._embedding, CACHED_VECTORS),
        ).fetchall()
        return frozenset(text for (text,) in rows) if len(rows) < CACHED_VECTORS else None

    def _select(self, text: bytes) -> bytes | None:
        """Return the stored vector of the text with this hash; None if there is none."""
        query = "SELECT vector FROM embeddings WHERE hash = ? AND embedding = ?"
        row = self._database.execute(query, (text, self._embedding)).fetchone()
        return row[0] if row else None

    def _remember(self, text: str, vector: Vector) -> Vector:
        """Keep a vector in RAM and return it. If there are too many, write those in the queue and
        release the least recently used ones.
        """
        self._recent[text] = vector
        self._recent.move_to_end(text)
        if len(self._recent) > CACHED_VECTORS:
            if self._writer is not None:
                self._writer.flush()  # vectors that leave the RAM must be in the database
            self._stored = None
            for _ in range(EVICTED_AT_ONCE):
                self._recent.popitem(last=False)
        return vector


class VectorBudget:
    """Releases the vectors of the least recently searched partitions once all of them take more
    than `limit` bytes.
    """

    def __init__(self, limit: int = STREAM_BYTES) -> None:
        self._limit = limit
        self._sizes: OrderedDict[Partition, int] = OrderedDict()
        self._total = 0

    def record_use(self, partition: Partition, size: int) -> None:
        """Note that a partition, whose vectors take `size` bytes, was searched, and release those
        searched longest ago until the limit is kept. This one keeps its vectors even above it.
        """
        self._total += size - self._sizes.pop(partition, 0)
        self._sizes[partition] = size
        while self._total > self._limit and len(self._sizes) > 1:
            oldest, freed = self._sizes.popitem(last=False)
            oldest.release()
            self._total -= freed
