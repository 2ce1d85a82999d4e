"""What residents do without the rules' search for means."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from hometown.agent.mind import Mind
from hometown.game import Game
from hometown.memory.schedule import Entry, MeantTask
from hometown.model.llm import Completion, Request
from hometown.prompt.errand_matching import StepsVars
from hometown.scripted.model import ScriptedModel
from hometown.society.bodies import change_needs
from hometown.society.minds.errand_choice import meet_urgent_need
from hometown.society.minds.errand_steps import plan_steps
from hometown.society.minds.step_offers import things_in_sight
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of
from hometown.world.effects import Logged
from hometown.world.labour import NeedsSet
from tests.support.society import HUNGRY, societal
from tests.support.town import live


class Listener(ScriptedModel):
    """The stand-in, which keeps what it was asked for the steps of entries."""

    def __init__(self) -> None:
        self.asked: list[StepsVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if isinstance(request.variables, StepsVars):
            self.asked.append(request.variables)
        return await super().complete(request, seed=seed, priority=priority)


def found(folder: Path, autopilot: str) -> tuple[Mind, Listener]:
    """Xiao Mei, starving with bread in her bag, under an autopilot."""
    games, model = list[Game](), Listener()
    live(
        folder,
        1,
        world=societal(folder, needs=HUNGRY),
        settings={"faculties": {"autopilot": autopilot}},
        model=model,
        after_each=games.append,
    )
    game = games[0]
    assert game.world.book
    needs = change_needs(
        game.world.book,
        game.state.needs("xiao_mei"),
        game.state.clock.now,
        {"hunger": -950},
        asleep=False,
    )
    game.carry_out(Logged(NeedsSet("xiao_mei", needs), "xiao_mei", "test"))
    return Mind("xiao_mei", game.look(game.context.moment), Counter()), model


@pytest.mark.parametrize(("autopilot", "eats"), [("reflexes", True), ("none", False)])
def test_bodies_act_by_reflex_or_not_at_all(tmp_path: Path, autopilot: str, eats: bool) -> None:
    mind, model = found(tmp_path, autopilot)
    assert (meet_urgent_need(mind) is not None) == eats
    entry = Entry(600, 720, "baking bread", "activity")
    tasks, _ = asyncio.run(plan_steps(mind, entry, (), 10))
    asked = model.asked[-1]
    assert asked.is_literal
    assert "food" in asked.low, "which the resident decides about"
    assert any(way.purpose == "food" for way in asked.ways)
    first_way = asked.ways[0]
    assert first_way.purpose == "baking bread (40 min)", "what the entry says"
    assert first_way.steps[0].startswith("fetching 8 × flour from ")
    assert things_in_sight(WorkPhrases(mind.world), society_of(mind), "square/plaza") == (
        ("square/plaza/fountain", mind.world.name_of("square/plaza/fountain")),
    )
    first = tasks.items[0]
    assert isinstance(first, MeantTask)
    assert (first.verb, first.what) == ("do", "eat/loaf"), "the stand-in sees to what is needed"
