"""Reads a Tiled map (`.tmj`, Tiled 1.10): tile layers as arrays, objects as sets of whole tiles.

Supported: finite orthogonal maps of square tiles, tilesets embedded in the map, layer data as a list of numbers or as
uncompressed base64, objects that are rectangles or polygons. Anything else is a fault that says what to change in Tiled.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modules.text import Phrase
from modules.world.faults import Faults, read_json
from modules.world.maze import Tile

Layer = NDArray[np.uint32]
"""Global tile ids, uint32[height, width]; 0 where a layer is empty."""


@dataclass(frozen=True, slots=True)
class MapObject:
    """What an object layer marks: `tiles`, row by row; `name` is the address of what they are."""

    name: str
    tiles: tuple[Tile, ...]
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TiledMap:
    """A map as it was drawn: `layers` of tiles and `objects`, each by the layer's name; `images` of its tilesets."""

    width: int
    height: int
    tile_size: int
    layers: dict[str, Layer]
    objects: dict[str, tuple[MapObject, ...]]
    images: tuple[str, ...]


def read_map(path: Path, faults: Faults) -> TiledMap | None:
    """The map of a file; None, with faults noted, where it cannot be used."""
    raw = read_json(path, path.name, faults)
    before = len(faults.lines)
    if raw is None or not _supported(raw, path.name, faults):
        return None
    width, height, size = raw["width"], raw["height"], raw["tilewidth"]
    layers: dict[str, Layer] = {}
    objects: dict[str, tuple[MapObject, ...]] = {}
    for layer in raw["layers"]:
        name, kind = str(layer.get("name", "")), layer.get("type")
        if name in layers or name in objects:
            faults.add(path.name, _layer(name), "appears twice; rename or delete one")
        elif kind == "tilelayer":
            data = _tiles(layer, width * height, path.name, faults)
            if data is not None:
                layers[name] = data.reshape(height, width)
        elif kind == "objectgroup":
            found = (read_object(one, name, size, (width, height), path.name, faults) for one in _parts(layer, "objects", _layer(name), path.name, faults))
            objects[name] = tuple(one for one in found if one)
        else:
            faults.add(path.name, _layer(name), "is of type {kind!r}; only tile layers and object layers are read, none of them in a group", kind=kind)
    images = tuple(str(tileset["image"]) for tileset in raw["tilesets"] if "image" in tileset)
    return TiledMap(width, height, size, layers, objects, images) if len(faults.lines) == before else None


def _layer(name: object) -> Phrase:
    return Phrase("layer {name!r}", name=name)


def object_in(layer: str, name: str) -> Phrase:
    """Where a fault is: an object by its name, or by its number."""
    return Phrase("{layer} object {name!r}", layer=layer, name=name)


def _parts(raw: dict[str, Any], key: str, where: str, file: str, faults: Faults) -> list[dict[str, Any]]:
    """The objects in a list of the JSON; none, with a fault noted, if it is no such list."""
    found = raw.get(key, [])
    if isinstance(found, list) and all(isinstance(one, dict) for one in found):
        return found
    faults.add(file, where, "{key} is no list of JSON objects; save the map again from Tiled", key=key)
    return []


def _supported(raw: dict[str, Any], file: str, faults: Faults) -> bool:
    """Whether the map is of the kind read here; what is not is noted."""
    raw |= {key: _parts(raw, key, Phrase("map"), file, faults) for key in ("layers", "tilesets")}
    whole = [key for key in ("width", "height", "tilewidth", "tileheight") if not isinstance(raw.get(key), int) or not 1 <= raw[key] <= 1000]
    refusals = [
        (bool(whole), Phrase("{keys} should be whole numbers from 1 to 1000", keys=whole)),
        (not whole and raw["tilewidth"] != raw["tileheight"], Phrase("tiles must be square; set tile width and height alike")),
        (
            raw.get("orientation") != "orthogonal",
            Phrase("orientation is {orientation!r}; make it orthogonal in Map Properties", orientation=raw.get("orientation")),
        ),
        (bool(raw.get("infinite")), Phrase("the map is infinite; untick Infinite in Map Properties")),
        (not raw["layers"], Phrase("has no layers")),
        (any("source" in tileset for tileset in raw["tilesets"]), Phrase("a tileset is external; embed it with Embed Tileset")),
    ]
    for wrong, text in refusals:
        if wrong:
            faults.add(file, Phrase("map"), text)
    return not any(wrong for wrong, _ in refusals)


