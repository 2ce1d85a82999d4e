"""Objects of a map in whole tiles: rectangles, polygons, ellipses by their box, points, and
pictures, each turned as it is in Tiled.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from math import cos, floor, radians, sin

from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.text import N_, Phrase
from hometown.world.faults import Faults
from hometown.world.maze import Tile
from hometown.world.tiled.document import json_objects

UNUSABLE = ("polyline", "text")
"""The kinds of objects that cover no tiles."""


@frozen
class DrawnObject:
    """An object of an object layer, before its conversion to tiles. `level` is the place of its
    layer among all layers of the map, from the lowest.
    """

    layer: str
    raw: Json
    level: int = 0

    @property
    def name(self) -> str:
        return str(self.raw.get("name", "")).strip()

    @property
    def kind(self) -> str:
        """The object's class (its type in older versions of Tiled), in lower case."""
        return str(self.raw.get("class") or self.raw.get("type") or "").lower()


@frozen
class MapObject:
    """An object in tiles: `tiles`, row by row, and `name`, the address of the place or thing. A
    `small` one covers less than a tile and stands for it.
    """

    name: str
    tiles: tuple[Tile, ...]
    properties: Json = field(default_factory=dict)
    small: bool = False


@lru_cache(maxsize=4096)
def object_in(layer: str, name: str) -> Phrase:
    """Return the place of a fault: an object by its name."""
    return Phrase("{layer} object {name!r}", layer=layer, name=name)


def lay(
    drawn: DrawnObject, origin: tuple[int, int], tile: int, size: Tile, file: str, faults: Faults
) -> MapObject | None:
    """Return the tiles that an object covers; None, with a fault, if they are undefined or beyond
    the map.

    `tile` is the side of a tile and `origin` the map's upper left corner, in pixels; `size` is that
    of the map in tiles.
    """
    where = (
        object_in(drawn.layer, drawn.name)
        if drawn.name
        else Phrase("{layer} object {number}", layer=drawn.layer, number=drawn.raw.get("id"))
    )
    given = json_objects(drawn.raw.get("properties", []))
    if any(drawn.raw.get(shape) for shape in UNUSABLE):
        faults.add(
            file,
            where,
            "is a line or a text; draw it with Insert Rectangle or Insert Polygon",
        )
        return None
    if given is None:
        faults.add(
            file,
            where,
            "has properties that are not a list of JSON objects; save the map again from Tiled",
        )
        return None
    try:
        tiles, small = _find_covered_tiles(drawn.raw, origin, tile, size)
    except (KeyError, TypeError, ValueError, OverflowError):
        faults.add(file, where, "has no position and size; draw it with Insert Rectangle")
        return None
    if not tiles:
        corner = tuple(drawn.raw.get(key) for key in ("x", "y"))
        text = N_(
            "at pixel {corner} reaches beyond the map of {width} × {height} tiles; move it onto the map"
        )
        faults.add(file, where, text, corner=corner, width=size[0], height=size[1])
        return None
    return MapObject(
        drawn.name, tiles, {str(prop.get("name")): prop.get("value") for prop in given}, small
    )


def _find_covered_tiles(
    raw: Json, origin: tuple[int, int], tile: int, size: Tile
) -> tuple[tuple[Tile, ...], bool]:
    """Return the tiles of an object, and True if it is smaller than a tile. A rectangle is rounded
    to tiles; an object that covers none, and a point, gets the tile in its middle. An object that
    reaches beyond the map has no tiles.
    """
    x, y = (float(raw[key]) - start for key, start in zip(("x", "y"), origin, strict=True))
    angle = float(raw.get("rotation") or 0)
    corners = [
        ((x + right) / tile, (y + down) / tile)
        for right, down in _rotate(_find_corners(raw), angle)
    ]
    columns, rows = zip(*corners, strict=True)
    left, top, right, bottom = min(columns), min(rows), max(columns), max(rows)
    if round(left) < 0 or round(top) < 0 or round(right) > size[0] or round(bottom) > size[1]:
        return (), False
    rectangle = (
        (column, row)
        for row in range(round(top), round(bottom))
        for column in range(round(left), round(right))
    )
    upright = not raw.get("polygon") and angle % 90 == 0
    tiles = tuple(rectangle) if upright else polygon_tiles(corners)
    if tiles:
        return tiles, False
    middle = (
        min(max(floor((left + right) / 2), 0), size[0] - 1),
        min(max(floor((top + bottom) / 2), 0), size[1] - 1),
    )
    return (middle,), not raw.get("point")


def _find_corners(raw: Json) -> list[tuple[float, float]]:
    """Return the corners of an object from its position, in pixels."""
    if raw.get("polygon"):
        return [(float(corner["x"]), float(corner["y"])) for corner in raw["polygon"]]
    width, height = (0.0 if raw.get("point") else float(raw[key]) for key in ("width", "height"))
    top = -height if raw.get("gid") else 0.0  # pictures stand on their lower edge
    return [(0.0, top), (width, top), (width, top + height), (0.0, top + height)]


def _rotate(corners: list[tuple[float, float]], angle: float) -> list[tuple[float, float]]:
    """Return corners turned clockwise around the origin by an angle in degrees."""
    if angle % 360 == 0:
        return corners
    across, down = (round(turn(radians(angle)), 12) for turn in (cos, sin))
    return [(x * across - y * down, x * down + y * across) for x, y in corners]


def polygon_tiles(corners: list[tuple[float, float]]) -> tuple[Tile, ...]:
    """Return the tiles whose centre is in a polygon (even-odd rule), row by row. Corners are in
    tiles.

    >>> polygon_tiles([(0, 0), (3, 0), (0, 3)])
    ((0, 0), (1, 0), (0, 1))
    """
    tiles: list[Tile] = []
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    for row in range(floor(min(y for _, y in corners)), floor(max(y for _, y in corners)) + 1):
        middle = row + 0.5
        cuts = sorted(
            x1 + (middle - y1) * (x2 - x1) / (y2 - y1)
            for (x1, y1), (x2, y2) in edges
            if (y1 <= middle) != (y2 <= middle)
        )
        if cuts:
            columns = range(floor(cuts[0]), floor(cuts[-1]) + 1)
            tiles += [
                (column, row) for column in columns if sum(cut <= column + 0.5 for cut in cuts) % 2
            ]
    return tuple(tiles)
