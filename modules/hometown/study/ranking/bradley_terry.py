"""Worths after Bradley and Terry: the odds that a condition stands above another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PRIOR = 0.1
"""Additional wins of each condition over each other one, so that one that never wins has a worth."""


def compute_worths(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the worth of each condition, with the sum 1 (Bradley & Terry 1952).

    Args:
        wins: Numbers of blocks in which the condition of the row stands above that of the column, a
            tie as half a win for both. Blocks without one of the two count as neither.

    >>> compute_worths(np.array([[0.0, 300.0], [100.0, 0.0]])).round(2).tolist()
    [0.75, 0.25]
    """
    from choix import ilsr_pairwise_dense

    counted = wins + PRIOR * (1 - np.eye(len(wins)))
    worths = np.exp(ilsr_pairwise_dense(counted))
    return np.asarray(worths / worths.sum(), dtype=np.float64)
