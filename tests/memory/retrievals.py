"""Retrievals from memories made by chance, and a digest of all that they find, which is to be the
same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256

import numpy as np
import orjson

from hometown.agent.inner_life.sleep import find_repetitions
from hometown.memory.arithmetic import Vector, quantise
from hometown.memory.concept import Concept
from hometown.memory.store import MemoryStore
from hometown.memory.stream import MemoryStream
from hometown.memory.tiers import retrieve
from hometown.model.hashing import hash_vector
from hometown.settings import RetrievalSettings

START = datetime(2025, 2, 13)

WORDS = [
    *[
        "the",
        "mayor",
        "of",
        "the",
        "town",
        "buys",
        "coffee",
        "and",
        "reads",
        "books",
        "about",
        "river",
        "flowers",
    ],
    *"市长早上喝咖啡去图书馆",
]

MEMORIES, COLD, QUERIES, DIMENSION = 300, 30, 6, 384


def make_stream(chance: np.random.Generator) -> MemoryStream:
    """Return memories of a month, some of them retired, with hashed vectors."""
    vectors = {text: quantise(hash_vector(text, DIMENSION)) for text in _texts(chance, MEMORIES)}
    stream = MemoryStream(lambda texts: np.stack([vectors[text] for text in texts]))
    stream.cold = MemoryStream(lambda texts: np.stack([vectors[text] for text in texts]))
    for number, (text, vector) in enumerate(vectors.items(), start=1):
        created = START + timedelta(seconds=int(chance.integers(0, 2_592_000)))
        accessed = created + timedelta(seconds=int(chance.integers(0, 90_000)))
        weight = int(chance.integers(1, 11))
        memory = Concept(
            number, "event", text, "a", "is", "", "", weight, created, created + timedelta(days=60)
        )
        stream.add(memory, vector, accessed)
    stream.retire(chance.choice(len(vectors), COLD, replace=False).tolist())
    return stream


def digest_of_retrievals() -> str:
    """Return a hash of scores, terms, cold memories and repetitions, for each way to score."""
    chance = np.random.default_rng(7)
    stream, now = make_stream(chance), START + timedelta(days=31, seconds=77)
    store = MemoryStore.over({"a": stream})
    queries: list[Vector] = [
        quantise(hash_vector(text, DIMENSION)) for text in _texts(chance, QUERIES)
    ]
    found: list[object] = []
    for basis in ("rank", "access", "creation"):
        for scaling in ("minmax", "none"):
            settings = RetrievalSettings(recency_basis=basis, normalise=scaling)  # type: ignore[arg-type]
            for query in queries:
                in_mind = retrieve(store, "a", [query], now, settings, 30)
                found += [
                    [each.concept.id, *each[1:]] for each in (*in_mind.live, *in_mind.retired)
                ]
            found.append(stream.partition.find_least_valuable(50, now, settings))
    repeated = find_repetitions(list(stream.concepts.values()), stream.partition.vectors)
    found.append(
        [[memory.id, *(each.id for each in others)] for memory, others in repeated.items()]
    )
    return sha256(orjson.dumps(found)).hexdigest()


def _texts(chance: np.random.Generator, count: int) -> Iterator[str]:
    """Different texts, of which some differ in one word."""
    texts: dict[str, None] = {}
    while len(texts) < count:
        words = chance.choice(WORDS, int(chance.integers(3, 14))).tolist()
        texts |= {" ".join(words): None, " ".join([*words, "again"]): None}
    return iter(list(texts)[:count])
