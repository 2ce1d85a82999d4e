"""The time that a resident needs to walk to a place."""

from __future__ import annotations

import math

from hometown.agent.mind import Mind
from hometown.clock import TICKS_PER_MINUTE
from hometown.world.recipes import stand_for


def walking_minutes(mind: Mind, address: str) -> int:
    """Return the walking time to a place in minutes, rounded up."""
    stand = stand_for(mind.world, mind.state, mind.who, address)
    tiles = mind.world.maze.distance(mind.state.body(mind.who).tile, stand)
    return math.ceil(tiles / TICKS_PER_MINUTE)
