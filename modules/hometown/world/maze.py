"""The grid: which tiles can be walked, to which arena each belongs, and the way from one to
another.

Knows nothing of residents, things or time. Ways are shortest and four-connected; they are read off
the rings around the goal (breadth-first), which are drawn as far as somebody has come from, and
kept for the goals asked for last. What they take depends on how long ways are, and not on how large
the map is.
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
"""Goals, at least, whose rings are held at once; a hundred rings take about a megabyte, and most
goals are asked for from a few dozen tiles away.
"""

WAYS_KEPT = 1 << 14
"""Ways whose lengths are held at once: people go the same ways day after day."""

TILES_A_GOAL = 256
"""Tiles of a map for which it holds the rings of one more goal, where that makes for more: more
people live on a larger one.
"""

SMALL = 1 << 15
"""Tiles of a map on the whole of which rings are drawn."""

MARGIN = 8
"""Tiles around the rectangle between the two ends of a way on which rings are drawn at first, on a
larger map; a way that goes farther round has them drawn anew.
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
        self._draw_rings()

    def _draw_rings(self) -> None:
        floor, margin = self._floor, self._margin
        self._around = lru_cache(maxsize=max(GOALS_KEPT, floor.walkable.size // TILES_A_GOAL))(
            lambda goal: Rings(floor, goal, margin)
        )
        self._distance = lru_cache(maxsize=WAYS_KEPT)(self._measured)

    def __getstate__(self) -> dict[str, Any]:
        """Without the rings, which another process draws for itself."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_around", "_distance")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._draw_rings()

    def walkable(self, tile: Tile) -> bool:
        """Whether somebody can stand there; False beyond the map's edge."""
        return self.arena_at(tile) != ""

    def arena_at(self, tile: Tile) -> str:
        """Address of the arena of a walkable tile, `OUTDOORS` where no arena covers it, "" for
        walls and beyond the edge.
        """
        column, row = tile
        if 0 <= column < self.size[0] and 0 <= row < self.size[1]:
            return self._arena_at[row][column]
        return ""

    def in_sight(self, a: Tile, b: Tile, radius: int) -> bool:
        """Whether `b` lies in the square of `radius` tiles around `a` and in the same arena."""
        return (
            max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= radius
            and self.arena_at(a) == self.arena_at(b) != ""
        )

    def distance(self, start: Tile, goal: Tile) -> int:
        """Tiles of the shortest way. Raises LookupError if there is none."""
        return self._distance(start, goal)

    def _measured(self, start: Tile, goal: Tile) -> int:
        if self.walkable(start) and self.walkable(goal):
            tiles = self._around(goal).distance(start)
            if tiles is not None:
                return tiles
        raise LookupError(f"there is no way from tile {start} to tile {goal}")

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """The tiles of a shortest way, without `start` and with `goal`; () where they are the same.

        Among equally short ways it goes straight on while that helps; which direction is tried
        first depends on both ends, so that not everybody takes the same line. Raises LookupError if
        there is no way.
        """
        left, around = self._measured(start, goal), self._around(goal)
        stride = around.stride
        turn = (start[0] + 3 * start[1] + 5 * goal[0] + 7 * goal[1]) % 4
        heading, way = DIRECTIONS[turn], []
        (column, row), others = start, DIRECTIONS[turn:] + DIRECTIONS[:turn]
        here = around.bit(start)
        for ring in reversed(around.rings[:left]):
            heading = next(
                step for step in (heading, *others) if ring >> here + step[1] * stride + step[0] & 1
            )
            column, row, here = (
                column + heading[0],
                row + heading[1],
                here + heading[1] * stride + heading[0],
            )
            way.append((column, row))
        return tuple(way)

    def reachable(self, start: Tile) -> frozenset[Tile]:
        """Every tile from which there is a way to `start`, itself included; empty if it cannot be
        walked.
        """
        if not self.walkable(start):
            return frozenset()
        return frozenset(self._floor.tiles(Rings(self._floor, start, max(self.size)).everything()))


class Rings:
    """The tiles within 0, 1, 2, … steps of a goal: whole numbers with a bit per tile, so that a
    ring takes a few shifts.

    They are drawn only as far as somebody asks, and on a large map on a rectangle alone, around all
    who have asked. A way within it cannot be longer than the shortest one if the rectangle reaches
    beyond both ends by half the detour that the way makes, since whoever goes farther to a side has
    to come back.
    """

    def __init__(self, floor: Floor, goal: Tile, margin: int) -> None:
        """`margin`: by how many tiles, one at least, the rectangle reaches at first beyond the two
        ends of a way.
        """
        self._floor, self._goal, self._margin = floor, goal, margin
        (self._left, self._top), (self._right, self._bottom) = goal, goal
        self.rings: list[int] = []
        self.stride = 0

    def _lay(self, start: Tile, margin: int) -> None:
        """Begins anew on a rectangle that also reaches beyond both ends by a margin."""
        left, top, right, bottom = self._around(start, margin)
        self._left, self._top, self._right, self._bottom = (
            min(self._left, left),
            min(self._top, top),
            max(self._right, right),
            max(self._bottom, bottom),
        )
        height, width = self._floor.walkable.shape
        self._whole = (self._left, self._top, self._right, self._bottom) == (0, 0, width, height)
        self.stride = (
            self._right - self._left + 2
        )  # the blocked border spares every bounds check below
        self._open: int = (
            self._floor.whole
            if self._whole
            else bits(self._floor.walkable[self._top : self._bottom, self._left : self._right])
        )
        self.rings = [1 << self.bit(self._goal)]

    def _around(self, start: Tile, margin: int) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of such a rectangle, as far as the map goes; the last two are
        the first that are out of it.
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
        left, top, right, bottom = self._around(start, margin)
        return (
            self._left <= left
            and self._top <= top
            and right <= self._right
            and bottom <= self._bottom
        )

    def bit(self, tile: Tile) -> int:
        """Where a tile of the rectangle is in the rings."""
        return (tile[1] - self._top + 1) * self.stride + tile[0] - self._left + 1

    def distance(self, start: Tile) -> int | None:
        """Steps from a walkable tile; None if there is no way."""
        least, margin = abs(start[0] - self._goal[0]) + abs(start[1] - self._goal[1]), self._margin
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
        """Steps within the rectangle."""
        bit, rings = self.bit(start), self.rings
        while not rings[-1] >> bit & 1:
            wider = self._wider(rings[-1])
            if wider == rings[-1]:
                return None
            rings.append(wider)
        return bisect_left(rings, 1, key=lambda ring: ring >> bit & 1)

    def everything(self) -> int:
        """All tiles from which there is a way, where the margin is as wide as the map; the rings
        between are not kept.
        """
        self._lay(self._goal, self._margin)
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
        rows, columns = np.nonzero(
            np.unpackbits(packed, count=size[0] * size[1], bitorder="little").reshape(size)
        )
        return zip((columns - 1).tolist(), (rows - 1).tolist(), strict=True)


def bits(tiles: NDArray[np.bool_]) -> int:
    """Tiles as a whole number, a bit for each, row by row and with a border of zeros around them."""
    height, width = tiles.shape
    bordered = np.zeros((height + 2, width + 2), dtype=bool)
    bordered[1:-1, 1:-1] = tiles
    return int.from_bytes(np.packbits(bordered, bitorder="little").tobytes(), "little")
