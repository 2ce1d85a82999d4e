"""The shared context of all residents who think in the same step."""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.model.caller import Caller
from hometown.settings import Settings
from hometown.world.state import State
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import World


@frozen
class Moment:
    """The number of a step, its start, and its length `stride` in game minutes."""

    step: int
    now: datetime
    stride: int


@frozen
class StepContext:
    """The read-only inputs of a step: world, state snapshot, scene, time, settings, seed and model."""

    world: World
    snapshot: State
    scene: Whereabouts
    moment: Moment
    settings: Settings
    seed: int
    caller: Caller
