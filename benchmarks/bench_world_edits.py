"""The world editor's questions for the bench: the figures of the towns with a society at several
hours.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.towns import new_run
from hometown.config import combine
from hometown.language import Lang
from hometown.prompt.prompt import Variables
from hometown.scripted.model import ScriptedModel
from hometown.study.interview import Interviewer
from hometown.study.laws.world_editor import read_figures
from hometown.world.load import load_world

WORLDS_WITH_RULES = ("farmstead", "cloudvale")

STEPS, MOMENTS = 210, 14
"""The number of steps that each town lives, and of questions in it, at equal distances."""


async def collect_world_edits(lang: Lang, folder: Path) -> list[Variables]:
    """Return the world editor's questions in all towns with rules."""
    asked: list[Variables] = []
    for name in WORLDS_WITH_RULES:
        world = load_world(name, lang)
        run, game = await new_run(folder / f"edited-{name}", world, steps=STEPS)
        with run:
            for _ in range(STEPS):
                await game.step()
            settings = combine([], world.settings)
            interviewer = Interviewer.on(run, world, ScriptedModel(), settings)
            for moment in range(1, MOMENTS + 1):
                step = moment * STEPS // MOMENTS
                mind = interviewer.mind(next(iter(world.personas)), step, Counter())
                state = interviewer.state(step)
                asked.append(read_figures(mind, interviewer.world(step), state, []))
    return asked
