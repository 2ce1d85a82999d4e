"""Regard and trust between residents. Both change by rule with experience, and fade over time.

A stimulus caused by another resident (`modules/hometown/society/appraisal.py`) is the ground of a
change, and its memory the evidence. The nearer regard is to its bound, the smaller the change.
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
"""The days in which each returns by one point towards 0."""

WELL, BADLY = 15, -15
"""The points from which a resident thinks well of another, or badly."""

HIGHLY, LOWLY = 40, -40


def present(regard: Regard, now: datetime) -> tuple[int, int]:
    """Return regard and trust now, with fading applied."""
    days = max(0, (now.date() - regard.since.date()).days)
    return _faded(regard.regard, days // FADES_DAYS["regard"]), _faded(
        regard.trust, days // FADES_DAYS["trust"]
    )


def regard_for(state: State, who: str, other: str) -> int:
    """Return a resident's present regard for another, -100 to 100."""
    return present(state.regard(who, other), state.clock.now)[0]


def trust_in(state: State, who: str, other: str) -> int:
    """Return a resident's present trust in another, -100 to 100."""
    return present(state.regard(who, other), state.clock.now)[1]


def favour(affairs: Affairs, who: str, address: str) -> int:
    """Return the average regard of a fixture's keepers for a resident, rounded towards 0."""
    points = [
        regard_for(affairs.state, keeper, who)
        for keeper in affairs.book.keepers(address)
        if keeper != who
    ]
    return int(sum(points) / len(points)) if points else 0


def regarded(world: World, state: State, stirred: Stirred) -> Regarded | None:
    """Return the change of regard that a stimulus causes.

    Returns:
        None where regard stays the same, or in a town without a society.
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
    """Return the actual change of points: smaller near the bound, but at least 1 before it is
    reached.

    >>> _towards(0, 12), _towards(50, 12), _towards(95, 12), _towards(99, 3), _towards(100, 12), _towards(50, -12)
    (12, 6, 1, 1, 0, -12)
    """
    if by * points <= 0:
        return by
    left = MOST - abs(points)
    return min(left, max(1, abs(by) * left // MOST)) * (1 if by > 0 else -1)


def _weightiest(grounds: tuple[Ground, ...]) -> tuple[Ground, ...]:
    """Return the grounds with the most weight, later before earlier ones, oldest first."""
    kept = sorted(range(len(grounds)), key=lambda at: (-grounds[at].weight, -at))[:GROUNDS]
    return tuple(grounds[at] for at in sorted(kept))
