"""A town of districts: an ordinary world in which everybody lives apart and nobody is cut off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hometown.authoring.districts import gates, making
from hometown.authoring.districts.grid import grid
from hometown.authoring.districts.making import make_districts
from hometown.authoring.districts.people_names import names_by_district
from hometown.authoring.importing.importer import convert_world
from hometown.authoring.lint import lint
from hometown.cli.commands import main
from hometown.errors import BadInput, BadWorld
from hometown.world.load import load_world
from hometown.world.world import World, sector_of

pytest.importorskip("PIL.Image")

COUNT = 3
TOWN = "minitown"

WILLOWS = """\
柳巷

########..#########
#b...wd#..#.......#
#..A..c#..#..B...b#
###+####..####+####
...................

A  王芳的家 / 卧室
B  李强的家 / 卧室
b  床
w  衣柜
d  书桌
c  椅子

王芳，34，A
王芳是面包师。她是李强的好朋友。

李强，61，B
李强是退休教师。他认识王芳。
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    worlds = tmp_path_factory.mktemp("worlds")
    assert (
        main(
            [
                "world",
                "districts",
                TOWN,
                "--count",
                str(COUNT),
                "--name",
                "towns",
                "--worlds",
                str(worlds),
            ]
        )
        == 0
    )
    return worlds / "towns"


@pytest.fixture(scope="module")
def town(folder: Path) -> World:
    return load_world(folder, "en")


def test_it_has_no_faults_that_the_small_town_has_not(folder: Path) -> None:
    before, now = (lint(each) for each in (load_world(TOWN, "en").folder, folder))
    assert now.errors == 0
    assert len(now.problems) == COUNT * len(before.problems)


def test_everybody_lives_in_a_house_of_their_own_and_can_walk_to_all_others(town: World) -> None:
    people = list(town.personas.values())
    assert (
        len(people)
        == len({one.name for one in people})
        == len({one.sleeps for one in people})
        == COUNT * 6
    )
    beds = [town.things[one.sleeps].stands[0] for one in people]
    assert all(town.maze.distance(beds[0], bed) >= 0 for bed in beds)
    for one in people:
        district = one.id.partition("_")[0]
        assert all(
            address.startswith(f"{district}_")
            for address in (one.home, *one.knows, *(habit.place for habit in one.habits))
        )


def test_one_knows_those_of_the_own_district_and_somebody_across_the_border(town: World) -> None:
    small = load_world(TOWN, "en").personas
    for who, one in town.personas.items():
        district, _, life = who.partition("_")
        assert one.relations is not None
        own = {other for other in one.relations if other.startswith(district)}
        assert len(own) == len(small[life].relations or {})
        assert {other.partition("_")[2] for other in one.relations.keys() - own} <= {life}
    assert any(
        "Mill Hill" in text for text in (town.personas["d1_chen_siyuan"].relations or {}).values()
    )


def test_storylines_are_the_first_districts_alone(folder: Path) -> None:
    words = [word for story in load_world(folder, "en").storylines for word in story.keywords]
    telling = {
        file.stem.partition("_")[0]
        for file in (folder / "residents").glob("*.json")
        if any(word in file.read_text("utf-8") for word in words)
    }
    assert telling == {"d1"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_places_are_called_so_that_one_can_tell_them_apart(folder: Path, lang: Any) -> None:
    town = load_world(folder, lang)
    named = [sector.name for address, sector in town.sectors.items()]
    assert len(set(named)) == len(named)
    for one in town.personas.values():
        home = [
            other
            for other in town.personas.values()
            if sector_of(other.home) == sector_of(one.home)
        ]
        if len(home) == 1:
            assert one.name in town.sectors[sector_of(one.home)].name
    assert {
        town.place_name(address) for address in town.arenas if address.endswith("_cafe/main")
    } >= {town.sectors["d2_cafe"].name}


def test_a_society_cannot_be_divided_and_a_map_has_an_end(tmp_path: Path) -> None:
    with pytest.raises(BadWorld, match="has a society"):
        make_districts("farmstead", 4, "farms", tmp_path)
    with pytest.raises(BadInput, match=r"71 districts .* 2 to 70"):
        make_districts("ville", 71, "villes", tmp_path)
    assert not list(tmp_path.iterdir())


def test_addresses_and_ids_that_contain_names_stay_as_they_are(tmp_path: Path) -> None:
    drawn = tmp_path / "柳巷.txt"
    drawn.write_text(WILLOWS, "utf-8")
    small = convert_world(drawn, "small", None, tmp_path).folder
    town = load_world(make_districts("small", 2, "large", tmp_path), "zh")
    first = load_world(small, "zh").personas["王芳"]
    one, other = town.personas["d2_王芳"], town.personas["d2_李强"]
    assert (one.home, one.sleeps) == (f"d2_{first.home}", f"d2_{first.sleeps}")
    assert (one.relations or {}).keys() >= {"d2_李强"}
    assert {"王芳", "李强"}.isdisjoint({one.name, other.name})
    assert one.learned.startswith(one.name)
    assert other.name in one.learned


def test_a_town_with_faults_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "_write_pictures", lambda *_: None)
    with pytest.raises(BadWorld, match=r"large/residents/d1_\w+\.json"):
        make_districts(TOWN, 2, "large", tmp_path)
    assert not list(tmp_path.iterdir())


def test_districts_fill_their_grid_where_they_can() -> None:
    shape = grid(40, (140, 100), ("en",))
    assert (shape.columns, shape.rows) == (5, 8)
    assert len(list(shape.borders())) == 4 * 8 + 5 * 7
    assert len({district.names["en"] for district in grid(70, (140, 100), ("en",)).districts}) == 70


def test_a_gate_leads_where_least_is_in_the_way() -> None:
    blocked = np.zeros((50, 9), dtype=bool)
    blocked[:, 0] = True
    blocked[:, 1:6] = True
    blocked[7:11, 1:] = False
    assert gates.choose((blocked, blocked & False), (blocked, blocked & False)) == [8]
    tops = np.zeros_like(blocked)
    tops[10, 0] = True
    assert gates.choose((blocked, tops), (blocked, tops)) == [7]


def test_there_are_names_for_more_people_than_there_are_names() -> None:
    residents = {
        f"a{n}": {"name": {"en": f"A{n} B{n}"}, "pronouns": {"en": ["she"]}} for n in range(30)
    }
    called = names_by_district(residents, grid(60, (10, 10), ("en",)), ("en",))
    everybody = [each["en"] for people in called.values() for each in people.values()]
    assert len(set(everybody)) == len(everybody) == 1800
