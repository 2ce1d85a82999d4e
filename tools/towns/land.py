"""The land of a town, painted with brushes of plan characters: roads, water, squares, buildings,
trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, cos, hypot, pi, sin
from random import Random

from tools.towns.blueprint import At, Building

Point = tuple[float, float]

GRASS, WATER, BRIDGE = ".", "~", "="
ROADS = frozenset("r:s=")
BESIDE: tuple[At, ...] = ((0, 1), (1, 0), (-1, 0), (0, -1))
AROUND: tuple[At, ...] = (*BESIDE, (1, 1), (-1, 1), (1, -1), (-1, -1))


class Land:
    """A grid of plan characters; `stream` makes all random choices."""

    def __init__(self, width: int, height: int, stream: Random) -> None:
        self.size = (width, height)
        self.stream = stream
        self.marks: dict[At, str] = {
            (column, row): GRASS for row in range(height) for column in range(width)
        }
        self.kept: set[At] = set()

    def rows(self) -> list[str]:
        """Return the ground plan, row by row."""
        return [
            "".join(self.marks[column, row] for column in range(self.size[0]))
            for row in range(self.size[1])
        ]

    def road(self, points: Sequence[Point], width: float, mark: str) -> None:
        """Draw a road along a smooth line; it bridges water."""
        for at in self._along(points, width):
            self.marks[at] = (
                BRIDGE
                if self.marks[at] in (WATER, BRIDGE)
                else mark
                if self.marks[at] == GRASS
                else self.marks[at]
            )

    def square_bridges(self) -> None:
        """Make each bridge of a town a rectangle, where the road came upon the bank at an angle."""
        bridges = {
            frozenset(self._reached(at, BRIDGE))
            for at, mark in self.marks.items()
            if mark == BRIDGE
        }
        for bridge in bridges:
            columns, rows = zip(*bridge, strict=True)
            left, top = min(columns), min(rows)
            self.fill(
                (left, top, max(columns) - left + 1, max(rows) - top + 1),
                BRIDGE,
                WATER + "".join(ROADS),
            )

    def brook(self, points: Sequence[Point], width: float) -> None:
        """Draw a brook along a smooth line."""
        for at in self._along(points, width):
            self.marks[at] = WATER

    def blob(self, centre: Point, radii: Point, mark: str, wobble: float = 0.12) -> set[At]:
        """Return an irregular oval, on grass only; returns its tiles."""
        waves = [(n, self.stream.uniform(0, 2 * pi), wobble / n * 2) for n in (2, 3, 5)]
        tiles = set()
        for column, row in self.marks:
            x, y = (column + 0.5 - centre[0]) / radii[0], (row + 0.5 - centre[1]) / radii[1]
            edge = 1 + sum(depth * sin(n * atan2(y, x) + phase) for n, phase, depth in waves)
            if hypot(x, y) < edge and self.marks[column, row] == GRASS:
                tiles.add((column, row))
        self.marks |= dict.fromkeys(tiles, mark)
        return tiles

    def within(self, centre: Point, radii: Point) -> set[At]:
        """Return the tiles of an even oval."""
        return {
            at
            for at in self.marks
            if hypot((at[0] + 0.5 - centre[0]) / radii[0], (at[1] + 0.5 - centre[1]) / radii[1]) < 1
        }

    def inside(self, at: At, mark: str) -> bool:
        """Return whether all tiles around a tile have the same mark."""
        return all(self.marks.get(neighbour) == mark for neighbour in _shift(at, AROUND))

    def outline(self, rect: tuple[int, int, int, int], mark: str) -> None:
        """Draw a hedge or fence along the edge of a rectangle, with gaps for paths and objects."""
        column, row, width, height = rect
        edge = [
            (column + right, row + down)
            for right in range(width)
            for down in range(height)
            if right in (0, width - 1) or down in (0, height - 1)
        ]
        clear = [
            at
            for at in edge
            if at not in self.kept
            and self.marks.get(at) == GRASS
            and not any(self.marks.get(neighbour) in ROADS for neighbour in _shift(at, BESIDE))
        ]
        whole = [at for at in clear if any(neighbour in clear for neighbour in _shift(at, BESIDE))]
        self.marks |= dict.fromkeys(whole, mark)
        self.keep(whole, 1)

    def edge(self, mark: str, depth: int) -> None:
        """Draw a wood around the whole map that thins towards the inside."""
        for column, row in self._shuffled():
            far = min(column, row, self.size[0] - 1 - column, self.size[1] - 1 - row)
            if (
                far < depth
                and self.stream.random() < 1.2 - far / depth
                and self.free((column, row))
                and not self._near((column, row), mark, 2)
            ):
                self.marks[column, row] = mark

    def fill(self, rect: tuple[int, int, int, int], mark: str, over: str = GRASS) -> None:
        """Fill the tiles of a rectangle that have one of the marks `over`."""
        column, row, width, height = rect
        tiles = ((column + right, row + down) for right in range(width) for down in range(height))
        self.marks |= {at: mark for at in tiles if self.marks[at] in over}

    def build(self, building: Building) -> None:
        """Place a building; no plants grow next to its walls."""
        self.marks |= building.ground()
        self.keep((at for at, _ in building.tiles()), 1)

    def doorstep(self, door: At) -> None:
        """Lay a path over grass from a door to the nearest road."""
        before: dict[At, At] = {door: door}
        edge = [door]
        for here in edge:
            if self.marks[here] in ROADS:
                break
            fresh = [
                at
                for at in _shift(here, BESIDE)
                if at not in before and self.marks.get(at) in (*ROADS, GRASS)
            ]
            before |= dict.fromkeys(fresh, here)
            edge += fresh
        while here != door:
            if self.marks[here] == GRASS:
                self.marks[here] = ":"
                self.keep([here], 0)
            here = before[here]

    def keep(self, tiles: Iterable[At], margin: int) -> None:
        """Keep plants off these tiles and at least `margin` tiles away."""
        for column, row in tiles:
            self.kept |= {
                (column + right, row + down)
                for right in range(-margin, margin + 1)
                for down in range(-margin, margin + 1)
            }

    def free(self, at: At, margin: int = 1) -> bool:
        """Return whether a plant may grow on a tile: on grass, away from roads, walls, and tiles
        kept free.
        """
        column, row = at
        near = [
            (column + right, row + down)
            for right in range(-margin, margin + 1)
            for down in range(-margin, margin + 1)
        ]
        return (
            at not in self.kept
            and self.marks.get(at) == GRASS
            and all(self.marks.get(neighbour, "t") in ".tfT" for neighbour in near)
        )

    def plant(
        self,
        mark: str,
        centre: Point,
        radii: Point,
        density: float,
        apart: int = 1,
        margin: int = 1,
    ) -> None:
        """Draw a group of trees or flowers, denser in the middle: plants at least `apart` tiles
        from each other, `margin` from all else.
        """
        tiles = [
            at
            for at in self._shuffled()
            if hypot((at[0] - centre[0]) / radii[0], (at[1] - centre[1]) / radii[1]) < 1
        ]
        for at in tiles:
            thin = 1.15 - hypot((at[0] - centre[0]) / radii[0], (at[1] - centre[1]) / radii[1])
            if (
                self.stream.random() < density * thin
                and self.free(at, margin)
                and not self._near(at, mark, apart)
            ):
                self.marks[at] = mark

    def close(self, start: At, open_marks: str) -> None:
        """Fill the grass that cannot be reached from `start` with trees, so that no clearing is cut
        off.
        """
        reached = self._reached(start, open_marks)
        self.marks |= {
            at: "T" for at, mark in self.marks.items() if mark in ".f" and at not in reached
        }

    def _reached(self, start: At, open_marks: str) -> set[At]:
        """Return all tiles to which a way over these marks leads."""
        reached, edge = {start}, [start]
        while edge:
            fresh = {
                at for at in _shift(edge.pop(), BESIDE) if self.marks.get(at, "#") in open_marks
            } - reached
            reached |= fresh
            edge += fresh
        return reached

    def _shuffled(self) -> list[At]:
        """Return all tiles in a new random order, so that plants do not form rows."""
        tiles = list(self.marks)
        self.stream.shuffle(tiles)
        return tiles

    def _near(self, at: At, mark: str, apart: int) -> bool:
        reach = range(-apart + 1, apart)
        return any(
            self.marks.get((at[0] + right, at[1] + down)) == mark
            for right in reach
            for down in reach
        )

    def _along(self, points: Sequence[Point], width: float) -> list[At]:
        """Return the tiles under a round brush drawn along a line through the points."""
        reach = range(-int(width), int(width) + 1)
        tiles: dict[At, None] = {}
        for x, y in _smooth(points):
            for at in ((int(x) + right, int(y) + down) for right in reach for down in reach):
                if at in self.marks and hypot(at[0] + 0.5 - x, at[1] + 0.5 - y) <= width / 2 + 0.1:
                    tiles[at] = None
        return list(tiles)


def ring(centre: Point, radii: Point) -> list[Point]:
    """Points around an oval, closed."""
    return [
        (centre[0] + radii[0] * cos(n * pi / 8), centre[1] + radii[1] * sin(n * pi / 8))
        for n in range(17)
    ]


def _shift(at: At, steps: Iterable[At]) -> list[At]:
    return [(at[0] + right, at[1] + down) for right, down in steps]


def _smooth(points: Sequence[Point], step: float = 0.2) -> Iterable[Point]:
    """Return a smooth line through all points (a Catmull–Rom spline), with a point about every
    `step` tiles.
    """
    ends = [points[0], *points, points[-1]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        count = max(2, int(hypot(c[0] - b[0], c[1] - b[1]) / step))
        for n in range(count + 1):
            t = n / count
            yield (_between(a[0], b[0], c[0], d[0], t), _between(a[1], b[1], c[1], d[1], t))


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )
