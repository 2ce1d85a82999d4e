"""The grid: which tiles can be walked, to which arena each belongs, and the way from one to another.

Knows nothing of residents, things or time. Ways are shortest and four-connected; they are read off the rings around the goal
(breadth-first), which are drawn as far as somebody has come from, and kept for the goals asked for last. What they take depends on
how long ways are, and not on how large the map is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tile = tuple[int, int]
"""Column and row, from the upper left corner."""

OUTDOORS = "outdoors/outdoors"
"""The arena of every walkable tile that no arena of the map covers."""

GOALS_KEPT = 128
"""Goals, at least, whose rings are held at once; a hundred rings take about a megabyte, and most goals are asked for from a few dozen tiles away."""

TILES_A_GOAL = 256
"""Tiles of a map for which it holds the rings of one more goal, where that makes for more: more people live on a larger one."""

SMALL = 1 << 15
"""Tiles of a map on the whole of which rings are drawn at once."""

REACH = 64
"""Tiles around a goal on which its rings are drawn at first, on a larger map."""

DIRECTIONS: tuple[Tile, ...] = ((0, 1), (-1, 0), (1, 0), (0, -1))


class Maze:
    """A map's grid.

    `walkable` is bool[height, width]. `arenas` lists addresses and `index` is int[height, width], the position
    in that list of the arena that covers a tile, or -1 where none does.

    >>> maze = Maze(np.ones((2, 3), dtype=bool), ["cafe/main"], np.array([[-1, -1, 0], [-1, -1, 0]]))
    >>> maze.size, maze.arena_at((2, 1)), maze.arena_at((0, 0)), maze.arena_at((9, 9))
    ((3, 2), 'cafe/main', 'outdoors/outdoors', '')
    >>> maze.distance((0, 0), (2, 1)), len(maze.path((0, 0), (2, 1))), maze.path((1, 1), (1, 1))
    (3, 3, ())
    """

    def __init__(self, walkable: NDArray[np.bool_], arenas: Sequence[str], index: NDArray[np.integer]) -> None:
        if walkable.shape != index.shape:
            raise ValueError(f"walkable has the shape {walkable.shape}, index {index.shape}; they must be the same, rows first")
        height, width = walkable.shape
        self.size: Tile = (int(width), int(height))
        names = ("", OUTDOORS, *arenas)
        positions = np.where(walkable, index + 2, 0)
        self._arena_at: tuple[tuple[str, ...], ...] = tuple(tuple(names[position] for position in row) for row in positions.tolist())
        self._floor = Floor(walkable)
        self._reach = max(self.size) if walkable.size <= SMALL else REACH
        self._draw_rings()

    def _draw_rings(self) -> None:
        floor, reach = self._floor, self._reach
        self._around = lru_cache(maxsize=max(GOALS_KEPT, floor.walkable.size // TILES_A_GOAL))(lambda goal: Rings(floor, goal, reach))

    def __getstate__(self) -> dict[str, Any]:
        """Without the rings, which another process draws for itself."""
        return {name: value for name, value in self.__dict__.items() if name != "_around"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._draw_rings()

    def walkable(self, tile: Tile) -> bool:
        """Whether somebody can stand there; False beyond the map's edge."""
        return self.arena_at(tile) != ""

    def arena_at(self, tile: Tile) -> str:
        """Address of the arena of a walkable tile, `OUTDOORS` where no arena covers it, "" for walls and beyond the edge."""
        column, row = tile
        if 0 <= column < self.size[0] and 0 <= row < self.size[1]:
            return self._arena_at[row][column]
        return ""

    def in_sight(self, a: Tile, b: Tile, radius: int) -> bool:
        """Whether `b` lies in the square of `radius` tiles around `a` and in the same arena."""
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= radius and self.arena_at(a) == self.arena_at(b) != ""

    def distance(self, start: Tile, goal: Tile) -> int:
        """Tiles of the shortest way. Raises LookupError if there is none."""
        if self.walkable(start) and self.walkable(goal):
            tiles = self._around(goal).distance(start)
            if tiles is not None:
                return tiles
        raise LookupError(f"there is no way from tile {start} to tile {goal}")

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """The tiles of a shortest way, without `start` and with `goal`; () where they are the same.

        Among equally short ways it goes straight on while that helps; which direction is tried first depends on both
        ends, so that not everybody takes the same line. Raises LookupError if there is no way.
        """
        left, around = self.distance(start, goal), self._around(goal)
        stride = around.stride
        turn = (start[0] + 3 * start[1] + 5 * goal[0] + 7 * goal[1]) % 4
        heading, way = DIRECTIONS[turn], []
        (column, row), others = start, DIRECTIONS[turn:] + DIRECTIONS[:turn]
        here = around.bit(start)
        for ring in reversed(around.rings[:left]):
            heading = next(step for step in (heading, *others) if ring >> here + step[1] * stride + step[0] & 1)
            column, row, here = column + heading[0], row + heading[1], here + heading[1] * stride + heading[0]
            way.append((column, row))
        return tuple(way)

    def reachable(self, start: Tile) -> frozenset[Tile]:
        """Every tile from which there is a way to `start`, itself included; empty if it cannot be walked."""
        if not self.walkable(start):
            return frozenset()
        return frozenset(self._floor.tiles(Rings(self._floor, start, max(self.size)).everything()))


