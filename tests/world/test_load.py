"""World folders: minitown is whole, and what is broken in a copy of it is told in one line each."""

from __future__ import annotations

import json
import random
import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hometown.clock import DAY
from hometown.errors import BadInput, BadWorld
from hometown.language import LANGS, Lang
from hometown.paths import WORLDS
from hometown.world import map_places
from hometown.world.load import list_worlds, load_world
from hometown.world.world import OUTDOORS, World
from tests.support.spoilt_worlds import MOST_CALLS, Edit, edit, faults, in_layer
from tests.support.work import counted_calls


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WORLDS / "minitown", tmp_path / "broken"))


def set_property(placed: dict[str, Any], name: str, value: Any) -> None:
    placed["properties"] = [one for one in placed["properties"] if one["name"] != name]
    if value is not None:
        placed["properties"].append({"name": name, "type": "string", "value": value})


# minitown ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=LANGS)
def town(request: pytest.FixtureRequest) -> World:
    return load_world("minitown", request.param)


def test_minitown_is_listed_and_loads_at_once(copy: Path) -> None:
    """A copy of it, which no other test has read."""
    assert "minitown" in list_worlds()
    with counted_calls() as calls:
        load_world(copy, "zh")
    assert MOST_CALLS / 10 < calls[0] < MOST_CALLS


def test_minitown_has_its_cast_and_places(town: World) -> None:
    assert list(town.personas) == [
        "chen_siyuan",
        "lin_yue",
        "wang_fang",
        "xiao_mei",
        "zhang_wei",
        "zhao_gang",
    ]
    assert {"cafe", "park", "studio", "library", "square", "outdoors"} <= set(town.sectors)
    assert town.arenas[OUTDOORS].name == {"en": "the streets", "zh": "街上"}[town.lang]
    assert town.name_of("wang_fang") == {"en": "Wang Fang", "zh": "王芳"}[town.lang]
    assert (
        town.place_name("cafe/main/counter")
        == {"en": "Starlight Café", "zh": "星光咖啡店"}[town.lang]
    )


def test_a_room_is_not_named_after_its_building_twice() -> None:
    rooms = ("pub/storeroom", "supply_store/shop", "willows/pharmacy", "hobbs_cafe/kitchen")
    assert {
        lang: [load_world("ville", lang).place_name(room) for room in rooms] for lang in LANGS
    } == {
        "en": [
            "The Rose and Crown Pub, storeroom",
            "Harvey Oak Supply Store, supply store",
            "The Willows Market and Pharmacy, pharmacy",
            "Hobbs Café, kitchen",
        ],
        "zh": ["玫瑰与皇冠酒吧储藏室", "哈维橡木用品店店堂", "柳树商店药房", "霍布斯咖啡馆后厨"],
    }


def test_every_thing_can_be_used_from_where_it_stands(town: World) -> None:
    start = town.things["square/plaza/fountain"].stands[0]
    for thing in town.things.values():
        assert thing.seats <= len(thing.stands)
        for tile in thing.stands:
            assert town.maze.arena_at(tile) == thing.arena
            town.maze.distance(start, tile)


def test_every_tag_is_in_the_list_that_authors_read(town: World) -> None:
    listed = set(re.findall(r"[a-z]+", map_places.__doc__ or ""))
    assert {
        tag
        for tagged in (town.things, town.arenas)
        for place in tagged.values()
        for tag in place.tags
    } <= listed


def test_walks_are_short(town: World) -> None:
    for who in town.personas.values():
        home = town.things[who.sleeps].stands[0]
        for place in (
            "cafe/main/counter",
            "park/grounds/lawn",
            "library/hall/lending_desk",
            "studio/workspace/project_table",
            "square/plaza/stage",
        ):
            assert town.maze.distance(home, town.things[place].stands[0]) <= 90


