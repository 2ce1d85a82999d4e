"""What the engine takes for a resident's step, in a village and in a crowd: a game hour of 25 and of 1,000 residents.

The hour is lived twice: first with the stand-in, whose replies are kept, then with these, so that the engine's time holds none of the stand-in's own thinking.
It is time of the processor, and not of the clock, so that what else the machine does counts little.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from benchmarks.towns import STRIDE, Remembering, new_run, town_of
from hometown.garbage import rare_collections
from hometown.world.world import World

WORLD = "ville"
FEW, MANY = 25, 1000
MORNING = datetime(2025, 2, 13, 9, 0)
"""In the first step everybody plans the day; the hour that is measured follows it."""

STEPS = 60 // STRIDE


def measure() -> dict[str, float]:
    """Seconds of the hour of many, milliseconds of the engine per resident and step of both and their ratio, and peak memory in GB."""
    few, many = (of_the_engine(town_of(WORLD, count)) for count in (FEW, MANY))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    figures = {f"engine_step_ms_{count}": seconds * 1000 / STEPS / count for count, seconds in ((FEW, few), (MANY, many))}
    return {"crowd_hour_s": many, **figures, "crowd_ratio": many / MANY / (few / FEW), "crowd_memory_gb": peak}


def of_the_engine(town: World) -> float:
    """Seconds of the processor for the hour of a town, without the stand-in's thinking."""
    model = Remembering()
    asyncio.run(_hour(town, model))
    return asyncio.run(_hour(town, model))


async def _hour(town: World, model: Remembering) -> float:
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(Path(folder), town, steps=STEPS + 1, start=MORNING, model=model)
        with run, rare_collections() as between_steps:
            await game.step()
            between_steps()
            began = os.times()
            for _ in tqdm(range(STEPS), desc=f"{len(town.personas)} residents", unit="step"):
                await game.step()
                between_steps()
            ended = os.times()
    return ended.user + ended.system - began.user - began.system


if __name__ == "__main__":
    for residents in map(int, sys.argv[1:]) if sys.argv[1:] else (FEW, MANY):
        print(f"engine_step_ms_{residents:<24} {of_the_engine(town_of(WORLD, residents)) * 1000 / STEPS / residents:.4g}", flush=True)
