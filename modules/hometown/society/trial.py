"""A trial of a world's society: some days by its rules alone, on the world's own map, to see who goes without what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hometown.clock import DAY, TICKS_PER_MINUTE
from hometown.society.living import MINUTES, Life
from hometown.society.means import Apart
from hometown.world.maze import Tile
from hometown.world.world import World, arena_of

SEED = 1


@dataclass(frozen=True)
class Day:
    """How a day of a trial went: its lowest level of each need with whose it is, and the prices at its end."""

    number: int
    lowest: dict[str, tuple[int, str]]
    prices: dict[str, int]


def trial(world: World, days: int) -> Iterator[Day]:
    """The days, each once it is lived. The world has a society."""
    assert world.book is not None
    life = Life(world.book, world.start, SEED, walks(world))
    needs = [need for need, part in world.book.needs.items() if part.met_by]
    for number in range(1, days + 1):
        lowest: dict[str, tuple[int, str]] = {}
        for _ in range(DAY // MINUTES):
            life.step()
            for need in needs:
                lowest[need] = min((lowest.get(need, (1000, "")), *((life.level(who, need), who) for who in life.people)))
        shops = [shop for address in world.book.fixtures if (shop := life.state.shop(address))]
        yield Day(number, lowest, {kind: price for shop in shops for kind, price in shop.prices})


def walks(world: World) -> Apart:
    """How long the way between two places of a world is, in whole minutes, begun ones too; within a room it counts for nothing."""

    def tile(address: str) -> Tile:
        return world.things[address].stands[0] if address in world.things else world.open_tiles[address][0]

    @cache
    def minutes(here: str, there: str) -> int:
        return 0 if arena_of(here) == arena_of(there) else -(-world.maze.distance(tile(here), tile(there)) // TICKS_PER_MINUTE)

    return minutes
