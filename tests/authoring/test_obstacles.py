"""What blocks the way on a map that has no layer for it: water by the name of its layer, except
below a bridge, tiles of a class, and the void around what is drawn.
"""

from __future__ import annotations

from pathlib import Path

import orjson

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.obstacles import guess_blocked
from hometown.world.faults import Faults
from hometown.world.maze import Tile
from hometown.world.tiled import read_map

GROUND = [1, 1, 1, 1, 1, 1, 1, 0]
"""A row of eight tiles, the last of which is void."""


def blocked(tmp_path: Path, layers: dict[str, list[int]]) -> set[Tile]:
    tiles = [{"id": 2, "class": "Rock"}]
    tileset = {
        "firstgid": 1,
        "name": "t",
        "image": "t.png",
        "imagewidth": 128,
        "imageheight": 32,
        "columns": 4,
        "tilecount": 4,
        "tilewidth": 32,
        "tileheight": 32,
        "tiles": tiles,
    }
    drawn = {
        "orientation": "orthogonal",
        "width": 8,
        "height": 1,
        "tilewidth": 32,
        "tileheight": 32,
        "infinite": False,
        "tilesets": [tileset],
        "layers": [
            {"type": "tilelayer", "name": name, "width": 8, "height": 1, "data": data}
            for name, data in layers.items()
        ],
    }
    path = tmp_path / "map.tmj"
    path.write_bytes(orjson.dumps(drawn))
    known = read_map(path, faults := Faults("map"), images=False)
    assert known, faults.lines
    return guess_blocked(known, ImportReport())


def test_water_rocks_and_the_void_block_the_way_but_not_a_bridge(tmp_path: Path) -> None:
    layers = {
        "ground": GROUND,
        "water_1": [0, 2, 2, 2, 0, 0, 0, 0],
        "Bridge": [0, 0, 2, 0, 0, 0, 0, 0],
        "stones": [0, 0, 0, 0, 0, 3, 0, 0],
    }
    assert blocked(tmp_path, layers) == {(1, 0), (3, 0), (5, 0), (7, 0)}
