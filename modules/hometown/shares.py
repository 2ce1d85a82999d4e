"""Intervals of shares (Wilson 1927, "Probable inference, the law of succession, and statistical
inference", Journal of the American Statistical Association 22)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TypeVar

from hometown.frozen import frozen

T = TypeVar("T")

Z = 1.959964
"""Quantile of the normal distribution for intervals of 95 %."""


@frozen
class Share:
    """A share, `count` of `total`, with the limits of its interval, which are valid for small counts
    and for none.
    """

    count: int
    total: int

    @property
    def value(self) -> float:
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the Wilson score interval of 95 %; (0, 1) of no cases.

        >>> [round(limit, 3) for limit in Share(6, 453).interval]
        [0.006, 0.029]
        """
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.value
        centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        margin = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, centre - margin), min(1.0, centre + margin)

    def __str__(self) -> str:
        """Return the share in percent with its interval, as in "40 % (20–64)"; a dash for a share
        of nothing.

        >>> str(Share(9, 10)), str(Share(0, 0))
        ('90 % (60–98)', '–')
        """
        low, high = self.interval
        return (
            f"{self.value:.0%} ({low * 100:.0f}–{high * 100:.0f})".replace("%", " %")
            if self.total
            else "–"
        )


def share_of(items: Sequence[T], holds: Callable[[T], bool]) -> Share:
    """Return the share of items for which a condition holds."""
    return Share(sum(map(holds, items)), len(items))