def _tiles(layer: dict[str, Any], count: int, file: str, faults: Faults) -> Layer | None:
    """A tile layer's ids, flat; None, with a fault noted, if they cannot be read."""
    where = _layer(layer.get("name"))
    if layer.get("compression"):
        faults.add(file, where, "is compressed with {compression}; set Tile Layer Format to CSV or to Base64 (uncompressed)", compression=layer["compression"])
        return None
    data = layer.get("data")
    try:
        flat = np.frombuffer(base64.b64decode(data, validate=True), dtype="<u4") if isinstance(data, str) else np.array(data, dtype=np.uint32)
    except (binascii.Error, ValueError, TypeError, OverflowError):
        faults.add(file, where, "holds something other than tile numbers; set Tile Layer Format to CSV and save again")
        return None
    if flat.shape != (count,):
        faults.add(file, where, "holds {size} tiles, the map {count}; save it again from Tiled", size=flat.size, count=count)
        return None
    return flat


def read_object(raw: dict[str, Any], layer: str, size: int, limits: Tile, file: str, faults: Faults) -> MapObject | None:
    """One object, in whole tiles; None, with a fault noted, if it covers none or some beyond the map."""
    name = str(raw.get("name", ""))
    where = object_in(layer, name) if name else Phrase("{layer} object {number}", layer=layer, number=raw.get("id"))
    if any(raw.get(shape) for shape in ("polyline", "ellipse", "point", "gid", "rotation", "text")):
        faults.add(file, where, "is not a plain rectangle or polygon; draw it with Insert Rectangle or Insert Polygon, unrotated")
        return None
    try:
        if raw.get("polygon"):
            tiles = _inside([((raw["x"] + corner["x"]) / size, (raw["y"] + corner["y"]) / size) for corner in raw["polygon"]], limits)
        else:
            column, row, width, height = (round(float(raw[key]) / size) for key in ("x", "y", "width", "height"))
            tiles = _rectangle(column, row, width, height, limits)
    except (KeyError, TypeError, ValueError, OverflowError):
        faults.add(file, where, "has no position and size; draw it with Insert Rectangle")
        return None
    if not tiles:
        corner = tuple(raw.get(key) for key in ("x", "y"))
        faults.add(
            file, where, "at pixel {corner} covers no whole tile, or some beyond the map of {width} × {height}; draw it on the map",
            corner=corner, width=limits[0], height=limits[1],
        )  # fmt: skip
        return None
    properties = {str(one.get("name")): one.get("value") for one in _parts(raw, "properties", where, file, faults)}
    return MapObject(name, tiles, properties)


def _rectangle(column: int, row: int, width: int, height: int, limits: Tile) -> tuple[Tile, ...]:
    """Its tiles, row by row; none if some lie beyond the map."""
    if width < 1 or height < 1 or column < 0 or row < 0 or column + width > limits[0] or row + height > limits[1]:
        return ()
    return tuple((c, r) for r in range(row, row + height) for c in range(column, column + width))


def _inside(corners: list[tuple[float, float]], limits: Tile) -> tuple[Tile, ...]:
    """The tiles whose middle a polygon holds (even-odd rule), row by row; none if it reaches beyond the map."""
    if any(not (0 <= x <= limits[0] and 0 <= y <= limits[1]) for x, y in corners):
        return ()
    tiles: list[Tile] = []
    for row in range(limits[1]):
        middle = row + 0.5
        sides = zip(corners, (*corners[1:], corners[0]), strict=True)
        cuts = sorted(x1 + (middle - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in sides if (y1 <= middle) != (y2 <= middle))
        tiles += [(column, row) for column in range(limits[0]) if sum(cut <= column + 0.5 for cut in cuts) % 2]
    return tuple(tiles)
