"""Residents wait for a thing in use by another."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from hometown.agent.acting.react import react
from hometown.language import LANGS, Lang
from hometown.memory.action import Action
from hometown.memory.schedule import Entry, Schedule
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.rows import ThingState
from tests.support.town import begin_town, game_on, minds_of, minitown

STALL = "square/plaza/snack_stall"
WAITING = {"en": "waiting for the snack stall", "zh": "等小吃摊空出来"}


@pytest.mark.parametrize("lang", LANGS)
def test_a_thing_that_is_waited_for_has_an_article(tmp_path: Path, lang: Lang) -> None:
    begin_town(tmp_path, lang)
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run, minitown(lang))
        rows = game.state
        for who in ("lin_yue", "chen_siyuan"):
            whole_day = Entry(0, 1440, "having lunch on the square")
            rows.put(keys.SCHEDULE.of(who), Schedule(rows.clock.now.date(), (whole_day,)))
            rows.put(keys.ACTION.of(who), Action("act", "", STALL, 10, "", "", rows.clock.now))
        rows.put(keys.BODY.of("lin_yue"), replace(rows.body("lin_yue"), refused="in use"))
        rows.put(keys.THING.of(STALL), ThingState(("chen_siyuan",)))
        intent = asyncio.run(react(minds_of(game, ["lin_yue"])["lin_yue"], ()))
    assert intent.action is not None
    assert (intent.action.kind, intent.action.activity) == ("wait", WAITING[lang])
