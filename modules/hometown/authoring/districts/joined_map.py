"""One map of many copies of another, side by side, with gates in the borders between them."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hometown.authoring.art import tmj
from hometown.authoring.districts import gates
from hometown.authoring.districts.grid import District, Grid
from hometown.authoring.districts.place_names import Names
from hometown.json_object import Json
from hometown.world.map_places import OBJECT_LAYERS
from hometown.world.maze import Tile
from hometown.world.tiled import DrawnObject, Layer, TiledMap, TileLayer, Tileset, tileset_json

Numbers = TypeVar("Numbers", bound=np.generic)


@dataclass(frozen=True)
class JoinedMap:
    """Copies of the map `drawn`, whose walkable tiles are `open_tiles`, bool[height, width]."""

    drawn: TiledMap
    open_tiles: NDArray[np.bool_]
    grid: Grid

    def text(self, named: Mapping[int, Names]) -> str:
        """Return the whole map as the text of a `.tmj` file; `named` has the names of places by the
        number of their district.
        """
        layers = [
            {
                "name": layer.name,
                "visible": layer.visible,
                "opacity": layer.opacity,
                **_pack(cells),
            }
            for layer, cells in zip(self.drawn.layers, self.cells(), strict=True)
        ]
        numbers = count(1)
        objects = {
            layer: [item | {"id": next(numbers)} for item in self._list_objects(layer, named)]
            for layer in OBJECT_LAYERS
        }
        size = (self.grid.columns * self.drawn.width, self.grid.rows * self.drawn.height)
        return tmj.map_text(
            size,
            self.drawn.tile_size,
            layers,
            objects,
            [_format_tileset(tileset) for tileset in self.drawn.tilesets],
        )

    def cells(self) -> list[Layer]:
        """Return the layers of the whole map; a shorter last row of districts is filled with
        inaccessible country.

        A gate has only ground, copied from its surroundings: layers that do not cover the map hold
        standing objects and their shade.
        """
        return [self._join_layer(layer) for layer in self.drawn.layers]

    def _join_layer(self, layer: TileLayer) -> Layer:
        """Return a layer of the whole map: its copies, the filling of empty districts, and the
        gates.
        """
        joined = np.tile(layer.cells, (self.grid.rows, self.grid.columns))
        for column in range(self.grid.columns):
            if not self.grid.at(column, self.grid.rows - 1):
                self._cut_district(joined, (column, self.grid.rows - 1))[:] = _most_common(
                    layer.cells, blocks=layer.name == "collision"
                )
        for here, there in self.grid.borders():
            beside = here.at[1] == there.at[1]
            for district, far in ((here, True), (there, False)):
                part = inwards(self._cut_district(joined, district.at), beside, far)
                for along, depth in self._cleared_lines(beside, far):
                    part[along, : depth + 1] = part[along, depth] if layer.cells.all() else 0
        return joined

    def _cut_district(self, joined: Layer, at: Tile) -> Layer:
        """Return the part of a layer that is a district."""
        (column, row), width, height = at, self.drawn.width, self.drawn.height
        return joined[row * height : (row + 1) * height, column * width : (column + 1) * width]

    def _cleared_lines(self, beside: bool, far: bool) -> Iterator[tuple[int, int]]:
        """Yield the lines of tiles that lead through gates: how far along the border, and how many
        tiles of it are cleared in this district.
        """
        depths = gates.depths(~inwards(self.open_tiles, beside, far))
        lines = (start + tile for start in self._gates[beside] for tile in range(gates.WIDE))
        return (
            (along, int(depths[along]))
            for along in lines
            if depths[along] < (self.drawn.width if beside else self.drawn.height)
        )

    @cached_property
    def _gates(self) -> dict[bool, list[int]]:
        """Return the positions of gates along a border: by True between districts side by side, by
        False between those one above the other.
        """
        tops = np.any(
            [layer.cells != 0 for layer in self.drawn.layers if layer.name == "foreground"]
            or [~self.open_tiles],
            axis=0,
        )
        return {
            beside: gates.choose(
                *(
                    (~inwards(self.open_tiles, beside, far), inwards(tops, beside, far))
                    for far in (True, False)
                )
            )
            for beside in (True, False)
        }

    def _list_objects(self, layer: str, named: Mapping[int, Names]) -> Iterator[Json]:
        """Yield the objects of a layer in each district, under the names that they have there."""
        for district in self.grid.districts:
            names = named.get(district.number, {})
            yield from (
                self._place_object(item, district, names)
                for item in self.drawn.objects
                if item.layer == layer
            )

    def _place_object(self, item: DrawnObject, district: District, names: Names) -> Json:
        """Return an object in its district, under the address and the names that it has there."""
        (left, top), (column, row), side = self.drawn.origin, district.at, self.drawn.tile_size
        x, y = (float(item.raw[axis]) for axis in ("x", "y"))
        properties = [
            {**prop, "value": names.get((item.name, prop["name"]), prop["value"])}
            for prop in item.raw.get("properties", [])
        ]
        place = {
            "x": x - left + column * self.drawn.width * side,
            "y": y - top + row * self.drawn.height * side,
        }
        return item.raw | place | {"name": district.prefix + item.name, "properties": properties}


def inwards(tiles: NDArray[Numbers], beside: bool, far: bool) -> NDArray[Numbers]:
    """Return a view of a district's tiles by how far along a border they lie and how far from it:
    the right or lower border if it is the `far` one.
    """
    along = tiles if beside else tiles.T
    return along[:, ::-1] if far else along


def _most_common(cells: Layer, *, blocks: bool) -> int:
    """Return the most common value of a layer's tiles; of a blocking layer, the most common value
    that blocks.
    """
    numbers, times = np.unique(cells[cells != 0] if blocks else cells, return_counts=True)
    return int(numbers[times.argmax()]) if len(numbers) else 1


def _pack(cells: Layer) -> dict[str, str]:
    """Return cells compressed as by Tiled, since they repeat themselves."""
    return {
        "encoding": "base64",
        "compression": "zlib",
        "data": base64.b64encode(zlib.compress(cells.astype("<u4").tobytes(), 9)).decode(),
    }


def _format_tileset(tileset: Tileset) -> Json:
    """Return a tileset as it stands in a map's file."""
    rows = -(-tileset.count // tileset.columns)
    lengths = {
        name: 2 * tileset.margin + tiles * (size + tileset.spacing) - tileset.spacing
        for name, tiles, size in (
            ("imagewidth", tileset.columns, tileset.tile_width),
            ("imageheight", rows, tileset.tile_height),
        )
    }
    return tileset_json(tileset) | lengths
