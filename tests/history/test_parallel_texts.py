"""The texts that authors have written in both languages are shown in the page's."""

from __future__ import annotations

import re

import pytest

from hometown.history.blocks import describe_run
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.paths import WORLDS
from hometown.world.effects import Began
from hometown.world.load import load_world
from tests.support.days import lived_day


def test_a_page_gets_what_the_author_has_written_in_both_languages(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with RunReader.open(lived_day(tmp_path_factory, "en"), "town") as run:
        names = Names.of(run, WORLDS)
        words = describe_run(run, names, "", "zh")["words"]
        assert describe_run(run, names, "", "en")["words"] == {}
        who = next(iter(run.residents))
        own, same = (
            load_world(run.manifest.world, lang, WORLDS).personas[who] for lang in ("en", "zh")
        )
    assert words[own.occupation] == same.occupation
    assert words[own.habits[0].activity] == same.habits[0].activity
    assert words["sleeping"] == "睡觉"
    assert words["looking around town"] == "在镇上四处看看"
    assert words["talking with {}"] == "和{}聊天"
    assert words["turning the pots towards the light"] == "把花盆转向光亮处"


@pytest.mark.parametrize("lang", LANGS)
def test_it_gets_all_that_the_stand_in_does(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    """Each activity of a day is a text in both languages, or one with others in its slots."""
    (other,) = (each for each in LANGS if each != lang)
    with RunReader.open(lived_day(tmp_path_factory, lang), "town") as run:
        words = describe_run(run, Names.of(run, WORLDS), "", other)["words"]
        activities = {
            logged.effect.action.activity
            for _, logged in run.run.effects()
            if isinstance(logged.effect, Began)
        }
    frames = [re.escape(text).replace(r"\{\}", ".+") for text in words]
    known = re.compile("|".join(frames))
    assert [each for each in activities if not known.fullmatch(each)] == []
