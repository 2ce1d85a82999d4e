"""What people agree to hand to each other as they talk: rows of the state and effects. What comes
of it is in `modules/hometown/society/deals.py`.
"""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class Handover:
    """So many of a kind that one hands another, coins out of its house's purse."""

    giver: str
    taker: str
    kind: str
    count: int


@frozen
class Deal:
    """What two who talked at `place` have agreed to hand to each other: all of it, or nothing.

    `asked` is what the one asks for its goods where the other has not said that it gives that; then
    nothing changes hands.
    """

    talk: str
    place: str
    handovers: tuple[Handover, ...]
    asked: int = 0


@frozen
class Deals:
    """`deals/town`: what has been agreed in this step and is to be handed over before it ends."""

    items: tuple[Deal, ...] = ()


@frozen
class DealStruck:
    """Two have agreed on something, or have not been able to."""

    deal: Deal


@frozen
class DealsSettled:
    """All that was agreed on has been handed over, or refused."""


DealingEffect = DealStruck | DealsSettled
