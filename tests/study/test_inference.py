"""Estimates and paired tests: against published tables and counts by hand, with ties, identical
values and few of them.
"""

from __future__ import annotations

import pytest

from hometown.study.inference.estimates import (
    compute_mean_interval,
    compute_median_interval,
    estimate_outcome,
)
from hometown.study.inference.paired_tests import compute_equivalence_p, compute_paired_p


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [
        (0, 2, 0.0, 0.8419),
        (5, 5, 0.4782, 1.0),
        (3, 10, 0.0667, 0.6525),
        (9, 10, 0.5550, 0.9975),
        (20, 25, 0.5930, 0.9317),
    ],
)
def test_zeros_and_ones_have_the_interval_of_clopper_and_pearson(
    successes: int, total: int, low: float, high: float
) -> None:
    """The values are those of published tables of the binomial distribution."""
    found = compute_mean_interval([1.0] * successes + [0.0] * (total - successes))
    assert found == pytest.approx((low, high), abs=0.0001)


def test_an_interval_of_shares_stays_within_its_bounds() -> None:
    for values in ([0.8, 1.0, 1.0, 1.0, 1.0], [0.0] * 25, [1 / 3, 1 / 3], [0.1] * 6):
        found = estimate_outcome(values, "share")
        assert found.is_interval
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high


def test_one_town_has_no_interval() -> None:
    for kind in ("share", "count"):
        found = estimate_outcome([0.5], kind)
        assert (found.value, found.low, found.high, found.is_interval) == (0.5, 0.5, 0.5, False)


@pytest.mark.parametrize(
    ("count", "low", "high"), [(5, 0, 0), (6, 1, 6), (8, 1, 8), (9, 2, 8), (10, 2, 9), (25, 8, 18)]
)
def test_a_median_has_the_limits_of_the_sign_test(count: int, low: int, high: int) -> None:
    """The values with these ranks are the limits in tables of the sign test; none below six."""
    found = compute_median_interval(list(range(1, count + 1)))
    assert found == ((low, high) if low else None)


def test_counts_of_few_towns_have_a_range() -> None:
    found = estimate_outcome([4.0, 9.0, 5.0, 4.0, 30.0], "count")
    assert (found.statistic, found.value, found.is_interval) == ("median", 5.0, False)
    assert (found.low, found.high) == (4.0, 30.0)


def test_identical_values_have_an_interval_where_six_agree() -> None:
    assert estimate_outcome([3.0] * 5, "count").is_interval is False
    assert estimate_outcome([3.0] * 6, "count").is_interval is True


def test_swapping_counts_all_ways() -> None:
    assert compute_paired_p([1.0] * 6) == pytest.approx(2 / 2**6)
    assert compute_paired_p([1.0, -1.0]) == 1.0
    assert compute_paired_p([0.3]) == 1.0
    assert compute_paired_p([0.2, 0.4]) == 0.5
    assert 0 < compute_paired_p([1.0] * 20) < 0.001


def test_darwins_plants_have_fishers_p() -> None:
    """Fisher (1935, §21): of all 32,768 ways, 863 give a sum as large as that of Darwin's 15 pairs
    of plants in one direction.
    """
    darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert compute_paired_p([float(each) for each in darwin]) == pytest.approx(2 * 863 / 32768)


def test_sums_that_tie_in_decimals_tie() -> None:
    """The last bits of sums of floats depend on their order, and made a p-value of 0 of these."""
    assert (
        compute_paired_p([7366715.2, 223546.5, 5216436.6, 9313830.3, 3007147.8, 2373825.1])
        == 2 / 2**6
    )


def test_sameness_has_to_be_shown() -> None:
    """Six differences near zero are the same within 0.2, but five are too few, and noise is not."""
    assert compute_equivalence_p([0.0, 0.1, -0.1, 0.0, 0.05, -0.05], 0.2) == 1 / 64
    assert compute_equivalence_p([0.0] * 4, 0.2) == 1 / 16
    assert compute_equivalence_p([0.9, -0.8, 0.5, -0.7, 0.1, 0.3], 0.2) > 0.2
    assert compute_equivalence_p([0.5] * 8, 0.2) == 1.0
