"""What can be wrong with a map that loads: tiles nobody reaches, things on walls, homes that lack what a home needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from modules.text import Phrase
from modules.world.maze import Tile
from modules.world.places import FILE as MAP
from modules.world.tiled import TiledMap, object_in
from modules.world.world import Sector, World
from modules.worlds.problems import Problems

HANGING = frozenset({"whiteboard", "notice", "poster", "play", "stall", "books"})
"""Tags of things that may lean on a wall or hang there."""

FOOD = frozenset({"eat", "cook", "dining", "snack", "kitchen", "order", "cafe", "bake", "coffee"})
"""Tags of places and things at which one gets something to eat."""


def check_map(world: World, drawn: TiledMap, problems: Problems) -> None:
    """Notes what is wrong with the places of a world, whoever lives there."""
    _check_pockets(world, problems)
    _check_things(world, drawn, problems)
    for sector in world.sectors.values():
        _check_home(world, sector, problems)
    if not any(thing.tags & FOOD for thing in world.things.values()):
        problems.warn(MAP, "things", "nothing here is tagged eat or cook, so nobody can have a meal; tag a table eat or a stove cook")


def _check_pockets(world: World, problems: Problems) -> None:
    width, height = world.maze.size
    left = {(column, row) for row in range(height) for column in range(width) if world.maze.walkable((column, row))}
    pockets = []
    while left:
        area = world.maze.reachable(min(left))
        pockets.append(area)
        left -= area
    for pocket in sorted(pockets, key=len, reverse=True)[1:]:
        first = min(pocket, key=lambda tile: (tile[1], tile[0]))
        text = "{count} walkable tiles from {first} on cannot be reached; open a way to them, or fill them in the layer collision"
        problems.warn(MAP, Phrase("layer {name!r}", name="collision"), text, "", first, count=len(pocket), first=first)


def _check_things(world: World, drawn: TiledMap, problems: Problems) -> None:
    walls = drawn.layers.get("walls", np.zeros((drawn.height, drawn.width), dtype=np.uint32))
    arenas: dict[str, set[Tile]] = {}
    for placed in drawn.objects.get("arenas", ()):
        arenas.setdefault(placed.name, set()).update(placed.tiles)
    for thing in world.things.values():
        where = object_in("things", thing.address)
        if not thing.tags & HANGING and _covers(walls, thing.tiles):
            problems.warn(MAP, where, "stands on a wall; move it off the tiles of the layer walls", thing.address)
        elif not arenas.get(thing.arena, set()).intersection(thing.tiles) and not thing.tags & HANGING and thing.arena in arenas:
            problems.warn(
                MAP, where, "lies outside its arena {arena!r}; move it there, or name it after the arena that it is in", thing.address, arena=thing.arena
            )
        if not thing.tags:
            problems.warn(MAP, where, "has no tags, so nobody knows what it is for; add some, such as seat, work or cook", thing.address)


def _covers(layer: NDArray[np.uint32], tiles: tuple[Tile, ...]) -> bool:
    return all(layer[row, column] for column, row in tiles)


def _check_home(world: World, sector: Sector, problems: Problems) -> None:
    """A sector with a room tagged home has a bed, and something to eat from."""
    rooms = [world.arenas[one] for one in sector.arenas if one in world.arenas]
    if not any("home" in room.tags for room in rooms):
        return
    tags = set().union(*(world.things[one].tags for room in rooms for one in room.things if one in world.things), *(room.tags for room in rooms))
    if "sleep" not in tags:
        problems.warn(MAP, object_in("sectors", sector.address), "is a home without a bed; add a thing tagged sleep", sector.address)
    if not tags & FOOD:
        problems.warn(MAP, object_in("sectors", sector.address), "is a home without a kitchen or a table; add a thing tagged cook or eat", sector.address)
