"""From a Tiled map to the places of a world: the maze, sectors, arenas and things, each in one
language.

The map has a tile layer `collision` (any tile there blocks the way) and object layers `sectors`,
`arenas` and `things`, whose objects are named by address: `cafe`, `cafe/main`, `cafe/main/counter`.
A thing is used from its own tiles where they can be walked (a chair, a bed), otherwise from the
walkable tiles beside it in its arena (a stove).

Tags are free; these are the ones that the worlds here use. Of things, what one does there: sleep,
rest, wash, bathe, dress, toilet, cook, bake, dishes, eat, dining, drink, snack, tea, coffee, order,
serve, borrow, notice, poster, shop, groceries, medicine, work, office, code, design, make, print,
meet, discuss, plan, teach, listen, read, study, quiet, search, browse, shelve, write, calligraphy,
draw, art, music, perform, dance, science, stars, chat, laptop, play, chess, games, exercise,
stretch, taichi, watch, fish, garden, dig, arranging, tv, store; what they are: armchair, basin,
bed, bench, bird, birdcage, books, bookshelf, closet, computer, counter, desk, easel, flowers,
fountain, guitar, lawn, market, microscope, oven, pet, piano, plants, pond, printer, seat, shower,
sink, sofa, stage, stall, stove, table, telescope, tree, wardrobe, water, whiteboard, workshop. Of
arenas: art, bathroom, bedroom, cafe, coffee, college, flowers, garden, home, kitchen, library,
living, market, meet, music, office, outdoor, outdoors, park, path, pharmacy, pub, quiet, science,
shop, square, store, study, work, workshop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from json import JSONDecodeError, loads

import numpy as np

from hometown.json_object import Json
from hometown.language import Lang
from hometown.name import compose, lookalike_key, name_fault
from hometown.text import N_, Phrase
from hometown.world.authored import PlaceProperties, ThingProperties
from hometown.world.faults import Faults, likely, validate_model
from hometown.world.maze import DIRECTIONS, OUTDOORS, Maze, Tile
from hometown.world.tiled import Layer, MapObject, TiledMap, object_in
from hometown.world.world import Arena, Sector, Thing, sector_of

OBJECT_LAYERS = ("sectors", "arenas", "things")


@dataclass(frozen=True)
class Places:
    """The places of a map: its grid, and sectors, arenas and things by address."""

    maze: Maze
    sectors: dict[str, Sector]
    arenas: dict[str, Arena]
    things: dict[str, Thing]

    @cached_property
    def spots(self) -> frozenset[str]:
        """The addresses of all destinations."""
        return frozenset((*self.arenas, *self.things))

    @cached_property
    def areas(self) -> frozenset[str]:
        """The addresses that residents can know."""
        return frozenset((*self.sectors, *self.arenas))


def read_places(
    drawn: TiledMap, outdoors: str, langs: tuple[Lang, ...], lang: Lang, faults: Faults
) -> Places | None:
    """Return the places of a map; None where a layer is missing or an object covers no tiles.
    `outdoors` is the name of the area outside all arenas.
    """
    collision = drawn.covered("collision")
    before = len(faults.lines)
    objects = {
        layer: drawn.lay((item for item in drawn.objects if item.layer == layer), faults)
        for layer in OBJECT_LAYERS
    }
    _check_layers(drawn, faults)
    if collision is None or len(faults.lines) > before:
        return None
    named = {
        layer: _objects_by_address(objects[layer], depth, drawn.file, faults)
        for depth, layer in enumerate(OBJECT_LAYERS, start=1)
    }
    maze = _maze(collision, named["sectors"], named["arenas"], drawn.file, faults)
    reader = _Reader(named, maze, largest_area(maze), langs, lang, drawn.file, faults)
    sectors = {address: reader.sector(placed) for address, placed in named["sectors"].items()}
    arenas = {address: reader.arena(placed) for address, placed in named["arenas"].items()}
    things = {address: reader.thing(placed) for address, placed in named["things"].items()}
    by_layer: tuple[Mapping[str, Sector | Arena | Thing], ...] = (sectors, arenas, things)
    for layer, places in zip(OBJECT_LAYERS, by_layer, strict=True):
        names = {address: place.name for address, place in places.items()}
        _check_looks(layer, names, drawn.file, faults)
    sector = sector_of(OUTDOORS)
    arenas[OUTDOORS] = Arena(
        OUTDOORS, outdoors, sector, tags=frozenset({"outdoors", "outdoor", "path"})
    )
    sectors[sector] = Sector(sector, outdoors, (OUTDOORS,))
    return Places(maze, sectors, arenas, things)


def _check_layers(drawn: TiledMap, faults: Faults) -> None:
    """Add a fault for each missing layer, with a layer of a similar name as a hint."""
    present = [layer.name for layer in drawn.layers] + list(drawn.object_layers)
    for name in ("collision", *OBJECT_LAYERS):
        if name in present:
            continue
        hint = (
            likely(name, present)
            if name not in map(str.lower, present)
            else Phrase("; layer names are in small letters")
        )
        faults.add(
            drawn.file,
            Phrase("layer {name!r}", name=name),
            "is missing{hint}",
            hint=hint or Phrase("; add it"),
        )


def _check_looks(layer: str, names: dict[str, str], file: str, faults: Faults) -> None:
    """Add a fault for each place whose name is visually the same as another's there; things may
    share names.
    """
    seen: dict[tuple[str, str], str] = {}
    for address, name in names.items():
        other = names[seen.setdefault((address.rpartition("/")[0], lookalike_key(name)), address)]
        if other != name and not faults.from_run:
            faults.add(
                file,
                object_in(layer, address),
                "{name!r} looks the same as {named!r} beside it; give another name",
                name=name,
                named=other,
            )


def _objects_by_address(
    objects: tuple[MapObject, ...], depth: int, file: str, faults: Faults
) -> dict[str, MapObject]:
    """Return the objects by address, with multi-part sectors and arenas joined. Missing and
    duplicate addresses are faults.
    """
    layer = OBJECT_LAYERS[depth - 1]
    shape = "/".join(("sector", "arena", "thing")[:depth])
    named: dict[str, MapObject] = {}
    for placed in objects:
        parts = placed.name.split("/")
        if len(parts) != depth or not all(part.isidentifier() for part in parts):
            faults.add(
                file,
                object_in(layer, placed.name),
                "is not named like {shape}; use letters, digits and underscores between slashes",
                shape=shape,
            )
        elif (placed.name in named and layer == "things") or parts[0] == sector_of(OUTDOORS):
            faults.add(
                file,
                object_in(layer, placed.name),
                "has the same name as another; give each its own",
            )
        else:
            before = named.get(placed.name, MapObject(placed.name, ()))
            named[placed.name] = MapObject(
                placed.name,
                tuple(dict.fromkeys(before.tiles + placed.tiles)),
                placed.properties | before.properties,
            )
    return named


def _maze(
    collision: Layer,
    sectors: dict[str, MapObject],
    arenas: dict[str, MapObject],
    file: str,
    faults: Faults,
) -> Maze:
    """Return the grid, with a fault for each two arenas that share a walkable tile. A doorway
    belongs to its room, not the streets.
    """
    walkable = collision == 0
    index = np.full(walkable.shape, -1, dtype=np.int32)
    names = list(arenas)
    for number, placed in enumerate(arenas.values()):
        area = _area(placed)
        taken = set(index[area][walkable[area]].tolist()) - {-1}
        for other in sorted(taken):
            faults.add(
                file,
                object_in("arenas", placed.name),
                "overlaps {other!r}; make one of them smaller",
                other=names[other],
            )
        index[area] = number
    rooms = np.pad(index, 1, constant_values=-1)
    beside = np.maximum.reduce(
        [rooms[:-2, 1:-1], rooms[2:, 1:-1], rooms[1:-1, :-2], rooms[1:-1, 2:]]
    )
    for placed in sectors.values():
        area = _area(placed)
        index[area] = np.where(index[area] < 0, beside[area], index[area])
    return Maze(walkable, names, index)


def _area(placed: MapObject) -> tuple[list[int], list[int]]:
    """Return rows and columns of an object's tiles, to index a grid."""
    return [row for _, row in placed.tiles], [column for column, _ in placed.tiles]


