"""How long one retrieval (recency, importance, relevance) takes over 10,000 memories of 384 dimensions."""

from __future__ import annotations

import statistics
import time
from datetime import datetime, timedelta

import numpy as np

from hometown.memory.arithmetic import quantise
from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.settings import Settings

MEMORIES, DIMENSION, ROUNDS = 10_000, 384, 50
START = datetime(2025, 2, 13)


def measure() -> dict[str, float]:
    """The median of `ROUNDS` retrievals, by the method that the minds call."""
    random = np.random.default_rng(1)
    vectors = random.normal(size=(MEMORIES + ROUNDS, DIMENSION)).astype(np.float32)
    vectors = quantise(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    stream = MemoryStream()
    for number in range(1, MEMORIES + 1):
        created = START + timedelta(minutes=number)
        memory = Concept(number, "event", f"memory {number}", "a", "is", "", "", number % 10 + 1, created, created + timedelta(days=30))
        stream.add(memory, vectors[number - 1])
    now, settings = START + timedelta(minutes=MEMORIES), Settings().associate
    times = []
    for query in vectors[MEMORIES:]:
        began = time.perf_counter()
        stream.retrieve(query, now, settings, count=settings.retrieve_max)
        times.append((time.perf_counter() - began) * 1000)
    return {f"retrieval_ms_{MEMORIES}": statistics.median(times)}
