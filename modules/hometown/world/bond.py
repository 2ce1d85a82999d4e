"""Bonds: the change of closeness between two residents since the run began, and its causes."""

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
"""Thirds of a point for each cause: a good talk; one after an estrangement; a refusal; a quarrel;
waiting in vain; each day long after the last talk; and a talk in which the other did a great
service.
"""

RIFTS: tuple[Why, ...] = ("let_down", "quarrel", "waited")
"""The causes that come between two residents, until the next good talk."""

FARTHEST = 30
"""The largest change of a bond, in thirds: the whole scale."""


@frozen
class Bond:
    """`bond/<resident>/<other>`: the sum of changes, in thirds of a point, and the latest cause; ""
    for none.
    """

    thirds: int = 0
    why: Why | Literal[""] = ""

    @property
    def points(self) -> int:
        """Whole points, of three thirds each, rounded towards 0.

        >>> Bond(5).points, Bond(-2).points, Bond(-3).points
        (1, 0, -1)
        """
        return int(self.thirds / 3)

    @property
    def rift(self) -> Why | Literal[""]:
        """The cause that has come between the two and has not been made up; "" for none."""
        return self.why if self.why in RIFTS else ""

    def closeness(self, before: int) -> int:
        """Return the closeness, 0 (strangers) to 10, given the author's initial one."""
        return min(10, max(0, before + self.points))

    def shift(self, thirds: int, why: Why) -> Bond:
        """Return the bond after a change, at most `FARTHEST` thirds from its beginning in either
        direction.
        """
        return Bond(min(FARTHEST, max(-FARTHEST, self.thirds + thirds)), why)
