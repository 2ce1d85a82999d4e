"""The Ville's map: every address that its people live by is there, can be walked to, and is where
it should be.
"""

from __future__ import annotations

import json
import shutil
from itertools import combinations

import pytest

from hometown.paths import WORLDS
from hometown.world.load import load_world
from hometown.world.world import World

MAP = WORLDS / "ville" / "map.tmj"

LIVING = "stove kitchen_sink fridge dining_table sofa bookshelf"
BATH = "sink shower toilet"
BATH_OF_MANY = "sink shower toilet sink_two shower_two toilet_two"
BEDROOM = "bed wardrobe desk"

GAZETTEER = {
    "lin_house/living": LIVING,
    "lin_house/bathroom": BATH,
    "lin_house/parents_room": "bed_john bed_mei wardrobe desk",
    "lin_house/eddy_room": "bed desk wardrobe keyboard",
    "lin_house/garden": "bench vegetable_bed",
    "moreno_house/living": LIVING,
    "moreno_house/bathroom": BATH,
    "moreno_house/bedroom": "bed_tom bed_jane wardrobe desk",
    "moreno_house/garden": "bench flower_bed",
    "moore_house/living": f"{LIVING} easel",
    "moore_house/bathroom": BATH,
    "moore_house/bedroom": "bed_sam bed_jennifer wardrobe desk",
    "moore_house/garden": "bench rose_bed",
    "tamara_carmen_house/living": LIVING,
    "tamara_carmen_house/bathroom": BATH,
    "tamara_carmen_house/tamara_room": BEDROOM,
    "tamara_carmen_house/carmen_room": BEDROOM,
    **{f"{home}/living": LIVING for home in ("adam_house", "arthur_flat", "isabella_flat")},
    "yuriko_house/living": f"{LIVING} office_desk",
    "ryan_flat/living": f"{LIVING} computer_desk",
    "giorgio_flat/living": f"{LIVING} blackboard",
    "carlos_flat/living": f"{LIVING} writing_desk",
    **{
        f"{home}/{room}": things
        for home in (
            "adam_house",
            "yuriko_house",
            "arthur_flat",
            "ryan_flat",
            "isabella_flat",
            "giorgio_flat",
            "carlos_flat",
        )
        for room, things in (("bathroom", BATH), ("bedroom", BEDROOM))
    },
    "artists_house/common": "stove kitchen_sink fridge long_table sofa bookshelf",
    "artists_house/bathroom": BATH_OF_MANY,
    "artists_house/studio": "easel easel_two project_table light_table",
    **{
        f"artists_house/{who}_room": BEDROOM for who in ("abigail", "francisco", "hailey", "latoya")
    },
    "artists_house/rajiv_room": "bed wardrobe easel",
    "dorm/common": "stove kitchen_sink fridge long_table sofa tv_sofa",
    "dorm/bathroom": BATH_OF_MANY,
    **{f"dorm/{who}_room": BEDROOM for who in ("klaus", "maria", "ayesha", "wolfgang")},
    "dorm/garden": "bench table",
    "hobbs_cafe/main": "counter espresso_machine oven window_table corner_table middle_table long_table sofa piano",
    "hobbs_cafe/kitchen": "stove fridge kitchen_sink",
    "hobbs_cafe/terrace": "terrace_table terrace_bench",
    "pub/main": "bar table_one table_two long_table fireside dartboard stage",
    "pub/storeroom": "shelves",
    "college/hall": "notice_board bench",
    "college/classroom": "lectern whiteboard desk_row_one desk_row_two desk_row_three",
    "college/library": "lending_desk science_shelves arts_shelves reading_table window_desk quiet_desk armchair",
    "college/laboratory": "lab_bench microscope",
    "college/office": "mei_desk sofa",
    "college/music_room": "piano guitar practice_chair",
    "johnson_park/grounds": "lawn pond_side lakeside_bench shady_bench gate_bench chess_table pavilion flower_bed bars old_oak bandstand",
    "willows/market": "checkout grocery_shelves produce_stand dairy_fridge",
    "willows/pharmacy": "pharmacy_counter medicine_shelves waiting_bench",
    "willows/stockroom": "shelves",
    "supply_store/shop": "counter tool_shelves paint_shelves seed_rack workbench",
    "supply_store/stockroom": "shelves",
    "plaza/square": "fountain notice_board north_bench south_bench stage flower_stall",
}
"""Arenas, and the things that each must have."""

PRIVATE = {"kitchen", "storeroom", "stockroom", "office"}

