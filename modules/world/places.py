"""From a Tiled map to the places of a world: the maze, sectors, arenas and things, each in one language.

The map has a tile layer `collision` (any tile there blocks the way) and object layers `sectors`, `arenas` and
`things`, whose objects are named by address: `cafe`, `cafe/main`, `cafe/main/counter`. A thing is used from its own
tiles where they can be walked (a chair, a bed), otherwise from the walkable tiles beside it in its arena (a stove).

Tags are free; these are the ones that the worlds here use, and that the scripted model knows:
of things: sleep, wash, toilet, cook, eat, rest, seat, work, computer, read, books, write, study, coffee, counter,
chat, exercise, garden, flowers, shop, art, music, play, notice, sweep, water, store, teach;
of arenas: home, bedroom, bathroom, kitchen, living, garden, cafe, park, work, library, square, shop, outdoors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from modules.world.authored import PlaceProperties, ThingProperties
from modules.world.faults import Faults, check, likely
from modules.world.maze import OUTDOORS, Maze, Tile
from modules.world.tiled import MapObject, TiledMap
from modules.world.world import Arena, Lang, Sector, Thing

FILE = "map.tmj"

OBJECT_LAYERS = ("sectors", "arenas", "things")


@dataclass(frozen=True)
class Places:
    maze: Maze
    sectors: dict[str, Sector]
    arenas: dict[str, Arena]
    things: dict[str, Thing]


def read_places(drawn: TiledMap, outdoors: str, langs: tuple[Lang, ...], lang: Lang, faults: Faults) -> Places | None:
    """The places of a map; None where a layer is missing. `outdoors` names what no arena covers."""
    missing = [name for name in ("collision",) if name not in drawn.layers] + [name for name in OBJECT_LAYERS if name not in drawn.objects]
    for name in missing:
        seen = [*drawn.layers, *drawn.objects]
        faults.add(FILE, f"layer {name!r}", f"is missing; {'add it' if name not in map(str.lower, seen) else 'layer names are in small letters'}")
    if missing:
        return None
    named = {layer: _named(drawn.objects[layer], depth, faults) for depth, layer in enumerate(OBJECT_LAYERS, start=1)}
    maze = _maze(drawn, named["arenas"], faults)
    town = _main_area(maze)
    things = {one: _thing(placed, maze, town, named["arenas"], langs, lang, faults) for one, placed in named["things"].items()}
    arenas = {one: _arena(placed, maze, town, tuple(things), named["sectors"], langs, lang, faults) for one, placed in named["arenas"].items()}
    sectors = {one: _sector(placed, tuple(arenas), langs, lang, faults) for one, placed in named["sectors"].items()}
    sector = OUTDOORS.partition("/")[0]
    arenas[OUTDOORS] = Arena(OUTDOORS, outdoors, sector, tags=frozenset({"outdoors"}))
    sectors[sector] = Sector(sector, outdoors, (OUTDOORS,))
    return Places(maze, sectors, arenas, things)


def _named(objects: tuple[MapObject, ...], depth: int, faults: Faults) -> dict[str, MapObject]:
    """Objects by address; those without one, or with one that is taken, are faults."""
    layer = OBJECT_LAYERS[depth - 1]
    shape = "/".join(("sector", "arena", "thing")[:depth])
    found: dict[str, MapObject] = {}
    for one in objects:
        parts = one.name.split("/")
        if len(parts) != depth or not all(part.isidentifier() for part in parts):
            faults.add(FILE, f"{layer} object {one.name!r}", f"is not named like {shape}; use letters, digits and underscores between slashes")
        elif one.name in found or parts[0] == OUTDOORS.partition("/")[0]:
            faults.add(FILE, f"{layer} object {one.name!r}", "has a name that is taken; give each its own")
        else:
            found[one.name] = one
    return found


def _maze(drawn: TiledMap, arenas: dict[str, MapObject], faults: Faults) -> Maze:
    """The grid, each walkable tile in at most one arena."""
    walkable = drawn.layers["collision"] == 0
    index = np.full(walkable.shape, -1, dtype=np.int32)
    names = list(arenas)
    for number, placed in enumerate(arenas.values()):
        area = (slice(placed.row, placed.row + placed.height), slice(placed.column, placed.column + placed.width))
        taken = set(index[area][walkable[area]].tolist()) - {-1}
        for other in sorted(taken):
            faults.add(FILE, f"arenas object {placed.name!r}", f"overlaps {names[other]!r}; make one of them smaller")
        index[area] = number
    return Maze(walkable, names, index)


def _main_area(maze: Maze) -> frozenset[Tile]:
    """The largest part of the map in which every tile can be reached from every other."""
    left = {(column, row) for row in range(maze.size[1]) for column in range(maze.size[0]) if maze.walkable((column, row))}
    largest: frozenset[Tile] = frozenset()
    while len(left) > len(largest):
        area = maze.reachable(min(left))
        largest = max(largest, area, key=len)
        left -= area
    return largest


def _sector(placed: MapObject, arenas: tuple[str, ...], langs: tuple[Lang, ...], lang: Lang, faults: Faults) -> Sector:
    own = tuple(one for one in arenas if one.startswith(f"{placed.name}/"))
    if not own:
        faults.add(FILE, f"sectors object {placed.name!r}", "has no arena; add one to the layer arenas")
    given = check(PlaceProperties, placed.properties, FILE, faults, where=f"sectors object {placed.name!r}")
    return Sector(placed.name, _text(given, "", placed, langs, lang, faults), own)


def _arena(
    placed: MapObject, maze: Maze, town: frozenset[Tile], things: tuple[str, ...], sectors: dict[str, MapObject],
    langs: tuple[Lang, ...], lang: Lang, faults: Faults,
) -> Arena:  # fmt: skip
    where = f"arenas object {placed.name!r}"
    sector = placed.name.partition("/")[0]
    if sector not in sectors:
        faults.add(FILE, where, f"its sector {sector!r} is not in the layer sectors{likely(sector, sectors)}")
    if not any(maze.arena_at(tile) == placed.name and tile in town for tile in placed.tiles):
        faults.add(FILE, where, "cannot be reached on foot; open a way to it in the layer collision")
    given = check(PlaceProperties, placed.properties, FILE, faults, where=where) or PlaceProperties()
    own = tuple(one for one in things if one.startswith(f"{placed.name}/"))
    return Arena(placed.name, _text(given, "", placed, langs, lang, faults), sector, own, given.public, _tags(given))


def _thing(
    placed: MapObject, maze: Maze, town: frozenset[Tile], arenas: dict[str, MapObject], langs: tuple[Lang, ...], lang: Lang, faults: Faults,
) -> Thing:  # fmt: skip
    where = f"things object {placed.name!r}"
    arena = placed.name.rpartition("/")[0]
    given = check(ThingProperties, placed.properties, FILE, faults, where=where) or ThingProperties()
    stands = tuple(tile for tile in _stands(placed.tiles, maze, arena) if tile in town)
    if arena not in arenas:
        faults.add(FILE, where, f"its arena {arena!r} is not in the layer arenas{likely(arena, arenas)}")
    elif not stands:
        faults.add(FILE, where, f"cannot be reached; leave a walkable tile of {arena!r} on it or beside it")
    elif given.seats > len(stands):
        faults.add(FILE, where, f"has {given.seats} seats but {len(stands)} tiles to use it from; lower seats or leave more room in collision")
    return Thing(
        placed.name, _text(given, "", placed, langs, lang, faults), arena, placed.tiles, stands, given.seats,
        _text(given, "idle_", placed, langs, lang, faults), _tags(given), _components(given, where, faults),
    )  # fmt: skip


def _stands(tiles: tuple[Tile, ...], maze: Maze, arena: str) -> tuple[Tile, ...]:
    """Where a thing is used from: its own tiles of the arena, or else those beside it."""
    own = tuple(tile for tile in tiles if maze.arena_at(tile) == arena)
    beside = ((column + right, row + down) for column, row in tiles for right, down in ((0, 1), (-1, 0), (1, 0), (0, -1)))
    return own or tuple(dict.fromkeys(tile for tile in beside if maze.arena_at(tile) == arena))


def _text(given: PlaceProperties | None, prefix: str, placed: MapObject, langs: tuple[Lang, ...], lang: Lang, faults: Faults) -> str:
    """The name of a place (or its idle text) in `lang`; a missing one in any language is a fault."""
    found = {one: str(getattr(given, f"{prefix}{one}", "")) for one in langs}
    missing = [f"{prefix}{one}" for one, text in found.items() if not text]
    if missing and given is not None:
        faults.add(FILE, f"object {placed.name!r}", f"has no {' and no '.join(missing)}; add it as a string property")
    return found[lang]


def _tags(given: PlaceProperties) -> frozenset[str]:
    return frozenset(tag.strip() for tag in given.tags.split(",") if tag.strip())


def _components(given: ThingProperties, where: str, faults: Faults) -> dict[str, Any]:
    from json import JSONDecodeError, loads

    try:
        found = loads(given.components)
    except JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        faults.add(FILE, where, f"components is {given.components!r}; it should be a JSON object such as {{}}")
        return {}
    return found
