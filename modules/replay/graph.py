"""Where to draw the residents of a network, so that those who talk much stand close: forces, as in Fruchterman & Reingold 1991."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

ROUNDS = 120
WARMEST = 0.12
"""The farthest that anybody moves in the first round; it falls to nothing."""
EXACT_AT_MOST = 400
"""More than these stay on their circle: forces between all pairs would take too long."""


def positions(people: Sequence[str], weights: Mapping[frozenset[str], int]) -> dict[str, tuple[float, float]]:
    """A place on the unit square for each of `people`; `weights` counts what connects a pair. The same for the same input.

    >>> positions(["ana"], {})
    {'ana': (0.5, 0.5)}
    """
    number = {who: at for at, who in enumerate(people)}
    count = len(people)
    if count < 2:
        return dict.fromkeys(people, (0.5, 0.5))
    angles = np.arange(count) * (2 * math.pi / count)
    spots = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    if count <= EXACT_AT_MOST:
        pull = np.zeros((count, count))
        for pair, weight in weights.items():
            one, other = (number[who] for who in sorted(pair))
            pull[one, other] = pull[other, one] = math.sqrt(weight)
        spots = _settled(spots, pull)
    low, high = spots.min(axis=0), spots.max(axis=0)
    spots = (spots - low) / np.maximum(high - low, 1e-9)
    return {who: (float(x), float(y)) for who, (x, y) in zip(people, spots, strict=True)}


def _settled(spots: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """Places after `ROUNDS` of pushing all apart, pulling the connected together, and everybody a little to the middle."""
    ideal = math.sqrt(4 / len(spots))
    for turn in range(ROUNDS):
        apart = spots[:, None] - spots[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)
        strength = ideal**2 / distance**2 - pull * distance / ideal / 4
        np.fill_diagonal(strength, 0.0)
        force = (apart * strength[..., None]).sum(axis=1) - spots * 0.6
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        spots = spots + force / length * np.minimum(length, WARMEST * (1 - turn / ROUNDS))
    return spots
