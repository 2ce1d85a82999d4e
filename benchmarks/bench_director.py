"""The director's questions for the bench: what is open in each town at several hours of a day."""

from __future__ import annotations

from pathlib import Path

from benchmarks.towns import new_run
from hometown.director import ask_director
from hometown.language import Lang
from hometown.prompt.prompt import Variables
from hometown.world.load import load_world

WORLDS_BY_STEPS = {"minitown": 90, "cloudvale": 90, "farmstead": 60, "ville": 15}
"""The number of steps that each town lives, by its id."""

MOMENTS = 7
"""The number of questions in each town, at equal distances."""


async def collect_directions(lang: Lang, folder: Path) -> list[Variables]:
    """Return the director's questions in all towns."""
    asked: list[Variables] = []
    for name, steps in WORLDS_BY_STEPS.items():
        world = load_world(name, lang)
        run, game = await new_run(folder / f"directed-{name}", world, steps=steps)
        with run:
            for step in range(1, steps + 1):
                await game.step()
                if step % (steps // MOMENTS) == 0:
                    moment = game.begin_step()
                    view = game.view("", moment)
                    asked.append(ask_director(game.world, game.state, view, step))
    return asked