def largest_area(maze: Maze) -> frozenset[Tile]:
    """Return the tiles of the largest connected part of the map."""
    unvisited = {
        (column, row)
        for row in range(maze.size[1])
        for column in range(maze.size[0])
        if maze.walkable((column, row))
    }
    largest: frozenset[Tile] = frozenset()
    while len(unvisited) > len(largest):
        area = maze.reachable(min(unvisited))
        largest = max(largest, area, key=len)
        unvisited -= area
    return largest


@dataclass(frozen=True)
class _Reader:
    """Converts the map's objects to places, given all that were `named`, and the reachable tiles
    `town`.
    """

    named: dict[str, dict[str, MapObject]]
    maze: Maze
    town: frozenset[Tile]
    langs: tuple[Lang, ...]
    lang: Lang
    file: str
    faults: Faults

    def sector(self, placed: MapObject) -> Sector:
        """Return an object as a sector, with faults for invalid properties and for no arena."""
        given = validate_model(
            PlaceProperties,
            placed.properties,
            self.file,
            self.faults,
            where=object_in("sectors", placed.name),
        )
        own = self._within(placed)
        if not own:
            self.faults.add(
                self.file,
                object_in("sectors", placed.name),
                "has no arena; add one to the layer arenas",
            )
        return Sector(placed.name, self._text(given, "", placed), own)

    def arena(self, placed: MapObject) -> Arena:
        """Return an object as an arena, with faults for invalid properties, an unknown sector, and
        no way into it.
        """
        where = object_in("arenas", placed.name)
        given = validate_model(
            PlaceProperties, placed.properties, self.file, self.faults, where=where
        )
        sector = self._parent(placed, "sectors", where)
        if not any(
            self.maze.arena_at(tile) == placed.name for tile in self.town.intersection(placed.tiles)
        ):
            self.faults.add(
                self.file,
                where,
                "cannot be reached on foot; give it a door: clear a tile between it and the streets in the layer collision",
            )
        public, tags = (given.public, _tags(given)) if given else (True, frozenset[str]())
        return Arena(
            placed.name, self._text(given, "", placed), sector, self._within(placed), public, tags
        )

    def thing(self, placed: MapObject) -> Thing:
        """Return an object as a thing, with faults for invalid properties, an unknown arena, and
        too few tiles from which it can be used.
        """
        where = object_in("things", placed.name)
        given = validate_model(
            ThingProperties, placed.properties, self.file, self.faults, where=where
        )
        arena = self._parent(placed, "arenas", where)
        stands = tuple(
            tile for tile in _stands(placed.tiles, self.maze, arena) if tile in self.town
        )
        seats = given.seats if given else 1
        if arena in self.named["arenas"] and not stands:
            self.faults.add(
                self.file,
                where,
                "cannot be reached; leave a walkable tile of {arena!r} on it or beside it",
                arena=arena,
            )
        elif len(stands) < seats and stands:
            text = N_(
                "has {seats} seats, but only {count} tiles from which it can be used; lower seats, or clear tiles in the layer collision"
            )
            self.faults.add(self.file, where, text, seats=seats, count=len(stands))
        return Thing(
            placed.name,
            self._text(given, "", placed),
            arena,
            placed.tiles,
            stands,
            seats,
            self._text(given, "idle_", placed),
            _tags(given) if given else frozenset(),
            self._components(given, where),
            _facing(placed.tiles, given.facing if given else ""),
        )

    def _parent(self, placed: MapObject, layer: str, where: str) -> str:
        """Return the address of the sector or arena around a place, by its name. Add a fault if the
        map does not have it.
        """
        parent = placed.name.rpartition("/")[0]
        if parent not in self.named[layer]:
            self.faults.add(
                self.file,
                where,
                "its {kind} {parent!r} is not in the layer {layer}{hint}",
                kind=layer[:-1],
                parent=parent,
                layer=layer,
                hint=likely(parent, self.named[layer]),
            )
        return parent

    def _within(self, placed: MapObject) -> tuple[str, ...]:
        """Return the addresses directly within a sector or an arena."""
        return tuple(self._inside[placed.name])

    @cached_property
    def _inside(self) -> dict[str, list[str]]:
        """Return the addresses directly within each sector and arena."""
        inside: dict[str, list[str]] = defaultdict(list)
        for address in (*self.named["arenas"], *self.named["things"]):
            inside[address.rpartition("/")[0]].append(address)
        return inside

    def _text(self, given: PlaceProperties | None, prefix: str, placed: MapObject) -> str:
        """Return a place's name or idle text in the run's language; one missing in any language is
        a fault.
        """
        texts = {lang: str(getattr(given, f"{prefix}{lang}", "")) for lang in self.langs}
        if not self.faults.from_run:
            texts = {lang: compose(text) for lang, text in texts.items()}
        missing = [f"{prefix}{lang}" for lang, text in texts.items() if not text]
        if missing and given is not None:
            self.faults.add(
                self.file,
                Phrase("object {name!r}", name=placed.name),
                "has no {missing}; add it as a string property",
                missing=" and no ".join(missing),
            )
        elif not prefix and not self.faults.from_run:
            for fault in filter(None, map(name_fault, texts.values())):
                self.faults.add(
                    self.file, object_in(OBJECT_LAYERS[placed.name.count("/")], placed.name), fault
                )
        return texts[self.lang]

    def _components(self, given: ThingProperties | None, where: str) -> Json:
        if given is None:
            return {}
        try:
            components = loads(given.components)
        except (JSONDecodeError, RecursionError):
            components = None
        if not isinstance(components, dict):
            self.faults.add(
                self.file,
                where,
                "components is {components!r}; it should be a JSON object such as {{}}",
                components=given.components,
            )
            return {}
        return components


def _stands(tiles: tuple[Tile, ...], maze: Maze, arena: str) -> tuple[Tile, ...]:
    """Return the tiles from which a thing is used: its own in the arena, or those beside it."""
    own = tuple(tile for tile in tiles if maze.arena_at(tile) == arena)
    beside = ((column + right, row + down) for column, row in tiles for right, down in DIRECTIONS)
    return own or tuple(dict.fromkeys(tile for tile in beside if maze.arena_at(tile) == arena))


def _facing(tiles: tuple[Tile, ...], letters: str) -> dict[Tile, str]:
    """Return the direction in which users look, by tile; `letters` begin at the upper left."""
    words = {"u": "up", "d": "down", "l": "left", "r": "right"}
    left, top = (
        min((column for column, _ in tiles), default=0),
        min((row for _, row in tiles), default=0),
    )
    ways = {
        (left + right, top + down): words.get(letter, "")
        for down, line in enumerate(letters.split("/"))
        for right, letter in enumerate(line)
    }
    return {tile: way for tile, way in ways.items() if way and tile in tiles}


def _tags(given: PlaceProperties) -> frozenset[str]:
    return frozenset(tag.strip() for tag in given.tags.split(",") if tag.strip())
