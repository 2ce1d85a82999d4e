"""What people think of each other: regard and trust follow, by rule, from what happens between
them, and fade slowly where nothing more does.

What stirs somebody by another's doing (`modules/hometown/society/appraisal.py`) is a ground to
think better or worse of that other, and the memory that tells of it is the evidence. The nearer
regard is to its bound, the less moves it further.
"""

from __future__ import annotations

from datetime import datetime

from hometown.society.affairs import Affairs
from hometown.society.mood import Stirred
from hometown.world.regard import GROUNDS, Ground, Regard, Regarded
from hometown.world.state import State
from hometown.world.world import World

MOST = 100

FADES_DAYS = {"regard": 1, "trust": 2}
"""Days in which each goes back by one point, towards none."""

WELL, BADLY = 15, -15
"""Points from which on somebody is thought well of, or badly."""

HIGHLY, LOWLY = 40, -40


def present(regard: Regard, now: datetime) -> tuple[int, int]:
    """Regard and trust now."""
    days = max(0, (now.date() - regard.since.date()).days)
    return _faded(regard.regard, days // FADES_DAYS["regard"]), _faded(
        regard.trust, days // FADES_DAYS["trust"]
    )


def regard_for(state: State, who: str, other: str) -> int:
    """How well somebody thinks of another now, -100 to 100."""
    return present(state.regard(who, other), state.clock.now)[0]


def trust_in(state: State, who: str, other: str) -> int:
    """How far somebody relies on another now, -100 to 100."""
    return present(state.regard(who, other), state.clock.now)[1]


def favour(affairs: Affairs, who: str, address: str) -> int:
    """How well those to whom a fixture belongs think of somebody, on average, towards none."""
    points = [
        regard_for(affairs.state, keeper, who)
        for keeper in affairs.book.keepers(address)
        if keeper != who
    ]
    return int(sum(points) / len(points)) if points else 0


def regarded(world: World, state: State, stirred: Stirred) -> Regarded | None:
    """What somebody thinks of whom it has been stirred by from now on; None where that changes
    nothing, or where the town has no society.
    """
    part = (
        world.hearts.regards.get(stirred.stir)
        if world.book and stirred.towards in world.personas
        else None
    )
    if part is None:
        return None
    before, now = state.regard(stirred.who, stirred.towards), state.clock.now
    regard, trust = present(before, now)
    ground = Ground(
        stirred.stir,
        _towards(regard, part.regard),
        _towards(trust, part.trust),
        stirred.memory,
        now,
    )
    after = Regard(
        regard + ground.regard, trust + ground.trust, now, _weightiest((*before.grounds, ground))
    )
    return Regarded(stirred.who, stirred.towards, after)


def _faded(points: int, by: int) -> int:
    return max(0, points - by) if points > 0 else min(0, points + by)


def _towards(points: int, by: int) -> int:
    """By how much points really move: less the nearer they are to the bound, but never by nothing
    before they have reached it.

    >>> _towards(0, 12), _towards(50, 12), _towards(95, 12), _towards(99, 3), _towards(100, 12), _towards(50, -12)
    (12, 6, 1, 1, 0, -12)
    """
    if by * points <= 0:
        return by
    left = MOST - abs(points)
    return min(left, max(1, abs(by) * left // MOST)) * (1 if by > 0 else -1)


def _weightiest(grounds: tuple[Ground, ...]) -> tuple[Ground, ...]:
    """Those that weigh most, the later of equals, oldest first."""
    kept = sorted(range(len(grounds)), key=lambda at: (-grounds[at].weight, -at))[:GROUNDS]
    return tuple(grounds[at] for at in sorted(kept))
