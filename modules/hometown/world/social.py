"""Effects between residents: occasions and bonds."""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.world.bond import Why
from hometown.world.occasion import Guest, Occasion


@frozen
class OccasionSet:
    """An occasion is agreed on, or set by the world. An existing one gains these guests and has
    these hours from now on.
    """

    id: str
    occasion: Occasion


@frozen
class OccasionKnown:
    """A resident learns of an occasion, accepts, or arrives."""

    id: str
    guest: Guest


@frozen
class OccasionDeclined:
    """A resident who had agreed to come calls it off."""

    id: str
    guest: str


@frozen
class OccasionEnded:
    """An occasion is over and has been looked back on."""

    id: str


@frozen
class OccasionCalledOff:
    """An occasion does not take place, by the decision of a resident; `why` is their reason."""

    id: str
    by: str = ""
    why: str = ""


@frozen
class OccasionMoved:
    """A host moves an occasion to another place or hour; `why` is their reason."""

    id: str
    by: str
    address: str
    start: datetime
    why: str


@frozen
class OccasionFellThrough:
    """An occasion ends because none of those who give it have come."""

    id: str


OccasionEffect = (
    OccasionSet
    | OccasionKnown
    | OccasionDeclined
    | OccasionEnded
    | OccasionCalledOff
    | OccasionMoved
    | OccasionFellThrough
)
"""Any effect on an occasion."""


@frozen
class BondMoved:
    """A resident's closeness to another changes by some thirds of a point."""

    who: str
    other: str
    thirds: int
    why: Why
