"""Bonds between residents: changed by conversations, promises and time apart."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.world.bond import MOVES, Why
from hometown.world.social import BondMoved
from hometown.world.world import sector_of

DRIFT_APART_DAYS = 3
"""Days without a conversation after which two residents drift apart."""

BOND_CAUSES: dict[int, Why] = {2: "helped", 1: "talk", -1: "let_down", -2: "quarrel"}
"""The cause for which a bond moves, by the tone of a conversation, -2 to 2."""


def move_bond(mind: Mind, other: str, why: Why, cause: str) -> None:
    """Move the resident's bond to another by the points that belong to a cause."""
    mind.do(BondMoved(mind.who, other, MOVES[why], why), cause)


def update_bond(mind: Mind, other: str, tone: int, cause: str) -> None:
    """Move a bond by the tone of a conversation. A good one after a strain makes up for much of it.
    A neutral one leaves it.
    """
    if why := BOND_CAUSES.get(tone):
        bond = mind.state.bond(mind.who, other)
        mends = why == "talk" and (bond.rift or bond.points < 0)
        move_bond(mind, other, "made_up" if mends else why, cause)


def drift_apart(mind: Mind) -> None:
    """Weaken bonds of a closeness over 1 to residents of other houses with whom the last
    conversation was `DRIFT_APART_DAYS` ago or more.
    """
    home = sector_of(mind.me.home)
    for other, persona in mind.world.personas.items():
        last = mind.state.relation(mind.who, other).last
        apart = last is not None and (mind.now - last).days >= DRIFT_APART_DAYS
        if apart and sector_of(persona.home) != home and mind.closeness(other) > 1:
            move_bond(mind, other, "apart", "rule:apart")
