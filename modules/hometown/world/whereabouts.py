"""The residents and things in sight: a snapshot of the town, by arena."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hometown.world.maze import Tile
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import ThingState
from hometown.world.state import State
from hometown.world.world import Thing, World

EARSHOT_TILES = 4
"""Distance in tiles within which words are understood."""


def box_distance(tile: Tile, other: Tile) -> int:
    """Return the Chebyshev distance in tiles.

    >>> box_distance((2, 3), (5, 4))
    3
    """
    across, down = abs(tile[0] - other[0]), abs(tile[1] - other[1])
    return across if across > down else down  # asked too often for a call of `max`


class Whereabouts:
    """The residents in town by arena, at the time of creation; those who are away are in none.

    `occasions` maps residents to the occasions not over yet that they know of, with their part;
    `helpless` are the helpless residents.
    """

    def __init__(self, world: World, state: State) -> None:
        self.world = world
        self._state = state
        self.tiles = {who: state.body(who).tile for who in world.personas}
        self._arenas = {who: world.maze.arena_at(tile) for who, tile in self.tiles.items()}
        self.residents: dict[str, list[str]] = defaultdict(list)
        for who, arena in self._arenas.items():
            if not state.is_away(who):
                self.residents[arena].append(who)
        self.occasions: dict[str, list[tuple[Occasion, Guest]]] = defaultdict(list)
        for _, occasion in state.occasions:
            for guest in occasion.guests:
                self.occasions[guest.who].append((occasion, guest))
        self.helpless = (
            [who for who in world.personas if state.is_helpless(who)] if world.book else []
        )
        self._neighbours: dict[tuple[str, int], list[tuple[int, str]]] = {}
        self._looks: dict[str, tuple[str, ThingState]] = {}

    def arena(self, who: str) -> str:
        """Return the arena that a resident was in at the time of creation."""
        return self._arenas[who]

    def neighbours(self, who: str, radius: int) -> list[tuple[int, str]]:
        """Return other residents in the same arena within `radius` tiles, as (distance, id),
        nearest first.
        """
        found = self._neighbours.get((who, radius))
        if found is None:
            here, tiles = self.tiles[who], self.tiles
            seen = [
                (box_distance(here, tiles[other]), other)
                for other in self.residents[self._arenas[who]]
                if other != who
            ]
            found = self._neighbours[who, radius] = sorted(
                [each for each in seen if each[0] <= radius]
            )
        return found

    def look_of(self, address: str) -> tuple[str, ThingState]:
        """Return the lasting state of a thing, "" for none, and that of its use."""
        look = self._looks.get(address)
        if look is None:
            look = self._looks[address] = self._state.condition(address), self._state.thing(address)
        return look

    def visible_state(self, address: str) -> str:
        """Return the visible state of a thing: the lasting one, or that of its use, or ""."""
        condition, used = self.look_of(address)
        return condition or used.state

    def things(self, who: str, radius: int) -> list[tuple[int, Thing]]:
        """Return things of the same arena within `radius` tiles, as (distance, thing), nearest
        first.
        """
        return things_near(self.world, self.tiles[who], radius)


def things_near(world: World, tile: Tile, radius: int) -> list[tuple[int, Thing]]:
    """Return things of the arena of `tile` with a tile within `radius`, as (distance, thing),
    nearest first; kept for the next call.
    """
    seen = world.sights.get((tile, radius))
    if seen is None:
        seen = world.sights[tile, radius] = _find_things_near(world, tile, radius)
    return seen


def _find_things_near(world: World, tile: Tile, radius: int) -> list[tuple[int, Thing]]:
    """Return the things of the arena of `tile` with a tile within `radius`, nearest first; none
    where there is no arena. Distances are Chebyshev distances in tiles.
    """
    arena = world.arenas.get(world.maze.arena_at(tile))
    if arena is None:
        return []
    column, row = tile
    near = [
        (min([max(abs(x - column), abs(y - row)) for x, y in world.things[address].tiles]), address)
        for address in arena.things
    ]
    return [
        (distance, world.things[address])
        for distance, address in sorted(near)
        if distance <= radius
    ]


def is_near_tile(world: World, address: str, tile: Tile, radius: int) -> bool:
    """Return True if a part of a thing or an arena is within `radius` tiles of a tile."""
    return bool((np.abs(_tile_table(world, address) - tile).max(axis=1) <= radius).any())


@lru_cache(maxsize=1 << 12)
def is_near_arena(world: World, address: str, arena: str, radius: int) -> bool:
    """Return True if a part of a thing or an arena is within `radius` tiles of a part of an arena."""
    return any(is_near_tile(world, address, tile, radius) for tile in world.open_tiles[arena])


@lru_cache(maxsize=1 << 10)
def _tile_table(world: World, address: str) -> NDArray[np.int64]:
    """Return the tiles of a thing, or the open ones of an arena, one a row."""
    tiles = world.things[address].tiles if address in world.things else world.open_tiles[address]
    return np.array(tiles, dtype=np.int64).reshape(-1, 2)
