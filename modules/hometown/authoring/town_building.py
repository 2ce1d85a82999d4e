"""The painter's buildings: placed as they are, or built room by room, and demolished."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from hometown.authoring.art import furniture
from hometown.authoring.art.kinds import Box
from hometown.authoring.buildings import RoomType, load_buildings, load_room_types, room_type
from hometown.authoring.importing.site import around, tiles_of
from hometown.authoring.painting import MapPainter, NamedMap, box_of, is_drawn_here
from hometown.authoring.town_painting import GROUNDS, WALKABLE, TownPainter
from hometown.authoring.town_plan import read_plan, tiles_of_kind
from hometown.errors import BadWorld
from hometown.name import first_free
from hometown.world.maze import Tile

SMALLEST = 4
"""The smallest side of a room with its walls."""

HOUSE = "house"
"""The building that a room for living begins."""


class TownBuilder(TownPainter):
    """A map with its ground plan, on which there can be built. Each method raises BadWorld for an
    impossible change.
    """

    def build(self, which: str, at: Tile) -> None:
        """Place a building or an open place, its upper left tile at `at`, on free ground."""
        building = load_buildings().get(which)
        if building is None:
            raise BadWorld("there is no building {which!r}", which=which[:40])
        area = (*at, *building.size)
        self._require_free(tiles_of(area))
        for door in building.doors:
            if self._mark_at((at[0] + door[0], at[1] + door[1])) not in WALKABLE:
                raise BadWorld("there is no room: leave free ground in front of its door")
        sector = self._add_sector(which, area, building.en, building.zh, building.facade)
        for down, line in enumerate(building.ground):
            self.ground[at[1] + down][at[0] : at[0] + len(line)] = line
        for room, (right, down, width, height) in building.rooms.items():
            box = (at[0] + right, at[1] + down, width, height)
            self._add_arena(f"{sector}/{room}", box, room_type(room))
        for room, kind, (right, down) in building.things:
            self._add_thing(f"{sector}/{room}", kind, (at[0] + right, at[1] + down))
        self.decor += [
            (kind, (at[0] + right, at[1] + down)) for kind, (right, down) in building.decor
        ]

    def add_room(self, kind: str, area: Box) -> None:
        """Build a furnished room in a rectangle with its walls; where it shares a wall with a
        building it becomes a part of that, with a door between. Parks, gardens and squares have no
        walls.
        """
        given = load_room_types().get(kind)
        if given is None:
            raise BadWorld("there is no room {kind!r}", kind=kind[:40])
        if area[0] + area[2] > self.width or area[1] + area[3] > len(self.ground):
            raise BadWorld("there is no room: it would reach beyond the map")
        if given.is_outdoors:
            self._mark_open_place(kind, area, given)
            return
        if min(area[2:]) < SMALLEST:
            raise BadWorld(
                "a room needs at least {count} tiles each way, with its walls", count=SMALLEST
            )
        left, top, width, height = area = self._snap(area)
        inside = (left + 1, top + 1, width - 2, height - 2)
        walls = tiles_of(area) - tiles_of(inside)
        shared = {tile for tile in walls if self._mark_at(tile) in ("#", "+")}
        sector = self._find_neighbour(shared)
        self._require_free(tiles_of(area) - shared)
        if sector:
            self._add_object("sectors", sector, area, self._properties("sectors", sector))
        else:
            home = load_buildings()[HOUSE]
            name = (HOUSE, home.en, home.zh) if "home" in given.tags else (kind, given.en, given.zh)
            sector = self._add_sector(name[0], area, *name[1:], given.facade)
        for column, row in walls - shared:
            self.ground[row][column] = "#"
        for column, row in tiles_of(inside):
            self.ground[row][column] = given.floor
        taken = [item["name"] for item in self.objects["arenas"]]
        room = first_free(f"{sector}/{kind}", taken, "_")
        self._add_arena(room, inside, given)
        self._open_door(shared, walls - shared, area)
        if shared and given.public:
            self._open_door(set(), walls - shared, area)
        self._furnish(room, inside, given.things)

    def demolish(self, sector: str) -> None:
        """Take a building or an open place away, with all that is in it."""
        self._find("sectors", sector)
        others = (box_of(item) for item in self.objects["sectors"] if item["name"] != sector)
        own = self._area("sectors", sector).difference(*map(tiles_of, others))
        for column, row in own:
            self.ground[row][column] = "."
        self.decor = [(kind, at) for kind, at in self.decor if at not in own]
        for items in self.objects.values():
            items[:] = [item for item in items if item["name"].partition("/")[0] != sector]
        self.facades.pop(sector, None)

    def _mark_open_place(self, kind: str, area: Box, given: RoomType) -> None:
        """Make a place in the open; its ground stays, unless such places have their own."""
        self._require_free(tiles_of(area), built=False)
        sector = self._add_sector(kind, area, given.en, given.zh, given.facade)
        self._add_arena(f"{sector}/{kind}", area, given)
        for column, row in tiles_of(area) if given.floor else ():
            self.ground[row][column] = given.floor

    def _require_free(self, tiles: Collection[Tile], built: bool = True) -> None:
        """Raise BadWorld unless all tiles are in the open, and no place is there; nor water or
        things, where there is to be `built`.
        """
        marks = {self._mark_at(tile) for tile in tiles}
        if "" in marks:
            raise BadWorld("there is no room: it would reach beyond the map")
        items = (item for layer in ("sectors", "arenas") for item in self.objects[layer])
        places = set[Tile]().union(*(tiles_of(box_of(item)) for item in items))
        if not marks <= set(GROUNDS.values()) or places.intersection(tiles):
            raise BadWorld("there is no room: another place is in the way")
        if built and (not marks.isdisjoint("~=") or self._occupied().intersection(tiles)):
            raise BadWorld("there is no room: water or a thing is in the way")

    def _snap(self, area: Box) -> Box:
        """Return a room enlarged by a tile where its walls lie beside those of a building, so that
        both share them.
        """
        left, top, width, height = area
        right, bottom = left + width, top + height

        def touches(box: Box) -> bool:
            marks = [self._mark_at(tile) for tile in tiles_of(box)]
            return marks.count("#") >= SMALLEST - 1

        after = (touches((right, top, 1, height)), touches((left, bottom, width, 1)))
        before = (touches((left - 1, top, 1, height)), touches((left, top - 1, width, 1)))
        return (
            left - before[0],
            top - before[1],
            width + before[0] + after[0],
            height + before[1] + after[1],
        )

    def _find_neighbour(self, shared: Collection[Tile]) -> str:
        """Return the building that has most of some pieces of wall, "" for none."""
        most, sector = max(
            (
                (len(tiles_of(box_of(item)).intersection(shared)), str(item["name"]))
                for item in self.objects["sectors"]
            ),
            default=(0, ""),
        )
        return sector if most >= SMALLEST - 1 else ""

    def _add_sector(self, kind: str, box: Box, en: str, zh: str, facade: str) -> str:
        """Add a building or an open place with a name of its own, and return its address."""
        taken = [item["name"] for item in self.objects["sectors"]]
        address = first_free(kind, taken, "_")
        self._add_object("sectors", address, box, self._choose_names("sectors", "", en, zh))
        self.facades[address] = facade
        return address

    def _add_arena(self, address: str, box: Box, given: RoomType) -> None:
        sector = address.partition("/")[0]
        names = self._choose_names("arenas", f"{sector}/", given.en, given.zh)
        properties: dict[str, str | bool] = {
            **names,
            "tags": given.tags,
            "public": given.public,
        }
        self._add_object("arenas", address, box, properties)

    def _open_door(self, shared: set[Tile], outer: set[Tile], area: Box) -> None:
        """Make a door of a new room: to the building that it shares walls with, if there is none
        yet, or else to the outside; where no thing stands in its way.
        """
        inner = shared if all(self._mark_at(tile) == "#" for tile in shared) else set[Tile]()
        ordered = [
            tile
            for walls in (inner, outer)
            for tile in sorted(walls, key=lambda tile: _rank_for_door(tile, area))
        ]
        taken = self._occupied()
        for tile in filter(self._leads_through, ordered):
            if taken.isdisjoint(around(tile)):
                self.ground[tile[1]][tile[0]] = "+"
                return

    def _furnish(self, room: str, inside: Box, kinds: Iterable[str]) -> None:
        """Put things into an empty room, each with a way around it, as far as there is room."""
        tiles = tiles_of(inside)
        doors = {near for tile in tiles for near in around(tile) if self._mark_at(near) == "+"}
        kept = {near for door in doors for near in around(door)}
        for kind in kinds:
            width, height = furniture.size_of_kind(kind)
            for at in sorted(tiles, key=lambda tile: (tile[1], tile[0])):
                wanted = tiles_of_kind(kind, at)
                bars = at[1] > inside[1] and width == inside[2]
                if wanted <= tiles and not wanted & kept and not bars:
                    self._add_thing(room, kind, at)
                    kept |= tiles_of((at[0] - 1, at[1] - 1, width + 2, height + 2))
                    break


def open_painter(folder: Path) -> NamedMap:
    """Return the painter of a world's map: of the whole town where the map has its plan, else of
    its rooms, and for maps drawn elsewhere of their names alone. Raises BadWorld for a map that
    can't be changed.
    """
    named = NamedMap(folder)
    if not is_drawn_here(named):
        return named
    return (
        MapPainter(folder) if read_plan(named.raw, named.objects) is None else TownBuilder(folder)
    )


def has_plan(folder: Path) -> bool:
    """Return True if the map of a world can be read and contains its ground plan."""
    try:
        return isinstance(open_painter(folder), TownBuilder)
    except BadWorld:
        return False


def _rank_for_door(tile: Tile, area: Box) -> tuple[bool, float]:
    """Return the order in which a room's walls are tried for its door: the lower one first, from
    the middle outwards.
    """
    left, top, width, height = area
    middle = (left + (width - 1) / 2, top + (height - 1) / 2)
    return tile[1] != top + height - 1, abs(tile[0] - middle[0]) + abs(tile[1] - middle[1])
