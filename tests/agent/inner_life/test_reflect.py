"""What residents look back on when they reflect."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from hometown.agent.inner_life import reflect
from hometown.agent.mind import NewMemory
from hometown.storage.run import RunFile
from tests.support.days import lived_day, set_out
from tests.support.town import game_on, minds_of


def test_of_many_memories_those_that_mattered_most_are_looked_back_on_in_order(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    drowned: list[bool] = []
    set_out(lived_day(tmp_path_factory), tmp_path, 60)
    with RunFile.open(tmp_path, "town", write=True) as run:
        for mind in minds_of(game_on(run), run.manifest.residents).values():
            who = mind.who
            recent = mind.state.memory(who).recent(
                ("event", "thought", "chat"), mind.settings.think.focus_recent
            )
            shown = reflect._choose_focus_memories(mind, ())
            assert [one.id for one in shown] == sorted(one.id for one in shown)
            assert len(shown) == min(len(recent), reflect.MAX_FOCUS_MEMORIES)
            left_out = [one for one in recent if one not in shown]
            assert all(one.poignancy <= min(kept.poignancy for kept in shown) for one in left_out)
            drowned.append(bool(left_out))
    assert any(drowned)


def test_a_thought_of_long_ago_is_not_noted_again(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    set_out(lived_day(tmp_path_factory), tmp_path, 144)
    with RunFile.open(tmp_path, "town", write=True) as run:
        minds = minds_of(game_on(run), run.manifest.residents)
        mind, thoughts = max(
            (
                (mind, list(mind.state.memory(mind.who).since(datetime.min, ("thought",))))
                for mind in minds.values()
            ),
            key=lambda each: len(each[1]),
        )
        first = thoughts[-1]
        again = [
            (NewMemory("thought", first.text, mind.who, "think", about=about), 5)
            for about in (first.about, (*first.about, "tom"))
        ]
        assert asyncio.run(reflect.store_thoughts(mind, [(again, "call:reflect_insights#1")])) == []
