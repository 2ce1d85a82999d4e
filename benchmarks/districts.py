"""People who live apart, in districts of the Ville: what the engine takes for their steps, beside a
crowd on the Ville's own map, and what a whole day takes.

`python -m benchmarks.districts` measures an hour of 25, 200 and 1,000 as `benchmarks.crowd` does,
`python -m benchmarks.districts engine 1000` a day of so many; `python -m benchmarks.districts day
1000` lives a day with the scripted model, as `hometown run` does, and tells minutes and memory.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from tqdm import tqdm

from benchmarks.crowd import MANY, STEPS, WORLD, of_a_day, of_the_engine
from benchmarks.towns import STEPS_A_DAY, new_run, town_of
from hometown.authoring.districts.making import make_districts
from hometown.garbage import tune_collector
from hometown.world.clones import populate
from hometown.world.load import load_world
from hometown.world.world import World

A_DISTRICT = 25
"""People of the Ville."""

SIZES = (25, 200, MANY)


def town_apart(count: int, worlds: Path) -> World:
    """As many districts of the Ville as so many people live in; one is the Ville itself."""
    if count <= A_DISTRICT:
        return town_of(WORLD, count)
    world = load_world(
        make_districts(WORLD, -(-count // A_DISTRICT), f"districts{count}", worlds), "en"
    )
    return populate(world, list(world.personas)[:count])


def measure() -> dict[str, float]:
    """Milliseconds of the engine per resident and step of an hour of a thousand in districts."""
    with tempfile.TemporaryDirectory() as worlds:
        return {
            f"districts_hour_step_ms_{MANY}": of_the_engine(town_apart(MANY, Path(worlds)))
            * 1000
            / STEPS
            / MANY
        }


def engine(count: int) -> None:
    """Prints the engine's milliseconds for a resident's step of a day, and of its busiest hour, in
    districts.
    """
    with tempfile.TemporaryDirectory() as worlds:
        for name, value in of_a_day(town_apart(count, Path(worlds)), count).items():
            print(f"{name:40} {value:.4g}", flush=True)


def hours() -> None:
    """Prints the engine's milliseconds for a resident's step, in districts and crowded."""
    with tempfile.TemporaryDirectory() as worlds:
        for count in SIZES:
            for place, town in (
                ("districts", town_apart(count, Path(worlds))),
                ("crowded", town_of(WORLD, count)),
            ):
                print(
                    f"{place}_step_ms_{count:<20} {of_the_engine(town) * 1000 / STEPS / count:.4g}",
                    flush=True,
                )


async def day(count: int) -> None:
    """Lives a day from midnight on, and prints the minutes of the clock and of the processor, and
    the most memory that the process held.
    """
    with tempfile.TemporaryDirectory() as folder:
        town = town_apart(count, Path(folder))
        run, game = await new_run(
            Path(folder), town, steps=STEPS_A_DAY, start=town.start.replace(hour=0)
        )
        with run, tune_collector() as between_steps:
            began, clock = os.times(), time.perf_counter()
            for _ in tqdm(range(STEPS_A_DAY), desc=f"{count} residents", unit="step"):
                await game.step()
                between_steps()
            ended, minutes = os.times(), (time.perf_counter() - clock) / 60
            megabytes = sum(file.stat().st_size for file in run.file.parent.iterdir()) / 1e6
    processor = (ended.user + ended.system - began.user - began.system) / 60
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1e9 if sys.platform == "darwin" else 1e6
    )
    print(
        f"day_minutes {minutes:.3g}\nday_processor_minutes {processor:.3g}\nday_memory_gb {peak:.3g}\nday_database_mb {megabytes:.4g}",
        flush=True,
    )


if __name__ == "__main__":
    so_many = int(sys.argv[2]) if sys.argv[2:] else MANY
    if sys.argv[1:2] == ["day"]:
        asyncio.run(day(so_many))
    elif sys.argv[1:2] == ["engine"]:
        engine(so_many)
    else:
        hours()
