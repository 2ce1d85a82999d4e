"""Clones: a cast of any size, made again from nothing but its ids."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.world.clones import crowd, original, populate
from hometown.world.load import load_world


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_thousand_are_all_different_and_all_at_home(lang: Lang) -> None:
    world = load_world("minitown", lang)
    ids = crowd(list(world.personas), 1000)
    town = populate(world, ids)
    people = list(town.personas.values())
    assert [one.id for one in people] == ids
    assert len({one.name for one in people}) == 1000
    sleepers: dict[str, int] = {}
    for one in people:
        assert one.home.split("/")[0] == one.sleeps.split("/")[0]
        assert all(habit.place in world.spot_names for habit in one.habits)
        sleepers[one.sleeps] = sleepers.get(one.sleeps, 0) + 1
    assert all(town.things[bed].seats >= count for bed, count in sleepers.items())
    first, second = town.personas["lin_yue"], town.personas["lin_yue__2"]
    assert second.occupation == first.occupation
    assert (second.home, second.innate) != (first.home, first.innate)
    assert "Lin Yue" not in second.learned
    assert "林悦" not in second.learned
    assert second.relations
    assert set(second.relations) <= set(ids)


def test_a_clone_is_the_same_whoever_else_is_there() -> None:
    world = load_world("minitown", "en")
    alone = populate(world, ["wang_fang__7"]).personas["wang_fang__7"]
    among = populate(world, crowd(list(world.personas), 100)).personas["wang_fang__7"]
    assert (alone.name, alone.home, alone.innate) == (among.name, among.home, among.innate)
    assert original("wang_fang__7") == "wang_fang"
    assert replace(among, wake=0) != world.personas["wang_fang"]


def test_nobody_but_an_original_begins_with_a_storyline() -> None:
    world = load_world("minitown", "en")
    town = populate(world, crowd(list(world.personas), 50))
    assert all(
        not seed.storyline for one in town.personas.values() if "__" in one.id for seed in one.seeds
    )


def test_a_run_with_clones_is_resumed_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--name", "crowd", "--results", str(tmp_path), "--lang", "en"]
    assert (
        main(
            [
                *common,
                "--world",
                "minitown",
                "--residents",
                "2",
                "--clone",
                "7",
                "--step",
                "2",
                "--stride",
                "60",
                "--llm",
                "scripted",
            ]
        )
        == 0
    )
    assert main([*common, "--resume", "--step", "1", "--clone", "7", "--residents", "2"]) == 0
    assert main([*common, "--resume", "--step", "1", "--clone", "8"]) == 2
    assert "--residents" in capsys.readouterr().err
    with RunReader.open(tmp_path, "crowd") as run:
        assert len(run.residents) == 7
        assert Names.of(run).person("chen_siyuan__2") != "chen_siyuan__2"
