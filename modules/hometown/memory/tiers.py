"""Three tiers of memory, for streams that keep retired memories: hot, warm and cold.

Hot are the memories of the last two hours: the notable ones come to mind without a search. Warm are
the live memories, which are searched. Cold are the retired ones: they are searched only if no warm
one stands out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector, is_outlier, to_cosines
from hometown.memory.concept import MEMORY_TYPES, MemoryType
from hometown.memory.scoring import Scored
from hometown.memory.stream import MemoryStream
from hometown.settings import RetrievalSettings

if TYPE_CHECKING:
    from hometown.memory.store import MemoryStore

HOT = timedelta(hours=2)
"""The age up to which a memory is hot."""

NOTABLE = 4
"""The least poignancy of a hot memory that comes to mind unasked."""

HOT_SHARE, COLD_MOST = 3, 2
"""At most one in `HOT_SHARE` retrieved memories is hot, and at most `COLD_MOST` are cold."""

STANDS_OUT = 3
"""Standard deviations by which a live memory must exceed the mean relevance to stand out, on the
scale of any embedding.
"""

FEW = 20
"""Number of live memories below which the best one always counts as standing out."""

BETTER = 0.05
"""Difference by which a cold memory must be more relevant than every warm one."""


@frozen
class InMind:
    """The memories that come to mind: live ones, the hot before the best others, and the
    retired.
    """

    live: list[Scored]
    retired: list[Scored]


def retrieve(
    store: MemoryStore,
    who: str,
    queries: Iterable[Vector],
    now: datetime,
    settings: RetrievalSettings,
    count: int,
    kinds: Sequence[MemoryType] | None = None,
) -> InMind:
    """Return up to `count` memories that come to a resident's mind for any of the quantised
    queries, each once.

    They are the best live ones, and, if retired ones are kept, hot and at most `COLD_MOST` cold
    ones among them.
    """
    best: dict[int, Scored] = {}
    retired: dict[int, Scored] = {}
    stream = store.memories[who]
    for query in queries:
        for scored in store.recall(who, query, now, settings, count=count, types=kinds):
            known = best.get(scored.concept.id)
            if known is None or scored.score > known.score:
                best[scored.concept.id] = scored
        retired |= {
            scored.concept.id: scored
            for scored in find_cold(store, who, query, kinds or MEMORY_TYPES)
        }
    ranked = sorted(best.values(), key=lambda scored: (-scored.score, -scored.concept.id))
    hot = find_hot(stream, now, count, kinds or MEMORY_TYPES) if stream.cold is not None else []
    hot_ids = {scored.concept.id for scored in hot}
    warm = [scored for scored in ranked if scored.concept.id not in hot_ids]
    cold = list(retired.values())[: min(COLD_MOST, count - 1)]
    return InMind([*hot, *warm][: count - len(cold)], cold)


def find_hot(
    stream: MemoryStream, now: datetime, count: int, kinds: Sequence[MemoryType] = MEMORY_TYPES
) -> list[Scored]:
    """Return the latest memories of the last two hours (`HOT`) with a poignancy of `NOTABLE` or
    more, latest first, at most `count` // `HOT_SHARE` of them. They have the score and the relevance
    0, since they are not searched by relevance to a query.
    """
    notable = (
        concept for concept in stream.since(now - HOT, kinds) if concept.poignancy >= NOTABLE
    )
    return [
        Scored(concept, 0.0, 1.0, concept.poignancy / 10, 0.0)
        for concept in islice(notable, count // HOT_SHARE)
    ]


def find_cold(
    store: MemoryStore, who: str, query: Vector, kinds: Sequence[MemoryType] = MEMORY_TYPES
) -> list[Scored]:
    """Return up to `COLD_MOST` retired memories that are more relevant to a query than any live
    one, by `BETTER` at least, best first; none if a live one stands out.
    """
    retired = store.memories[who].cold
    if retired is None or not len(retired):
        return []
    warm = store.compute_products(who, query)
    if _has_outlier(warm):
        return []
    ids = retired.partition.columns().ids
    relevance = to_cosines(store.compute_products(who, query, retired=True))
    near = np.flatnonzero(relevance >= to_cosines(warm).max() + BETTER)
    ranked = sorted(near, key=lambda at: (-relevance[at], -ids[at]))
    found = ((retired.concept(int(ids[at])), float(relevance[at])) for at in ranked)
    return [
        Scored(concept, 0.0, 0.0, concept.poignancy / 10, relevant)
        for concept, relevant in found
        if concept.type in kinds
    ][:COLD_MOST]


def _has_outlier(products: Vector) -> bool:
    """Return True if the best of some live memories stands out; of fewer than `FEW` it always does."""
    return len(products) < FEW or is_outlier(products, STANDS_OUT)
