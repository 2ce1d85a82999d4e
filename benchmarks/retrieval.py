"""How long one recall takes: the memory store's, LlamaIndex's SimpleVectorStore's, and a product by
NumPy, over the same vectors.

    python -m benchmarks.retrieval

The memory store ranks by recency, importance and relevance; the other two by relevance alone. All
return the first thirty. What is measured is the processor's time, so that other work on the machine
counts for nothing; with OMP_NUM_THREADS=1, NumPy's product is that of one core.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from hometown.memory.arithmetic import Vector, quantise
from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.settings import Settings

if TYPE_CHECKING:
    from hometown.memory.store import MemoryStore

MEMORIES, DIMENSION, ROUNDS = 10_000, 384, 50
FIRST = 30
"""Memories that each recall returns."""

SIZES = {400: 200, MEMORIES: ROUNDS, 100_000: 20}
"""Numbers of memories, each with the number of recalls that are measured."""

SIMPLE_VECTORS = 400_000
"""Vectors that SimpleVectorStore compares in all: it takes seconds over 100,000."""

START = datetime(2025, 2, 13)


def measure() -> dict[str, float]:
    """Return the median milliseconds of the processor for a recall, by the method that minds call."""
    return {
        f"retrieval_ms_{MEMORIES}": statistics.median(
            time_store(make_store(vectors := make_vectors(MEMORIES)), vectors)
        )
    }


def make_vectors(count: int) -> Vector:
    """Return quantised vectors of chance, float32[count + ROUNDS, DIMENSION]: those of memories,
    and then those of queries.
    """
    vectors = np.random.default_rng(1).standard_normal((count + ROUNDS, DIMENSION), np.float32)
    return quantise(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def make_store(vectors: Vector) -> MemoryStore:
    """Return the memory store of one resident, ann, with all vectors but those of queries."""
    from hometown.memory.store import MemoryStore  # takes a while to import

    stream = MemoryStream()
    for number, vector in enumerate(vectors[:-ROUNDS], 1):
        created = START + timedelta(minutes=number)
        memory = Concept(
            number,
            "event",
            f"memory {number}",
            "ann",
            "is",
            "",
            "",
            number % 10 + 1,
            created,
            created + timedelta(days=30),
        )
        stream.add(memory, vector)
    return MemoryStore.over({"ann": stream})


def time_store(store: MemoryStore, vectors: Vector, rounds: int = ROUNDS) -> list[float]:
    """Return the milliseconds of recalls, every other one at a new moment, as in a town, where one
    recall has two queries or three.
    """
    weights, first = Settings().associate, START + timedelta(minutes=len(vectors))
    moments = [first + timedelta(minutes=10 * (number // 2)) for number in range(rounds)]
    recalls = zip(_repeat(vectors, rounds), moments, strict=True)
    return _time(lambda: store.recall("ann", *next(recalls), weights, count=FIRST), rounds)


def time_simple_store(vectors: Vector, rounds: int) -> list[float]:
    """Return the milliseconds of queries to LlamaIndex's SimpleVectorStore."""
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores import SimpleVectorStore
    from llama_index.core.vector_stores.types import VectorStoreQuery

    store = SimpleVectorStore()
    store.add(
        [
            TextNode(id_=str(number), embedding=vector.tolist())
            for number, vector in enumerate(vectors[:-ROUNDS])
        ]
    )
    queries = (VectorStoreQuery(query.tolist(), FIRST) for query in _repeat(vectors, rounds))
    return _time(lambda: store.query(next(queries)), rounds)


def time_numpy(vectors: Vector, rounds: int) -> list[float]:
    """Return the milliseconds of a product and the thirty best rows of it, by NumPy alone."""
    matrix, queries = vectors[:-ROUNDS].copy(), iter(_repeat(vectors, rounds))

    def find() -> Any:
        products = matrix @ next(queries)
        best = np.argpartition(products, -FIRST)[-FIRST:]
        return best[products[best].argsort()[::-1]]

    return _time(find, rounds)


def main() -> None:
    """Print a table of medians."""
    print(
        f"milliseconds of the processor for a recall of the first {FIRST} by {DIMENSION} dimensions, medians (quickest)"
    )
    print(f"{'memories':>10}{'memory store':>20}{'SimpleVectorStore':>22}{'NumPy product':>20}")
    for count, rounds in SIZES.items():
        vectors = make_vectors(count)
        simple = time_simple_store(vectors, max(2, min(rounds, SIMPLE_VECTORS // count)))
        store = make_store(vectors)
        time_store(store, vectors, 2)  # brings the memories into the columns
        columns = [time_store(store, vectors, rounds), simple, time_numpy(vectors, rounds)]
        cells = [f"{statistics.median(times):.2f} ({min(times):.2f})" for times in columns]
        print(f"{count:>10,}{cells[0]:>20}{cells[1]:>22}{cells[2]:>20}")


def _repeat(vectors: Vector, rounds: int) -> list[Vector]:
    return [vectors[len(vectors) - ROUNDS + number % ROUNDS] for number in range(rounds)]


def _time(run: Callable[[], Any], rounds: int) -> list[float]:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        run()
        times.append((time.process_time() - began) * 1000)
    return times


if __name__ == "__main__":
    main()
