"""Processes on a town: opinions on a question, which conversations move, and an illness that passes by
contact. They are rows of the state and effects; `modules/hometown/processes` has their rules.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

MOST_IN_FAVOUR = 1000
"""The greatest value of an opinion, in favour; the least, against, is 0."""

STANCES = 5
"""Number of classes of equal width in which an opinion is worded and counted."""

Stage = Literal["exposed", "ill", "recovered"]
"""The stages of an illness after infection: not yet ill, ill and infectious, immune."""


@frozen
class HeldOpinion:
    """`opinion/<resident>`: the opinion on the question of the run, 0 to `MOST_IN_FAVOUR`."""

    value: int

    @property
    def stance(self) -> int:
        """The class of the opinion, 0 (against) to `STANCES` - 1 (in favour)."""
        return min(STANCES - 1, self.value * STANCES // MOST_IN_FAVOUR)


@frozen
class Infection:
    """`infection/<resident>`: the stage of the illness of the run, since when, and the resident from
    whom it was caught; "" for those who had it first.
    """

    stage: Stage
    since: datetime
    source: str = ""


@frozen
class OpinionMoved:
    """A resident has an opinion: that of the beginning, or another after conversation `talk` with
    `other`.
    """

    who: str
    opinion: HeldOpinion
    talk: str = ""
    other: str = ""


@frozen
class InfectionSet:
    """An infection of a resident begins, or enters another stage."""

    who: str
    infection: Infection


ProcessEffect = OpinionMoved | InfectionSet
