"""Company that is named but absent."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hometown.agent.perception.perceive import resident_event
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.world import keys
from hometown.world.resident_names import drop_absent_company, find_absent_company
from hometown.world.sights import Sights
from tests.support.town import live, minds_of, minitown


@pytest.mark.parametrize(
    ("lang", "activity", "present", "rest", "absent"),
    [
        ("en", "having coffee with Chen Siyuan", "", "having coffee", ["chen_siyuan"]),
        (
            "en",
            "having coffee with Chen Siyuan",
            "chen_siyuan",
            "having coffee with Chen Siyuan",
            [],
        ),
        (
            "en",
            "walking with Wang Fang and Lin Yue in the park",
            "lin_yue",
            "walking with Lin Yue in the park",
            ["wang_fang"],
        ),
        ("en", "playing with Lin Yue's cat", "", "playing with Lin Yue's cat", []),
        ("en", "painting Lin Yue", "", "painting Lin Yue", []),
        ("zh", "和陈思远一起喝咖啡", "", "喝咖啡", ["chen_siyuan"]),
        ("zh", "领着思远往广场走", "", "往广场走", ["chen_siyuan"]),
        ("zh", "跟王芳、林悦吃晚饭", "lin_yue", "跟林悦吃晚饭", ["wang_fang"]),
        ("zh", "和林悦的猫玩", "", "和林悦的猫玩", []),
    ],
)
def test_company_that_is_not_there(
    lang: Lang, activity: str, present: str, rest: str, absent: list[str]
) -> None:
    world = minitown(lang)
    assert drop_absent_company(world, activity, present.__eq__) == rest
    assert list(find_absent_company(world, activity, present.__eq__)) == absent


@pytest.mark.parametrize("lang", LANGS)
def test_others_see_a_resident_without_absent_company_and_the_resident_remembers_so(
    tmp_path: Path, lang: Lang
) -> None:
    world = minitown(lang)
    activity = {"en": "having coffee with Zhao Gang", "zh": "和赵刚喝咖啡"}[lang]
    alone = {"en": "having coffee", "zh": "喝咖啡"}[lang]
    note = {"en": "(Zhao Gang not being there)", "zh": "（赵刚不在）"}[lang]

    def check(game: Game) -> None:
        arena = game.world.maze.arena_at(game.state.body("zhao_gang").tile)
        own = game.world.maze.arena_at(game.state.body("chen_siyuan").tile)
        assert arena != own
        action = replace(
            game.state.action("chen_siyuan"),
            kind="act",
            activity=activity,
            address="",
            started=NOW,
        )
        game.state.put(keys.ACTION.of("chen_siyuan"), action)
        minds = minds_of(game, ["lin_yue", "chen_siyuan"], NOW)
        assert resident_event(minds["lin_yue"], "chen_siyuan").predicate == alone
        assert resident_event(minds["chen_siyuan"], "chen_siyuan").describe.endswith(note)
        told = {"en": "Zhao Gang is not here.", "zh": "赵刚不在这里。"}[lang]
        assert told in minds["chen_siyuan"].situation.around

        sights = Sights(world, game.state, ["lin_yue", "chen_siyuan"], 8)  # the rest is out of town
        sights.onlookers["lin_yue"].people["chen_siyuan"] = "cafe/main"
        (passed,) = [effect for effect in sights.passed() if effect.who == "lin_yue"]
        assert [one.activity for one in passed.people] == [alone]

    live(tmp_path, 1, world=world, after_each=check)


NOW = datetime(2025, 2, 13, 12, 0)
