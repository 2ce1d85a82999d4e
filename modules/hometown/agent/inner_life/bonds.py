"""How residents stand with each other: conversations, promises and time bring them closer or drive
them apart.
"""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.world.bond import MOVES, Why
from hometown.world.social import BondMoved
from hometown.world.world import sector_of

DRIFT_APART_DAYS = 3
"""Days without a conversation from which on people drift apart."""

BOND_CAUSES: dict[int, Why] = {2: "helped", 1: "talk", -1: "let_down", -2: "quarrel"}
"""What a conversation does to a bond, by how it was."""


def move_bond(mind: Mind, other: str, why: Why, cause: str) -> None:
    mind.do(BondMoved(mind.who, other, MOVES[why], why), cause)


def update_bond(mind: Mind, other: str, tone: int, cause: str) -> None:
    """A conversation with another is over: a good one after something has come between the two
    makes up for much of it.
    """
    if why := BOND_CAUSES.get(tone):
        mends = why == "talk" and mind.state.bond(mind.who, other).points < 0
        move_bond(mind, other, "made_up" if mends else why, cause)


def drift_apart(mind: Mind) -> None:
    """Whoever has not been talked to for days is less close than before, unless they live together."""
    home = sector_of(mind.me.home)
    for other, persona in mind.world.personas.items():
        last = mind.state.relation(mind.who, other).last
        apart = last is not None and (mind.now - last).days >= DRIFT_APART_DAYS
        if apart and sector_of(persona.home) != home and mind.closeness(other) > 1:
            move_bond(mind, other, "apart", "rule:apart")