BEDS = {
    "lin_house": 3,
    "moreno_house": 2,
    "moore_house": 2,
    "tamara_carmen_house": 2,
    "adam_house": 1,
    "yuriko_house": 1,
    "arthur_flat": 1,
    "ryan_flat": 1,
    "isabella_flat": 1,
    "giorgio_flat": 1,
    "carlos_flat": 1,
    "artists_house": 5,
    "dorm": 4,
}


@pytest.fixture(scope="module", params=["en", "zh"])
def ville(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The map in a world of its own with a single resident, for it has to hold without its cast."""
    folder = tmp_path_factory.mktemp("world") / "stub"
    (folder / "residents").mkdir(parents=True)
    for name in ("map.tmj", "tileset.png"):
        shutil.copy(MAP.with_name(name), folder)
    world = json.loads((WORLDS / "minitown" / "world.json").read_text("utf-8")) | {"storylines": []}
    (folder / "world.json").write_text(json.dumps(world), "utf-8")
    someone = json.loads((WORLDS / "minitown" / "residents" / "zhao_gang.json").read_text("utf-8"))
    habit = someone["habits"][0] | {"place": "lin_house/bathroom/sink"}
    someone |= {
        "home": "lin_house/eddy_room",
        "sleeps": "lin_house/eddy_room/bed",
        "relations": {},
        "seeds": [],
        "knows": ["plaza"],
        "habits": [habit],
    }
    someone |= {"portrait": "", "sprite": ""}
    (folder / "residents" / "zhao_gang.json").write_text(json.dumps(someone), "utf-8")
    return load_world(folder, request.param)


def test_every_place_that_the_cast_lives_by_is_there(ville: World) -> None:
    assert set(GAZETTEER) <= set(ville.arenas)
    missing = [
        f"{arena}/{thing}"
        for arena, things in GAZETTEER.items()
        for thing in things.split()
        if f"{arena}/{thing}" not in ville.things
    ]
    assert not missing


def test_each_home_has_a_bed_for_everybody_in_it(ville: World) -> None:
    beds = [
        address.partition("/")[0] for address, thing in ville.things.items() if "bed" in thing.tags
    ]
    assert {home: beds.count(home) for home in set(beds)} == BEDS


def test_rooms_are_private_and_tagged_as_what_they_are(ville: World) -> None:
    for address, arena in ville.arenas.items():
        sector, room = address.split("/")
        assert arena.public != (sector in BEDS or room in PRIVATE), address
        if sector in BEDS:
            assert "home" in arena.tags, address
    for address, tag in (
        ("hobbs_cafe/main", "cafe"),
        ("pub/main", "pub"),
        ("college/library", "library"),
        ("willows/market", "market"),
    ):
        assert tag in ville.arenas[address].tags


def test_all_that_can_be_walked_hangs_together(ville: World) -> None:
    width, height = ville.maze.size
    walkable = {
        (column, row)
        for column in range(width)
        for row in range(height)
        if ville.maze.walkable((column, row))
    }
    assert ville.maze.reachable((72, 60)) == walkable


def test_sectors_leave_their_neighbours_alone() -> None:
    layers = {layer["name"]: layer for layer in json.loads(MAP.read_text("utf-8"))["layers"]}
    for a, b in combinations(layers["sectors"]["objects"], 2):
        apart = (
            a["x"] >= b["x"] + b["width"]
            or b["x"] >= a["x"] + a["width"]
            or a["y"] >= b["y"] + b["height"]
            or b["y"] >= a["y"] + a["height"]
        )
        assert apart, (a["name"], b["name"])


def test_the_map_is_as_tiled_writes_it() -> None:
    drawn = json.loads(MAP.read_text("utf-8"))
    layers = {layer["name"]: layer for layer in drawn["layers"]}
    assert {"ground", "floor", "walls", "furniture", "foreground", "collision"} <= set(layers)
    (tileset,) = drawn["tilesets"]
    for layer in drawn["layers"]:
        if layer["type"] == "tilelayer":
            assert len(layer["data"]) == drawn["width"] * drawn["height"]
            assert max(layer["data"]) <= tileset["tilecount"]
    objects = [
        item
        for layer in drawn["layers"]
        if layer["type"] == "objectgroup"
        for item in layer["objects"]
    ]
    ids = [item["id"] for item in objects]
    assert len(set(ids)) == len(ids)
    assert drawn["nextobjectid"] > max(ids)
    assert drawn["nextlayerid"] > max(layer["id"] for layer in drawn["layers"])
