"""What residents who think in the same step have in common."""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.model.caller import Caller
from hometown.settings import Settings
from hometown.world.scene import Scene
from hometown.world.state import State
from hometown.world.world import World


@frozen
class Moment:
    """When a step takes place: its number, the time at which it begins, and its length in game
    minutes.
    """

    step: int
    now: datetime
    stride: int


@frozen
class StepContext:
    """What all residents share who think on the same snapshot."""

    world: World
    snapshot: State
    scene: Scene
    moment: Moment
    settings: Settings
    seed: int
    caller: Caller
