"""What residents look back on when they reflect."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from hometown.agent.inner_life import reflect
from hometown.agent.mind import NewMemory
from hometown.game import Game
from hometown.memory.concept import Concept
from hometown.prompt.reflections import ChatsReply, ChatThought
from hometown.storage.run import RunFile
from hometown.world.effects import Reflected, Related
from hometown.world.load import load_world
from tests.support.days import lived_day, set_out
from tests.support.noon_town import CHEN, LIN
from tests.support.town import game_on, live, minds_of


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


@pytest.mark.parametrize(("name", "is_kept"), [("Lin Yue", False), ("Lin", False), ("Tom", True)])
def test_what_was_meant_for_one_talked_with_since_is_out_of_date_by_any_of_their_names(
    game: Game, name: str, is_kept: bool
) -> None:
    mind = minds_of(game, [CHEN])[CHEN]
    mind.do(Reflected(CHEN, mind.now - timedelta(minutes=10)), "test")
    mind.do(Related(CHEN, LIN, mind.state.relation(CHEN, LIN).after((), mind.now)), "test")
    chat = Concept(1, "chat", "They talked.", CHEN, "chat", LIN, "", 5, mind.now, mind.now)
    asked = SimpleNamespace(chats=[chat])
    reply = ChatsReply(thoughts=[ChatThought(chat=1, plan=f"Tell {name} about the party")])
    assert bool(reflect.extract_thoughts(mind, reply, asked)) is is_kept


@pytest.mark.parametrize("name", ["Bert Thorne", "Bert"])
def test_an_insight_is_an_impression_by_any_of_the_names(tmp_path: Path, name: str) -> None:
    farmstead = load_world("farmstead", "en")
    live(tmp_path, 1, world=farmstead)
    with RunFile.open(tmp_path, "town", write=True) as run:
        mind = minds_of(game_on(run, farmstead), ["ada"])["ada"]
        first, second, *_ = mind.state.memory("ada").concepts
        insight = NewMemory(
            "thought",
            f"{name} is reliable.",
            "ada",
            "think",
            evidence=(first, second),
            about=("bert",),
        )
        asyncio.run(
            reflect.store_thoughts(mind, [([(insight, 5)], f"{reflect.INSIGHT_CAUSE_PREFIX}0")])
        )
        assert mind.state.impression("ada", "bert")
