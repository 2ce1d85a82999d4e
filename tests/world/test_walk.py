"""Residents who walk see those who are near, found by cells as by looking at everybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from hometown.game import Game
from hometown.world import keys
from hometown.world.clones import crowd, populate
from hometown.world.maze import Tile
from hometown.world.sights import Onlooker, Sights
from hometown.world.walk import Walk
from hometown.world.whereabouts import box_distance
from tests.support.town import live, minitown

RESIDENTS, RADIUS, STRIDE = 60, 4, 5


def in_a_crowd(folder: Path, check: Callable[[Game], None]) -> None:
    """Lives one step of a town with many residents, then checks something."""
    town = minitown()
    live(folder, 1, world=populate(town, crowd(list(town.personas), RESIDENTS)), after_each=check)


def set_out(game: Game, chance: Random) -> None:
    """Everybody is somewhere in one part of the town, and on its way to somewhere else there."""
    open_tiles = sorted(tile for tiles in game.world.open_tiles.values() for tile in tiles)
    here = chance.sample(open_tiles, 1)[0]
    crossing = [tile for tile in open_tiles if box_distance(tile, here) <= 3 * RADIUS]
    for who in game.world.personas:
        start, end = chance.choice(crossing), chance.choice(crossing)
        game.state.put(
            keys.BODY.of(who),
            replace(game.state.body(who), tile=start, path=game.world.maze.path(start, end)),
        )


# who is near ----------------------------------------------------------------------------------


def test_whoever_is_near_is_seen_in_the_order_of_entering_the_arena(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        set_out(game, Random(1))
        people = list(game.world.personas)
        sights, seen = Sights(game.world, game.state, people, RADIUS), 0
        for entered in Walk(
            game.world, game.state, people, game.state.clock.now, STRIDE
        ).entered_tiles():
            for who, tile in entered:
                sights.enter(who, tile)
            for onlooker in sights.onlookers.values():
                assert [other.who for other in sights.near(onlooker)] == near(sights, onlooker)
                seen += len(near(sights, onlooker))
        assert seen > 500
        assert len({_arena(sights, onlooker.tile) for onlooker in sights.onlookers.values()}) > 1

    in_a_crowd(tmp_path, check)


def near(sights: Sights, onlooker: Onlooker) -> list[str]:
    """Those in sight, by looking at everybody."""
    arena = _arena(sights, onlooker.tile)
    others = (
        each
        for each in sights.onlookers.values()
        if each is not onlooker and _arena(sights, each.tile) == arena
    )
    return [
        each.who
        for each in sorted(others, key=lambda each: each.since)
        if box_distance(each.tile, onlooker.tile) <= RADIUS
    ]


def _arena(sights: Sights, tile: Tile) -> str:
    return sights.world.maze.arena_at(tile)
