"""The three-factor score by which memories are retrieved: recency, importance and relevance (Park et al. 2023, §4.1)."""

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
"""Decimals of a score: memories whose scores differ by less are equally good, and the newer goes first."""

EPOCH = datetime(1970, 1, 1)


class Scored(NamedTuple):
    """A memory that was retrieved, and why: the weighted sum and its three unweighted terms."""

    concept: Concept
    score: float
    recency: float
    importance: float
    relevance: float


@frozen
class Columns:
    """The live memories column by column, in the order in which they were made; all of length n."""

    ids: NDArray[np.int64]
    types: NDArray[np.int8]
    poignancy: Floats
    created: NDArray[np.int64]
    accessed: NDArray[np.int64]


def terms(columns: Columns, relevance: Floats, now: datetime, settings: RetrievalSettings) -> tuple[Floats, Floats, Floats]:
    """Recency, importance and relevance of each memory, float64[n], scaled as `settings.normalise` says."""
    recency = _recency(columns, now, settings)
    if settings.normalise == "none":
        return recency, columns.poignancy / 10, relevance
    return minmax(recency), minmax(columns.poignancy), minmax(relevance)


def minmax(values: Floats) -> Floats:
    """Scaled to 0–1; a zero range gives the midpoint.

    >>> minmax(np.array([2.0, 4.0, 3.0])).tolist(), minmax(np.array([7.0, 7.0])).tolist()
    ([0.0, 1.0, 0.5], [0.5, 0.5])
    """
    low, high = values.min(), values.max()
    if high == low:
        return np.full_like(values, 0.5)
    scaled: Floats = (values - low) / (high - low)
    return scaled


def round_scores(scores: Floats) -> Floats:
    """Return scores to `SCORE_DECIMALS`. NumPy multiplies, rounds to a whole number and divides: IEEE 754 defines each result."""
    return np.round(scores, SCORE_DECIMALS)


def _recency(columns: Columns, now: datetime, settings: RetrievalSettings) -> Floats:
    """Return decay**k, float64[n], where k is the rank by last access, or the hours since last access or creation."""
    if settings.recency_basis == "rank":
        return _recency_by_rank(columns.accessed, settings.recency_decay)
    moments = columns.accessed if settings.recency_basis == "access" else columns.created
    return compute_decay(settings.recency_decay, np.maximum(seconds(now) - moments, 0))


def _recency_by_rank(accessed: NDArray[np.int64], decay: float) -> Floats:
    """Return decay for the memory accessed last, decay² for the one before, … (GenerativeAgentsCN)."""
    order = accessed.argsort(kind="stable")[::-1]  # the newer memory stands behind the older one
    recency = np.empty(len(order), np.float64)
    recency[order] = compute_powers(decay, len(order) + 1)[1:]
    return recency


def seconds(moment: datetime) -> int:
    """Since 1970, as columns hold moments."""
    return int((moment - EPOCH).total_seconds())