@pytest.mark.parametrize("day", range(7))
def test_every_day_is_full_from_waking_to_bed(town: World, day: int) -> None:
    for who in town.personas.values():
        today = [habit for habit in who.habits if not habit.days or day in habit.days]
        assert today[0].start == who.wake
        assert today[-1].end == (who.bed if who.bed > who.wake else DAY)
        assert all(one.end == two.start for one, two in pairwise(today))
        assert len({habit.activity for habit in today}) >= 10
        assert len({habit.place.split("/")[0] for habit in today}) >= 4
        assert all(len(habit.tasks) >= 4 for habit in today)


def test_residents_know_each_other_and_begin_with_memories(town: World) -> None:
    for who in town.personas.values():
        assert set(who.relations or {}) == set(town.personas) - {who.id}
        assert len(who.seeds) >= 6
        assert all(
            seed.text.startswith(who.name) and seed.predicate and seed.object for seed in who.seeds
        )


def test_each_storyline_is_known_to_one(town: World) -> None:
    for story in town.storylines:
        tellers = {
            who.id
            for who in town.personas.values()
            for seed in who.seeds
            if any(word in seed.text for word in story.keywords)
        }
        assert len(tellers) == 1
        seen = [
            text
            for who in town.personas.values()
            for habit in who.habits
            for text in (habit.activity, *habit.tasks)
        ]
        assert not [text for text in seen if any(word in text for word in story.keywords)]


def test_both_languages_are_of_one_town() -> None:
    english, chinese = load_world("minitown", "en"), load_world("minitown", "zh")
    assert list(english.things) == list(chinese.things)
    for mine, yours in zip(english.personas.values(), chinese.personas.values(), strict=True):
        assert [(habit.start, habit.place, len(habit.tasks)) for habit in mine.habits] == [
            (habit.start, habit.place, len(habit.tasks)) for habit in yours.habits
        ]
        assert len(mine.seeds) == len(yours.seeds)


# what is not there -------------------------------------------------------------------------


def test_an_unknown_world_names_the_likely_one() -> None:
    for name in ("minitwon", "mini_town"):
        with pytest.raises(BadWorld, match=f"no world '{name}'; did you mean 'minitown'"):
            load_world(name, "en")


@pytest.mark.parametrize("name", ["..", "../minitown", "minitown/", "/etc", ""])
def test_a_path_is_no_world_id(name: str) -> None:
    with pytest.raises(BadWorld, match="no world"):
        load_world(name, "en")


def test_an_unknown_language_names_those_that_are_there() -> None:
    unknown: Lang = "fr"  # type: ignore[assignment]
    with pytest.raises(BadInput, match="is not available in 'fr'; it is in en, zh"):
        load_world("minitown", unknown)


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    found = faults(tmp_path)
    assert any("world.json: is missing" in line for line in found)
    assert any("map.tmj: is missing" in line for line in found)


# what is broken ----------------------------------------------------------------------------


def test_many_faults_are_told_at_once(copy: Path) -> None:
    edit(copy / "world.json", lambda world: world["settings"].update(tink={"poignancy_max": 3}))
    edit(
        copy / "residents" / "wang_fang.json",
        lambda who: who.update(home="wang_home/bedrom", occupaton="x"),
    )
    edit(
        copy / "residents" / "lin_yue.json",
        lambda who: who["relations"].update(
            wang_fan={"text": {"en": "a", "zh": "b"}, "closeness": 1}
        ),
    )
    (copy / "residents" / "zhao_gang.json").write_text('{"name": ', "utf-8")
    found = "\n".join(faults(copy))
    assert "tink" in found
    assert "wang_fang.json: occupaton: unknown key 'occupaton'; did you mean 'occupation'?" in found
    assert (
        "lin_yue.json: relations: no resident is called 'wang_fan'; did you mean 'wang_fang'?"
        in found
    )
    assert "zhao_gang.json: line 1 column" in found


