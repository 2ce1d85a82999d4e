"""Others see the act, not the reason, the thought or the secret in its label."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hometown.agent.acting.partners import describe_neighbour
from hometown.agent.perception.perceive import resident_event
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.world import keys
from hometown.world.load import load_world
from hometown.world.outside import visible_act
from tests.support.town import live, minds_of, minitown

NOW = datetime(2025, 2, 13, 12, 0)


@pytest.mark.parametrize(
    ("lang", "activity", "seen"),
    [
        ("en", "eating dumplings because nobody came", "eating dumplings"),
        ("en", "missing her parents", "deep in thought"),
        ("en", "asking Zhang Wei to speak at the reading circle", "having a word with someone"),
        ("en", "sketching the noodle seller's hands", "sketching the noodle seller's hands"),
        ("en", "writing and remembering", "writing and remembering"),
        ("en", "getting back to sketching the logo", "getting back to sketching the logo"),
        ("zh", "跟林悦说公司要裁员的事", "和人说着话"),
        ("zh", "给小陈盛饭夹菜，装作什么也没听见", "给小陈盛饭夹菜"),
        ("zh", "犹豫要不要开口", "想着心事"),
        ("zh", "插花", "插花"),
    ],
)
def test_the_outside_of_an_activity_is_its_visible_act(
    lang: Lang, activity: str, seen: str
) -> None:
    assert visible_act(minitown(lang), activity, "cafe/main", NOW) == seen


@pytest.mark.parametrize("name", ["minitown", "ville"])
@pytest.mark.parametrize("lang", LANGS)
def test_habits_are_seen_as_they_are_called(name: str, lang: Lang) -> None:
    world = load_world(name, lang)
    labels = [habit.activity for one in world.personas.values() for habit in one.habits]
    changed = {label for label in labels if visible_act(world, label, "", NOW) != label}
    assert len(changed) <= len(labels) // 50, changed


@pytest.mark.parametrize("lang", LANGS)
def test_no_secret_is_learnt_from_a_label(tmp_path: Path, lang: Lang) -> None:
    world = minitown(lang)

    def check(game: Game) -> None:
        mind = minds_of(game, ["lin_yue"], NOW)["lin_yue"]
        for story in world.storylines:
            for word in story.keywords:
                label = f"{word} {word}"
                action = replace(game.state.action("chen_siyuan"), kind="act", activity=label)
                game.state.put(keys.ACTION.of("chen_siyuan"), action)
                mind = minds_of(game, ["lin_yue"], NOW)["lin_yue"]
                seen = resident_event(mind, "chen_siyuan")
                assert not story.is_mentioned_in(seen.describe + seen.predicate)
                assert not story.is_mentioned_in(describe_neighbour(mind, "chen_siyuan").doing)
                own = minds_of(game, ["chen_siyuan"], NOW)["chen_siyuan"]
                assert resident_event(own, "chen_siyuan").predicate == label

    live(tmp_path, 1, world=world, after_each=check)
