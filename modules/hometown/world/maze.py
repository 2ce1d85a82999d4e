"""The grid: which tiles can be walked, to which arena each belongs, and the way from one to another.

Knows nothing of residents, things or time. Ways are shortest and four-connected; they are read off a field
of distances to the goal (breadth-first), which is kept for the goals asked for last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Tile = tuple[int, int]
"""Column and row, from the upper left corner."""

OUTDOORS = "outdoors/outdoors"
"""The arena of every walkable tile that no arena of the map covers."""

FIELDS_KEPT = 256
"""Distance fields held at once; one of a 140 × 100 map takes 28 KB."""

UNREACHED = int(np.iinfo(np.uint16).max)
"""Distance of a tile from which the goal cannot be reached."""

Field = NDArray[np.uint16]

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
        self._open = np.pad(walkable, 1).ravel()  # the blocked border spares every bounds check below
        self._open_bits = int.from_bytes(np.packbits(self._open, bitorder="little").tobytes(), "little")
        self._field = lru_cache(maxsize=FIELDS_KEPT)(self._distances)

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
        tiles = int(self._field(goal)[self._flat(start)]) if self.walkable(start) and self.walkable(goal) else UNREACHED
        if tiles == UNREACHED:
            raise LookupError(f"there is no way from tile {start} to tile {goal}")
        return tiles

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """The tiles of a shortest way, without `start` and with `goal`; () where they are the same.

        Among equally short ways it goes straight on while that helps; which direction is tried first depends on both
        ends, so that not everybody takes the same line. Raises LookupError if there is no way.
        """
        left = self.distance(start, goal)
        field, stride = self._field(goal), self.size[0] + 2
        turn = (start[0] + 3 * start[1] + 5 * goal[0] + 7 * goal[1]) % 4
        heading, way = DIRECTIONS[turn], []
        (column, row), others = start, DIRECTIONS[turn:] + DIRECTIONS[:turn]
        while left:
            left -= 1
            here = (row + 1) * stride + column + 1
            heading = next(step for step in (heading, *others) if field[here + step[1] * stride + step[0]] == left)
            column, row = column + heading[0], row + heading[1]
            way.append((column, row))
        return tuple(way)

    def reachable(self, start: Tile) -> frozenset[Tile]:
        """Every tile from which there is a way to `start`, itself included; empty if it cannot be walked."""
        if not self.walkable(start):
            return frozenset()
        stride = self.size[0] + 2
        return frozenset((int(flat) % stride - 1, int(flat) // stride - 1) for flat in np.flatnonzero(self._field(start) != UNREACHED))

    def _flat(self, tile: Tile) -> int:
        """Position of a tile in the padded grid."""
        return (tile[1] + 1) * (self.size[0] + 2) + tile[0] + 1

    def _distances(self, goal: Tile) -> Field:
        """Distance to `goal` of every tile of the padded grid.

        One wave after another, each a whole number with a bit per tile: a map's worth of tiles takes a step in one shift.
        Plane n gathers the tiles whose distance has its nth binary digit set.
        """
        stride = self.size[0] + 2
        wave, left, distance = 1 << self._flat(goal), self._open_bits, 0
        planes = [0] * UNREACHED.bit_length()
        while wave:
            left ^= wave
            for digit in range(distance.bit_length()):
                if distance >> digit & 1:
                    planes[digit] |= wave
            wave = (wave << 1 | wave >> 1 | wave << stride | wave >> stride) & left
            distance += 1
        field = np.full(self._open.size, UNREACHED, dtype=np.uint16)
        reached = self._tiles_of(self._open_bits ^ left)
        field[reached] = sum((self._tiles_of(plane)[reached].astype(np.uint16) << digit for digit, plane in enumerate(planes) if plane), start=np.uint16(0))
        return field

    def _tiles_of(self, bits: int) -> NDArray[np.bool_]:
        """The bits of a number, lowest first, as bool[tiles of the padded grid]."""
        packed = np.frombuffer(bits.to_bytes(-(-self._open.size // 8), "little"), dtype=np.uint8)
        return np.unpackbits(packed, count=self._open.size, bitorder="little").astype(np.bool_)
