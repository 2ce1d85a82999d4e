"""Worths after Plackett and Luce: the probability that a condition is chosen as the best of those
that remain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hometown.rng import stream_seed
from hometown.study.ranking.rankings import Ranks, break_ties

PRIOR = 0.1
"""Additional choices for each condition (Caron & Doucet 2012), so that one that is never chosen has
a worth at all.
"""

TIE_DRAWS = 20
"""Number of random ways in which ties are broken."""

WORTH_TOLERANCE = 1e-9
MAX_WORTH_ITERATIONS = 1000


def compute_worths(ranks: Ranks) -> NDArray[np.float64]:
    """Return the worth of each condition, with the sum 1, from the ranks of all blocks, by Hunter's
    algorithm (2004), which knows no ties: they are broken at random.

    >>> even = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]])
    >>> compute_worths(even).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    rng = np.random.default_rng(stream_seed(1, "ties"))
    orders = np.vstack([break_ties(ranks, rng) for _ in range(TIE_DRAWS)])
    count = orders.shape[1]
    chosen = np.bincount(orders[:, :-1].ravel(), minlength=count) / TIE_DRAWS + PRIOR
    worth = np.full(count, 1 / count)
    for _ in range(MAX_WORTH_ITERATIONS):
        # Worth of all from this place to the last.
        remaining = np.cumsum(worth[orders][:, ::-1], axis=1)[:, ::-1]
        faced = np.cumsum(1 / remaining[:, :-1], axis=1)
        # The last one of a block was there at every choice.
        faced = np.hstack([faced, faced[:, -1:]])
        total = np.bincount(orders.ravel(), weights=faced.ravel(), minlength=count) / TIE_DRAWS
        before, worth = worth, chosen / (total + PRIOR * count)
        worth /= worth.sum()
        if np.abs(worth - before).max() < WORTH_TOLERANCE:
            break
    return worth
