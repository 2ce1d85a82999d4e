"""The grid: walkable tiles, the arena of each tile, and paths.

It knows nothing of residents, things or time. Paths are shortest and four-connected. They are read
off the breadth-first rings around the goal, which are computed as far as needed and cached for
recent goals. The cost depends on the length of paths, not on the size of the map.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hometown.json_object import Json

Tile = tuple[int, int]
"""Column and row, from the upper left corner."""

OUTDOORS = "outdoors/outdoors"
"""The arena of walkable tiles outside all arenas of the map."""

GOALS_KEPT = 128
"""The smallest number of goals with cached rings. A hundred rings take about a megabyte, and most
goals are requested from a few dozen tiles away.
"""

WAYS_KEPT = 1 << 14
"""The number of cached path lengths: residents walk the same paths daily."""

TILES_A_GOAL = 256
"""Tiles of a map for each goal with cached rings, if that makes more: larger maps have more
residents.
"""

SMALL = 1 << 15
"""The largest map, in tiles, on which rings cover the whole map."""

MARGIN = 8
"""The tiles around the bounding box of a path on which rings are computed first, on larger maps. A
longer detour computes them again.
"""

DIRECTIONS: tuple[Tile, ...] = ((0, 1), (-1, 0), (1, 0), (0, -1))


class Maze:
    """A map's grid.

    `walkable` is bool[height, width]. `arenas` lists addresses and `index` is int[height, width],
    the position in that list of the arena that covers a tile, or -1 where none does.

    >>> maze = Maze(np.ones((2, 3), dtype=bool), ["cafe/main"], np.array([[-1, -1, 0], [-1, -1, 0]]))
    >>> maze.size, maze.arena_at((2, 1)), maze.arena_at((0, 0)), maze.arena_at((9, 9))
    ((3, 2), 'cafe/main', 'outdoors/outdoors', '')
    >>> maze.distance((0, 0), (2, 1)), len(maze.path((0, 0), (2, 1))), maze.path((1, 1), (1, 1))
    (3, 3, ())
    """

    def __init__(
        self, walkable: NDArray[np.bool_], arenas: Sequence[str], index: NDArray[np.integer]
    ) -> None:
        if walkable.shape != index.shape:
            raise ValueError(
                f"walkable has the shape {walkable.shape}, index {index.shape}; they must be the same, rows first"
            )
        height, width = walkable.shape
        self.size: Tile = (int(width), int(height))
        names = ("", OUTDOORS, *arenas)
        positions = np.where(walkable, index + 2, 0)
        self._arena_at: tuple[tuple[str, ...], ...] = tuple(
            tuple(names[position] for position in row) for row in positions.tolist()
        )
        self._floor = Floor(walkable)
        self._margin = MARGIN if walkable.size > SMALL else max(self.size)
        self._create_caches()

    def _create_caches(self) -> None:
        """Create the empty caches of rings and path lengths; the larger the map, the more rings are
        kept.
        """
        floor, margin = self._floor, self._margin
        self._around = lru_cache(maxsize=max(GOALS_KEPT, floor.walkable.size // TILES_A_GOAL))(
            lambda goal: Rings(floor, goal, margin)
        )
        self._distance = lru_cache(maxsize=WAYS_KEPT)(self._measure)

    def __getstate__(self) -> Json:
        """Return the state without the rings, which another process computes again."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_around", "_distance")
        }

    def __setstate__(self, state: Json) -> None:
        self.__dict__ |= state
        self._create_caches()

    def walkable(self, tile: Tile) -> bool:
        """Return True if a tile is walkable; False beyond the map's edge."""
        return self.arena_at(tile) != ""

    def arena_at(self, tile: Tile) -> str:
        """Return the arena of a walkable tile, `OUTDOORS` outside all arenas, "" for walls and
        beyond the edge.
        """
        column, row = tile
        if 0 <= column < self.size[0] and 0 <= row < self.size[1]:
            return self._arena_at[row][column]
        return ""

    def distance(self, start: Tile, goal: Tile) -> int:
        """Return the length of the shortest path in tiles. Raises LookupError if there is none."""
        return self._distance(start, goal)

    def _measure(self, start: Tile, goal: Tile) -> int:
        """Return the length of the shortest path in tiles, computed. Raises LookupError if there is
        none.
        """
        if self.walkable(start) and self.walkable(goal):
            tiles = self._around(goal).distance(start)
            if tiles is not None:
                return tiles
        raise LookupError(f"there is no way from tile {start} to tile {goal}")

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """Return the tiles of a shortest path, without `start` and with `goal`; () if they are the
        same.

        Of several, the path goes straight ahead while that helps. The direction tried first depends
        on both ends, to spread residents out. Raises LookupError if there is no path.
        """
        left = self._measure(start, goal)
        around = self._around(goal)
        stride = around.stride
        turn = (start[0] + 3 * start[1] + 5 * goal[0] + 7 * goal[1]) % 4
        heading = DIRECTIONS[turn]
        others = DIRECTIONS[turn:] + DIRECTIONS[:turn]
        way = []
        column, row = start
        here = around.bit(start)
        for ring in reversed(around.rings[:left]):
            heading = next(
                step for step in (heading, *others) if ring >> here + step[1] * stride + step[0] & 1
            )
            column += heading[0]
            row += heading[1]
            here += heading[1] * stride + heading[0]
            way.append((column, row))
        return tuple(way)

    def reachable(self, start: Tile) -> frozenset[Tile]:
        """Return all tiles connected with `start`, itself included; empty if it is not walkable."""
        if not self.walkable(start):
            return frozenset()
        return frozenset(self._floor.tiles(Rings(self._floor, start, max(self.size)).everything()))


