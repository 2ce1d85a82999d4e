"""The common result of the readers of all foreign formats: tiles with the names of their places,
and people with their descriptions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image

from hometown.json_object import Json
from hometown.world.maze import DIRECTIONS, Tile
from hometown.world.tiled import TileLayer, Tileset

ABOVE = ("foreground", "above", "roof", "overhead")
"""Words in the names of layers that are drawn over the residents."""


def is_above(layer: str) -> bool:
    """Return True if a layer of that name is drawn over the residents."""
    return any(word in layer.lower() for word in ABOVE)


Names = tuple[str, ...]
"""Sector; sector and arena; or sector, arena and thing, as they are called on the map."""


@dataclass
class SourceMap:
    """A map's grid: `blocked` tiles, and the tiles of every sector, arena and thing.

    `given` holds the properties of a place in the map (tags, names, seats), in the form of a
    `map.tmj`; a thing with properties is a single thing, any other is one for each connected part.

    `layers` and `tilesets` are its art, () if it has none; `tile_size` is that of the art in
    pixels, its images are below `folder` or form one `sheet`. Places that are `laid_out` are no
    part of that art.

    `ground` has characters of a drawn plan (`modules/hometown/authoring/art/plan.py`) where a source
    says what is there; `open_air` are the arenas that it says are outdoors.
    """

    size: Tile
    blocked: set[Tile]
    places: dict[Names, set[Tile]] = field(default_factory=dict)
    given: dict[Names, Json] = field(default_factory=dict)
    layers: tuple[TileLayer, ...] = ()
    tilesets: tuple[Tileset, ...] = ()
    tile_size: int = 32
    folder: Path = Path()
    laid_out: bool = False
    sheet: Image.Image | None = None
    ground: dict[Tile, str] = field(default_factory=dict)
    open_air: set[Names] = field(default_factory=set)

    def mark(self, names: Names, tile: Tile) -> None:
        """Add a tile to a place and to all places around it."""
        for depth in range(1, len(names) + 1):
            self.places.setdefault(names[:depth], set()).add(tile)

    def of_depth(self, depth: int) -> list[Names]:
        """Return all sectors (1), arenas (2) or things (3), in the order of their discovery."""
        return [names for names in self.places if len(names) == depth]

    def walkable(self, tile: Tile) -> bool:
        """Return True if a tile lies on the map and is not blocked."""
        return (
            0 <= tile[0] < self.size[0] and 0 <= tile[1] < self.size[1] and tile not in self.blocked
        )


@dataclass(frozen=True)
class WalkFrames:
    """The frames of a figure's walk in an image: three each down, left, right and up, as left, top,
    width and height in pixels.
    """

    image: Path
    boxes: tuple[tuple[int, int, int, int], ...]


@dataclass(frozen=True)
class SourcePerson:
    """A person as another system describes it: texts in one language. `home` is a sector and an
    arena, or a sector alone; `knows` are sectors.

    `whispers` are memories in the second person; `sprite` (a sheet of 96 × 128 pixels) and
    `portrait` are pictures of the source's own.
    """

    file: str
    name: str
    age: int
    innate: str
    learned: str
    lifestyle: str
    daily_plan: str
    currently: str
    home: Names
    knows: tuple[str, ...] = ()
    occupation: str = ""
    whispers: tuple[str, ...] = ()
    sprite: Path | None = None
    portrait: Path | None = None
    frames: WalkFrames | None = None

    def at_home(self, home: Names) -> SourcePerson:
        """Return the same person with another home."""
        return replace(self, home=home)

    def texts(self) -> tuple[str, ...]:
        """Return all texts about this person."""
        return (self.learned, self.currently, self.lifestyle, self.daily_plan, *self.whispers)


def parts(tiles: Collection[Tile]) -> list[set[Tile]]:
    """Return the connected parts of a set of tiles, in reading order."""
    left = set(tiles)
    pieces = []
    for first in _in_reading_order(tiles):
        if first not in left:
            continue
        part, edge = set[Tile](), {first}
        while edge:
            part |= edge
            left -= edge
            edge = {near for tile in edge for near in around(tile) if near in left}
        pieces.append(part)
    return pieces


def _in_reading_order(tiles: Collection[Tile]) -> list[Tile]:
    """Return tiles row by row."""
    return sorted(tiles, key=lambda tile: (tile[1], tile[0]))


def around(tile: Tile) -> tuple[Tile, ...]:
    """Return the four neighbours."""
    return tuple((tile[0] + right, tile[1] + down) for right, down in DIRECTIONS)


Rect = tuple[int, int, int, int]
"""Column, row, width, height."""


def rectangles(tiles: Collection[Tile]) -> list[Rect]:
    """Return rectangles that cover a set of tiles exactly and don't overlap, in reading order: each
    as wide as it can be, then as high.

    >>> rectangles([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])
    [(0, 0, 2, 2), (0, 2, 1, 1)]
    """
    left = set(tiles)
    rects = []
    for column, row in _in_reading_order(tiles):
        if (column, row) not in left:
            continue
        width = next(step for step in range(1, len(left) + 1) if (column + step, row) not in left)
        height = next(
            step
            for step in range(1, len(left) + 1)
            if any((column + right, row + step) not in left for right in range(width))
        )
        rect = (column, row, width, height)
        rects.append(rect)
        left -= tiles_of(rect)
    return rects


def tiles_of(rect: Rect) -> set[Tile]:
    """Return the tiles of a rectangle."""
    column, row, width, height = rect
    return {(column + right, row + down) for down in range(height) for right in range(width)}


def main_area(site: SourceMap) -> set[Tile]:
    """Return the town: the connected area of the map with the most rooms, and of several such the
    largest; empty if all is blocked.
    """
    width, height = site.size
    rooms = {tile: names for names in site.of_depth(2) for tile in site.places[names]}
    open_tiles = [
        (column, row)
        for row in range(height)
        for column in range(width)
        if (column, row) not in site.blocked
    ]
    return max(
        parts(open_tiles),
        key=lambda part: (len({rooms[tile] for tile in part if tile in rooms}), len(part)),
        default=set(),
    )