class Rings:
    """The tiles within 0, 1, 2, … steps of a goal: whole numbers with a bit per tile, so that a ring takes a few shifts.

    They are drawn only as far as somebody asks, and on that part of the map alone which lies within `reach` tiles of the goal: whoever takes
    so many steps cannot have left it. Who comes from farther off has them drawn anew on a part that reaches at least twice as far.
    """

    def __init__(self, floor: Floor, goal: Tile, reach: int) -> None:
        self._floor, self._goal = floor, goal
        self._lay(reach)

    def _lay(self, reach: int) -> None:
        """Begins anew on the part of the map within `reach`."""
        (column, row), (height, width) = self._goal, self._floor.walkable.shape
        self._left, self._top = max(0, column - reach), max(0, row - reach)
        right, bottom = min(width, column + reach + 1), min(height, row + reach + 1)
        self._reach = reach
        self._whole = (right - self._left, bottom - self._top) == (width, height)
        self.stride: int = right - self._left + 2  # the blocked border spares every bounds check below
        self._open: int = self._floor.whole if self._whole else bits(self._floor.walkable[self._top : bottom, self._left : right])
        self.rings = [1 << self.bit(self._goal)]

    def bit(self, tile: Tile) -> int:
        """Where a tile of the part is in the rings."""
        return (tile[1] - self._top + 1) * self.stride + tile[0] - self._left + 1

    def distance(self, tile: Tile) -> int | None:
        """Steps from a walkable tile; None if there is no way."""
        least = abs(tile[0] - self._goal[0]) + abs(tile[1] - self._goal[1])
        if least > self._reach and not self._whole:
            self._lay(max(2 * self._reach, least + least // 2))
        bit = self.bit(tile)
        while not self.rings[-1] >> bit & 1:
            if len(self.rings) > self._reach and not self._whole:
                self._lay(2 * self._reach)
                bit = self.bit(tile)
            wider = self._wider(self.rings[-1])
            if wider == self.rings[-1]:
                return None
            self.rings.append(wider)
        return bisect_left(self.rings, 1, key=lambda ring: ring >> bit & 1)

    def everything(self) -> int:
        """All tiles from which there is a way, where the rings are drawn on the whole map; the rings between are not kept."""
        ring = self.rings[-1]
        while (wider := self._wider(ring)) != ring:
            ring = wider
        return ring

    def _wider(self, ring: int) -> int:
        """The next ring."""
        stride = self.stride
        return (ring | ring << 1 | ring >> 1 | ring << stride | ring >> stride) & self._open


class Floor:
    """The tiles that can be walked, bool[height, width], and the same as bits."""

    def __init__(self, walkable: NDArray[np.bool_]) -> None:
        self.walkable = walkable
        self.whole = bits(walkable)

    def tiles(self, whole: int) -> Iterator[Tile]:
        """The tiles of bits that cover the map, row by row."""
        height, width = self.walkable.shape
        size = (height + 2, width + 2)
        packed = np.frombuffer(whole.to_bytes(-(-size[0] * size[1] // 8), "little"), dtype=np.uint8)
        rows, columns = np.nonzero(np.unpackbits(packed, count=size[0] * size[1], bitorder="little").reshape(size))
        return zip((columns - 1).tolist(), (rows - 1).tolist(), strict=True)


def bits(tiles: NDArray[np.bool_]) -> int:
    """Tiles as a whole number, a bit for each, row by row and with a border of zeros around them."""
    height, width = tiles.shape
    bordered = np.zeros((height + 2, width + 2), dtype=bool)
    bordered[1:-1, 1:-1] = tiles
    return int.from_bytes(np.packbits(bordered, bitorder="little").tobytes(), "little")
