"""The valid statistics of rankings: residents are the unit, whatever the number of their answers.

Skillings and Mack's test is for any difference between the conditions, an exact test of each pair
for the difference of two, corrected after Holm. Effects are probabilities: that an answer under one
condition stands above one under another. Blocks may lack answers: each statistic uses all blocks
that have what it compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from hometown.frozen import frozen
from hometown.study.inference.estimates import compute_mean_interval
from hometown.study.inference.holm import holm
from hometown.study.inference.incomplete_blocks import compute_skillings_mack
from hometown.study.inference.paired_tests import compute_paired_p
from hometown.study.ranking.bradley_terry import compute_worths
from hometown.study.ranking.rankings import (
    DECIMALS,
    Block,
    Wins,
    compare_within_residents,
    count_wins,
    score_residents,
)
from hometown.study.rounding import significant


@frozen
class Pair:
    """Two conditions compared: `wins` is the probability that the first stands above the second,
    with the limits of its 95 % interval, None of fewer than two residents. `residents` have blocks
    with both; `p` is corrected after Holm.
    """

    first: str
    second: str
    residents: int
    wins: float
    low: float | None
    high: float | None
    p: float


@frozen
class RankingStatistics:
    """The result of `compute_statistics`, by condition: `means` are mean ranks, as if no answer were
    missing, `worths` those of Bradley and Terry, and `missing` the number of blocks without an
    answer. `statistic` and `p` are those of Skillings and Mack.
    """

    residents: int
    blocks: int
    missing: dict[str, int]
    means: dict[str, float]
    worths: dict[str, float]
    statistic: float
    p: float
    pairs: tuple[Pair, ...]


def compute_statistics(blocks: Sequence[Block], conditions: Sequence[str]) -> RankingStatistics:
    """Return the statistics of rankings: mean ranks and worths by condition, the Skillings–Mack
    test of a difference, and all pairs of conditions. There are at least two conditions, and each
    was ranked at least once.
    """
    scores = score_residents(blocks, conditions)
    shares = compare_within_residents(blocks, conditions)
    statistic, p = compute_skillings_mack(scores)
    ranks = 1 + (len(conditions) - 1) * (1 - np.nanmean(scores, axis=0))
    worths = compute_worths(count_wins(blocks, conditions))
    return RankingStatistics(
        len(scores),
        len(blocks),
        {name: sum(name not in block.ranks for block in blocks) for name in conditions},
        dict(zip(conditions, map(significant, ranks), strict=True)),
        dict(zip(conditions, map(significant, worths), strict=True)),
        significant(statistic),
        significant(p),
        tuple(_compare_pairs(shares, conditions)),
    )


def _compare_pairs(shares: Wins, conditions: Sequence[str]) -> list[Pair]:
    """Return the comparison of each pair of conditions of which some resident has both."""
    known = {}
    for first, second in combinations(range(len(conditions)), 2):
        own = shares[:, first, second]
        if (~np.isnan(own)).any():
            known[first, second] = own[~np.isnan(own)].round(DECIMALS).tolist()
    values = holm({pair: compute_paired_p([w - 0.5 for w in own]) for pair, own in known.items()})
    pairs = []
    for (first, second), own in known.items():
        low, high = compute_mean_interval(own) or (None, None)
        wins, p = significant(float(np.mean(own))), significant(values[first, second])
        pairs.append(Pair(conditions[first], conditions[second], len(own), wins, low, high, p))
    return pairs
