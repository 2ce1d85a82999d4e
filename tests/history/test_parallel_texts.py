"""What a world's author has written in both languages is shown in the page's."""

from __future__ import annotations

import pytest

from hometown.history.blocks import describe_run
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.paths import WORLDS
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
        name = names.person(who)
    assert words[own.occupation] == same.occupation
    assert words[own.habits[0].activity] == same.habits[0].activity
    assert words["sleeping"] == "睡觉"
    assert words[f"talking with {name}"] == f"和{name}聊天"
