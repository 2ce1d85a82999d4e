"""The moments that mattered are those of the run, the weightiest first to be kept, and not ten
times the same.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from hometown.history.blocks import VIEWS
from hometown.history.highlights import MAX_HIGHLIGHTS, MIN_TICKS_BETWEEN, highlights, scenes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.paths import WORLDS
from hometown.text import coverage
from tests.support.days import lived_day


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_they_are_of_the_run_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with RunReader.open(lived_day(tmp_path_factory, lang), "town") as run:
        chosen = highlights(run, Names.of(run, WORLDS))
        (weightiest,) = run.database.execute(
            "SELECT max(poignancy) FROM memories WHERE type = 'chat'"
        ).fetchone()
        told = {
            memory.concept.talk
            for memory in run.memories(1, run.last_step(), ("chat",))
            if memory.concept.poignancy == weightiest
        }
        for moment in chosen:
            assert moment["text"]
            assert set(moment["who"]) <= set(run.residents)
            if moment["kind"] == "conversation":
                talk = run.conversation(moment["conversation"])
                assert talk is not None
                assert (run.tick(talk.started), talk.address) == (
                    moment["tick"],
                    moment["address"],
                )
                assert coverage(moment["text"], talk.summary) > 0.5
    assert 3 < len(chosen) <= MAX_HIGHLIGHTS
    assert [moment["tick"] for moment in chosen] == sorted(moment["tick"] for moment in chosen)
    assert told & {moment["conversation"] for moment in chosen}
    for one, other in combinations(chosen, 2):
        assert (
            set(one["who"]) != set(other["who"])
            or abs(one["tick"] - other["tick"]) >= MIN_TICKS_BETWEEN
        )


def test_they_are_the_weightiest_of_what_is_worth_seeing(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with RunReader.open(lived_day(tmp_path_factory, "en"), "town") as run:
        names = Names.of(run, WORLDS)
        seen = scenes(run, names)
        chosen = highlights(run, names)
    wordless = [{key: value for key, value in moment.items() if key != "text"} for moment in chosen]
    assert len(seen) > len(wordless)
    assert all(moment in seen for moment in wordless)
    assert max(scene["weight"] for scene in seen) == max(moment["weight"] for moment in chosen)
    assert [scene["tick"] for scene in seen] == sorted(scene["tick"] for scene in seen)
    assert any(scene["news"] for scene in seen)


def test_they_have_an_address() -> None:
    assert {"highlights", "scenes"} <= {view.address for view in VIEWS}
