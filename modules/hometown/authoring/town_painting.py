"""The painter of a town whose map contains its ground plan: ground, greenery, doors and things.

A change is made in the plan. When the map is saved, the tiles that look different in the new plan
are drawn again; all others, such as those drawn in Tiled, stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from hometown.authoring.art import tilemap, tmj
from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.floors import INDOORS
from hometown.authoring.art.kinds import Box, load_decorations, load_kinds
from hometown.authoring.art.plan import PLAN, Placed, Plan
from hometown.authoring.art.tilemap import LAYERS, PaintedTown
from hometown.authoring.importing.site import around, tiles_of
from hometown.authoring.painting import MapPainter, box_of, kind_of_thing, localized_names
from hometown.authoring.town_plan import (
    find_changed_part,
    plan_of,
    property_of,
    read_plan,
    tiles_of_kind,
    tiles_of_thing,
)
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.name import first_free
from hometown.world.map_places import largest_area
from hometown.world.maze import DIRECTIONS, Maze, Tile

GROUNDS = {
    "grass": ".",
    "flowers": "f",
    "path": ":",
    "cobbles": "r",
    "paving": "s",
    "deck": "d",
    "garden": "g",
    "field": "m",
    "wheat": "y",
    "water": "~",
    "bridge": "=",
    "tree": "t",
    "apple": "a",
    "pine": "i",
    "plum": "h",
    "bamboo": "j",
    "hedge": "T",
    "fence": "|",
    "rock": "M",
}
"""The characters of a ground plan that can be drawn in the open, by their names."""

SOLID = set("T~taihjM|")
"""Those of them that cannot be walked."""

WALKABLE = (INDOORS | set(GROUNDS.values())) - SOLID
"""The characters of floors and of ground that can be walked."""


class TownPainter(MapPainter):
    """A map with its ground plan, open for changes; `save` writes it. Each method raises BadWorld
    for an impossible change.
    """

    def __init__(self, folder: Path) -> None:
        """Open the map of a world folder. Raises BadWorld for a map without a plan."""
        super().__init__(folder)
        plan = read_plan(self.raw, self.objects)
        if plan is None:
            raise BadWorld(
                "this map has no ground plan: its rooms and things can be changed here, the rest in Tiled"
            )
        self.before = plan
        self.ground = [list(row) for row in plan.ground]
        self.decor, self.facades = list(plan.decor), dict(plan.facades)

    def describe(self) -> Json:
        """Return the rows of the ground, the buildings and open places, and the decorations."""
        return {
            "ground": ["".join(row) for row in self.ground],
            "sectors": [
                {"id": item["name"], "names": localized_names(item), "box": box_of(item)}
                for item in self.objects["sectors"]
            ],
            "decor": [{"kind": kind, "at": at} for kind, at in self.decor],
        }

    def name(self, room: str, names: Mapping[str, str]) -> None:
        """Name a room or a building, in each of the languages given that it has a name in."""
        layer = "arenas" if "/" in room else "sectors"
        self._find(layer, room)
        for item in self.objects[layer]:
            for prop in item["properties"] if item["name"] == room else ():
                if prop["name"] in names:
                    prop["value"] = str(names[prop["name"]]).strip()[:80]

    def lay_ground(self, kind: str, tiles: Iterable[Tile]) -> None:
        """Lay ground, or plant, on those of the tiles that are outdoors and free."""
        mark = GROUNDS.get(kind)
        if mark is None:
            raise BadWorld(
                "there is no ground {kind!r}; there are {kinds}",
                kind=kind[:20],
                kinds=sorted(GROUNDS),
            )
        occupied = self._occupied() if mark in SOLID else set()
        free = [
            tile
            for tile in tiles
            if self._mark_at(tile) in GROUNDS.values() and tile not in occupied
        ]
        if not free:
            raise BadWorld("nothing can be laid there: it is built over, or a thing stands there")
        for column, row in free:
            self.ground[row][column] = mark

    def door(self, at: Tile) -> None:
        """Make a door in a wall, a fence or a hedge, or close one."""
        mark = self._mark_at(at)
        if mark == "+":
            beside = [self._mark_at(near) for near in around(at)]
            self.ground[at[1]][at[0]] = next((wall for wall in "#|T" if wall in beside), "#")
        elif mark in ("#", "|", "T") and self._leads_through(at):
            self.ground[at[1]][at[0]] = "+"
        else:
            raise BadWorld(
                "there can be no door: choose a piece of wall, fence or hedge with free ground on both sides"
            )

    def floor(self, room: str, kind: str) -> None:
        """Lay the floor of a room anew."""
        if kind not in INDOORS:
            raise BadWorld(
                "there is no floor {kind!r}; there are {kinds}",
                kind=kind[:20],
                kinds=sorted(INDOORS),
            )
        for column, row in self._tiles(room):
            if self.ground[row][column] in INDOORS:
                self.ground[row][column] = kind

    def wall(self, room: str, at: Tile) -> None:
        """Build a piece of wall within a room, or remove one."""
        tiles, mark = self._tiles(room), self._mark_at(at)
        floors = [self._mark_at(tile) for tile in tiles if self._mark_at(tile) in INDOORS]
        if at not in tiles or not floors or (mark != "#" and at in self._occupied()):
            raise BadWorld("there can be no wall there: choose a free tile of {room!r}", room=room)
        self.ground[at[1]][at[0]] = max(floors, key=floors.count) if mark == "#" else "#"

    def put(self, room: str, kind: str, at: Tile) -> str:
        """Put a thing or a decoration with its upper left tile at `at`, and return the address of a
        thing: it belongs to the room that it stands in, whatever `room` is.
        """
        if kind in load_decorations():
            self._require_place(kind, at, self._occupied())
            self.decor.append((kind, at))
            return ""
        if kind not in load_kinds():
            raise BadWorld("there is no kind of thing {kind!r}", kind=kind[:40])
        room = self._room_at(at)
        self._require_place(kind, at, self._occupied(), self._area("arenas", room))
        return self._add_thing(room, kind, at)

    def move(self, thing: str, at: Tile) -> None:
        """Move a thing within its room, so that its upper left tile is `at`."""
        item, room = self._find("things", thing), thing.rpartition("/")[0]
        kind = kind_of_thing(item)
        if not kind:
            raise BadWorld("{thing!r} was not drawn here; move it in Tiled", thing=thing)
        self._require_place(kind, at, self._occupied(but=thing), self._area("arenas", room))
        column, row, *_ = tilemap.area_of(Placed(thing, kind, at), load_kinds()[kind])
        item["x"], item["y"] = column * SIZE, row * SIZE

    def remove(self, thing: str) -> None:
        """Take a thing away."""
        self.objects["things"].remove(self._find("things", thing))

    def clear(self, at: Tile) -> None:
        """Take away what stands on a tile: a thing, or else a decoration, or else a plant."""
        things = [item for item in self.objects["things"] if at in tiles_of_thing(item)]
        decor = [placed for placed in self.decor if at in tiles_of_kind(*placed)]
        if things:
            self.objects["things"].remove(things[-1])
        elif decor:
            self.decor.remove(decor[-1])
        else:
            self.lay_ground("grass", [at])

    def save(self) -> None:
        """Write the map with its plan, and the tiles that look different. Raises BadWorld if a room
        is closed in that was not before.
        """
        plan = self._plan()
        before = list(self.cells["collision"])
        part = find_changed_part(self.before, plan)
        if part:
            was, now = PaintedTown(self.before, part).pictures, PaintedTown(plan, part).pictures
            for layer, (column, row) in ((layer, at) for layer in LAYERS for at in tiles_of(part)):
                old, new = was[layer].get((column, row)), now[layer].get((column, row))
                if old != new:
                    self.cells[layer][row * self.width + column] = self._paint(new) if new else 0
        if part and self._closed_rooms(self.cells["collision"]) - self._closed_rooms(before):
            raise BadWorld(
                "there would be no way to a room: keep its door free, or make another door first"
            )
        others = [given for given in self.raw.get("properties", []) if given["name"] != PLAN]
        self.raw["properties"] = [*others, plan.as_property()]
        super().save()

    def _closed_rooms(self, collision: Sequence[int]) -> set[str]:
        """Return the rooms that nobody can reach on foot, by the cells of the layer of collisions."""
        walkable = np.array(collision).reshape(len(self.ground), self.width) == 0
        town = largest_area(Maze(walkable, (), np.full(walkable.shape, -1)))
        rooms = {str(item["name"]) for item in self.objects["arenas"]}
        return {room for room in rooms if town.isdisjoint(self._area("arenas", room))}

    def _plan(self) -> Plan:
        """Return the plan as it is now."""
        ground = ["".join(row) for row in self.ground]
        return plan_of(self.objects, ground, self.decor, self.facades)

    def _mark_at(self, tile: Tile) -> str:
        """Return the plan's character of a tile; "" beyond the map."""
        column, row = tile
        inside = 0 <= row < len(self.ground) and 0 <= column < self.width
        return self.ground[row][column] if inside else ""

    def _leads_through(self, at: Tile) -> bool:
        """Return True if the tiles on two opposite sides can be walked."""
        return any(
            self._mark_at((at[0] + right, at[1] + down)) in WALKABLE
            and self._mark_at((at[0] - right, at[1] - down)) in WALKABLE
            for right, down in DIRECTIONS
        )

    def _occupied(self, but: str = "") -> set[Tile]:
        """Return the tiles of all things except one, and of decorations that stand on the ground."""
        things = (tiles_of_thing(item) for item in self.objects["things"] if item["name"] != but)
        decor = (
            tiles_of_kind(kind, at)
            for kind, at in self.decor
            if load_decorations()[kind].layer == "furniture"
        )
        return set().union(*things, *decor)

    def _require_place(
        self, kind: str, at: Tile, taken: Collection[Tile], room: Collection[Tile] | None = None
    ) -> None:
        """Raise BadWorld unless a thing or a decoration can stand there: in `room`, if that is
        given, on free ground or floor, or on a wall if it hangs.
        """
        given = load_kinds().get(kind) or load_decorations()[kind]
        tiles = tiles_of_kind(kind, at)
        hangs, marks = given.layer == "walls", {self._mark_at(tile) for tile in tiles}
        fits = marks == {"#"} if hangs else marks <= WALKABLE
        if not fits or (room is not None and not tiles <= set(room)):
            raise BadWorld(
                "it does not fit there: it needs {columns} × {rows} free tiles of one place, and what hangs needs a wall",
                columns=len(given.shape[0]),
                rows=len(given.shape),
            )
        if given.layer == "furniture" and tiles.intersection(taken):
            raise BadWorld("it does not fit there: another thing is in the way")

    def _room_at(self, at: Tile) -> str:
        """Return the room or the open place of a tile."""
        for item in self.objects["arenas"]:
            if at in tiles_of(box_of(item)):
                return str(item["name"])
        raise BadWorld(
            "things that people use belong to a room or an open place: draw a park, a garden or a square there first"
        )

    def _area(self, layer: str, address: str) -> set[Tile]:
        """Return the tiles of all parts of a place; none for an unknown one."""
        boxes = (box_of(item) for item in self.objects[layer] if item["name"] == address)
        return set().union(*map(tiles_of, boxes))

    def _tiles(self, room: str) -> set[Tile]:
        self._find("arenas", room)
        return self._area("arenas", room)

    def _add_thing(self, room: str, kind: str, at: Tile) -> str:
        """Add a thing to a room, and return its address."""
        taken = [item["name"] for item in self.objects["things"]]
        placed, given = (
            Placed(first_free(f"{room}/{kind}", taken, "_"), kind, at),
            load_kinds()[kind],
        )
        area, properties = tilemap.area_of(placed, given), tilemap.properties_of(placed, given)
        self._add_object("things", placed.address, area, properties)
        return placed.address

    def _add_object(
        self, layer: str, address: str, box: Box, properties: Mapping[str, str | int | bool]
    ) -> None:
        """Add an object to a layer of the map."""
        items = [item for layer in self.objects.values() for item in layer]
        number = 1 + max((item.get("id", 0) for item in items), default=0)
        self.raw["nextobjectid"] = number + 1
        self.objects[layer].append(tmj.map_object(number, address, box, properties, SIZE))

    def _choose_names(self, layer: str, within: str, en: str, zh: str) -> dict[str, str]:
        """Return names that no place of a layer has whose address begins with `within`."""
        taken = [
            localized_names(item) for item in self.objects[layer] if item["name"].startswith(within)
        ]
        return {
            lang: first_free(name, [names.get(lang, "") for names in taken])
            for lang, name in (("en", en), ("zh", zh))
        }

    def _properties(self, layer: str, address: str) -> dict[str, str]:
        """Return the names of a place as the properties of another part of it."""
        item = self._find(layer, address)
        return {lang: str(property_of(item, lang)) for lang in ("en", "zh")}
