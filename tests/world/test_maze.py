"""Ways through the grid, against a slow and obvious search."""

from __future__ import annotations

from collections import deque
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.world.maze import OUTDOORS, Floor, Maze, Rings, Tile


@st.composite
def mazes(draw: st.DrawFn) -> Maze:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    cells = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    walkable = np.array(cells, dtype=bool).reshape(height, width)
    walkable[0, 0] = True
    return Maze(walkable, [], np.full((height, width), -1))


def slow_distances(maze: Maze, start: Tile) -> dict[Tile, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        column, row = queue.popleft()
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            beside = (column + right, row + down)
            if maze.walkable(beside) and beside not in found:
                found[beside] = found[column, row] + 1
                queue.append(beside)
    return found


@settings(max_examples=60, deadline=None)
@given(mazes())
def test_ways_are_shortest_connected_and_walkable(maze: Maze) -> None:
    start = (0, 0)
    expected = slow_distances(maze, start)
    assert maze.reachable(start) == frozenset(expected)
    for goal, distance in expected.items():
        way = maze.path(start, goal)
        assert len(way) == maze.distance(start, goal) == distance
        for here, there in zip((start, *way), way, strict=False):
            assert abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1
            assert maze.walkable(there)
        assert not way or way[-1] == goal
        assert way == maze.path(start, goal)


@settings(max_examples=60, deadline=None)
@given(mazes(), st.integers(1, 4))
def test_ways_are_the_same_on_a_part_of_the_map_as_on_the_whole(maze: Maze, margin: int) -> None:
    expected = slow_distances(maze, (0, 0))
    tiles = [
        (column, row)
        for column in range(maze.size[0])
        for row in range(maze.size[1])
        if maze.walkable((column, row))
    ]
    walkable = np.array(
        [
            [maze.walkable((column, row)) for column in range(maze.size[0])]
            for row in range(maze.size[1])
        ]
    )
    together = Rings(Floor(walkable), (0, 0), margin)
    with patch("hometown.world.maze.SMALL", 0), patch("hometown.world.maze.MARGIN", margin):
        part = Maze(walkable, [], np.full(walkable.shape, -1))
    for tile in tiles:
        assert (
            together.distance(tile)
            == Rings(Floor(walkable), (0, 0), margin).distance(tile)
            == expected.get(tile)
        )
        if tile in expected:
            assert part.path(tile, (0, 0)) == maze.path(tile, (0, 0))


def test_no_way_names_both_tiles() -> None:
    maze = Maze(np.array([[True, False, True]]), [], np.full((1, 3), -1))
    for goal in ((2, 0), (1, 0), (9, 9)):
        with pytest.raises(LookupError, match=rf"\(0, 0\) to tile \({goal[0]}, {goal[1]}\)"):
            maze.path((0, 0), goal)


def test_walls_have_no_arena() -> None:
    walkable = np.array([[True, True, False, True]])
    maze = Maze(walkable, ["cafe/main", "park/grounds"], np.array([[0, 0, 0, 1]]))
    assert [maze.arena_at((column, 0)) for column in range(-1, 5)] == [
        "",
        "cafe/main",
        "cafe/main",
        "",
        "park/grounds",
        "",
    ]


def test_uncovered_tiles_lie_outdoors() -> None:
    maze = Maze(np.ones((3, 30), dtype=bool), [], np.full((3, 30), -1))
    assert maze.arena_at((0, 0)) == OUTDOORS


def test_not_everybody_takes_the_same_line() -> None:
    maze = Maze(np.ones((20, 20), dtype=bool), [], np.full((20, 20), -1))
    lines = {maze.path((1, row), (18, 18))[:3] for row in range(4)}
    steps = {
        tuple((there[0] - 1, there[1] - row) for there in maze.path((1, row), (18, 18))[:1])
        for row in range(4)
    }
    assert len(lines) == 4
    assert len(steps) == 2


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="must be the same"):
        Maze(np.ones((2, 3), dtype=bool), [], np.full((3, 2), -1))
