"""What is near to what: things, rooms and residents, in tiles."""

from __future__ import annotations

import pytest

from hometown.world.maze import OUTDOORS
from hometown.world.whereabouts import box_distance, is_near_arena, is_near_tile
from tests.support.town import minitown


@pytest.mark.parametrize("radius", [1, 4, 8, 20])
def test_a_thing_or_an_arena_is_near_if_one_of_its_tiles_is(radius: int) -> None:
    world = minitown()
    covered = world.open_tiles | {address: thing.tiles for address, thing in world.things.items()}
    for address in ("cafe/main", "cafe/main/counter", OUTDOORS):
        for arena, here in world.open_tiles.items():
            near = any(
                box_distance(one, other) <= radius for one in covered[address] for other in here
            )
            assert is_near_arena(world, address, arena, radius) is near, (address, arena)
            assert is_near_tile(world, address, here[0], radius) is any(
                box_distance(one, here[0]) <= radius for one in covered[address]
            )


def test_whether_an_arena_is_near_is_found_out_once() -> None:
    world = minitown()
    is_near_arena(world, "cafe/main", "park/grounds", 8)
    before = is_near_arena.cache_info()
    is_near_arena(world, "cafe/main", "park/grounds", 8)
    assert is_near_arena.cache_info().hits == before.hits + 1
