"""The steps of an entry in a town with a society."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from hometown.agent.mind import Mind
from hometown.game import Game
from hometown.memory.schedule import Entry, Task
from hometown.society.joint_work import find_joint_recipes
from hometown.society.minds.errand_choice import make_search
from hometown.society.minds.errand_steps import _variables, plan_steps
from hometown.society.minds.step_offers import offer_steps
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of
from hometown.world.effects import Logged
from hometown.world.labour import Barred, BlockedErrand, Errand, Outcome, Verb
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


def test_what_failed_lately_and_ways_are_said_once_and_while_they_hold(tmp_path: Path) -> None:
    games: list[Game] = []
    spring, world = datetime(2025, 4, 1, 7, 20), load_world("farmstead", "en")
    live(tmp_path, 1, world=world, start=spring, after_each=games.append)
    game = games[0]
    sow = Errand(Verb.DO, "fields/hill/furrows", "sow")
    for hours in (1, -1):
        until = game.state.clock.now + timedelta(hours=hours)
        bar = BlockedErrand(Outcome(replace(sow, count=2 + hours), "BUSY"), until)
        game.carry_out(Logged(Barred("bert", bar, game.state.clock.now), "bert", "test"))
    mind = Mind("bert", game.context, Counter())
    search = make_search(mind, society_of(mind))
    asked = _variables(
        mind,
        WorkPhrases(mind.world),
        search,
        Entry(600, 660, "sowing"),
        3,
        offer_steps(WorkPhrases(mind.world), search, mind.arena, replace(sow, at="")),
        (),
    )
    assert len(mind.state.blocked_errands("bert")) == 2
    assert len(asked.refused) == 1
    steps = [way.steps for way in asked.ways]
    assert len(steps) == len(set(steps)) > 2
