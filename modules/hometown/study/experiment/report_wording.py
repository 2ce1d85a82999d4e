"""Words and numbers of reports."""

from __future__ import annotations

from functools import cache

from hometown.language import Lang
from hometown.text import catalogue


@cache
def load_words(lang: Lang) -> dict[str, str]:
    """Return the texts of reports; figures have the same names as in comparisons."""
    return catalogue(lang, "compare") | catalogue(lang, "experiment")


def label(measure: str, about: str, lang: Lang) -> str:
    """Return a figure's name and subject."""
    return load_words(lang).get(measure, measure) + (f": {about}" if about else "")


def amount(value: float) -> str:
    """Format a number with three significant digits, and whole above 1,000.

    >>> amount(0.16667), amount(3.0), amount(12345.6), amount(0.00001)
    ('0.167', '3', '12,346', '1e-05')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
