"""The three-factor score by which memories are retrieved: recency, importance and relevance (Park et al. 2023, §4.1)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.settings import RetrievalSettings

Floats = NDArray[np.float64]

SCORE_DECIMALS = 5
"""Scores are rounded before ranking, since BLAS results depend on shapes and threads."""

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
    exponent = {
        "rank": lambda: _rank(columns),
        "access": lambda: _hours_since(columns.accessed, now),
        "creation": lambda: _hours_since(columns.created, now),
    }[settings.recency_basis]()
    recency = settings.recency_decay**exponent
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


def _rank(columns: Columns) -> Floats:
    """1 for the memory accessed last, 2 for the one before, … (GenerativeAgentsCN)."""
    order = columns.accessed.argsort(kind="stable")[::-1]  # the newer memory stands behind the older one
    ranks = np.empty(len(order), np.float64)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


def _hours_since(moments: NDArray[np.int64], now: datetime) -> Floats:
    return np.maximum(seconds(now) - moments, 0) / 3600.0


def seconds(moment: datetime) -> int:
    """Since 1970, as columns hold moments."""
    return int((moment - EPOCH).total_seconds())
