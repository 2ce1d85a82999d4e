"""Effects between people: what they come together for, and how they stand with each other."""

from __future__ import annotations

from hometown.frozen import frozen
from hometown.world.bond import Why
from hometown.world.occasion import Guest, Occasion


@frozen
class OccasionSet:
    """An occasion is agreed on, or set by the world. One that there is already stays as it is, with
    these guests beside its own.
    """

    id: str
    occasion: Occasion


@frozen
class OccasionKnown:
    """Somebody learns of an occasion, says that it comes, or is there."""

    id: str
    guest: Guest


@frozen
class OccasionEnded:
    """An occasion is over, and has been looked back on."""

    id: str


@frozen
class BondMoved:
    """What another is to a resident comes closer by so many thirds of a point, or moves away."""

    who: str
    other: str
    thirds: int
    why: Why
