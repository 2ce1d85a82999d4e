"""The statistics as Park et al. (2023, §6.3) published them, to be compared with theirs;
docs/science.md describes their limits.

TrueSkill is fed with 100 rankings, as theirs was, and averaged over draws and orders, ties broken
at random. Its σ is no standard error: it hardly shrinks with more rankings. Kruskal–Wallis takes
ranks within a block for independent observations, which they are not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from hometown.frozen import frozen
from hometown.rng import stream_seed
from hometown.study.inference.holm import holm
from hometown.study.ranking.rankings import Block, Ranks, break_ties, rank_matrix
from hometown.study.ranking.trueskill import rate_players
from hometown.study.rounding import significant

RATERS = 100
"""Number of rankings in Park et al. (2023): one by each of 100 people."""

DRAWS = 500

PAPER = {
    "full": (29.89, 0.72),
    "no-reflection": (26.88, 0.69),
    "no-plan": (25.64, 0.68),
    "human": (22.95, 0.69),
    "none": (21.21, 0.70),
}
"""μ and σ of Park et al. (2023, §6.5)."""


@frozen
class Rating:
    """A condition's TrueSkill: the means of μ and σ over draws, and `spread`, the standard
    deviation of μ among them.
    """

    mu: float
    sigma: float
    spread: float


@frozen
class PublishedStatistics:
    """The result of `compute_published`: ratings by condition, Kruskal–Wallis, and Dunn's test with
    Holm's correction by pair. `blocks` is the number of complete blocks, on which all rest.
    """

    blocks: int

    ratings: dict[str, Rating]
    h: float
    p: float
    dunn: dict[tuple[str, str], float]


def compute_published(blocks: Sequence[Block], conditions: Sequence[str]) -> PublishedStatistics:
    """Return the paper's statistics for rankings of at least two conditions.

    They need complete blocks, so a condition is left out that half of the blocks or more lack.
    """
    from scipy.stats import kruskal, rankdata

    conditions = [
        name for name in conditions if 2 * sum(name in each.ranks for each in blocks) > len(blocks)
    ]
    ranks = rank_matrix([each for each in blocks if each.ranks.keys() >= {*conditions}], conditions)
    ranks = rankdata(ranks, axis=1)
    if len(conditions) < 2 or not len(ranks):
        return PublishedStatistics(len(ranks), {}, 0.0, 1.0, {})
    rng = np.random.default_rng(stream_seed(1, "trueskill"))
    mu, sigma = rate_players(break_ties(ranks[rng.integers(len(ranks), size=(DRAWS, RATERS))], rng))
    ratings = {
        name: Rating(*map(significant, (mu[:, at].mean(), sigma[:, at].mean(), mu[:, at].std())))
        for at, name in enumerate(conditions)
    }
    h, p = kruskal(*ranks.T) if np.ptp(ranks) else (0.0, 1.0)
    dunn = {
        (conditions[i], conditions[j]): significant(value)
        for (i, j), value in dunn_holm(ranks).items()
    }
    return PublishedStatistics(len(ranks), ratings, significant(h), significant(p), dunn)


def dunn_holm(ranks: Ranks) -> dict[tuple[int, int], float]:
    """Return the p-values of Dunn's test (1964) after Kruskal–Wallis for each pair of columns,
    corrected for ties, and after Holm for the number of pairs.
    """
    from scipy.stats import norm, rankdata

    rows, columns = ranks.shape
    pooled, total = rankdata(ranks).reshape(ranks.shape), ranks.size
    _, ties = np.unique(ranks, return_counts=True)
    variance = (total * (total + 1) / 12 - (ties**3 - ties).sum() / (12 * (total - 1))) * 2 / rows
    means = pooled.mean(axis=0)
    return holm(
        {
            (i, j): 2 * float(norm.sf(abs(means[i] - means[j]) / math.sqrt(variance)))
            if variance
            else 1.0
            for i, j in combinations(range(columns), 2)
        }
    )
