"""Who walks sees whoever is near, found by cells as by looking at everybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from hometown.game import Game
from hometown.world.clones import crowd, populated
from hometown.world.maze import Tile
from hometown.world.scene import box_distance
from hometown.world.walk import Walk, Walker
from tests.support.town import live, minitown

RESIDENTS, RADIUS = 60, 4


def near(walk: Walk, walker: Walker) -> list[str]:
    """Those in sight, by looking at everybody."""
    arena = walk.world.maze.arena_at(walker.tile)
    others = (each for each in walk.walkers.values() if each is not walker and walk.world.maze.arena_at(each.tile) == arena)
    return [each.who for each in sorted(others, key=lambda each: each.since) if box_distance(each.tile, walker.tile) <= RADIUS]


def test_whoever_is_near_is_seen_in_the_order_of_entering_the_arena(tmp_path: Path) -> None:
    town = minitown()
    town = populated(town, crowd(list(town.personas), RESIDENTS))

    def check(game: Game) -> None:
        chance, open_tiles = Random(1), sorted(tile for tiles in game.world.open_tiles.values() for tile in tiles)
        here = chance.sample(open_tiles, 1)[0]
        crossing = [tile for tile in open_tiles if box_distance(tile, here) <= 3 * RADIUS]
        for who in game.world.personas:
            start, end = chance.choice(crossing), chance.choice(crossing)
            game.state.put(f"body/{who}", replace(game.state.body(who), tile=start, path=game.world.maze.path(start, end)))
        walk = Walk(game.world, game.state, list(game.world.personas), game.state.clock.now, 1, RADIUS)
        seen = 0
        for _ in range(8):
            for walker in _walking(walk):
                walk._step(walker, 0)
            for walker in walk.walkers.values():
                assert [other.who for other in walk._near(walker)] == near(walk, walker)
                seen += len(near(walk, walker))
        assert seen > 500
        assert len({_arena(walk, walker.tile) for walker in walk.walkers.values()}) > 1

    live(tmp_path, 1, world=town, after_each=check)


def _walking(walk: Walk) -> Iterator[Walker]:
    return (walker for walker in walk.walkers.values() if walker.path)


def _arena(walk: Walk, tile: Tile) -> str:
    return walk.world.maze.arena_at(tile)
