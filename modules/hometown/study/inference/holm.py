"""Holm's correction for several comparisons."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def holm(values: Mapping[K, float], planned: int = 0) -> dict[K, float]:
    """Return p-values adjusted for their number, so that the chance of any false positive among
    them stays below the level (Holm 1979). Of a family with more `planned` tests, those without a
    value count as if their p were 1.

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    >>> holm({"a": 0.01}, planned=3)
    {'a': 0.03}
    """
    ordered = sorted(values.items(), key=lambda item: item[1])
    size = max(planned, len(ordered))
    adjusted, highest = dict[K, float](), 0.0
    for place, (key, value) in enumerate(ordered):
        highest = max(highest, min(1.0, value * (size - place)))
        adjusted[key] = highest
    return {key: adjusted[key] for key in values}
