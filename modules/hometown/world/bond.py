"""Bonds: by how much the closeness of two people has moved since the run began, and what moves it."""

from __future__ import annotations

from typing import Literal

from hometown.frozen import frozen

Why = Literal["talk", "made_up", "let_down", "quarrel", "waited", "apart", "helped"]

MOVES: dict[Why, int] = {
    "talk": 1,
    "made_up": 3,
    "let_down": -1,
    "quarrel": -4,
    "waited": -3,
    "apart": -1,
    "helped": 2,
}
"""Thirds of a point: for a good talk; one after something had come between them; a refusal; a
quarrel; having waited in vain; each day after the last talk was long ago; and a talk in which the
other has done one a great service.
"""

FARTHEST = 30
"""Thirds by which a bond moves at most: the whole scale."""


@frozen
class Bond:
    """`bond/<resident>/<other>`: the sum of all moves, in thirds of a point, and what has moved it
    last, "" for nothing.
    """

    thirds: int = 0
    why: Why | Literal[""] = ""

    @property
    def points(self) -> int:
        """Whole points, towards none.

        >>> Bond(5).points, Bond(-2).points, Bond(-3).points
        (1, 0, -1)
        """
        return int(self.thirds / 3)

    def closeness(self, before: int) -> int:
        """0 (strangers) to 10, from how close they were by the world's author."""
        return min(10, max(0, before + self.points))

    def moved(self, thirds: int, why: Why) -> Bond:
        return Bond(min(FARTHEST, max(-FARTHEST, self.thirds + thirds)), why)
