"""Layout of a network of residents, in which those who talk often are close.

Chaos magnifies a rounding error of 1e-15 to a third of the picture. So the layout is the same to
the last bit on every machine: it uses only IEEE 754 arithmetic and square roots, element by
element, and sums are taken from the first to the last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Spots = NDArray[np.float64]
"""Columns and rows of n residents, float64[n, 2]."""

LAYOUT_ROUNDS = 120

EXACT_AT_MOST = 400
"""Maximum number of residents in a layout by forces; more stand on a circle, since forces between
all pairs would take too long.
"""

NEAREST = 0.01
"""Distance below which forces do not change."""

DECIMALS = 9
"""Digits of sines and cosines that are kept, since their last bits differ between mathematical
libraries.
"""


def positions(
    people: Sequence[str], weights: Mapping[frozenset[str], int]
) -> dict[str, tuple[float, float]]:
    """Return a place on the unit square for each of `people`: by forces (Fruchterman & Reingold
    1991) for 2 to `EXACT_AT_MOST` residents, else on a circle. `weights` is the number of links of
    a pair.

    >>> positions(["ana"], {})
    {'ana': (0.5, 0.5)}
    """
    spots = _circle(len(people))
    if 1 < len(people) <= EXACT_AT_MOST:
        number = {who: at for at, who in enumerate(people)}
        pulls = np.zeros((len(people), len(people)))
        for pair, weight in weights.items():
            one, other = (number[who] for who in pair)
            pulls[one, other] = pulls[other, one] = math.sqrt(weight)
        spots = _relax(spots, pulls)
    xs, ys = spots.T.tolist()
    return {who: (_share(x, xs), _share(y, ys)) for who, x, y in zip(people, xs, ys, strict=True)}


def _circle(count: int) -> Spots:
    """Return places at equal distances on the unit circle around 0, with `DECIMALS` decimals."""
    turns = [2 * math.pi * at / count for at in range(count)]
    return np.array(
        [(round(math.cos(turn), DECIMALS), round(math.sin(turn), DECIMALS)) for turn in turns]
    ).reshape(count, 2)


def _relax(spots: Spots, pulls: Spots) -> Spots:
    """Return the positions at which residents come to rest: all repel each other, and `pulls`,
    float64[n, n], draw pairs together; steps get shorter each round.
    """
    ideal = math.sqrt(1 / len(spots))
    longest = 0.1 * float(np.ptp(spots, axis=0).max())
    for left in range(LAYOUT_ROUNDS + 1, 1, -1):
        apart = spots[:, None] - spots
        distance = np.maximum(_lengths(apart), NEAREST)
        forces = (
            apart * (ideal * ideal / (distance * distance) - pulls * distance / ideal)[..., None]
        )
        moved = np.add.accumulate(forces, axis=1)[:, -1]
        spots = (
            spots
            + moved
            * (longest * left / (LAYOUT_ROUNDS + 1) / np.maximum(_lengths(moved), NEAREST))[:, None]
        )
    return spots


def _lengths(vectors: Spots) -> Spots:
    """Return the Euclidean lengths along the last axis, which has two elements."""
    lengths: Spots = np.sqrt(vectors[..., 0] * vectors[..., 0] + vectors[..., 1] * vectors[..., 1])
    return lengths


def _share(value: float, values: Sequence[float]) -> float:
    """Return the position of a value between the lowest and the highest of all, 0 to 1; 0.5 if all
    are equal.
    """
    low, high = min(values), max(values)
    return (value - low) / (high - low) if high > low else 0.5
