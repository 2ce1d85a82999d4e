"""Rounding of statistics far above the noise of the libraries that compute them, so that tables and
reports are the same on every machine.
"""

from __future__ import annotations

DIGITS = 6
"""Number of significant digits of a statistic. Libraries for distributions differ in the 13th
between processors, TrueSkill stops at the 7th, and reports show three.
"""


def significant(value: float) -> float:
    """Return a statistic, rounded to its significant digits.

    >>> significant(0.12345678), significant(29.890000000000004), significant(0.0)
    (0.123457, 29.89, 0.0)
    """
    return float(f"{value:.{DIGITS}g}")
