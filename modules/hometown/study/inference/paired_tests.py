"""Exact tests of paired differences, such as those of two conditions within each seed: a town, or a
resident, is one observation, whatever happens in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from hometown.rng import stream_seed

MOST_SIGNS = 65_536
"""Maximum number of ways of swapping that are all counted; of more, as many are drawn."""

PARTS_AT_ONCE = 1 << 22
"""Number of differences that are swapped at once, in all studies, so that memory has a bound."""

DIFFERENCE_PARTS = 1_000_000
"""Denominator of differences, with the precision of the tables, so that their sums are exact in any
order and equal ones tie.
"""

Alternative = Literal["two-sided", "less", "greater"]


def compute_paired_p(differences: Sequence[float]) -> float:
    """Return the p-value, 0 to 1, of the hypothesis that two conditions are exchangeable within
    each pair: by all ways of swapping them (Fisher 1935), or 65,536 random ones.

    It cannot be below 2 ÷ 2^n with n pairs: 0.25 with three, 0.0625 with five, 0.03 with six.

    >>> compute_paired_p([1.0, 2.0, 3.0]), compute_paired_p([0.0, 0.0])
    (0.25, 1.0)
    """
    return compute_paired_ps([differences])[0]


def compute_paired_ps(
    studies: Sequence[Sequence[float]], alternative: Alternative = "two-sided"
) -> list[float]:
    """Return the p-value of each of several studies with equally many pairs, as of each by itself,
    from their differences.
    """
    from scipy.stats import permutation_test

    parts = np.round(np.array(studies, dtype=float) * DIFFERENCE_PARTS)
    if parts.shape[1] == 1:  # scipy refuses a single pair; one without a difference changes no sum
        parts = np.pad(parts, ((0, 0), (0, 1)))
    result = permutation_test(
        (parts,),
        np.sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=MOST_SIGNS,
        alternative=alternative,
        axis=1,
        batch=max(1, PARTS_AT_ONCE // parts.size),
        random_state=np.random.default_rng(stream_seed(1, "paired")),
    )
    return [float(p) for p in result.pvalue]


def compute_least_p(differing: int, tails: int = 2) -> float:
    """Return the smallest p-value that the exact paired test allows if `differing` pairs have a
    difference; `tails` is 2 for a test of a difference, 1 for one of sameness.

    >>> compute_least_p(6), compute_least_p(0)
    (0.03125, 1.0)
    """
    return min(1.0, tails / (1 << differing))


def compute_equivalence_p(differences: Sequence[float], margin: float) -> float:
    """Return the p-value that the mean of paired differences is not within ± `margin`: the greater
    of two one-sided tests (Schuirmann 1987).

    >>> compute_equivalence_p([0.1, -0.1, 0.0, 0.1, 0.0], 0.5), compute_equivalence_p([0.6], 0.5)
    (0.03125, 1.0)
    """
    return compute_equivalence_ps([differences], margin)[0]


def compute_equivalence_ps(studies: Sequence[Sequence[float]], margin: float) -> list[float]:
    """Return the p-value of sameness of each of several studies with equally many pairs."""
    above = compute_paired_ps([[one + margin for one in each] for each in studies], "greater")
    below = compute_paired_ps([[one - margin for one in each] for each in studies], "less")
    return list(map(max, above, below))
