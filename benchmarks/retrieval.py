"""How long one three-factor retrieval takes over 10,000 memories of 384 dimensions."""

from __future__ import annotations

import statistics
import time
from datetime import datetime, timedelta

import numpy as np

from modules.memory.associate import Associate
from modules.memory.concept import Concept
from modules.settings import Settings
from modules.storage.index import recall

MEMORIES, DIMENSION, ROUNDS = 10_000, 384, 50
START = datetime(2025, 2, 13)


def measure() -> dict[str, float]:
    """The median of `ROUNDS` retrievals, through the same function that the minds use."""
    random = np.random.default_rng(1)
    vectors = random.normal(size=(MEMORIES + ROUNDS, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    stream = Associate()
    for number in range(1, MEMORIES + 1):
        created = START + timedelta(minutes=number)
        memory = Concept(number, "event", f"memory {number}", "a", "is", "", "", number % 10 + 1, created, created + timedelta(days=30))
        stream.add(memory, vectors[number - 1])
    now, settings = START + timedelta(minutes=MEMORIES), Settings().associate
    times = []
    for query in vectors[MEMORIES:]:
        began = time.perf_counter()
        recall(stream, "query", query, now, settings, settings.retrieve_max, None)
        times.append((time.perf_counter() - began) * 1000)
    return {f"retrieval_ms_{MEMORIES}": statistics.median(times)}
