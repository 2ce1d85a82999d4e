"""The director's questions for the bench: what is open in each town at several hours of a day, and
who the strangers are that come.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.towns import new_run
from hometown.director import ask_director, ask_stranger
from hometown.language import Lang
from hometown.prompt.prompt import Variables
from hometown.world.load import load_world

WORLDS_BY_STEPS = {"minitown": 90, "cloudvale": 90, "farmstead": 60, "ville": 15}
"""The number of steps that each town lives, by its id."""

MOMENTS = 7
"""The number of questions in each town, at equal distances."""


STRANGERS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "a woman with a folded map asks the way to the river",
        "an old man with a cello case sits down on the edge of the fountain",
        "a young man with wet shoes reads every notice on the board, twice",
        "a girl with a kite waits where the road comes in",
        "a man in a grey coat counts the windows of the houses and writes the number down",
        "somebody with a rucksack and a cat on top of it looks for a room for the night",
        "a woman carries a framed photograph and compares it with the house fronts",
        "two metres of a man fold themselves onto a bench and fall asleep",
        "a cyclist with a broken chain asks for a rag, then for tea",
        "a lady in green gloves says that she was born here, in a house that is no longer there",
        "a man with a folding rule measures the bridge",
    ),
    "zh": (
        "一个女人展开地图，打听去河边怎么走",
        "一位背着大提琴盒的老人，在喷泉边上坐了下来",
        "一个鞋子湿透的年轻人，把告示栏从头到尾看了两遍",
        "一个小姑娘拿着风筝，站在进镇的路口等着",
        "一个穿灰大衣的男人，挨家数窗户，数完记在本子上",
        "有人背着包，包上蹲着一只猫，想找间屋子过夜",
        "一个女人抱着镶框的老照片，拿它跟沿街的门面一处处比",
        "一个高得出奇的男人把自己折进长椅，睡着了",
        "一个骑车的人链子断了，先借块抹布，又讨杯茶",
        "一位戴绿手套的太太，说她就生在这儿，那座房子早没了",
        "一个拿折尺的男人，在量桥有多宽",
    ),
}
"""Strangers as the director describes them when they are first seen."""

TOWNS_OF_STRANGERS = ("minitown", "ville")
"""The towns to which strangers come: those without a society."""


async def collect_strangers(lang: Lang, folder: Path) -> list[Variables]:
    """Return the questions for the persons behind all strangers, in each of their towns."""
    asked: list[Variables] = []
    for name in TOWNS_OF_STRANGERS:
        world = load_world(name, lang)
        run, game = await new_run(folder / f"visited-{name}", world, steps=len(STRANGERS[lang]))
        with run:
            for text in STRANGERS[lang]:
                await game.step()
                asked.append(ask_stranger(world, game.view("", game.begin_step()), text))
    return asked


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