PERSON_EDITS: list[tuple[Edit, str]] = [
    (
        lambda who: who["relations"]["lin_yue"].update(closness=3),
        "relations.lin_yue.closness: unknown key 'closness'; did you mean 'closeness'?",
    ),
    (
        lambda who: who.update(home="wang_home/bedrom"),
        "home: no arena of the map is called 'wang_home/bedrom'; did you mean 'wang_home/bedroom'?",
    ),
    (lambda who: who.pop("sleeps"), "sleeps: Field required"),
    (
        lambda who: who.update(sleeps="wang_home/living/sofa"),
        "sleeps: 'wang_home/living/sofa' lacks the tag sleep",
    ),
    (
        lambda who: who["habits"][2].update(place="cafe/mian"),
        "habits[2].place: no place of the map is called 'cafe/mian'; did you mean 'cafe/main'?",
    ),
    (
        lambda who: who.update(knows=["libary"]),
        "knows[0]: no sector or arena of the map is called 'libary'; did you mean 'library'?",
    ),
    (
        lambda who: who["seeds"][0].update(about=["lin_you"]),
        "seeds[0].about: no resident is called 'lin_you'; did you mean 'lin_yue'?",
    ),
    (
        lambda who: who["seeds"][0].update(storyline="reading"),
        "seeds[0].storyline: no storyline of world.json is called 'reading'; did you mean 'reading_circle'?",
    ),
    (lambda who: who["currently"].pop("zh"), "currently: has no text in zh; add it beside en"),
    (
        lambda who: who["habits"][0]["tasks"]["zh"].pop(),
        "habits[0].tasks: has 4 in en and 3 in zh; the lists must be equally long",
    ),
    (
        lambda who: who["habits"][0].update(days=["someday"]),
        "habits[0].days[0]: Input should be 'mon'",
    ),
    (
        lambda who: who.update(wake="6 o'clock"),
        "wake: \"6 o'clock\" is not a time of day; write it like '06:30'",
    ),
    (lambda who: who.update(wake="23:00"), "wake: 23:00 and bed 22:10 leave 23 waking hours"),
    (
        lambda who: who["habits"][0].update(end="06:10"),
        "habits[0]: ends at 06:10, which is not after its start at 06:10",
    ),
    (
        lambda who: who["habits"][0].update(end="06:50"),
        "habits[1]: begins at 06:35 on Monday, before habits[0] ends at 06:50",
    ),
    (
        lambda who: who["habits"][0].update(start="05:00"),
        "habits[0]: 05:00–06:35 is not between wake 06:10 and bed 22:10",
    ),
    (lambda who: who.update(age=400), "age: Input should be less than or equal to 120, not 400"),
    (
        lambda who: who.update(portrait="../../secret.png"),
        "portrait '../../secret.png': does not exist",
    ),
    (lambda who: who.update(sprite="\0"), "sprite '\\x00': does not exist"),
    (
        lambda who: who.update(sprite="sprites/nobody.png"),
        "sprite 'sprites/nobody.png': does not exist",
    ),
]


@pytest.mark.parametrize(("change", "expected"), PERSON_EDITS)
def test_a_faulty_resident(copy: Path, change: Edit, expected: str) -> None:
    edit(copy / "residents" / "wang_fang.json", change)
    found = faults(copy)
    assert len(found) == 1
    assert found[0].startswith("broken/residents/wang_fang.json: ")
    assert expected in found[0]


def layer(drawn: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in drawn["layers"] if one["name"] == name)


def wall_in(drawn: dict[str, Any]) -> None:
    """Closes the door of the library's activity room."""
    collision = layer(drawn, "collision")
    collision["data"][22 * collision["width"] + 46] = max(collision["data"])


