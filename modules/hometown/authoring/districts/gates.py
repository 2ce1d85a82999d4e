"""Gates: openings in the border between two districts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WIDE = 3
"""Tiles of a gate."""

EVERY = 60
"""Tiles of a border for which there is a gate, about."""

APART = 20
"""Tiles between the beginnings of two gates at least."""

CROWN = 4
"""Cost of felling a tree top, in blocked tiles."""

NEAR = 3
"""Tiles from the border within which tree tops are looked for."""

Side = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""A district as seen from its border: masks of blocked tiles and of tree tops, each bool[along the
border, away from it].
"""


def depths(blocked: NDArray[np.bool_]) -> NDArray[np.int_]:
    """Return for each tile along a border the number of tiles between it and the first open one;
    all of them where none is open.

    >>> depths(np.array([[False, False], [True, False], [True, True]])).tolist()
    [0, 1, 2]
    """
    reached: NDArray[np.int_] = np.where(
        blocked.all(axis=1), blocked.shape[1], blocked.argmin(axis=1)
    )
    return reached


def choose(here: Side, there: Side) -> list[int]:
    """Return the first tiles of the gates along a border between two districts, sorted: one for
    each `EVERY` tiles, at least one, at the lowest cost of clearing, then near the middle, and at
    least `APART` tiles from each other, for which some may be left out.
    """
    each = sum(
        depths(blocked) + CROWN * tops[:, :NEAR].sum(axis=1) for blocked, tops in (here, there)
    )
    cost = np.convolve(each, np.ones(WIDE, dtype=int), mode="valid")
    wanted, chosen = max(1, round(len(cost) / EVERY)), list[int]()
    for start in np.lexsort((np.abs(np.arange(len(cost)) - len(cost) // 2), cost)).tolist():
        if len(chosen) < wanted and all(abs(start - other) >= APART for other in chosen):
            chosen.append(start)
    return sorted(chosen)
