"""What the engine takes for a resident's step: a game day of 25, and a game hour in a village and
in a crowd, of 25 and of 1,000 residents.

`python -m benchmarks.crowd` prints the hours, `python -m benchmarks.crowd day` the day: the mean of
all its steps, and its busiest hour.

What is measured is lived twice: first with the stand-ins for a language model and for an embedding
model, whose replies and vectors are kept, then with these, so that the engine's time holds nothing
of what models do. It is time of the processor, and not of the clock, so that what else the machine
does counts little.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from datetime import datetime

from benchmarks.towns import STEPS_A_DAY, STRIDE, Remembering, seconds_of_steps, town_of
from hometown.world.world import World

WORLD = "ville"
FEW, MANY = 25, 1000
MIDNIGHT = datetime(2025, 2, 13)
MORNING = MIDNIGHT.replace(hour=9)
"""In the first step everybody plans the day; the hour that is measured follows it."""

STEPS = 60 // STRIDE


def measure() -> dict[str, float]:
    """Milliseconds of the engine per resident and step of the day of few, of its busiest hour, and
    of the hour of both; the ratio of these; the seconds of the hour of many, and peak memory in GB.
    """
    day = of_a_day(town_of(WORLD, FEW), FEW)
    few, many = (of_the_engine(town_of(WORLD, count)) for count in (FEW, MANY))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1e9 if sys.platform == "darwin" else 1e6
    )
    figures = {
        f"engine_hour_step_ms_{count}": seconds * 1000 / STEPS / count
        for count, seconds in ((FEW, few), (MANY, many))
    }
    return {
        **day,
        **figures,
        "crowd_hour_s": many,
        "crowd_ratio": many / MANY / (few / FEW),
        "crowd_memory_gb": peak,
    }


def of_the_engine(town: World) -> float:
    """Seconds of the processor for the hour of a town, without the stand-in's thinking."""
    return sum(_of_steps(town, MORNING, STEPS + 1)[1:])


def of_a_day(town: World, count: int) -> dict[str, float]:
    """Milliseconds of the engine per resident and step of a day from midnight on, and of its
    busiest hour, in a town of so many.
    """
    steps = _of_steps(town, MIDNIGHT, STEPS_A_DAY)
    hours = [sum(steps[at : at + STEPS]) / STEPS for at in range(0, STEPS_A_DAY, STEPS)]
    means = {"day": sum(hours) / len(hours), "busiest_hour": max(hours)}
    return {
        f"engine_{name}_step_ms_{count}": seconds * 1000 / count for name, seconds in means.items()
    }


def _of_steps(town: World, start: datetime, steps: int) -> list[float]:
    """Seconds of the processor for each step, without what models do."""
    model = Remembering()
    asyncio.run(seconds_of_steps(town, model, steps, start))
    return asyncio.run(seconds_of_steps(town, model, steps, start))


if __name__ == "__main__":
    if sys.argv[1:2] == ["day"]:
        for name, value in of_a_day(town_of(WORLD, FEW), FEW).items():
            print(f"{name:40} {value:.4g}", flush=True)
    else:
        for residents in map(int, sys.argv[1:]) if sys.argv[1:] else (FEW, MANY):
            print(
                f"engine_hour_step_ms_{residents:<20} {of_the_engine(town_of(WORLD, residents)) * 1000 / STEPS / residents:.4g}",
                flush=True,
            )
