"""Skillings and Mack's test of blocks that need not be complete."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def compute_skillings_mack(scores: NDArray[np.float64]) -> tuple[float, float]:
    """Return the statistic of Skillings and Mack (1981) and its p-value, by χ²; 0 and 1 where no
    block has a preference.

    Without missing values it is Friedman's χ² (1937). Ties have the variance of their mean ranks.

    Args:
        scores: A row for each block, a column for each condition; NaN where a value is missing.

    >>> ranks = np.array([[1.0, 3.0, 2.0], [1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
    >>> round(compute_skillings_mack(ranks)[0], 3)
    4.667
    """
    from scipy.stats import chi2, rankdata

    count = scores.shape[1]
    total, covariance = np.zeros(count), np.zeros((count, count))
    for row in scores:
        has = ~np.isnan(row)
        size = int(has.sum())
        if size < 2:
            continue
        centred = np.zeros(count)
        centred[has] = (rankdata(row[has]) - (size + 1) / 2) * np.sqrt(12 / (size + 1))
        total += centred
        covariance += (centred @ centred) / (size - 1) * (np.diag(has) - np.outer(has, has) / size)
    freedom = int(np.linalg.matrix_rank(covariance))
    if not freedom:
        return 0.0, 1.0
    statistic = float(total @ np.linalg.pinv(covariance, hermitian=True) @ total)
    return statistic, float(chi2.sf(statistic, freedom))