MAP_EDITS: list[tuple[Edit, str]] = [
    (
        lambda drawn: drawn.update(infinite=True),
        "map.tmj: map: is infinite, and 0 × 0 tiles of it are drawn",
    ),
    (
        lambda drawn: drawn.update(orientation="isometric"),
        "orientation is 'isometric'; make it orthogonal",
    ),
    (
        lambda drawn: drawn.update(tilesets=[{"firstgid": 1, "source": "town.tsx"}]),
        "tileset 'town.tsx': does not exist; copy it to the map's folder",
    ),
    (
        lambda drawn: drawn["tilesets"][0].update(image="../tiles.png"),
        "tileset image '../tiles.png': does not exist",
    ),
    (
        lambda drawn: layer(drawn, "walls").update(
            compression="zstd", encoding="base64", data="KLUv"
        ),
        "layer 'walls': has 0 tiles, but should have 2576",
    ),
    (
        lambda drawn: layer(drawn, "walls").update(data=[0, 1]),
        "layer 'walls': has 2 tiles, but should have 2576",
    ),
    (
        lambda drawn: layer(drawn, "walls").update(data="???"),
        "layer 'walls': holds something other than tile numbers",
    ),
    (
        lambda drawn: layer(drawn, "collision").update(name="Collision"),
        "layer 'collision': is missing; layer names are in small letters",
    ),
    (
        lambda drawn: drawn["layers"].append({"name": "extra", "type": "group", "layers": 1}),
        "layer 'extra': is a group without a list of layers",
    ),
    (wall_in, "arenas object 'library/activity': cannot be reached on foot"),
    (
        lambda drawn: in_layer(drawn, "things", "cafe/main/piano").update(
            polyline=[{"x": 0, "y": 0}]
        ),
        "'cafe/main/piano': is a line or a text",
    ),
    (
        lambda drawn: in_layer(drawn, "things", "cafe/main/piano").update(x=99999),
        "'cafe/main/piano': at pixel (99999, 480) reaches beyond the map",
    ),
    (
        lambda drawn: in_layer(drawn, "things", "cafe/main/piano").update(name="cafe/piano"),
        "'cafe/piano': is not named like sector/arena/thing",
    ),
    (
        lambda drawn: in_layer(drawn, "things", "cafe/main/piano").update(name="cafe/main/oven"),
        "'cafe/main/oven': has the same name as another",
    ),
    (
        lambda drawn: in_layer(drawn, "things", "cafe/main/piano").update(name="cafe/mian/piano"),
        "its arena 'cafe/mian' is not in the layer arenas; did you mean 'cafe/main'?",
    ),
    (
        lambda drawn: in_layer(drawn, "things", "cafe/main/piano").update(x=0, y=0),
        "'cafe/main/piano': cannot be reached",
    ),
    (
        lambda drawn: set_property(in_layer(drawn, "things", "cafe/main/piano"), "zh", None),
        "object 'cafe/main/piano': has no zh; add it as a string property",
    ),
    (
        lambda drawn: set_property(in_layer(drawn, "things", "cafe/main/piano"), "seets", "2"),
        "unknown key 'seets'; did you mean 'seats'?",
    ),
    (
        lambda drawn: set_property(in_layer(drawn, "things", "cafe/main/piano"), "seats", 5),
        "has 5 seats, but only 1 tiles from which it can be used",
    ),
    (
        lambda drawn: set_property(
            in_layer(drawn, "things", "cafe/main/piano"), "components", "[1"
        ),
        "components is '[1'; it should be a JSON object",
    ),
]


@pytest.mark.parametrize(("change", "expected"), MAP_EDITS)
def test_a_faulty_map(copy: Path, change: Edit, expected: str) -> None:
    edit(copy / "map.tmj", change)
    found = faults(copy)
    assert any(expected in line and line.startswith("broken/map.tmj: ") for line in found), found


WORLD_EDITS: list[tuple[Edit, str]] = [
    (
        lambda world: world.update(start="2025-02-13"),
        "start: '2025-02-13' is not a date and time; write it like '20250213-06:00'",
    ),
    (
        lambda world: world["storylines"].append(world["storylines"][0]),
        "storyline reading_circle: appears twice",
    ),
    (lambda world: world["name"].pop("zh"), "name: has no text in zh"),
    (
        lambda world: world["rubric"][0].update(poignancy=0),
        "rubric[0].poignancy: Input should be greater than or equal to 1, not 0",
    ),
]


