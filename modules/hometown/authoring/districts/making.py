"""Make the folder of a town of districts from the folder of a small town."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from hometown.authoring.districts.grid import Grid, grid
from hometown.authoring.districts.joined_map import JoinedMap
from hometown.authoring.districts.people import TownCast, look
from hometown.authoring.districts.people_names import Residents, names_by_district
from hometown.authoring.districts.place_names import Names, Signs, names_on
from hometown.authoring.editing import residents_of
from hometown.authoring.folder import new_world_folder
from hometown.authoring.lint import raise_errors
from hometown.authoring.people_art import draw_people
from hometown.authoring.starter import write_json
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.world.faults import Faults
from hometown.world.load import folder_of, load_world
from hometown.world.tiled import TiledMap, map_file, read_map
from hometown.world.world import World, sector_of


def make_districts(which: str, count: int, name: str, root: Path) -> Path:
    """Make the world `name` of `count` districts, each a copy of the world `which`, and return its
    folder.

    Raises BadWorld if that world has errors or a society, or as `new_world_folder` does; BadInput
    for a number of districts that no map holds. In these cases nothing is written.
    """
    source = folder_of(which, root)
    given = orjson.loads((source / "world.json").read_bytes())
    worlds = {lang: load_world(source, lang) for lang in given["langs"]}
    one = next(iter(worlds.values()))
    if one.book is not None:
        raise BadWorld(
            "world {world!r} has a society, whose goods and recipes can't be divided among districts: choose a world without one",
            world=which,
        )
    drawn = read_map(map_file(source), Faults(which))
    assert drawn is not None, "a map that cannot be read is a fault"
    districts, residents = grid(count, (drawn.width, drawn.height), one.langs), residents_of(source)
    with new_world_folder(root, name) as folder:
        called, own = names_by_district(residents, districts, one.langs), names_on(drawn, one.langs)
        storylines = {lang: world.storylines for lang, world in worlds.items()}
        cast = TownCast(
            residents,
            called,
            frozenset(one.sectors),
            _join_public_names(own, residents),
            storylines,
        )
        signs = Signs(own, residents, cast.others(districts.districts[0]))
        named = {
            district.number: signs.of(district, called[district.number], cast.others(district))
            for district in districts.districts[1:]
        }
        (folder / "map.tmj").write_text(
            JoinedMap(drawn, _find_open_tiles(one), districts).text(named), "utf-8"
        )
        write_json(folder / "world.json", _make_world_file(given, districts, name))
        (folder / "residents").mkdir()
        for district in districts.districts:
            for who, life in cast.of(district, districts):
                write_json(folder / "residents" / f"{who}.json", life)
        _write_pictures(source, folder, drawn, residents, districts)
        raise_errors(folder)
    return root / name


def _join_public_names(names: Names, residents: Residents) -> str:
    """Return the names of the buildings and open places without residents."""
    homes = {sector_of(resident["home"]) for resident in residents.values()}
    return " ".join(
        name for (address, _), name in names.items() if "/" not in address and address not in homes
    )


def _find_open_tiles(world: World) -> NDArray[np.bool_]:
    """Return the mask of public tiles that residents can reach from their homes."""
    tiles = np.zeros(world.maze.size[::-1], dtype=np.bool_)
    for address, reached in world.open_tiles.items():
        if world.arenas[address].public:
            for column, row in reached:
                tiles[row, column] = True
    return tiles


def _make_world_file(given: Mapping[str, Any], districts: Grid, name: str) -> Json:
    """Return the content of `world.json` of the whole town. Where storylines lead is in the first
    district, as are those who begin them.
    """
    first = districts.districts[0].prefix
    storylines = [
        story | {"gathering": story["gathering"] | {"place": first + story["gathering"]["place"]}}
        if story.get("gathering")
        else story
        for story in given.get("storylines", ())
    ]
    return dict(given) | {"name": dict.fromkeys(given["langs"], name), "storylines": storylines}


def _write_pictures(
    source: Path, folder: Path, drawn: TiledMap, residents: Mapping[str, Any], districts: Grid
) -> None:
    """Write the pictures of the map, and those of the residents in each look."""
    pictures = {tileset.image for tileset in drawn.tilesets}
    pictures |= {
        resident[kind]
        for resident in residents.values()
        for kind in ("portrait", "sprite")
        if resident.get(kind)
    }
    for picture in sorted(pictures):
        (folder / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / picture, folder / picture)
    looks = sorted({look(district) for district in districts.districts} - {0})
    draw_people(
        folder,
        {
            f"{who}_{number + 1}": resident
            for number in looks
            for who, resident in residents.items()
        },
    )
