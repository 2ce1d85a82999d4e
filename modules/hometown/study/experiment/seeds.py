"""Figures over seeds: a town is one observation, whatever happens in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import sqrt
from statistics import fmean, stdev

import numpy as np

from hometown.frozen import frozen
from hometown.rng import stream_seed
from hometown.study.rounding import significant

LEAST = 5
"""Minimum number of seeds for an interval; below, the range is given."""

MOST_EXACT = 16
"""Maximum number of seeds for which all ways of swapping two conditions are counted."""

DRAWS = 10_000

DIFFERENCE_PARTS = 1_000_000
"""Denominator of differences, with the precision of the tables, so that their sums are exact in any
order.
"""


@frozen
class SeedSpread:
    """The mean of values, and their limits: the 95 % interval of the mean by Student's t from
    `LEAST` values on (`interval`), else their range.
    """

    mean: float
    low: float
    high: float
    interval: bool


def summarize_values(values: Sequence[float]) -> SeedSpread:
    """Return the spread of at least one value.

    >>> summarize_values([1.0, 3.0])
    SeedSpread(mean=2.0, low=1.0, high=3.0, interval=False)
    """
    mean = fmean(values)
    if len(values) < LEAST:
        return SeedSpread(mean, min(values), max(values), False)
    from scipy.stats import t

    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / sqrt(len(values))
    return SeedSpread(mean, significant(mean - half), significant(mean + half), True)


def compute_paired_p(differences: Sequence[float]) -> float:
    """Return the p-value that two conditions are exchangeable within each seed: by all ways of
    swapping them (Fisher 1935), or 10,000 random ones.

    It cannot be below 2 ÷ 2^n with n seeds: 0.25 with three, 0.0625 with five, 0.03 with six.

    >>> compute_paired_p([1.0, 2.0, 3.0]), compute_paired_p([0.0, 0.0])
    (0.25, 1.0)
    """
    values = np.array([round(difference * DIFFERENCE_PARTS) for difference in differences])
    if len(values) <= MOST_EXACT:
        signs = np.array(list(product((1, -1), repeat=len(values))))
    else:
        drawn = np.random.default_rng(stream_seed(1, "paired")).choice(
            (1, -1), size=(DRAWS - 1, len(values))
        )
        signs = np.vstack([np.ones(len(values), dtype=int), drawn])
    sums = np.abs(signs @ values)
    return int(np.count_nonzero(sums >= abs(values.sum()))) / len(sums)
