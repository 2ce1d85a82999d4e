"""What residents think of each other for what they have done: rows of the state and effects. What
moves it is in `modules/hometown/society/esteem.py`.

It is another thing than a bond (`modules/hometown/world/bond.py`): people may be close who do not
rely on each other, and think highly of a stranger.
"""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.world.feeling import Stir

GROUNDS = 6
"""Reasons for which somebody thinks of another as it does that are kept: the latest of those that
weigh most.
"""


@frozen
class Ground:
    """Why regard and trust have moved, by how much, when, and the number of the memory that tells
    of it, 0 for none.
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
    """`regard/<resident>/<other>`: how well it thinks of another, and how far it relies on it, at
    `since`, each from -100 to 100; and why, oldest first.
    """

    regard: int = 0
    trust: int = 0
    since: datetime = datetime.min
    grounds: tuple[Ground, ...] = ()


@frozen
class Regarded:
    """Something has made somebody think otherwise of another."""

    who: str
    other: str
    regard: Regard


@frozen
class Impression:
    """`impression/<resident>/<other>`: what it takes another to be, in a sentence, on which of its
    memories that rests, and since when it thinks so.
    """

    text: str
    evidence: tuple[int, ...]
    since: datetime


@frozen
class Impressed:
    """Somebody has thought about another, and has an impression of it from now on."""

    who: str
    other: str
    impression: Impression


RegardEffect = Regarded | Impressed
