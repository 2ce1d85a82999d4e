"""Residents wait for a thing in use by another."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from hometown.agent.acting.act import decide
from hometown.agent.acting.react import react
from hometown.agent.mind import Mind
from hometown.clock import minute_of_day
from hometown.language import LANGS, Lang
from hometown.memory.action import Action
from hometown.memory.schedule import Entry, PlacedTask, Schedule, Task, Tasks
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.rows import ThingState
from tests.support.town import begin_town, game_on, minds_of, minitown

STALL = "square/plaza/snack_stall"
WAITING = {"en": "waiting for the snack stall", "zh": "等小吃摊空出来"}


class Refused:
    """A town in which Lin Yue was refused the snack stall, which Chen Siyuan uses."""

    def __init__(self, run: RunFile, lang: Lang) -> None:
        self.game = game_on(run, minitown(lang))
        rows, lunch = self.game.state, Task(0, 1440, "having lunch on the square", "doing")
        for who in ("lin_yue", "chen_siyuan"):
            whole_day = Entry(0, 1440, lunch.activity)
            rows.put(keys.SCHEDULE.of(who), Schedule(rows.clock.now.date(), (whole_day,)))
            rows.put(keys.TASKS.of(who), Tasks(0, (lunch,)))
            act = Action("act", lunch.activity, STALL, 10, "", "", rows.clock.now)
            rows.put(keys.ACTION.of(who), act)
        rows.put(keys.BODY.of("lin_yue"), replace(rows.body("lin_yue"), refused="in use"))
        rows.put(keys.THING.of(STALL), ThingState(("chen_siyuan",)))

    @property
    def mind(self) -> Mind:
        return minds_of(self.game, ["lin_yue"])["lin_yue"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_thing_that_is_waited_for_has_an_article(tmp_path: Path, lang: Lang) -> None:
    begin_town(tmp_path, lang)
    with RunFile.open(tmp_path, "town", write=True) as run:
        intent = asyncio.run(react(Refused(run, lang).mind, ()))
    assert intent.action is not None
    assert (intent.action.kind, intent.action.activity) == ("wait", WAITING[lang])


@pytest.mark.parametrize("next_task", ["another", "of another entry"])
def test_a_thing_that_was_refused_is_not_waited_for_once_something_else_is_due(
    tmp_path: Path, next_task: str
) -> None:
    """Nor does the refusal keep the next task from its place."""
    begin_town(tmp_path)
    with RunFile.open(tmp_path, "town", write=True) as run:
        town = Refused(run, "en")
        rows = town.game.state
        minute = minute_of_day(rows.clock.now)
        walk = PlacedTask(minute, 1440, "taking a walk", address="park/grounds", emoji="🚶")
        if next_task == "another":
            rows.put(keys.TASKS.of("lin_yue"), Tasks(0, (walk,)))
        else:
            met = Entry(minute, 1440, walk.activity, "appointment", walk.address)
            schedule = rows.schedule("lin_yue").splice(met)
            rows.put(keys.SCHEDULE.of("lin_yue"), schedule)
        assert asyncio.run(react(town.mind, ())).action is None
        action = asyncio.run(decide(town.mind, ())).action
    assert action is not None
    assert (action.kind, action.address) == ("act", walk.address)
