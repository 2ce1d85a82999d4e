"""Checks of a map that loads: unreachable tiles, things on walls, homes without a bed or food."""

from __future__ import annotations

from hometown.authoring.problems import Problems
from hometown.text import N_, Phrase
from hometown.world.faults import Faults
from hometown.world.map_places import OBJECT_LAYERS
from hometown.world.maze import Tile
from hometown.world.tiled import Layer, TiledMap, object_in
from hometown.world.world import Sector, World

HANGING = frozenset({"whiteboard", "notice", "poster", "play", "stall", "books"})
"""Tags of things that may lean on a wall or hang there."""

FOOD = frozenset({"eat", "cook", "dining", "snack", "kitchen", "order", "cafe", "bake", "coffee"})
"""Tags of places and things at which one gets something to eat."""


def check_map(world: World, drawn: TiledMap, problems: Problems) -> None:
    """Report problems with the places of a world, independent of its residents: unreachable tiles,
    objects smaller than a tile, misplaced and untagged things, homes without a bed or food, and a
    town without any food.
    """
    _check_unreachable_tiles(world, drawn.file, problems)
    _check_sizes(drawn, problems)
    _check_things(world, drawn, problems)
    for sector in world.sectors.values():
        _check_home(world, sector, drawn.file, problems)
    if not any(thing.tags & FOOD for thing in world.things.values()):
        problems.warn(
            drawn.file,
            "things",
            "nothing here is tagged eat or cook, so nobody can have a meal; tag a table eat or a stove cook",
        )


def _check_unreachable_tiles(world: World, file: str, problems: Problems) -> None:
    """Warn of each walkable area that cannot be reached from the largest one."""
    width, height = world.maze.size
    unvisited = {
        (column, row)
        for row in range(height)
        for column in range(width)
        if world.maze.walkable((column, row))
    }
    areas = []
    while unvisited:
        area = world.maze.reachable(min(unvisited))
        areas.append(area)
        unvisited -= area
    for pocket in sorted(areas, key=len, reverse=True)[1:]:
        first = min(pocket, key=lambda tile: (tile[1], tile[0]))
        text = N_(
            "{count} walkable tiles from {first} on cannot be reached; open a way to them, or fill them in the layer collision"
        )
        problems.warn(
            file,
            Phrase("layer {name!r}", name="collision"),
            text,
            "",
            first,
            count=len(pocket),
            first=first,
        )


def _check_sizes(drawn: TiledMap, problems: Problems) -> None:
    """Warn of sectors, arenas and things that are smaller than a tile."""
    for item in drawn.lay(
        (item for item in drawn.objects if item.layer in OBJECT_LAYERS), Faults("")
    ):
        if item.small:
            text = N_(
                "is smaller than a tile, so it covers the tile {tile} that it stands in; draw it over whole tiles"
            )
            problems.warn(
                drawn.file,
                object_in(OBJECT_LAYERS[item.name.count("/") % 3], item.name),
                text,
                item.name,
                item.tiles[0],
                tile=item.tiles[0],
            )


def _check_things(world: World, drawn: TiledMap, problems: Problems) -> None:
    """Warn of things that stand on a wall or outside their arena, unless they may hang there, and
    of things without tags.
    """
    walls = drawn.covered("walls")
    arenas: dict[str, set[Tile]] = {}
    for placed in drawn.lay((item for item in drawn.objects if item.layer == "arenas"), Faults("")):
        arenas.setdefault(placed.name, set()).update(placed.tiles)
    for thing in world.things.values():
        where = object_in("things", thing.address)
        if walls is not None and not thing.tags & HANGING and _covers(walls, thing.tiles):
            problems.warn(
                drawn.file,
                where,
                "stands on a wall; move it off the tiles of the layer walls",
                thing.address,
            )
        elif (
            not arenas.get(thing.arena, set()).intersection(thing.tiles)
            and not thing.tags & HANGING
            and thing.arena in arenas
        ):
            problems.warn(
                drawn.file,
                where,
                "lies outside its arena {arena!r}; move it there, or name it after the arena that it is in",
                thing.address,
                arena=thing.arena,
            )
        if not thing.tags:
            problems.warn(
                drawn.file,
                where,
                "has no tags, so nobody knows what it is for; add some, such as seat, work or cook",
                thing.address,
            )


def _covers(layer: Layer, tiles: tuple[Tile, ...]) -> bool:
    """Return True if a layer has a tile of the picture at all of these tiles."""
    return all(layer[row, column] for column, row in tiles)


def _check_home(world: World, sector: Sector, file: str, problems: Problems) -> None:
    """Warn of a sector with a room tagged home that has no bed or no food."""
    rooms = [world.arenas[address] for address in sector.arenas if address in world.arenas]
    if not any("home" in room.tags for room in rooms):
        return
    tags = set().union(
        *(
            world.things[address].tags
            for room in rooms
            for address in room.things
            if address in world.things
        ),
        *(room.tags for room in rooms),
    )
    if "sleep" not in tags:
        problems.warn(
            file,
            object_in("sectors", sector.address),
            "is a home without a bed; add a thing tagged sleep",
            sector.address,
        )
    if not tags & FOOD:
        problems.warn(
            file,
            object_in("sectors", sector.address),
            "is a home without a kitchen or a table; add a thing tagged cook or eat",
            sector.address,
        )
