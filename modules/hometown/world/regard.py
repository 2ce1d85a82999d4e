"""Regard: residents' opinions of each other's conduct, as rows and effects.
`modules/hometown/agent/mind/esteem.py` has the rules.

It differs from a bond (`modules/hometown/world/bond.py`): close residents may distrust each other,
and strangers may be admired.
"""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.world.feeling import Stir

GROUNDS = 6
"""The number of grounds kept: those with the most weight, and of these the latest."""


@frozen
class Ground:
    """The ground of a change of regard and trust: the stimulus, the changes, the time, and the
    number of its memory, 0 for none.
    """

    why: Stir
    regard: int
    trust: int
    memory: int
    when: datetime

    @property
    def weight(self) -> int:
        return abs(self.regard) + abs(self.trust)


@frozen
class Regard:
    """`regard/<resident>/<other>`: regard and trust at `since`, each from -100 to 100, with
    grounds, oldest first.
    """

    regard: int = 0
    trust: int = 0
    since: datetime = datetime.min
    grounds: tuple[Ground, ...] = ()


@frozen
class Regarded:
    """A resident's regard for another changes."""

    who: str
    other: str
    regard: Regard


@frozen
class Impression:
    """`impression/<resident>/<other>`: a sentence about the other, the memories it rests on, and
    its time.
    """

    text: str
    evidence: tuple[int, ...]
    since: datetime


@frozen
class Impressed:
    """A resident forms an impression of another."""

    who: str
    other: str
    impression: Impression


RegardEffect = Regarded | Impressed
