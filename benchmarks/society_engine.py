"""What a society costs the engine: `python -m benchmarks.society engine [DAYS] [WORLD]`.

The same town lives with its society and without it. The stand-in's replies are kept, so that each life is lived again without any thinking by the model, three
times in turn: what is measured is the engine, with its database. The quickest counts, in milliseconds of processor time a resident and step.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from time import process_time

from benchmarks.towns import STEPS_A_DAY, Remembering, new_run
from hometown.world.load import load_world
from hometown.world.world import World

ROUNDS = 3


async def lived(world: World, days: int, model: Remembering) -> float:
    """Milliseconds a resident and step."""
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(Path(folder), world, steps=days * STEPS_A_DAY, model=model)
        with run:
            began = process_time()
            for _ in range(days * STEPS_A_DAY):
                await game.step()
            return 1000 * (process_time() - began) / (days * STEPS_A_DAY * len(world.personas))


def main(days: str = "1", which: str = "farmstead") -> None:
    world = load_world(which, "en")
    lives = {"with its society": (world, Remembering()), "without": (replace(world, book=None), Remembering())}
    spent: dict[str, list[float]] = {name: [] for name in lives}
    for turn in range(ROUNDS + 1):  # the first is the one in which the model thinks
        for name, (town, model) in lives.items():
            found = asyncio.run(lived(town, int(days), model))
            spent[name] += [found] if turn else []
    print("; ".join(f"{name} {min(times):.2f} ms" for name, times in spent.items()))
