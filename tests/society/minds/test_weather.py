"""The day's weather: who wakes sees it once, and in bad weather leisure outdoors is spent at home."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hometown.agent.mind import Mind
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.society.minds.weather import describe_sheltering
from hometown.world.book.parts import WeatherPart
from hometown.world.world import World
from tests.support.society import societal
from tests.support.town import live, opened

SAYS = {"en": "it rains", "zh": "下着雨"}
STROLL = {"en": "taking a walk", "zh": "散步"}


def rainy(folder: Path, lang: Lang, indoors: bool) -> World:
    """Minitown's society, where it rains every day."""
    world = societal(folder, lang)
    assert world.book
    rain = WeatherPart(name={"en": "rain", "zh": "雨"}, says=SAYS, indoors=indoors)
    seasons = {
        season: part.model_copy(update={"weather": {"rain": 1}})
        for season, part in world.book.calendar.seasons.items()
    }
    calendar = world.book.calendar.model_copy(
        update={"seasons": seasons, "weather": {"rain": rain}}
    )
    return replace(world, book=replace(world.book, calendar=calendar))


@pytest.mark.parametrize("lang", LANGS)
def test_who_wakes_sees_the_weather_once(tmp_path: Path, lang: Lang) -> None:
    kept: list[str] = []

    def ask(game: Game) -> None:
        for who in game.world.personas:
            mind = Mind(who, game.context, Counter())
            kept.extend(
                describe_sheltering(mind, activity, at)
                for activity, at in (
                    (STROLL[lang], "park/grounds"),
                    (STROLL[lang], "cafe/main"),
                    ("", "park/grounds"),
                )
            )

    world = rainy(tmp_path, lang, indoors=True)
    live(tmp_path, 12, world=world, after_each=ask)
    with opened(tmp_path) as run:
        seen = [
            [memory.text for memory in run.memories(who) if memory.subject == "weather"]
            for who in run.manifest.residents
        ]
    assert max(map(len, seen)) == 1
    assert sum(map(len, seen)) >= 3
    assert all(SAYS[lang] in text for texts in seen for text in texts)
    assert {bool(kept[at]) for at in range(3, len(kept), 3)} == {True}, "no walk in the rain"
    assert not any(kept[1::3]), "the café has a roof"
    assert not any(kept[2::3]), "what is no leisure goes on"
