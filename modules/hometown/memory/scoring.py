"""The score that ranks memories for retrieval, by recency, importance and relevance (Park et al.
2023, §4.1).
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen
from hometown.memory.arithmetic import Floats, compute_decay, compute_powers
from hometown.memory.concept import Concept
from hometown.settings import RetrievalSettings

SCORE_DECIMALS = 5
"""Decimals of a score: memories whose scores differ by less count as equal, and the newer goes
first.
"""

EPOCH = datetime(1970, 1, 1)


class Scored(NamedTuple):
    """A retrieved memory with its score, the weighted sum, and the three terms, scaled but
    unweighted.
    """

    concept: Concept
    score: float
    recency: float
    importance: float
    relevance: float


@frozen
class Columns:
    """The memories of a partition column by column, in the order in which they were made; all of
    length n. `types` are codes (`TYPE_CODES`), moments seconds since 1970.
    """

    ids: NDArray[np.int64]
    types: NDArray[np.int8]
    poignancy: Floats
    created: NDArray[np.int64]
    accessed: NDArray[np.int64]


@frozen
class Prior:
    """The part of a score that does not depend on a query: recency and importance, scaled, and
    their weighted sum, each float64[n].
    """

    recency: Floats
    importance: Floats
    weighted: Floats


@frozen
class Ranking:
    """Ranked memories: the numbers of the chosen rows, best first, and for all rows the scores and
    the scaled relevance, each float64[n].
    """

    rows: NDArray[np.int64]
    scores: Floats
    relevance: Floats
    prior: Prior


def compute_prior(columns: Columns, now: datetime, settings: RetrievalSettings) -> Prior:
    """Return recency and importance of each memory, scaled by `settings.normalise`, and their
    weighted sum.
    """
    recency = _recency(columns, now, settings)
    if settings.normalise == "none":
        importance = columns.poignancy / 10
    elif len(recency):
        recency, importance = minmax(recency), minmax(columns.poignancy)
    else:
        importance = columns.poignancy
    return Prior(
        recency,
        importance,
        settings.recency_weight * recency + settings.importance_weight * importance,
    )


def rank(
    prior: Prior,
    relevance: Floats,
    settings: RetrievalSettings,
    count: int,
    among: NDArray[np.bool_] | None = None,
) -> Ranking:
    """Return the `count` best rows for a query by w_r·recency + w_i·importance + w_v·relevance
    (Park et al. 2023, §4.1).

    `relevance`, float64[n], covers all live memories, not only those `among` which rows are chosen,
    so that the scale of the terms does not depend on the choice. Ties go to the newer memory.
    """
    scaled = relevance if settings.normalise == "none" or not len(relevance) else minmax(relevance)
    scores = round_scores(prior.weighted + settings.relevance_weight * scaled)
    return Ranking(find_best(scores, count, among), scores, scaled, prior)


def find_best(
    scores: Floats, count: int, among: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Return the row numbers of the `count` highest scores, the highest first, the later row first
    on ties, int64[≤ count].

    Only rows that reach the `count`-th highest score are sorted.

    >>> find_best(np.array([0.5, 2.0, 0.5, 1.0]), 3).tolist()
    [1, 3, 2]
    """
    rows = np.arange(len(scores)) if among is None else np.flatnonzero(among)
    if count < len(rows):
        values = scores if among is None else scores[rows]
        rows = rows[values >= np.partition(values, -count)[-count]] if count > 0 else rows[:0]
    return rows[scores[rows].argsort(kind="stable")[::-1][:count]]


def minmax(values: Floats) -> Floats:
    """Return values, scaled to 0–1; 0.5 for all if they are equal.

    >>> minmax(np.array([2.0, 4.0, 3.0])).tolist(), minmax(np.array([7.0, 7.0])).tolist()
    ([0.0, 1.0, 0.5], [0.5, 0.5])
    """
    low, high = values.min(), values.max()
    if high == low:
        return np.full_like(values, 0.5)
    scaled: Floats = (values - low) / (high - low)
    return scaled


def round_scores(scores: Floats) -> Floats:
    """Return scores to `SCORE_DECIMALS`. NumPy multiplies, rounds to a whole number and divides:
    IEEE 754 defines each result.
    """
    return np.round(scores, SCORE_DECIMALS)


def _recency(columns: Columns, now: datetime, settings: RetrievalSettings) -> Floats:
    """Return decay**k, float64[n], where k is the rank by last access, or the hours since last
    access or creation.
    """
    if settings.recency_basis == "rank":
        return _recency_by_rank(columns.accessed, settings.recency_decay)
    moments = columns.accessed if settings.recency_basis == "access" else columns.created
    return compute_decay(settings.recency_decay, np.maximum(to_seconds(now) - moments, 0))


def _recency_by_rank(accessed: NDArray[np.int64], decay: float) -> Floats:
    """Return decay for the memory accessed last, decay² for the one before, … (GenerativeAgentsCN)."""
    order = accessed.argsort(kind="stable")[::-1]  # the newer memory follows the older one
    recency = np.empty(len(order), np.float64)
    recency[order] = compute_powers(decay, len(order) + 1)[1:]
    return recency


def to_seconds(moment: datetime) -> int:
    """Return a moment as seconds since 1970, the unit of the columns."""
    return int((moment - EPOCH).total_seconds())
