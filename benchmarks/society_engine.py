"""What a society costs the engine: `python -m benchmarks.society engine [DAYS] [WORLD]`.

The same town lives with its society and without it. The stand-in's replies are kept, so that each
life is lived again without any thinking by the model, three times in turn: what is measured is the
engine, with its database. The quickest counts, in milliseconds of processor time a resident and
step.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from benchmarks.towns import STEPS_A_DAY, Remembering, seconds_of_steps
from hometown.world.load import load_world

ROUNDS = 3


def main(days: str = "1", which: str = "farmstead") -> None:
    world, steps = load_world(which, "en"), int(days) * STEPS_A_DAY
    lives = {
        "with its society": (world, Remembering()),
        "without": (replace(world, book=None), Remembering()),
    }
    spent: dict[str, list[float]] = {name: [] for name in lives}
    for turn in range(ROUNDS + 1):  # the first is the one in which the model thinks
        for name, (town, model) in lives.items():
            seconds = sum(asyncio.run(seconds_of_steps(town, model, steps)))
            spent[name] += [1000 * seconds / steps / len(town.personas)] if turn else []
    print("; ".join(f"{name} {min(times):.2f} ms" for name, times in spent.items()))
