"""The steps of an entry in a town with a society."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from hometown.agent.mind import Mind
from hometown.game import Game
from hometown.memory.schedule import Entry, Task
from hometown.society.joint_work import find_joint_recipes
from hometown.society.minds.errand_steps import plan_steps
from hometown.society.work_step import society_of
from hometown.world.load import load_world
from tests.support.society import societal
from tests.support.town import live


def test_what_two_have_agreed_to_do_together_is_no_question(tmp_path: Path) -> None:
    games: list[Game] = []
    live(tmp_path, 1, world=load_world("farmstead", "en"), after_each=games.append)
    mind = Mind("finn", games[0].context, Counter())
    society, lesson = society_of(mind), "a lesson in baking bread"
    entry = Entry(600, 660, lesson, "appointment", "green/well")
    tasks, cause = asyncio.run(plan_steps(mind, entry, (), 10))
    assert (tasks.items, cause) == ((Task(600, 660, lesson),), "rule:together")
    assert not find_joint_recipes(society, "sharing a bench", "en"), (
        "which is thought through like all else"
    )


def test_whoever_is_called_somewhere_is_not_asked_what_its_steps_mean(tmp_path: Path) -> None:
    games: list[Game] = []
    live(tmp_path, 1, world=societal(tmp_path), after_each=games.append)
    asked: list[Counter[str]] = []
    for called in ("", "park/grounds"):
        mind = Mind("xiao_mei", games[0].context, Counter())
        asyncio.run(plan_steps(mind, Entry(600, 660, "sharing a bench", address=called), (), 10))
        asked.append(Counter(call.kind for call in mind.calls))
    assert asked == [Counter(steps=1, ground=1), Counter(steps=1)]
