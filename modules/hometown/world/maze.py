"""The grid: which tiles can be walked, to which arena each belongs, and the way from one to another.

Knows nothing of residents, things or time. Ways are shortest and four-connected; they are read off the rings around the goal
(breadth-first), which are drawn as far as somebody has come from, and kept for the goals asked for last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tile = tuple[int, int]
"""Column and row, from the upper left corner."""

OUTDOORS = "outdoors/outdoors"
"""The arena of every walkable tile that no arena of the map covers."""

GOALS_KEPT = 128
"""Goals whose rings are held at once; a ring of a 140 × 100 map takes 2 KB, and most goals are asked for from a few dozen tiles away."""

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
        self._stride = int(width) + 2  # the blocked border spares every bounds check below
        bits = np.packbits(np.pad(walkable, 1), bitorder="little")
        self._open = int.from_bytes(bits.tobytes(), "little")
        self._around = lru_cache(maxsize=GOALS_KEPT)(self._rings)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_around"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._around = lru_cache(maxsize=GOALS_KEPT)(self._rings)

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
            tiles = self._around(goal).distance(self._flat(start))
            if tiles is not None:
                return tiles
        raise LookupError(f"there is no way from tile {start} to tile {goal}")

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """The tiles of a shortest way, without `start` and with `goal`; () where they are the same.

        Among equally short ways it goes straight on while that helps; which direction is tried first depends on both
        ends, so that not everybody takes the same line. Raises LookupError if there is no way.
        """
        left = self.distance(start, goal)
        rings, stride = self._around(goal).rings, self._stride
        turn = (start[0] + 3 * start[1] + 5 * goal[0] + 7 * goal[1]) % 4
        heading, way = DIRECTIONS[turn], []
        (column, row), others = start, DIRECTIONS[turn:] + DIRECTIONS[:turn]
        for ring in reversed(rings[:left]):
            here = (row + 1) * stride + column + 1
            heading = next(step for step in (heading, *others) if ring >> here + step[1] * stride + step[0] & 1)
            column, row = column + heading[0], row + heading[1]
            way.append((column, row))
        return tuple(way)

    def reachable(self, start: Tile) -> frozenset[Tile]:
        """Every tile from which there is a way to `start`, itself included; empty if it cannot be walked."""
        if not self.walkable(start):
            return frozenset()
        everything = self._rings(start).widest()
        reached = np.frombuffer(everything.to_bytes(-(-self._open.bit_length() // 8), "little"), dtype=np.uint8)
        rows, columns = np.divmod(np.flatnonzero(np.unpackbits(reached, bitorder="little")), self._stride)
        return frozenset(zip((columns - 1).tolist(), (rows - 1).tolist(), strict=True))

    def _flat(self, tile: Tile) -> int:
        """Position of a tile in the padded grid."""
        return (tile[1] + 1) * self._stride + tile[0] + 1

    def _rings(self, goal: Tile) -> Rings:
        return Rings(1 << self._flat(goal), self._open, self._stride)


class Rings:
    """The tiles within 0, 1, 2, … steps of a goal: whole numbers with a bit per tile, so that a map's worth of tiles takes a step in one shift.

    They are drawn only as far as somebody asks.
    """

    def __init__(self, goal: int, walkable: int, stride: int) -> None:
        self.rings = [goal]
        self._walkable, self._stride = walkable, stride

    def distance(self, tile: int) -> int | None:
        """Steps from a tile, by its bit; None if there is no way."""
        while not self.rings[-1] >> tile & 1:
            if not self._widen():
                return None
        return bisect_left(self.rings, 1, key=lambda ring: ring >> tile & 1)

    def widest(self) -> int:
        """All tiles from which there is a way."""
        while self._widen():
            pass
        return self.rings[-1]

    def _widen(self) -> bool:
        """One ring more, if any tile lies beyond the last."""
        ring, stride = self.rings[-1], self._stride
        wider = (ring | ring << 1 | ring >> 1 | ring << stride | ring >> stride) & self._walkable
        if wider == ring:
            return False
        self.rings.append(wider)
        return True