@pytest.mark.parametrize(("change", "expected"), WORLD_EDITS)
def test_a_faulty_world_file(copy: Path, change: Edit, expected: str) -> None:
    edit(copy / "world.json", change)
    assert any(expected in line for line in faults(copy))


def test_who_is_not_named_is_an_acquaintance_where_the_world_says_so(copy: Path) -> None:
    assert load_world(copy, "en").acquaintance == ""
    edit(
        copy / "world.json",
        lambda world: world.update(
            acquaintance={"en": "somebody from the island", "zh": "岛上的人"}
        ),
    )
    assert [load_world(copy, lang).acquaintance for lang in LANGS] == [
        "somebody from the island",
        "岛上的人",
    ]


def test_a_map_in_base64_is_read_alike(copy: Path) -> None:
    import base64
    import struct

    def packed(drawn: dict[str, Any]) -> None:
        for one in drawn["layers"]:
            if one["type"] == "tilelayer":
                one.update(
                    encoding="base64",
                    compression="",
                    data=base64.b64encode(
                        struct.pack(f"<{len(one['data'])}I", *one["data"])
                    ).decode(),
                )

    edit(copy / "map.tmj", packed)
    assert load_world(copy, "en").things == load_world("minitown", "en").things


def test_an_arena_of_several_parts_or_a_polygon(copy: Path) -> None:
    def cut(drawn: dict[str, Any]) -> None:
        park = in_layer(drawn, "arenas", "park/grounds")
        x, y, width, height = (park.pop(key) for key in ("x", "y", "width", "height"))
        upper = {**park, "x": x, "y": y, "width": width, "height": 128, "properties": []}
        corners = [
            {"x": 0, "y": 128},
            {"x": width, "y": 128},
            {"x": width, "y": height},
            {"x": 0, "y": height},
        ]
        park.update(x=x, y=y, width=0, height=0, polygon=corners)
        layer(drawn, "arenas")["objects"].append(upper)

    edit(copy / "map.tmj", cut)
    mended, whole = load_world(copy, "en"), load_world("minitown", "en")
    assert mended.things == whole.things
    assert mended.arenas["park/grounds"] == whole.arenas["park/grounds"]
    assert mended.open_tiles == whole.open_tiles


# anything at all ---------------------------------------------------------------------------

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1e9,
    float("inf"),
    "",
    "x",
    "../x",
    [],
    {},
    [1],
    [None],
    {"a": 1},
    [[]],
    "\u0000",
    "06:30",
]


def spots(found: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value, long lists of numbers left out."""
    keys = (
        list(found)
        if isinstance(found, dict)
        else range(len(found))
        if isinstance(found, list) and len(found) < 500
        else ()
    )
    return [spot for key in keys for spot in ((found, key), *spots(found[key]))]


@pytest.mark.parametrize("name", ["world.json", "map.tmj", "residents/lin_yue.json"])
def test_whatever_stands_in_a_file_is_loaded_or_told_in_lines(copy: Path, name: str) -> None:
    stream = random.Random(name)
    text = (copy / name).read_text("utf-8")
    for _ in range(30):
        found = json.loads(text)
        container, key = stream.choice(spots(found))
        container[key] = stream.choice(ODD)
        (copy / name).write_text(json.dumps(found), "utf-8")
        try:
            load_world(copy, "zh")
        except BadInput as error:
            assert str(error)  # noqa: PT017 – both outcomes are right


def test_a_world_is_read_again_only_if_one_of_its_files_has_changed(copy: Path) -> None:
    before = load_world(copy, "en")
    assert load_world(copy, "en") is before
    assert load_world(copy, "zh").name != before.name
    file = copy / "residents" / "chen_siyuan.json"
    file.write_text(file.read_text("utf-8").replace("Chen Siyuan", "Chen Siyaun"), "utf-8")
    now = load_world(copy, "en")
    assert "Chen Siyaun" in {each.name for each in now.personas.values()}
    file.unlink()
    with pytest.raises(BadWorld):
        load_world(copy, "en")
