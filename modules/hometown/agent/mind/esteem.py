"""Regard and trust between residents. Both change by rule with experience, and fade over time.

A stimulus caused by another resident (`modules/hometown/agent/mind/appraisal.py`) is the ground of a
change, and its memory the evidence. The nearer regard is to its bound, the smaller the change.
"""

from __future__ import annotations

from datetime import datetime

from hometown.agent.mind.mood import Stimulus
from hometown.world.regard import GROUNDS, Ground, Regard, Regarded
from hometown.world.state import State
from hometown.world.world import World

MAX_REGARD = 100

FADE_DAYS = {"regard": 1, "trust": 2}
"""The days in which each returns by one point towards 0."""

GOOD_REGARD, BAD_REGARD = 15, -15
"""The points from which a resident thinks well of another, or badly."""

VERY_GOOD_REGARD, VERY_BAD_REGARD = 40, -40


def current_regard(regard: Regard, now: datetime) -> tuple[int, int]:
    """Return (regard, trust), each -100 to 100, faded by one point towards 0 for every `FADE_DAYS`
    days since they last changed.
    """
    days = max(0, (now.date() - regard.since.date()).days)
    return _fade(regard.regard, days // FADE_DAYS["regard"]), _fade(
        regard.trust, days // FADE_DAYS["trust"]
    )


def regard_for(state: State, who: str, other: str) -> int:
    """Return a resident's present regard for another, -100 to 100."""
    return current_regard(state.regard(who, other), state.clock.now)[0]


def trust_in(state: State, who: str, other: str) -> int:
    """Return a resident's present trust in another, -100 to 100."""
    return current_regard(state.regard(who, other), state.clock.now)[1]


def update_regard(world: World, state: State, stirred: Stimulus) -> Regarded | None:
    """Return the new regard for another resident, and trust in them, after a stimulus, with the
    stimulus among its grounds.

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
    regard, trust = current_regard(before, now)
    ground = Ground(
        stirred.stir,
        _dampen(regard, part.regard),
        _dampen(trust, part.trust),
        stirred.memory,
        now,
    )
    after = Regard(
        regard + ground.regard,
        trust + ground.trust,
        now,
        _select_grounds((*before.grounds, ground)),
    )
    return Regarded(stirred.who, stirred.towards, after)


def _fade(points: int, by: int) -> int:
    """Return points moved towards 0 by a number of points."""
    return max(0, points - by) if points > 0 else min(0, points + by)


def _dampen(points: int, by: int) -> int:
    """Return the actual change of points: smaller near the bound, but at least 1 before it is
    reached.

    >>> _dampen(0, 12), _dampen(50, 12), _dampen(95, 12), _dampen(99, 3), _dampen(100, 12), _dampen(50, -12)
    (12, 6, 1, 1, 0, -12)
    """
    if by * points <= 0:
        return by
    left = MAX_REGARD - abs(points)
    return min(left, max(1, abs(by) * left // MAX_REGARD)) * (1 if by > 0 else -1)


def _select_grounds(grounds: tuple[Ground, ...]) -> tuple[Ground, ...]:
    """Return up to `GROUNDS` grounds with the most weight, of equal weight the later, oldest
    first.
    """
    kept = sorted(range(len(grounds)), key=lambda at: (-grounds[at].weight, -at))[:GROUNDS]
    return tuple(grounds[at] for at in sorted(kept))
