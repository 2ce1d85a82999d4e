"""Estimates of outcomes over towns or residents, with intervals for any number of them.

Shares lie between 0 and 1, so that their mean has an interval that is conjectured to cover whatever
their distribution is (Learned-Miller & Thomas 2019), as it does in `benchmarks.statistics`. The mean
of values without bounds has none (Bahadur & Savage 1956), so their median is estimated instead,
whose interval is proven to cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from statistics import fmean, median
from typing import Literal

import numpy as np

from hometown.frozen import frozen
from hometown.study.rounding import significant

OutcomeKind = Literal["share", "count", "time", "score"]
"""share: between 0 and 1. count: a number of things. time: hours until an event. score: any other
number.
"""

CONFIDENCE_LEVEL = 0.95


@frozen
class Estimate:
    """The `value` of a `statistic` of `count` values. `low` and `high` are the limits of its 95 %
    interval (`is_interval`), or the least and the greatest value where no interval covers.
    """

    statistic: Literal["mean", "median"]
    value: float
    low: float
    high: float
    is_interval: bool
    count: int


def estimate_outcome(values: Sequence[float], kind: OutcomeKind = "score") -> Estimate:
    """Return the mean of shares, the median of other outcomes, of at least one value.

    >>> estimate_outcome([7.0, 3.0, 4.0])
    Estimate(statistic='median', value=4.0, low=3.0, high=7.0, is_interval=False, count=3)
    """
    is_share = kind == "share"
    limits = compute_mean_interval(values) if is_share else compute_median_interval(values)
    return Estimate(
        "mean" if is_share else "median",
        significant(fmean(values) if is_share else median(values)),
        *(limits or (min(values), max(values))),
        limits is not None,
        len(values),
    )


def compute_mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of values between 0 and 1, None of fewer than two.

    The lower limit is a quantile of the mean of all values and a further one at the bound 0, under
    random weights; the upper limit that of the values and a further one at 1 (Gaffke 2005;
    Learned-Miller & Thomas 2019). For values of 0 and 1 alone, it is the interval of Clopper and
    Pearson (1934).

    >>> compute_mean_interval([1.0] * 5), compute_mean_interval([0.6, 0.6, 0.8, 0.6, 0.8])
    ((0.478176, 1.0), (0.321895, 0.855044))
    """
    if len(values) < 2:
        return None
    tail = (1 - CONFIDENCE_LEVEL) / 2
    low = _compute_weighted_quantile([0.0, *values], tail)
    return significant(low), significant(_compute_weighted_quantile([*values, 1.0], 1 - tail))


def compute_median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the median of values, None of fewer than six.

    It holds for every distribution, since its limits are values themselves (Conover 1999, §3.2).

    >>> compute_median_interval([5, 1, 4, 2, 6, 3]), compute_median_interval([1, 2, 3, 4, 5])
    ((1.0, 6.0), None)
    """
    rank, ordered = _find_limit_rank(len(values)), sorted(values)
    return (significant(ordered[rank - 1]), significant(ordered[-rank])) if rank else None


@cache
def _find_limit_rank(count: int) -> int:
    """Return the rank, from either end, of the limits of a median; 0 where none covers."""
    from scipy.stats import binom

    return int(binom.ppf((1 - CONFIDENCE_LEVEL) / 2, count, 0.5))


def _compute_weighted_quantile(values: Sequence[float], level: float) -> float:
    """Return a quantile of the mean of values under weights drawn evenly from all that have the sum
    1. The density of such a mean is a B-spline whose knots are the values (Curry & Schoenberg 1966).
    """
    from scipy.interpolate import BSpline
    from scipy.optimize import brentq

    knots = np.sort(np.asarray(values, dtype=float))
    low, high, degree = knots[0], knots[-1], len(knots) - 2
    if low == high:
        return float(low)
    around = np.ones(degree + 1)
    padded = np.concatenate([(low - 1) * around, knots, (high + 1) * around])
    density = BSpline(padded, np.eye(1, len(knots) + degree + 1, degree + 1)[0], degree)
    mass = density.antiderivative()
    target = mass(low) + level * (mass(high) - mass(low))
    return float(brentq(lambda at: mass(at) - target, low, high))
