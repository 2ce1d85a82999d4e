"""The valid statistics: residents are the unit, whatever the number of their answers.

Each resident's ranks are averaged over their questions and the seeds. Friedman's test is for any
difference between the conditions, Wilcoxon's signed-rank test with Holm's correction for each pair.
Effects are probabilities: that an answer under one condition stands above one under another, with a
95 % interval by a bootstrap over residents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from hometown.frozen import frozen
from hometown.rng import stream_seed
from hometown.study.ranking.holm import holm
from hometown.study.ranking.plackett_luce import compute_worths
from hometown.study.ranking.rankings import (
    DECIMALS,
    Block,
    Ranks,
    rank_matrix,
    resident_means,
    resident_wins,
)
from hometown.study.rounding import significant

BOOTSTRAP_DRAWS = 2000
"""Number of draws of the bootstrap."""

CONFIDENCE_LEVEL = 0.95


@frozen
class Pair:
    """Two conditions compared: `wins` is the probability that the first stands above the second,
    from `low` to `high`; `p` is corrected after Holm.
    """

    first: str
    second: str
    wins: float
    low: float
    high: float
    p: float


@frozen
class RankingStatistics:
    """The result of `compute_statistics`. `means` are mean ranks over residents and `worths`
    those of Plackett and Luce, both by condition.
    """

    residents: int
    blocks: int
    means: dict[str, float]
    worths: dict[str, float]
    chi_square: float
    p: float
    pairs: tuple[Pair, ...]


def compute_statistics(blocks: Sequence[Block], conditions: Sequence[str]) -> RankingStatistics:
    """Return the statistics of rankings under at least three conditions, of at least two
    residents.
    """
    means, shares = resident_means(blocks, conditions), resident_wins(blocks, conditions)
    chi_square, p = friedman(means)
    drawn = np.random.default_rng(stream_seed(1, "bootstrap")).integers(
        len(means), size=(BOOTSTRAP_DRAWS, len(means))
    )
    spread = np.quantile(
        shares[drawn].mean(axis=1), [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2], axis=0
    )
    values = wilcoxon_holm(means)
    at = list(combinations(range(len(conditions)), 2))
    wins = {
        (i, j): (
            significant(shares[:, i, j].mean()),
            significant(spread[0, i, j]),
            significant(spread[1, i, j]),
        )
        for i, j in at
    }
    pairs = tuple(
        Pair(conditions[i], conditions[j], *wins[i, j], significant(values[i, j])) for i, j in at
    )
    by_name = dict(zip(conditions, map(significant, means.mean(axis=0)), strict=True))
    worth = dict(
        zip(
            conditions,
            map(significant, compute_worths(rank_matrix(blocks, conditions))),
            strict=True,
        )
    )
    return RankingStatistics(
        len(means), len(blocks), by_name, worth, significant(chi_square), significant(p), pairs
    )


def friedman(means: Ranks) -> tuple[float, float]:
    """Return Friedman's χ² (1937) and its p-value, from a mean rank for each resident and
    condition; 0 and 1 where no resident has a preference.
    """
    from scipy.stats import friedmanchisquare

    if np.ptp(means, axis=1).max() == 0:
        return 0.0, 1.0
    result = friedmanchisquare(*means.T)
    return float(result.statistic), float(result.pvalue)


def wilcoxon_holm(means: Ranks) -> dict[tuple[int, int], float]:
    """Return the p-value of Wilcoxon's signed-rank test (1945) for each pair of conditions,
    corrected after Holm.
    """
    return holm(
        {
            (i, j): _compute_signed_rank((means[:, i] - means[:, j]).round(DECIMALS))
            for i, j in combinations(range(means.shape[1]), 2)
        }
    )


def _compute_signed_rank(differences: Ranks) -> float:
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences, zero_method="pratt").pvalue) if differences.any() else 1.0
