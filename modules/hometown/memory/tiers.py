"""Three tiers of memory, for streams that keep what is retired: hot, warm and cold.

Hot is what was made in the last two hours: what mattered of it is in mind as it is, without a search. Warm are the live memories, which are searched. Cold is
what has been retired: it is searched only where nothing that is warm stands out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice

import numpy as np

from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector, is_outlier, to_cosines
from hometown.memory.concept import MEMORY_TYPES, MemoryType
from hometown.memory.scoring import Scored
from hometown.memory.stream import MemoryStream
from hometown.settings import RetrievalSettings

HOT = timedelta(hours=2)

NOTABLE = 4
"""Poignancy from which on something hot is in mind without being asked for."""

HOT_SHARE, COLD_MOST = 3, 2
"""One part in so many of what comes to mind is hot, at most, and so many memories are cold."""

STANDS_OUT = 3
"""Standard deviations above the mean relevance of live memories from which on one stands out, whatever the scale of an embedding."""

FEW = 20
"""Live memories below which there is no saying whether one stands out: the best of them does."""

BETTER = 0.05
"""By how much more relevant a cold memory has to be than any warm one."""


@frozen
class InMind:
    """What comes to mind: live memories, the best first, and after them retired ones."""

    live: list[Scored]
    retired: list[Scored]


def retrieve(
    stream: MemoryStream, queries: Iterable[Vector], now: datetime, settings: RetrievalSettings, count: int, kinds: Sequence[MemoryType] | None = None
) -> InMind:
    """The `count` memories that come to mind for any of the queries, each once: the best live ones; hot and cold ones among them where retired are kept."""
    best: dict[int, Scored] = {}
    retired: dict[int, Scored] = {}
    for query in queries:
        for scored in stream.retrieve(query, now, settings, count=count, kinds=kinds):
            known = best.get(scored.concept.id)
            if known is None or scored.score > known.score:
                best[scored.concept.id] = scored
        retired |= {scored.concept.id: scored for scored in cold(stream, query, kinds or MEMORY_TYPES)}
    ranked = sorted(best.values(), key=lambda scored: (-scored.score, -scored.concept.id))
    fresh = hot(stream, now, count, kinds or MEMORY_TYPES) if stream.cold is not None else []
    given = {scored.concept.id for scored in fresh}
    old = list(retired.values())[: min(COLD_MOST, count - 1)]
    return InMind([*fresh, *(scored for scored in ranked if scored.concept.id not in given)][: count - len(old)], old)


def hot(stream: MemoryStream, now: datetime, count: int, kinds: Sequence[MemoryType] = MEMORY_TYPES) -> list[Scored]:
    """What mattered in the last two hours, the latest first, as it is: with a score of 0, since nothing was searched."""
    notable = (concept for concept in stream.since(now - HOT, kinds) if concept.poignancy >= NOTABLE)
    return [Scored(concept, 0.0, 1.0, concept.poignancy / 10, 0.0) for concept in islice(notable, count // HOT_SHARE)]


def cold(stream: MemoryStream, query: Vector, kinds: Sequence[MemoryType] = MEMORY_TYPES) -> list[Scored]:
    """Retired memories that are more relevant to a query than any live one, the most relevant first, where no live one stands out."""
    if stream.cold is None or not len(stream.cold) or _stands_out(warm := stream.dot(query)):
        return []
    ids, relevance = stream.cold.columns().ids, stream.cold.relevance(query)
    near = np.flatnonzero(relevance >= to_cosines(warm).max() + BETTER)
    ranked = sorted(near, key=lambda at: (-relevance[at], -ids[at]))
    found = ((stream.cold.concept(int(ids[at])), float(relevance[at])) for at in ranked)
    return [Scored(concept, 0.0, 0.0, concept.poignancy / 10, relevant) for concept, relevant in found if concept.type in kinds][:COLD_MOST]


def _stands_out(products: Vector) -> bool:
    return len(products) < FEW or is_outlier(products, STANDS_OUT)