class Rings:
    """The tiles within 0, 1, 2, … steps of a goal: integers with a bit per tile, so that a ring
    takes a few shifts.

    They are computed on demand, and on a large map only on a rectangle around all requests. A path
    within it is a shortest one if the rectangle exceeds both ends by half the path's detour, since
    a wider one has to come back.
    """

    def __init__(self, floor: Floor, goal: Tile, margin: int) -> None:
        """Prepare the rings around a goal."""
        self._floor, self._goal, self._margin = floor, goal, margin
        (self._left, self._top), (self._right, self._bottom) = goal, goal
        self.rings: list[int] = []
        self.stride = 0

    def _lay(self, start: Tile, margin: int) -> None:
        """Start again on the rectangle so far, extended so that it contains `start` and the goal
        with a margin of tiles.
        """
        left, top, right, bottom = self._around(start, margin)
        self._left = min(self._left, left)
        self._top = min(self._top, top)
        self._right = max(self._right, right)
        self._bottom = max(self._bottom, bottom)
        height, width = self._floor.walkable.shape
        self._whole = (self._left, self._top, self._right, self._bottom) == (0, 0, width, height)
        # The blocked border spares every bounds check below.
        self.stride = self._right - self._left + 2
        self._open: int = (
            self._floor.whole
            if self._whole
            else bits(self._floor.walkable[self._top : self._bottom, self._left : self._right])
        )
        self.rings = [1 << self.bit(self._goal)]

    def _around(self, start: Tile, margin: int) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of such a rectangle, clipped to the map; the last two
        are exclusive.
        """
        (x, y), (column, row), (height, width) = start, self._goal, self._floor.walkable.shape
        left, right = (x, column) if x < column else (column, x)
        top, bottom = (y, row) if y < row else (row, y)
        return (
            max(0, left - margin),
            max(0, top - margin),
            min(width, right + margin + 1),
            min(height, bottom + margin + 1),
        )

    def _covers(self, start: Tile, margin: int) -> bool:
        """Return True if the rectangle exceeds the goal and a tile by a margin."""
        left, top, right, bottom = self._around(start, margin)
        return (
            self._left <= left
            and self._top <= top
            and right <= self._right
            and bottom <= self._bottom
        )

    def bit(self, tile: Tile) -> int:
        """Return the number of the bit that stands for a tile of the rectangle."""
        return (tile[1] - self._top + 1) * self.stride + tile[0] - self._left + 1

    def distance(self, start: Tile) -> int | None:
        """Return the number of steps from a walkable tile to the goal; None if there is no path."""
        least = abs(start[0] - self._goal[0]) + abs(start[1] - self._goal[1])
        margin = self._margin
        while True:
            if not self._covers(start, margin):
                self._lay(start, margin)
            steps = self._steps(start)
            if steps is None and self._whole:
                return None
            margin = 4 * margin if steps is None else (steps - least + 1) // 2
            if steps is not None and self._covers(start, margin):
                return steps

    def _steps(self, start: Tile) -> int | None:
        """Return the steps within the rectangle; None if there is no path in it."""
        bit, rings = self.bit(start), self.rings
        while not rings[-1] >> bit & 1:
            wider = self._wider(rings[-1])
            if wider == rings[-1]:
                return None
            rings.append(wider)
        return bisect_left(rings, 1, key=lambda ring: ring >> bit & 1)

    def everything(self) -> int:
        """Return all tiles connected with the goal, as bits, for rings whose margin covers the map;
        the rings between are not kept.
        """
        self._lay(self._goal, self._margin)
        ring = self.rings[-1]
        while (wider := self._wider(ring)) != ring:
            ring = wider
        return ring

    def _wider(self, ring: int) -> int:
        """Return the ring widened by one tile in the four directions, as far as tiles are open;
        bits of an integer stand for tiles.
        """
        stride = self.stride
        return (ring | ring << 1 | ring >> 1 | ring << stride | ring >> stride) & self._open


class Floor:
    """The walkable tiles of a map: `walkable` as bool[height, width], `whole` as an integer with a
    bit for each tile (`bits`).
    """

    def __init__(self, walkable: NDArray[np.bool_]) -> None:
        self.walkable = walkable
        self.whole = bits(walkable)

    def tiles(self, whole: int) -> Iterator[Tile]:
        """Yield the tiles that an integer of the form of `bits` contains, row by row."""
        height, width = self.walkable.shape
        size = (height + 2, width + 2)
        packed = np.frombuffer(whole.to_bytes(-(-size[0] * size[1] // 8), "little"), dtype=np.uint8)
        rows, columns = np.nonzero(
            np.unpackbits(packed, count=size[0] * size[1], bitorder="little").reshape(size)
        )
        return zip((columns - 1).tolist(), (rows - 1).tolist(), strict=True)


def bits(tiles: NDArray[np.bool_]) -> int:
    """Return tiles, bool[height, width], as an integer with a bit for each, row by row from the
    lowest bit on, with a border of zeros that is one tile wide.
    """
    height, width = tiles.shape
    bordered = np.zeros((height + 2, width + 2), dtype=bool)
    bordered[1:-1, 1:-1] = tiles
    return int.from_bytes(np.packbits(bordered, bitorder="little").tobytes(), "little")
