"""Deals made in talks: rows of the state and effects. `modules/hometown/society/deals.py` carries
them out.
"""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class Handover:
    """Goods of a kind that one resident hands to another; coins come from the house's purse."""

    giver: str
    taker: str
    kind: str
    count: int


@frozen
class Deal:
    """The handovers that two residents agreed on at `place`, as a whole or not at all.

    `asked` is the price that one demands and the other has not accepted; then nothing changes
    hands.
    """

    talk: str
    place: str
    handovers: tuple[Handover, ...]
    asked: int = 0


@frozen
class Deals:
    """`deals/town`: the deals of this step that are to be carried out before its end."""

    items: tuple[Deal, ...] = ()


@frozen
class DealStruck:
    """Two residents have made a deal, or failed to."""

    deal: Deal


@frozen
class DealsSettled:
    """All deals have been carried out or refused."""


DealingEffect = DealStruck | DealsSettled
